#include "io/robot/sdf_frames.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/robot/xml_rotation.hpp"
#include "io/xml/xml_numbers.hpp"

namespace ulna {

namespace {
constexpr std::size_t no_link = static_cast<std::size_t>(-1);
}

Pose<double> sdf_pose(const XmlElement& pose) {
  const bool is_quaternion = pose.attribute("rotation_format") == "quat_xyzw";
  if (trimmed_words(pose.words).empty()) return Pose<double>::identity();
  const std::size_t count = is_quaternion ? 7 : 6;
  const std::vector<double> x = numbers_between(pose, count, count);
  const Vec3<double> p{x[0], x[1], x[2]};
  if (is_quaternion) return {rotation_of_any_quaternion(pose, x[3], x[4], x[5], x[6]), p};
  const double unit = pose.attribute("degrees") == "true" ? std::numbers::pi / 180.0 : 1.0;
  return {rotation_of_rpy({unit * x[3], unit * x[4], unit * x[5]}), p};
}

Pose<double> sdf_pose_in(const XmlElement& owner) {
  const XmlElement* pose = owner.child("pose");
  return pose == nullptr ? Pose<double>::identity() : sdf_pose(*pose);
}

std::string sdf_relative_to(const XmlElement& owner) {
  const XmlElement* pose = owner.child("pose");
  return pose == nullptr ? "" : pose->attribute("relative_to");
}

std::string sdf_name(const std::string& scope, std::string_view name) {
  return scope.empty() ? std::string(name) : fmt::format("{}::{}", scope, name);
}

SdfFrames::SdfFrames() { add({Entry::Kind::world, "world", "", nullptr, "", "", Pose<double>::identity()}); }

void SdfFrames::add(Entry entry) {
  const auto [found, is_new] = by_name_.emplace(entry.name, entries_.size());
  if (!is_new) {
    const XmlElement* other = entries_[found->second].element;
    throw InputError(entry.element->source(),
                     fmt::format("there is another '{}'{}; rename one", entry.name,
                                 other == nullptr ? ", the world's name" : fmt::format(" on line {}", other->line)));
  }
  const bool is_fixed_point = entry.kind == Entry::Kind::world;
  links_.push_back(is_fixed_point || entry.kind == Entry::Kind::link ? entries_.size() : no_link);
  has_pose_.push_back(is_fixed_point ? 1 : 0);
  poses_.push_back(Pose<double>::identity());
  entries_.push_back(std::move(entry));
}

std::size_t SdfFrames::find(const std::string& scope, const std::string& name, const XmlElement& where) const {
  if (name == "world") return 0;
  const std::string whole = sdf_name(scope, name);
  auto found = by_name_.find(whole);
  if (found == by_name_.end())  // a model within this one: its frame
    found = by_name_.find(sdf_name(whole, "__model__"));
  if (found == by_name_.end())
    throw InputError(where.source(), fmt::format("<{}>: there is no link, joint, frame or model '{}'; correct the name",
                                                 where.name, whole));
  return found->second;
}

std::size_t SdfFrames::target(const Entry& entry, const std::string& name) const {
  return find(entry.scope, name, *entry.element);
}

template <class Next, class Known, class Set>
void SdfFrames::follow(std::size_t entry, const Next& next, const Known& known, const Set& set) const {
  std::vector<std::size_t> way;
  for (std::size_t at = entry; !known(at); at = next(entries_[at])) {
    way.push_back(at);
    if (way.size() > entries_.size()) {
      throw InputError(entries_[entry].element->source(),
                       fmt::format("'{}' is placed by frames that form a ring; leave one 'relative_to' or "
                                   "'attached_to' out",
                                   entries_[entry].name));
    }
  }
  for (std::size_t k = way.size(); k-- > 0;) set(way[k], next(entries_[way[k]]));
}

void SdfFrames::place_by(std::size_t model, std::size_t frame_within) {
  Pose<double> in_model = Pose<double>::identity();
  std::size_t steps = 0;
  for (std::size_t at = frame_within; at != model; at = target(entries_[at], entries_[at].relative_to)) {
    if (at == 0 || ++steps > entries_.size()) {
      throw InputError(entries_[model].element->source(),
                       fmt::format("the placement frame '{}' is not placed within its model; place it there",
                                   entries_[frame_within].name));
    }
    in_model = entries_[at].pose * in_model;
  }
  entries_[model].pose = entries_[model].pose * inverse(in_model);
}

const Pose<double>& SdfFrames::pose(std::size_t entry) {
  follow(
      entry, [&](const Entry& e) { return target(e, e.relative_to); }, [&](std::size_t e) { return has_pose_[e] != 0; },
      [&](std::size_t e, std::size_t outer) {
        poses_[e] = poses_[outer] * entries_[e].pose;
        has_pose_[e] = 1;
      });
  return poses_[entry];
}

std::size_t SdfFrames::link(std::size_t entry) {
  follow(
      entry, [&](const Entry& e) { return target(e, e.attached_to); },
      [&](std::size_t e) { return links_[e] != no_link; },
      [&](std::size_t e, std::size_t outer) { links_[e] = links_[outer]; });
  return links_[entry];
}

}  // namespace ulna

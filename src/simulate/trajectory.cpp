#include "ulna/simulate/trajectory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "column_words.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

class ColumnList {
 public:
  void add(std::string name, std::string label, std::string unit, std::string group) {
    columns_.push_back({std::move(name), std::move(label), std::move(unit), std::move(group)});
  }
  /// One column per name, all with the same unit; the label is the name in plain words.
  void add_all(std::initializer_list<const char*> names, const char* unit, const char* group) {
    for (const char* name : names) {
      std::string label = name;
      std::replace(label.begin(), label.end(), '_', ' ');
      add(name, label, unit, group);
    }
  }
  std::vector<Column> take() { return std::move(columns_); }

 private:
  std::vector<Column> columns_;
};

void add_joint_columns(ColumnList& list, const Model& model, const char* prefix, bool rates, const char* turning,
                       const char* sliding, const char* group) {
  static const std::string base = "base";
  int number = 0;
  for (const JointInfo& joint : model.joints()) {
    for (const JointNumber& part : rates ? rate_numbers(joint.kind) : position_numbers(joint.kind)) {
      const char* unit = part.is_length ? sliding : !rates && has_quaternion(joint.kind) ? "1" : turning;
      const std::string& name = joint.body == 0 && model.has_free_base() ? base : joint.name;
      list.add(fmt::format("{}{}", prefix, ++number), name + part.suffix, unit, group);
    }
  }
}

/// What every table of a motion begins with.
void add_motion_columns(ColumnList& list, const Model& model) {
  list.add("t", "time", "s", "time");
  add_joint_columns(list, model, "q", false, "rad", "m", "position");
  add_joint_columns(list, model, "v", true, "rad/s", "m/s", "velocity");
  add_joint_columns(list, model, "a", true, "rad/s²", "m/s²", "acceleration");
  add_joint_columns(list, model, "tau", true, "N m", "N", "torque");
  list.add_all({"tip_x", "tip_y", "tip_z"}, "m", "tip");
  list.add_all({"tip_qx", "tip_qy", "tip_qz", "tip_qw"}, "1", "tip_orientation");
  list.add_all({"tip_wx", "tip_wy", "tip_wz"}, "rad/s", "tip_turning");
  list.add_all({"tip_vx", "tip_vy", "tip_vz"}, "m/s", "tip_velocity");
}

void add_loop_columns(ColumnList& list, std::span<const LoopJoint> loops) {
  if (loops.empty()) return;
  list.add("residual", "largest residual of the loops", "m or 1", "residual");
  for (std::size_t i = 0; i < loops.size(); ++i) {
    for (const char* axis : {"x", "y", "z"})
      list.add(fmt::format("moment{}_{}", i + 1, axis), fmt::format("{} {}", loops[i].name, axis), "N m",
               "reaction_moment");
    for (const char* axis : {"x", "y", "z"})
      list.add(fmt::format("force{}_{}", i + 1, axis), fmt::format("{} {}", loops[i].name, axis), "N",
               "reaction_force");
  }
}

}  // namespace

std::vector<Column> trajectory_columns(const Model& model, bool with_reference) {
  ColumnList list;
  add_motion_columns(list, model);
  list.add_all({"kinetic", "potential", "energy"}, "J", "energy");
  list.add_all({"work_drives", "work_friction", "work_loads"}, "J", "work");
  list.add("balance", "energy − work", "J", "balance");
  if (model.has_free_base()) {
    list.add_all({"momentum_x", "momentum_y", "momentum_z"}, "kg m/s", "momentum");
    list.add_all({"spin_x", "spin_y", "spin_z"}, "kg m²/s", "angular_momentum");
  }
  if (with_reference) add_joint_columns(list, model, "qd", true, "rad", "m", "reference");
  add_loop_columns(list, model.loops());
  return list.take();
}

std::vector<Column> sweep_columns(const Model& model) {
  ColumnList list;
  add_motion_columns(list, model);
  list.add("singularity", "distance from singular", "", "singularity");
  add_loop_columns(list, model.loops());
  return list.take();
}

std::string_view short_name(std::string_view group) {
  if (group == "time") return "t";
  if (group == "position") return "q";
  if (group == "velocity") return "v";
  if (group == "acceleration") return "a";
  if (group == "torque") return "tau";
  return group;
}

std::vector<std::string_view> column_words(std::span<const Column> columns) {
  std::vector<std::string_view> words;
  for (const Column& column : columns)
    if (words.empty() || words.back() != short_name(column.group)) words.push_back(short_name(column.group));
  return words;
}

std::vector<std::string> select_columns(std::span<const Column> columns, std::span<const std::string> words,
                                        const Source& source) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    const std::size_t before = names.size();
    const bool is_column =
        std::any_of(columns.begin(), columns.end(), [&](const Column& column) { return column.name == word; });
    if (is_column) names.push_back(word);  // `energy` is one of the group of that name
    for (const Column& column : columns)
      if (!is_column && short_name(column.group) == word) names.push_back(column.name);
    if (names.size() > before) continue;
    throw InputError(source, fmt::format("keep: '{}' is nothing to keep; known: {}, or a single column such as q1",
                                         word, fmt::join(column_words(columns), ", ")));
  }
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  return once;
}

void Trajectory::begin(std::span<const Column> columns) {
  const auto same_name = [](const Column& a, const Column& b) { return a.name == b.name; };
  if (!rows_.empty()) throw std::invalid_argument("a trajectory holds one run; make another one for the next");
  if (!columns_.empty() && !std::equal(columns_.begin(), columns_.end(), columns.begin(), columns.end(), same_name)) {
    throw std::invalid_argument(
        fmt::format("the trajectory was made for {} columns and the run writes {} of its own; make it without columns",
                    columns_.size(), columns.size()));
  }
  columns_.assign(columns.begin(), columns.end());
}

void Trajectory::record(std::span<const double> row) {
  if (row.size() != columns_.size())
    throw std::invalid_argument(
        fmt::format("a row of {} numbers in a trajectory of {} columns", row.size(), columns_.size()));
  rows_.insert(rows_.end(), row.begin(), row.end());
}

std::size_t Trajectory::column(std::string_view name) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.name == name; });
  if (found == columns_.end()) throw std::invalid_argument(fmt::format("a trajectory has no column '{}'", name));
  return static_cast<std::size_t>(found - columns_.begin());
}

}  // namespace ulna

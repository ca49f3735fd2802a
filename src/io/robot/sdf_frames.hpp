// What has a frame in an SDF model (models, links, joints, frames), each relative to another by its name, and where
// they all stand.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "io/xml/xml.hpp"
#include "ulna/spatial/pose.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Of a <pose>: six numbers or, as it may say, a quaternion.
Pose<double> sdf_pose(const XmlElement& pose);
/// Of the <pose> in an element; the identity where there is none.
Pose<double> sdf_pose_in(const XmlElement& owner);
/// The frame that it is relative to; empty where it does not say.
std::string sdf_relative_to(const XmlElement& owner);

/// "arm" in model "robot::left" is "robot::left::arm".
std::string sdf_name(const std::string& scope, std::string_view name);

class SdfFrames {
 public:
  SdfFrames();  // the world

  struct Entry {
    enum class Kind { world, model, link, joint, frame } kind;
    std::string name;  // with the models that it is in
    std::string scope;
    const XmlElement* element;
    std::string relative_to;  // within the scope
    std::string attached_to;  // likewise; of links empty
    Pose<double> pose = Pose<double>::identity();
  };

  /// Throws InputError for a name that is there already.
  void add(Entry entry);

  const std::vector<Entry>& entries() const { return entries_; }

  /// The link that a model's frame moves with, once its links are known.
  void attach(std::size_t model, const std::string& link) { entries_[model].attached_to = link; }
  /// `placement_frame`: the pose of a model is meant for one of the frames in it.
  void place_by(std::size_t model, std::size_t frame_within);

  /// The entry of a name that stands in an element of a scope. Throws InputError.
  std::size_t find(const std::string& scope, const std::string& name, const XmlElement& where) const;
  /// The pose in the world. Throws InputError for frames in a ring.
  const Pose<double>& pose(std::size_t entry);
  /// The link that it moves with, or the world.
  std::size_t link(std::size_t entry);

 private:
  std::size_t target(const Entry& entry, const std::string& name) const;
  /// From an entry along `next` to one that is known, and back.
  template <class Next, class Known, class Set>
  void follow(std::size_t entry, const Next& next, const Known& known, const Set& set) const;

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<char> has_pose_;
  std::vector<Pose<double>> poses_;
  std::vector<std::size_t> links_;
};

}  // namespace ulna
#pragma GCC visibility pop

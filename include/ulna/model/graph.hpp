// Graph: a robot as its author wrote it: named bodies, joints between them, frames, and where in
// which file each was written. Nothing is validated here; build() does that.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/base/error.hpp"
#include "ulna/base/number.hpp"
#include "ulna/model/joints/registry.hpp"
#include "ulna/spatial/colour.hpp"
#include "ulna/spatial/pose.hpp"

namespace ulna {

/// Mass data in the body's own frame: inertia about the mass centre, body axes.
struct MassData {
  double mass = 0.0;
  Vec3<double> com{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
};

inline bool has_mass_or_inertia(const MassData& m) {
  const Sym3<double>& i = m.inertia;
  return m.mass != 0 || i.xx != 0 || i.yy != 0 || i.zz != 0 || i.xy != 0 || i.xz != 0 || i.yz != 0;
}

/// What a body is drawn with.
struct Shape {
  enum class Kind { box, cylinder, sphere, mesh } kind = Kind::box;
  Pose<double> pose = Pose<double>::identity();
  std::array<double, 3> size{};    // box: x, y, z; cylinder: radius, length; sphere: radius; mesh: scale in x, y, z
  std::optional<Colour> colour{};  // if its author gave one
  std::string mesh{};              // a file: a path, or package://NAME/path
};

struct GraphBody {
  std::string name{};
  MassData mass{};
  std::vector<Shape> shapes{};
  Source source{};
  bool is_guessed = false;  // its mass data; nobody weighed it
};

/// A point of what a motor can give by its speed.
struct EffortPoint {
  double speed, effort;
};

struct Limits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();
  /// Where the effort in the direction of motion falls with the speed: from {0, effort} on, see effort_by_speed.hpp.
  std::vector<EffortPoint> effort_by_speed{};
};

/// What acts in the joint beside its drive.
struct Passive {
  double viscous = 0.0;    // N·m·s/rad or N·s/m
  double coulomb = 0.0;    // N·m or N
  double stiffness = 0.0;  // N·m/rad or N/m
  double rest = 0.0;       // the position at which the spring is free
  double armature = 0.0;   // rotor inertia seen at the joint, kg·m² or kg
};

/// Follows another joint: its position is multiplier · q + offset, q that of the other.
struct Mimic {
  std::string joint{};
  double multiplier = 1.0, offset = 0.0;
};

struct GraphJoint {
  std::string name{};
  JointKind kind = JointKind::revolute;
  bool continuous = false;
  std::string parent{}, child{};
  Pose<double> in_parent = Pose<double>::identity();  // the joint frame in the parent body
  Pose<double> in_child = Pose<double>::identity();   // and in the child body, at zero position
  Vec3<double> axis{0, 0, 1};                         // in the joint frame
  double pitch = 0.0;
  double offset = 0.0;  // the joint stands at q + offset
  std::optional<Mimic> mimic{};
  Limits limits{};
  Passive passive{};
  std::vector<double> written_angles{};  // of a DH row, as the file has them; for check() alone
  Source source{};
};

/// One of the motors of a coupling; what it has and can, on its own side of the gears.
struct GraphMotor {
  std::vector<double> gears{};  // its turns for one turn (or metre) of each joint
  double inertia = 0.0;
  double viscous = 0.0, coulomb = 0.0;
  Limits limits{};  // of velocity and effort
};

/// Joints that as many motors move together, as in a differential or a PUMA's wrist: motor positions are the rows of
/// gears times the joints' positions.
struct GraphCoupling {
  std::string name{};
  std::vector<std::string> joints{};
  std::vector<GraphMotor> motors{};
  Source source{};
};

/// A joint beyond the tree: it joins two bodies that have their places already. Its axis is z of both joint frames; a
/// universal one turns about x of the frame in the parent and y of the frame in the child.
struct GraphLoop {
  std::string name{};
  JointKind kind = JointKind::revolute;
  std::string parent{}, child{};
  Pose<double> in_parent = Pose<double>::identity();
  Pose<double> in_child = Pose<double>::identity();
  double pitch = 0.0;
  Source source{};
};

struct GraphFrame {
  std::string name{}, body{};
  Pose<double> pose = Pose<double>::identity();
  Source source{};
};

/// A position with a name: home, a keyframe.
struct GraphPosture {
  std::string name{};
  JointNumbers q{};
  Source source{};
};

/// rad/s or m/s.
inline constexpr double default_friction_speed = 1e-3;

struct Graph {
  std::string name{};
  std::string title{};       // one line for people
  std::string provenance{};  // where the numbers come from
  Vec3<double> gravity{0, 0, -9.81};
  double friction_speed = default_friction_speed;  // Coulomb friction fades below it
  bool modified_dh = false;                        // written as such a table, and to be written so again
  bool free_base = false;
  bool allow_nonphysical = false;
  std::string nonphysical_reason{};
  std::vector<GraphBody> bodies{};  // "base" is the ground where a joint names it as its parent, and need not be here
  std::vector<GraphJoint> joints{};
  std::vector<GraphLoop> loops{};
  std::vector<GraphCoupling> couplings{};
  std::vector<GraphFrame> frames{};
  std::vector<GraphPosture> postures{};
  std::string tip{};                   // the frame that `fk` calls the end effector
  std::vector<std::string> notices{};  // what the importer left out, for people
  Source source{};
};

/// The body, joint or frame of this name, or nullptr.
const GraphBody* find_body(const Graph& graph, std::string_view name);
GraphBody* find_body(Graph& graph, std::string_view name);
const GraphJoint* find_joint(const Graph& graph, std::string_view name);
GraphJoint* find_joint(Graph& graph, std::string_view name);
const GraphFrame* find_frame(const Graph& graph, std::string_view name);

/// The links whose mass data nobody measured.
std::vector<std::string> guessed_links(const Graph& graph);

/// Puts the ground "base" before the bodies, where a joint hangs on it and it is not there. build() does so itself.
void add_base(Graph& graph);

/// Adds another robot, fixed to a link or frame of this one: its root's frame stands at `pose` in that frame. Its names
/// get the prefix; its gravity, tip, friction speed and base are this one's; postures go. Throws InputError for a frame
/// that this robot lacks, for a name that it has already, and for another robot without one root.
void attach(Graph& graph, const Graph& other, const std::string& prefix, const std::string& frame,
            const Pose<double>& pose = Pose<double>::identity());

}  // namespace ulna

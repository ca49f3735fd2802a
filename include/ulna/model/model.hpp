// Model: a robot ready to compute with. Not changed by any algorithm; share it between threads as you like.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/model/graph.hpp"

namespace ulna {

/// A moving body: what is left after bodies joined by fixed joints are merged.
/// Bodies are numbered so that a parent comes before its children; −1 is the ground.
struct Body {
  int parent;
  JointKind kind;
  bool is_leaf;        // carries no other body
  bool is_last_child;  // of its parent: the first one that an inward sweep meets
  int q_index, v_index;
  int angle_index;  // of q: the angle θ, where the joint has one
  int column;   // of its first velocity in lists that have one for each degree of each joint: v_index, but behind all
                // velocities where the joint follows another
  bool shares;  // its velocity with another body: one of the two joints follows the other
  JointData joint;
  Placement placement;
  RigidInertia<double> inertia;  // in the body frame, about its origin
};

/// Writes what a body brings to an element of its velocity; where others have the same velocity the parts are summed,
/// and whoever began has put a zero there.
template <class T>
ULNA_INLINE void put(const Body& body, T& element, const T& part) {
  if (body.shares)
    element += part;
  else
    element = part;
}
/// The same for an element of two bodies' velocities.
template <class T>
ULNA_INLINE void put(const Body& a, const Body& b, T& element, const T& part) {
  put(a.shares ? a : b, element, part);
}

/// A body's joint in the pose x.
template <class T, class At>
ULNA_INLINE JointAt<T> joint_at(const Body& body, const LinkPose<T, At>& x) {
  return {body.joint, x.theta};
}

/// Where a link or frame of the robot file is found: fixed in a body, or on the ground (−1).
struct Frame {
  std::string name{};
  int body = -1;
  Pose<double> pose = Pose<double>::identity();
};

/// A position of the robot file with a name.
struct Posture {
  std::string name;
  std::vector<double> q;
};

/// What a person calls a joint, in the order of v.
struct JointInfo {
  std::string name;
  std::string parent, child;  // the links of the robot file that it joins
  JointKind kind;
  bool continuous;
  int body;
  double offset;  // added to q before the joint sees it
  Limits limits;
  Passive passive;
};

/// A joint without a coordinate of its own: it stands at multiplier · q + offset, q that of the leader.
struct FollowerJoint {
  JointInfo joint;
  std::string leader;
  double multiplier, offset;
};

/// A motor that moves several joints: it turns by the sum of gears · q.
struct CoupledMotor {
  std::vector<double> gears;   // by joint of its coupling
  std::vector<double> shares;  // its torque is the sum of shares · tau: a row of the gears' inverse, transposed
  double viscous, coulomb;     // of its own speed
  double friction_speed;       // below which its Coulomb friction fades: the robot's, seen through its largest gear
  Limits limits;               // of its velocity and torque
};

/// Joints that as many motors move together.
struct Coupling {
  std::string name;
  std::vector<int> v;  // the joints' velocity indices
  std::vector<CoupledMotor> motors;
};

/// What rotors that turn with two joints add to M at (row, column) and (column, row).
struct CoupledArmature {
  int row, column;
  double inertia;
};

/// A cut joint. Where the loop is closed, frame b stands in frame a as the joint allows.
struct LoopJoint {
  std::string name;
  JointKind kind;
  Frame a, b;
  double pitch;
  Source source;
};

class Model {
 public:
  const std::string& name() const { return name_; }
  /// What the importer left out or read in its own way, one sentence each.
  std::span<const std::string> notices() const { return notices_; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  int body_count() const { return static_cast<int>(bodies_.size()); }
  std::span<const Body> bodies() const { return bodies_; }
  const Vec3<double>& gravity() const { return gravity_; }
  /// The whole robot hangs on one free joint.
  bool has_free_base() const { return has_free_base_; }
  bool is_serial() const { return serial_; }
  /// Its bodies' inertias are no bodies' any more: see regrouped() in model/transform.hpp.
  bool is_regrouped() const { return regrouped_; }

  /// Those that have coordinates, in the order of v.
  std::span<const JointInfo> joints() const { return joints_; }
  /// The joints that follow one of them.
  std::span<const FollowerJoint> followers() const { return followers_; }
  bool has_followers() const { return !followers_.empty(); }
  /// The motors that joints share.
  std::span<const Coupling> couplings() const { return couplings_; }
  bool has_couplings() const { return !couplings_.empty(); }
  /// Joints that follow others or share motors: M has more in it than bodies that carry each other, and recursions that
  /// solve joint by joint cannot take it.
  bool has_coupled_joints() const { return has_followers() || has_couplings(); }
  /// nv, and one for each follower: see Body::column.
  int column_count() const { return nv_ + static_cast<int>(followers_.size()); }
  /// The joints that close its loops, none for a tree. All else here, q, v and the bodies, is of the tree that is left
  /// when these are cut; loop/ puts them together again.
  std::span<const LoopJoint> loops() const { return loops_; }
  /// How many equations the loops are.
  int constraint_count() const;
  /// The same robot with its loops open.
  Model tree() const;
  /// The joint of this name, or nullptr.
  const JointInfo* find_joint(std::string_view name) const;
  /// By position index; infinite where there are none.
  std::span<const double> lower_limits() const { return lower_; }
  std::span<const double> upper_limits() const { return upper_; }
  /// The joint that a velocity index belongs to.
  const JointInfo& joint_of(int v_index) const;
  /// What one number of q is, and of v, a and tau.
  const JointNumber& rate_number(int v_index) const { return rate_numbers_[static_cast<std::size_t>(v_index)]; }
  /// Links of the robot file, merged ones too, in its order.
  std::span<const Frame> links() const { return links_; }
  /// Links, then the named frames of the file.
  std::span<const Frame> frames() const { return frames_; }
  const Frame& tip() const { return frames_[tip_]; }
  /// Throws std::invalid_argument for a frame on a body that this model lacks: it is another model's.
  void expect_frame(const Frame& frame) const {
    if (frame.body < -1 || frame.body >= body_count()) refuse_frame(frame);
  }
  /// The frame of this name, or nullptr.
  const Frame* find_frame(std::string_view name) const;
  /// Mass, mass centre and inertia of the moving body that the frame is on, in the axes of the frame, as robot files
  /// give them. `Body::inertia` and com() are in the body's own frame, whose z is the joint's axis. Nothing on the
  /// ground.
  MassData mass_data(const Frame& frame) const;
  /// Lets the body that the frame is on carry a payload, given in the axes of the frame, instead of the one that it
  /// carried before. For a robot's own copy, between two steps of a control loop: no memory is taken, and workspaces of
  /// newton_euler, articulated_body and composite_body go on; those of other formulations keep inertias and are to be
  /// made again. Throws std::invalid_argument on the ground and for regrouped robots.
  void set_payload(const Frame& frame, const MassData& payload);
  /// What the body carries by set_payload(), in its own frame; zero without.
  const RigidInertia<double>& payload(int body) const { return payload_[static_cast<std::size_t>(body)]; }
  const Vec3<double>& com(int body) const { return com_[static_cast<std::size_t>(body)]; }

  // Joint data by velocity index; `has_passive` tells whether any but armature is not zero.
  bool has_passive() const { return has_passive_; }
  bool has_armature() const { return has_armature_; }
  /// Joints of more than one degree of freedom.
  bool has_general_joints() const { return has_general_joints_; }
  std::span<const double> viscous() const { return viscous_; }
  std::span<const double> coulomb() const { return coulomb_; }
  std::span<const double> stiffness() const { return stiffness_; }
  std::span<const double> rest() const { return rest_; }
  /// The diagonal of what rotors add to M; the rest, where joints share motors, is coupled_armature().
  std::span<const double> armature() const { return armature_; }
  std::span<const CoupledArmature> coupled_armature() const { return coupled_armature_; }
  /// Coulomb friction fades below this speed (dynamics/joint_forces.hpp).
  double friction_speed() const { return friction_speed_; }
  /// For a velocity index the position whose rate it is, −1 in joints with a quaternion.
  std::span<const int> q_of_v() const { return q_of_v_; }
  /// For a velocity index the next one towards the base, −1 at the base: M couples those that are on one way to the
  /// base. Where joints follow others or share motors all may be coupled, and the next one is the one before.
  std::span<const int> parent_of_v() const { return parent_of_v_; }

  /// Positions that the robot file names.
  std::span<const Posture> postures() const { return postures_; }
  /// The one of this name, or nullptr.
  const Posture* find_posture(std::string_view name) const;

  /// A position at which every quaternion is a unit one and every number zero.
  std::vector<double> neutral() const;

 private:
  friend class ModelBuilder;
  friend class ModelEditor;
  Model() = default;
  [[noreturn, gnu::cold]] void refuse_frame(const Frame& frame) const;

  std::string name_;
  std::vector<std::string> notices_;
  int nq_ = 0, nv_ = 0;
  bool serial_ = true, has_free_base_ = false, has_passive_ = false, has_armature_ = false, has_general_joints_ = false,
       regrouped_ = false;
  std::size_t tip_ = 0;
  double friction_speed_ = default_friction_speed;
  Vec3<double> gravity_{0, 0, 0};
  std::vector<Body> bodies_;
  std::vector<RigidInertia<double>> own_inertia_, payload_;  // by body: the body's without the payload's
  std::vector<Vec3<double>> com_;
  std::vector<JointInfo> joints_;
  std::vector<FollowerJoint> followers_;
  std::vector<Coupling> couplings_;
  std::vector<CoupledArmature> coupled_armature_;
  std::vector<LoopJoint> loops_;
  std::vector<Frame> links_, frames_;
  std::vector<Posture> postures_;
  std::vector<double> viscous_, coulomb_, stiffness_, rest_, armature_;
  std::vector<double> lower_, upper_;
  std::vector<int> q_of_v_, parent_of_v_;
  std::vector<JointNumber> rate_numbers_;
};

}  // namespace ulna

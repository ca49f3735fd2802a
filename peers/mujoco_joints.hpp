// The joints of a robot in Ulna's coordinates and in MuJoCo's. MuJoCo's free joint (the base, so always the
// first): position, quaternion w x y z; velocity of the origin in world axes, then angular velocity in body
// axes. Its ball joint is like Ulna's, but in the axes of the body instead of the joint.
#pragma once

#include <vector>

#include "peers/mujoco_model.hpp"
#include "peers/peer.hpp"

namespace ulna::peers {

class MujocoJoints {
 public:
  /// All of them live as long as this.
  MujocoJoints(const mjModel& m, const Graph& graph, const Model& ulna);

  /// The rotation of a free base is kept: what follows is for this position.
  void set_position(Input q, double* qpos);
  void get_position(const double* qpos, Output q) const;  // joints with one number only

  /// B x, where B takes Ulna's velocities to MuJoCo's. B is made of rotations, so it takes accelerations
  /// (but for the free base's ω × u) and forces too, and Bᵀ takes them back.
  void to_mujoco(Input from, double* to) const;
  void to_ulna(const double* from, double* to) const;
  void acceleration_to_mujoco(Input v, Input a, double* qacc) const;
  void acceleration_to_ulna(const double* qacc, Input v, Output a) const;

  /// M in Ulna's order, from what mj_crb left.
  void mass_matrix(const mjData& d, MatrixView<double> M) const;

 private:
  struct JointMap {
    JointKind kind;
    std::size_t q, v;       // Ulna's
    std::size_t qpos, dof;  // MuJoCo's
    Mat3<double> in_child;  // ball: the joint's axes in the body
  };
  void map_joint(const std::string& name, const JointInfo& joint, const Mat3<double>& in_child, const Model& ulna);
  Vec3<double> turning(Input v) const;
  void transform(MatrixView<double> M) const;

  const mjModel& m_;
  std::vector<JointMap> joints_;
  std::vector<int> v_of_dof_;
  Mat3<double> base_ = Mat3<double>::identity();
  bool free_base_, only_scalar_;
};

}  // namespace ulna::peers

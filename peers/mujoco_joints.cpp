#include "peers/mujoco_joints.hpp"

#include <fmt/format.h>

#include "peers/graph_tree.hpp"
#include "ulna/eigen.hpp"

namespace ulna::peers {

namespace {

Vec3<double> at(const double* x) { return {x[0], x[1], x[2]}; }
void put(const Vec3<double>& a, double* x) {
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

}  // namespace

MujocoJoints::MujocoJoints(const mjModel& m, const Graph& graph, const Model& ulna)
    : m_(m),
      v_of_dof_(static_cast<std::size_t>(m.nv)),
      free_base_(graph.free_base),
      only_scalar_(!ulna.has_general_joints()) {
  if (free_base_) map_joint("free_base", ulna.joints()[0], Mat3<double>::identity(), ulna);
  for (std::size_t j = 0; j < graph.joints.size(); ++j) {
    const GraphJoint& joint = graph.joints[j];
    if (joint.kind != JointKind::fixed)
      map_joint(fmt::format("j{}_0", j), joint_named(ulna, joint.name), joint.in_child.R, ulna);
  }
}

void MujocoJoints::map_joint(const std::string& name, const JointInfo& joint, const Mat3<double>& in_child,
                             const Model& ulna) {
  const int id = mj_name2id(&m_, mjOBJ_JOINT, name.c_str());
  const Body& body = ulna.bodies()[static_cast<std::size_t>(joint.body)];
  const auto unsigned_of = [](int i) { return static_cast<std::size_t>(i); };
  const JointMap map{body.kind,
                     unsigned_of(body.q_index),
                     unsigned_of(body.v_index),
                     unsigned_of(m_.jnt_qposadr[id]),
                     unsigned_of(m_.jnt_dofadr[id]),
                     in_child};
  const int nv = degrees_of(body.kind);
  for (int k = 0; k < nv; ++k) v_of_dof_[map.dof + unsigned_of(k)] = body.v_index + k;
  joints_.push_back(map);
}

void MujocoJoints::set_position(Input q, double* qpos) {
  for (const JointMap& j : joints_) {
    double* to = qpos + j.qpos;
    const double* from = &q[j.q];
    if (j.kind == JointKind::free) {
      put(at(from), to);
      const double wxyz[] = {from[6], from[3], from[4], from[5]};
      std::copy_n(wxyz, 4, to + 3);
      base_ = rotation_of_quaternion(from[3], from[4], from[5], from[6]);
    } else if (j.kind == JointKind::spherical) {
      put(j.in_child * at(from), to + 1);  // a quaternion's vector part turns like any vector
      to[0] = from[3];
    } else {
      std::copy_n(from, degrees_of(j.kind), to);
    }
  }
}

void MujocoJoints::get_position(const double* qpos, Output q) const {
  for (const JointMap& j : joints_) std::copy_n(qpos + j.qpos, degrees_of(j.kind), &q[j.q]);
}

void MujocoJoints::to_mujoco(Input from_all, double* to_all) const {
  for (const JointMap& j : joints_) {
    double* to = to_all + j.dof;
    const double* from = &from_all[j.v];
    if (j.kind == JointKind::free) {
      put(base_ * at(from + 3), to);
      put(at(from), to + 3);
    } else if (j.kind == JointKind::spherical) {
      put(j.in_child * at(from), to);
    } else {
      std::copy_n(from, degrees_of(j.kind), to);
    }
  }
}

void MujocoJoints::to_ulna(const double* from_all, double* to_all) const {
  for (const JointMap& j : joints_) {
    const double* from = from_all + j.dof;
    double* to = to_all + j.v;
    if (j.kind == JointKind::free) {
      put(at(from + 3), to);
      put(transpose_times(base_, at(from)), to + 3);
    } else if (j.kind == JointKind::spherical) {
      put(transpose_times(j.in_child, at(from)), to);
    } else {
      std::copy_n(from, degrees_of(j.kind), to);
    }
  }
}

/// d(R u)/dt = R (u̇ + ω × u): what MuJoCo's linear acceleration of the base has beyond u̇.
Vec3<double> MujocoJoints::turning(Input v) const { return cross(at(&v[0]), at(&v[3])); }

void MujocoJoints::acceleration_to_mujoco(Input v, Input a, double* qacc) const {
  to_mujoco(a, qacc);
  if (free_base_) put(at(qacc) + base_ * turning(v), qacc);
}

void MujocoJoints::acceleration_to_ulna(const double* qacc, Input v, Output a) const {
  to_ulna(qacc, a.data());
  if (free_base_) put(at(&a[3]) - turning(v), &a[3]);
}

/// MuJoCo keeps each row of M up the tree only; like mj_fullM, but straight to Ulna's order.
void MujocoJoints::mass_matrix(const mjData& d, MatrixView<double> M) const {
  M.fill(0.0);
  for (int i = 0; i < m_.nv; ++i) {
    int address = m_.dof_Madr[i];
    for (int j = i; j >= 0; j = m_.dof_parentid[j]) {
      const int r = v_of_dof_[static_cast<std::size_t>(i)], c = v_of_dof_[static_cast<std::size_t>(j)];
      M(r, c) = M(c, r) = d.qM[address++];
    }
  }
  if (!only_scalar_) transform(M);
}

/// M := Bᵀ M B.
void MujocoJoints::transform(MatrixView<double> M) const {
  const auto n = static_cast<Eigen::Index>(m_.nv);
  auto map = to_eigen(M);
  for (int pass = 0; pass < 2; ++pass) {  // M is symmetric: Bᵀ (Bᵀ M)ᵀ
    for (Eigen::Index c = 0; c < n; ++c) {
      Eigen::VectorXd dofs(n);
      for (Eigen::Index k = 0; k < n; ++k) dofs[k] = map(v_of_dof_[static_cast<std::size_t>(k)], c);
      to_ulna(dofs.data(), &map(0, c));
    }
    map.transposeInPlace();
  }
}

}  // namespace ulna::peers

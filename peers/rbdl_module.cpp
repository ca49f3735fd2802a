// The module ulna_rbdl.so (peers/peer_module.hpp): robots in RBDL. Compiled as RBDL itself was (ULNA_RBDL_FLAGS in
// CMakeLists.txt): Eigen's alignment, which is in RBDL's types, follows the instruction set. Nothing but the function
// at the end is seen from outside.
#include <rbdl/rbdl.h>

#include <exception>

#include "peers/graph_tree.hpp"
#include "peers/peer.hpp"

namespace ulna::peers {

namespace {

namespace rbdl = RigidBodyDynamics;
using rbdl::Math::Matrix3d;
using rbdl::Math::MatrixNd;
using rbdl::Math::SpatialTransform;
using rbdl::Math::Vector3d;
using rbdl::Math::VectorNd;

Matrix3d to_rbdl(const Mat3<double>& R) { return {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz}; }
Vector3d to_rbdl(const Vec3<double>& p) { return {p.x, p.y, p.z}; }
/// RBDL's rotation takes vectors into the frame.
SpatialTransform to_rbdl(const Pose<double>& x) { return {to_rbdl(transpose(x.R)), to_rbdl(x.p)}; }

/// A body whose own frame stands at `pose` in the joint's.
rbdl::Body to_rbdl(const MassData& m, const Pose<double>& pose) {
  return {m.mass, to_rbdl(pose * m.com), to_rbdl(full(rotate(pose.R, m.inertia)))};
}

std::string why_not(const Graph& graph) {
  if (graph.free_base) return "velocities of a free base are not mapped to RBDL's";
  for (const GraphJoint& joint : graph.joints) {
    if (joint.mimic) return "joints that follow others are not mapped to RBDL's ('" + joint.name + "')";
    const Passive& p = joint.passive;
    if (p.viscous != 0 || p.coulomb != 0 || p.stiffness != 0 || p.armature != 0)
      return "RBDL has no joint friction, springs and armature ('" + joint.name + "')";
    const bool known = joint.kind == JointKind::fixed || joint.kind == JointKind::spherical ||
                       (has_one_degree(joint.kind) && !has_pitch(joint.kind));
    if (!known)
      return std::string("there is no ") + name_of(joint.kind) + " joint here for RBDL ('" + joint.name + "')";
  }
  return {};
}

/// Where the numbers of one joint are, here and there; RBDL has the real parts of quaternions at the end of q.
struct Place {
  int q, v;
  unsigned there, real_part;
  int nv;
};

class Builder {
 public:
  Builder(const Graph& graph, const Model& ours) : tree_(graph), ours_(ours) {
    model.gravity = to_rbdl(graph.gravity);
    add_body(tree_.root(), 0, Pose<double>::identity());
    const FramePlace frame = place_of(graph, ours.tip().name);
    const auto& [id, pose] = bodies_.at(frame.body);
    tip_body = id;
    tip = pose * frame.pose;
    for (auto& [place, id_of_joint] : places_) {
      place.there = model.mJoints[id_of_joint].q_index;
      place.real_part = model.multdof3_w_index[id_of_joint];
      places.push_back(place);
    }
  }

  rbdl::Model model;
  unsigned tip_body = 0;
  Pose<double> tip;  // in that body
  std::vector<Place> places;

 private:
  /// The body stands at `pose` in the frame of `id`, which is there: fixed joints are gone.
  void add_body(const GraphBody& body, unsigned id, const Pose<double>& pose) {
    bodies_[body.name] = {id, pose};
    for (const GraphJoint* outer : tree_.joints_on(body.name)) add_joint(*outer, id, pose);
  }

  void add_joint(const GraphJoint& joint, unsigned parent, const Pose<double>& pose) {
    const GraphBody& child = tree_.body(joint.child);
    const Pose<double> zero = pose * zero_pose(joint);
    if (joint.kind == JointKind::fixed) {
      model.AddBody(parent, to_rbdl(zero), rbdl::Joint(rbdl::JointTypeFixed),
                    to_rbdl(child.mass, Pose<double>::identity()));
      return add_body(child, parent, zero);
    }
    // RBDL's joint about z is quicker than that about any axis: the frame is turned so that the axis is z.
    Pose<double> axis = Pose<double>::identity();
    if (has_axis(joint.kind)) axis = {joint.in_child.R * turn_to(joint.axis), joint.in_child.p};
    const Pose<double> in_joint = inverse(axis);
    const unsigned id =
        model.AddBody(parent, to_rbdl(zero * axis), joint_of(joint.kind), to_rbdl(child.mass, in_joint));
    const Body& body = ours_.bodies()[static_cast<std::size_t>(joint_named(ours_, joint.name).body)];
    places_.push_back({{body.q_index, body.v_index, 0, 0, degrees_of(body.kind)}, id});
    add_body(child, id, in_joint);
  }

  static rbdl::Joint joint_of(JointKind kind) {
    if (kind == JointKind::spherical) return rbdl::Joint(rbdl::JointTypeSpherical);
    if (kind == JointKind::prismatic) return {rbdl::JointTypePrismatic, Vector3d(0.0, 0.0, 1.0)};
    return rbdl::Joint(rbdl::JointTypeRevoluteZ);
  }

  GraphTree tree_;
  const Model& ours_;
  std::map<std::string, std::pair<unsigned, Pose<double>>> bodies_;
  std::vector<std::pair<Place, unsigned>> places_;  // with the body's number there
};

class RbdlRobot final : public Peer {
 public:
  explicit RbdlRobot(Builder&& built)
      : model_(std::move(built.model)),
        tip_body_(built.tip_body),
        tip_(built.tip),
        places_(std::move(built.places)),
        q_(VectorNd::Zero(model_.q_size)),
        v_(VectorNd::Zero(model_.qdot_size)),
        x_(v_),
        y_(v_),
        M_(MatrixNd::Zero(model_.qdot_size, model_.qdot_size)),
        J_(MatrixNd::Zero(6, model_.qdot_size)) {
    index_.resize(model_.qdot_size);
    for (const Place& p : places_)
      for (int k = 0; k < p.nv; ++k) index_[static_cast<std::size_t>(p.v + k)] = static_cast<int>(p.there) + k;
  }

  Pose<double> tip_pose(Input q) override {
    read_position(q);
    rbdl::UpdateKinematicsCustom(model_, &q_, nullptr, nullptr);
    const Matrix3d E = rbdl::CalcBodyWorldOrientation(model_, q_, tip_body_, false);
    const Vector3d p = rbdl::CalcBodyToBaseCoordinates(model_, q_, tip_body_, to_rbdl(tip_.p), false);
    const Mat3<double> R{E(0, 0), E(1, 0), E(2, 0), E(0, 1), E(1, 1), E(2, 1), E(0, 2), E(1, 2), E(2, 2)};
    return {R * tip_.R, {p[0], p[1], p[2]}};
  }
  bool tip_jacobian(Input q, MatrixView<double> J) override {
    read_position(q);
    rbdl::CalcPointJacobian6D(model_, q_, tip_body_, to_rbdl(tip_.p), J_);
    for (int c = 0; c < J.cols; ++c)
      for (int r = 0; r < 6; ++r) J(r, c) = J_(r, there(c));
    return true;
  }
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    read_position(q);
    read(v, v_);
    read(a, x_);
    rbdl::InverseDynamics(model_, q_, v_, x_, y_);
    write(y_, tau);
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    read_position(q);
    read(v, v_);
    read(tau, x_);
    rbdl::ForwardDynamics(model_, q_, v_, x_, y_);
    write(y_, a);
  }
  void mass_matrix(Input q, MatrixView<double> M) override {
    read_position(q);
    rbdl::CompositeRigidBodyAlgorithm(model_, q_, M_);
    for (int c = 0; c < M.cols; ++c)
      for (int r = 0; r < M.rows; ++r) M(r, c) = M_(there(r), there(c));
  }

 private:
  int there(int k) const { return index_[static_cast<std::size_t>(k)]; }
  void read_position(Input q) {
    for (const Place& p : places_) {
      const double* from = &q[static_cast<std::size_t>(p.q)];
      for (int k = 0; k < p.nv; ++k) q_[static_cast<int>(p.there) + k] = from[k];
      if (p.nv == 3) q_[p.real_part] = from[3];
    }
  }
  void read(Input from, VectorNd& to) {
    for (std::size_t k = 0; k < from.size(); ++k) to[index_[k]] = from[k];
  }
  void write(const VectorNd& from, Output to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = from[index_[k]];
  }

  rbdl::Model model_;
  unsigned tip_body_;
  Pose<double> tip_;
  std::vector<Place> places_;
  std::vector<int> index_;  // of Ulna's velocities there
  VectorNd q_, v_, x_, y_;
  MatrixNd M_, J_;
};

}  // namespace

}  // namespace ulna::peers

extern "C" __attribute__((visibility("default"))) void ulna_make_peer(const ulna::Graph* graph,
                                                                      const ulna::Model* model,
                                                                      ulna::peers::Made* made) {
  using namespace ulna::peers;
  try {
    made->refusal = why_not(*graph);
    if (made->refusal.empty()) made->robot = std::make_unique<RbdlRobot>(Builder(*graph, *model));
  } catch (const std::exception& e) {
    made->refusal = e.what();
  }
}

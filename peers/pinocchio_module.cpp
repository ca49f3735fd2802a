// The module ulna_pinocchio.so (peers/peer_module.hpp): robots in Pinocchio, whose algorithms are templates and are
// compiled here, for this machine and by clang where there is one: by g++ 12 they take twice the time (CMakeLists.txt).
// Nothing but the function at the end is seen from outside: Eigen's alignment follows the instruction set.
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
//
#include <exception>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "peers/graph_tree.hpp"
#include "peers/peer.hpp"

namespace ulna::peers {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

pinocchio::SE3 to_pinocchio(const Pose<double>& x) {
  Eigen::Matrix3d R;
  R << x.R.xx, x.R.xy, x.R.xz, x.R.yx, x.R.yy, x.R.yz, x.R.zx, x.R.zy, x.R.zz;
  return {R, Eigen::Vector3d(x.p.x, x.p.y, x.p.z)};
}

pinocchio::Inertia to_pinocchio(const MassData& m) {
  const Sym3<double>& I = m.inertia;
  Eigen::Matrix3d J;
  J << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return {m.mass, Eigen::Vector3d(m.com.x, m.com.y, m.com.z), J};
}

std::string why_not(const Graph& graph) {
  if (!graph.couplings.empty()) return "Pinocchio has no rotors that joints share ('" + graph.couplings[0].name + "')";
  for (const GraphJoint& joint : graph.joints) {
    if (joint.mimic) return "joints that follow others are not mapped to Pinocchio's ('" + joint.name + "')";
    const Passive& p = joint.passive;
    if (p.viscous != 0 || p.coulomb != 0 || p.stiffness != 0)
      return "Pinocchio's algorithms ignore joint friction and springs ('" + joint.name + "')";
    if (has_one_degree(joint.kind) ? has_pitch(joint.kind)
                                   : joint.kind != JointKind::fixed && !has_quaternion(joint.kind))
      return std::string("there is no ") + name_of(joint.kind) + " joint here for Pinocchio ('" + joint.name + "')";
  }
  return {};
}

/// Where the numbers of one joint are, here and there.
struct Place {
  int q, v;              // Ulna's
  int q_there, v_there;  // Pinocchio's
  int nq, nv;
  bool is_free;  // its velocity has the linear part first there
};

class Builder {
 public:
  Builder(const Graph& graph, const Model& ours) : graph_(graph), tree_(graph), ours_(ours) {
    model.gravity.linear() << graph.gravity.x, graph.gravity.y, graph.gravity.z;
    pinocchio::JointIndex root = 0;
    if (graph.free_base) {
      root = model.addJoint(0, pinocchio::JointModelFreeFlyer(), pinocchio::SE3::Identity(), "free_base");
      add_place(root, ours.joints()[0], true);
    }
    add_body(tree_.root(), root, pinocchio::SE3::Identity());
    const FramePlace tip = place_of(graph, ours.tip().name);
    const auto& [joint, pose] = bodies_.at(tip.body);
    tip_frame = model.addFrame(
        pinocchio::Frame("tip of Ulna", joint, pose * to_pinocchio(tip.pose), pinocchio::OP_FRAME), false);
  }

  pinocchio::Model model;
  pinocchio::FrameIndex tip_frame = 0;
  std::vector<Place> places;

 private:
  /// The body stands at `pose` in the frame of the joint that moves it: fixed joints are gone.
  void add_body(const GraphBody& body, pinocchio::JointIndex joint, const pinocchio::SE3& pose) {
    bodies_[body.name] = {joint, pose};
    if (joint != 0) model.appendBodyToJoint(joint, to_pinocchio(body.mass), pose);
    for (const GraphJoint* outer : tree_.joints_on(body.name)) add_joint(*outer, joint, pose);
  }

  void add_joint(const GraphJoint& joint, pinocchio::JointIndex parent, const pinocchio::SE3& pose) {
    const GraphBody& child = tree_.body(joint.child);
    const pinocchio::SE3 zero = pose * to_pinocchio(zero_pose(joint));
    if (joint.kind == JointKind::fixed) return add_body(child, parent, zero);
    // Pinocchio's joints for axes of the frame are its quickest: the frame is turned so that the axis is z.
    const bool turned = has_axis(joint.kind);
    const Pose<double> axis{turned ? joint.in_child.R * turn_to(joint.axis) : Mat3<double>::identity(),
                            turned ? joint.in_child.p : Vec3<double>::zero()};
    const pinocchio::SE3 in_child = to_pinocchio(axis);
    const pinocchio::JointIndex index = model.addJoint(parent, model_of(joint.kind), zero * in_child, joint.name);
    model.armature.segment(model.idx_vs[index], model.nvs[index]).setConstant(joint.passive.armature);
    add_place(index, joint_named(ours_, joint.name), joint.kind == JointKind::free);
    add_body(child, index, in_child.inverse());
  }

  static pinocchio::JointModel model_of(JointKind kind) {
    switch (kind) {
      case JointKind::revolute: return pinocchio::JointModelRZ();
      case JointKind::prismatic: return pinocchio::JointModelPZ();
      case JointKind::spherical: return pinocchio::JointModelSpherical();
      default: return pinocchio::JointModelFreeFlyer();
    }
  }

  void add_place(pinocchio::JointIndex index, const JointInfo& info, bool is_free) {
    const Body& body = ours_.bodies()[static_cast<std::size_t>(info.body)];
    places.push_back({body.q_index, body.v_index, model.idx_qs[index], model.idx_vs[index], model.nqs[index],
                      model.nvs[index], is_free});
  }

  const Graph& graph_;
  GraphTree tree_;
  const Model& ours_;
  std::map<std::string, std::pair<pinocchio::JointIndex, pinocchio::SE3>> bodies_;
};

class PinocchioRobot final : public Peer {
 public:
  explicit PinocchioRobot(Builder&& built)
      : model_(std::move(built.model)),
        data_(model_),
        tip_(built.tip_frame),
        places_(std::move(built.places)),
        q_(model_.nq),
        v_(model_.nv),
        x_(model_.nv),
        J_(Matrix::Zero(6, model_.nv)) {
    index_.resize(model_.nv);
    for (const Place& p : places_)
      for (int k = 0; k < p.nv; ++k) index_[p.v + k] = p.v_there + (p.is_free ? (k + 3) % 6 : k);
  }

  Pose<double> tip_pose(Input q) override {
    read_position(q);
    pinocchio::forwardKinematics(model_, data_, q_);
    const pinocchio::SE3& x = pinocchio::updateFramePlacement(model_, data_, tip_);
    const auto& R = x.rotation();
    const auto& p = x.translation();
    return {{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)}, {p[0], p[1], p[2]}};
  }
  bool tip_jacobian(Input q, MatrixView<double> J) override {
    read_position(q);
    pinocchio::computeJointJacobians(model_, data_, q_);
    pinocchio::getFrameJacobian(model_, data_, tip_, pinocchio::LOCAL_WORLD_ALIGNED, J_);
    for (int c = 0; c < model_.nv; ++c)
      for (int r = 0; r < 6; ++r) J(r, c) = J_((r + 3) % 6, index_[c]);
    return true;
  }
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    read_position(q);
    read(v, v_);
    read(a, x_);
    write(pinocchio::rnea(model_, data_, q_, v_, x_), tau);
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    read_position(q);
    read(v, v_);
    read(tau, x_);
    write(pinocchio::aba(model_, data_, q_, v_, x_, pinocchio::Convention::LOCAL), a);
  }
  void mass_matrix(Input q, MatrixView<double> M) override {
    read_position(q);
    pinocchio::crba(model_, data_, q_, pinocchio::Convention::WORLD);
    for (int c = 0; c < model_.nv; ++c) {
      for (int r = 0; r < model_.nv; ++r) {
        const int i = std::min(index_[r], index_[c]), j = std::max(index_[r], index_[c]);
        M(r, c) = data_.M(i, j);
      }
    }
  }
  bool forward_derivatives(Input q, Input v, Input tau, Output a, MatrixView<double> dq, MatrixView<double> dv,
                           MatrixView<double> dtau) override {
    read_position(q);
    read(v, v_);
    read(tau, x_);
    pinocchio::computeABADerivatives(model_, data_, q_, v_, x_);
    write(data_.ddq, a);
    for (int c = 0; c < model_.nv; ++c) {
      for (int r = 0; r < model_.nv; ++r) {
        dq(r, c) = data_.ddq_dq(index_[r], index_[c]);
        dv(r, c) = data_.ddq_dv(index_[r], index_[c]);
        const int i = std::min(index_[r], index_[c]), j = std::max(index_[r], index_[c]);
        dtau(r, c) = data_.Minv(i, j);  // its upper triangle
      }
    }
    return true;
  }

 private:
  void read_position(Input q) {
    for (const Place& p : places_)
      for (int k = 0; k < p.nq; ++k) q_[p.q_there + k] = q[static_cast<std::size_t>(p.q + k)];
  }
  void read(Input from, Vector& to) {
    for (int k = 0; k < model_.nv; ++k) to[index_[k]] = from[static_cast<std::size_t>(k)];
  }
  void write(const Vector& from, Output to) {
    for (int k = 0; k < model_.nv; ++k) to[static_cast<std::size_t>(k)] = from[index_[k]];
  }

  pinocchio::Model model_;
  pinocchio::Data data_;
  pinocchio::FrameIndex tip_;
  std::vector<Place> places_;
  Eigen::VectorXi index_;  // of Ulna's velocities there
  Vector q_, v_, x_;
  Matrix J_;
};

}  // namespace

}  // namespace ulna::peers

extern "C" __attribute__((visibility("default"))) void ulna_make_peer(const ulna::Graph* graph,
                                                                      const ulna::Model* model,
                                                                      ulna::peers::Made* made) {
  using namespace ulna::peers;
  try {
    made->refusal = why_not(*graph);
    if (made->refusal.empty()) made->robot = std::make_unique<PinocchioRobot>(Builder(*graph, *model));
  } catch (const std::exception& e) {
    made->refusal = e.what();
  }
}

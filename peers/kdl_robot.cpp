#include "peers/kdl_robot.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <stdexcept>

#include "peers/graph_tree.hpp"

namespace ulna::peers {

namespace {

KDL::Vector to_kdl(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

KDL::Frame to_kdl(const Pose<double>& a) {
  const Mat3<double>& R = a.R;
  return {KDL::Rotation(R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz), to_kdl(a.p)};
}

Pose<double> from_kdl(const KDL::Frame& a) {
  const auto& m = a.M.data;
  return {{m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]}, {a.p.x(), a.p.y(), a.p.z()}};
}

KDL::RigidBodyInertia to_kdl(const MassData& m) {
  const Sym3<double>& I = m.inertia;
  return KDL::RigidBodyInertia(m.mass, to_kdl(m.com), KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
}

KDL::Joint joint_of(const GraphJoint& joint) {
  if (joint.kind == JointKind::fixed) return KDL::Joint(joint.name, KDL::Joint::None);
  const auto type = joint.kind == JointKind::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
  const double scale = 1.0, offset = 0.0;  // the offset is in the segment's zero pose
  return KDL::Joint(joint.name, to_kdl(joint.in_parent.p), to_kdl(joint.in_parent.R * joint.axis), type, scale, offset,
                    joint.passive.armature);
}

KDL::Segment segment_of(const GraphTree& tree, const GraphJoint& joint) {
  return KDL::Segment(joint.child, joint_of(joint), to_kdl(zero_pose(joint)), to_kdl(tree.body(joint.child).mass));
}

std::string why_no_kinematics(const Graph& graph) {
  if (graph.free_base) return "KDL's solvers have fixed bases only";
  for (const GraphJoint& joint : graph.joints) {
    const bool known =
        joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic || joint.kind == JointKind::fixed;
    if (!known) return std::string("KDL has no ") + name_of(joint.kind) + " joint ('" + joint.name + "')";
    if (joint.mimic) return "KDL's joints all move on their own ('" + joint.name + "')";
  }
  return {};
}

std::string why_not(const Graph& graph) {
  if (!graph.couplings.empty()) return "KDL has no rotors that joints share ('" + graph.couplings[0].name + "')";
  if (std::string refusal = why_no_kinematics(graph); !refusal.empty()) return refusal;
  for (const GraphJoint& joint : graph.joints) {
    const Passive& p = joint.passive;
    if (p.viscous != 0 || p.coulomb != 0 || p.stiffness != 0)
      return "KDL's solvers ignore joint friction and springs ('" + joint.name + "')";
  }
  return {};
}

void expect_success(int status) {
  if (status < 0) throw std::runtime_error("KDL solver failed with status " + std::to_string(status));
}

/// Between Ulna's order of joints and KDL's.
class Order {
 public:
  void add(int v_index) { v_of_.push_back(static_cast<std::size_t>(v_index)); }
  unsigned size() const { return static_cast<unsigned>(v_of_.size()); }
  std::size_t operator[](std::size_t k) const { return v_of_[k]; }

  // every joint here has one degree of freedom and the base is fixed: q and v share their indices
  void to_kdl(Input from, KDL::JntArray& to) const {
    for (std::size_t k = 0; k < v_of_.size(); ++k) to.data[static_cast<Eigen::Index>(k)] = from[v_of_[k]];
  }
  void to_ulna(const KDL::JntArray& from, Output to) const {
    for (std::size_t k = 0; k < v_of_.size(); ++k) to[v_of_[k]] = from.data[static_cast<Eigen::Index>(k)];
  }
  void to_ulna(const Eigen::MatrixXd& from, MatrixView<double> to) const {
    for (Eigen::Index c = 0; c < from.cols(); ++c) {
      double* column = &to(0, static_cast<int>(v_of_[static_cast<std::size_t>(c)]));
      for (std::size_t r = 0; r < v_of_.size(); ++r) column[v_of_[r]] = from(static_cast<Eigen::Index>(r), c);
    }
  }

 private:
  std::vector<std::size_t> v_of_;
};

/// What both kinds of robot need; KDL wants its arguments in its own arrays.
struct Arrays {
  explicit Arrays(unsigned n) : q(n), v(n), a(n), tau(n) {}
  KDL::JntArray q, v, a, tau;
};

struct Tip {
  int segment;  // how many of the chain's segments lead to it
  std::string body;
  Pose<double> pose;
};

class KdlChain final : public Peer {
 public:
  KdlChain(const KDL::Chain& chain, Order order, Tip tip, const KDL::Vector& gravity)
      : chain_(chain),
        order_(std::move(order)),
        tip_(std::move(tip)),
        x_(order_.size()),
        H_(static_cast<int>(order_.size())),
        no_wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()),
        fk_(chain_),
        id_(chain_, gravity),
        fd_(chain_, gravity),
        parameters_(chain_, gravity) {}

  Pose<double> tip_pose(Input q) override {
    order_.to_kdl(q, x_.q);
    KDL::Frame pose;
    expect_success(fk_.JntToCart(x_.q, pose, tip_.segment));
    return from_kdl(pose) * tip_.pose;
  }
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    order_.to_kdl(q, x_.q);
    order_.to_kdl(v, x_.v);
    order_.to_kdl(a, x_.a);
    expect_success(id_.CartToJnt(x_.q, x_.v, x_.a, no_wrenches_, x_.tau));
    order_.to_ulna(x_.tau, tau);
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    order_.to_kdl(q, x_.q);
    order_.to_kdl(v, x_.v);
    order_.to_kdl(tau, x_.tau);
    expect_success(fd_.CartToJnt(x_.q, x_.v, x_.tau, no_wrenches_, x_.a));
    order_.to_ulna(x_.a, a);
  }
  void mass_matrix(Input q, MatrixView<double> M) override {
    order_.to_kdl(q, x_.q);
    expect_success(parameters_.JntToMass(x_.q, H_));
    order_.to_ulna(H_.data, M);
  }

 private:
  KDL::Chain chain_;
  Order order_;
  Tip tip_;
  Arrays x_;
  KDL::JntSpaceInertiaMatrix H_;
  KDL::Wrenches no_wrenches_;
  KDL::ChainFkSolverPos_recursive fk_;
  KDL::ChainIdSolver_RNE id_;
  KDL::ChainFdSolver_RNE fd_;
  KDL::ChainDynParam parameters_;
};

/// KDL has only inverse dynamics for trees: M comes column by column, forward dynamics by M.
class KdlTree final : public Peer {
 public:
  KdlTree(const KDL::Tree& tree, Order order, Tip tip, const KDL::Vector& gravity)
      : tree_(tree),
        order_(std::move(order)),
        tip_(std::move(tip)),
        x_(order_.size()),
        H_(order_.size(), order_.size()),
        fk_(tree_),
        id_(tree_, gravity),
        weightless_(tree_, KDL::Vector::Zero()) {}

  Pose<double> tip_pose(Input q) override {
    order_.to_kdl(q, x_.q);
    KDL::Frame pose;
    expect_success(fk_.JntToCart(x_.q, pose, tip_.body));
    return from_kdl(pose) * tip_.pose;
  }
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    order_.to_kdl(q, x_.q);
    order_.to_kdl(v, x_.v);
    order_.to_kdl(a, x_.a);
    expect_success(id_.CartToJnt(x_.q, x_.v, x_.a, {}, x_.tau));
    order_.to_ulna(x_.tau, tau);
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    update_mass_matrix(q);
    order_.to_kdl(v, x_.v);
    x_.a.data.setZero();
    expect_success(id_.CartToJnt(x_.q, x_.v, x_.a, {}, x_.tau));
    order_.to_kdl(tau, x_.v);
    x_.a.data = H_.ldlt().solve(x_.v.data - x_.tau.data);
    order_.to_ulna(x_.a, a);
  }
  void mass_matrix(Input q, MatrixView<double> M) override {
    update_mass_matrix(q);
    order_.to_ulna(H_, M);
  }

 private:
  void update_mass_matrix(Input q) {
    order_.to_kdl(q, x_.q);
    x_.v.data.setZero();
    for (Eigen::Index k = 0; k < H_.cols(); ++k) {
      x_.a.data.setUnit(k);
      expect_success(weightless_.CartToJnt(x_.q, x_.v, x_.a, {}, x_.tau));
      H_.col(k) = x_.tau.data;
    }
  }

  KDL::Tree tree_;
  Order order_;
  Tip tip_;
  Arrays x_;
  Eigen::MatrixXd H_;
  KDL::TreeFkSolverPos_recursive fk_;
  KDL::TreeIdSolver_RNE id_, weightless_;
};

void add_to_order(const GraphJoint& joint, const Model& model, Order& order) {
  if (joint.kind == JointKind::fixed) return;
  const int body = joint_named(model, joint.name).body;
  order.add(model.bodies()[static_cast<std::size_t>(body)].v_index);
}

std::unique_ptr<Peer> make_chain(const Graph& graph, const GraphTree& tree, const Model& model) {
  const FramePlace place = place_of(graph, model.tip().name);
  Tip tip{0, place.body, place.pose};
  KDL::Chain chain;
  Order order;
  const std::string* body = &tree.root().name;
  while (!tree.joints_on(*body).empty()) {
    const GraphJoint& joint = *tree.joints_on(*body)[0];
    chain.addSegment(segment_of(tree, joint));
    add_to_order(joint, model, order);
    body = &joint.child;
    if (*body == place.body) tip.segment = static_cast<int>(chain.getNrOfSegments());
  }
  return std::make_unique<KdlChain>(chain, std::move(order), std::move(tip), to_kdl(graph.gravity));
}

void add_branches(const GraphTree& tree, const std::string& body, const Model& model, KDL::Tree& kdl, Order& order) {
  for (const GraphJoint* joint : tree.joints_on(body)) {
    if (!kdl.addSegment(segment_of(tree, *joint), body)) throw std::logic_error("KDL refuses segment " + joint->child);
    add_to_order(*joint, model, order);
    add_branches(tree, joint->child, model, kdl, order);
  }
}

std::unique_ptr<Peer> make_tree(const Graph& graph, const GraphTree& tree, const Model& model) {
  const FramePlace place = place_of(graph, model.tip().name);
  KDL::Tree kdl(tree.root().name);
  Order order;
  add_branches(tree, tree.root().name, model, kdl, order);
  return std::make_unique<KdlTree>(kdl, std::move(order), Tip{0, place.body, place.pose}, to_kdl(graph.gravity));
}

/// The way to the tip alone.
KDL::Chain chain_to_tip(const Graph& graph, const GraphTree& tree, const Model& model, Order& order) {
  const FramePlace place = place_of(graph, model.tip().name);
  KDL::Tree kdl(tree.root().name);
  Order all;
  add_branches(tree, tree.root().name, model, kdl, all);
  KDL::Chain chain;
  if (!kdl.getChain(tree.root().name, place.body, chain)) throw std::logic_error("KDL finds no way to the tip");
  for (const KDL::Segment& segment : chain.segments) {
    if (segment.getJoint().getType() == KDL::Joint::None) continue;
    const int body = joint_named(model, segment.getJoint().getName()).body;
    order.add(model.bodies()[static_cast<std::size_t>(body)].v_index);
  }
  chain.addSegment(KDL::Segment("tip", KDL::Joint("tip", KDL::Joint::None), to_kdl(place.pose)));
  return chain;
}

class KdlIkSolvers final : public KdlIk {
 public:
  KdlIkSolvers(const KDL::Chain& chain, Order order, const Model& model)
      : chain_(chain),
        order_(std::move(order)),
        start_(order_.size()),
        result_(order_.size()),
        lower_(limits(model.lower_limits())),
        upper_(limits(model.upper_limits())),
        fk_(chain_),
        velocity_(chain_),
        newton_(chain_, lower_, upper_, fk_, velocity_, 100, tolerance),
        levenberg_(chain_, Eigen::Matrix<double, 6, 1>::Ones(), tolerance, 500) {}

  bool solve_newton(const Pose<double>& pose, Input start, Output q) override {
    order_.to_kdl(start, start_);
    const bool arrived = newton_.CartToJnt(start_, to_kdl(pose), result_) >= 0;
    order_.to_ulna(result_, q);
    return arrived;
  }
  bool solve_levenberg(const Pose<double>& pose, Input start, Output q) override {
    order_.to_kdl(start, start_);
    const bool arrived = levenberg_.CartToJnt(start_, to_kdl(pose), result_) >= 0;
    order_.to_ulna(result_, q);
    return arrived;
  }

 private:
  static constexpr double tolerance = 1e-6;

  KDL::JntArray limits(Input by_position) const {
    constexpr double far = 1e6;  // KDL has no infinities
    KDL::JntArray to(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k)
      to(static_cast<unsigned>(k)) = std::clamp(by_position[order_[k]], -far, far);
    return to;
  }

  KDL::Chain chain_;
  Order order_;
  KDL::JntArray start_, result_, lower_, upper_;
  KDL::ChainFkSolverPos_recursive fk_;
  KDL::ChainIkSolverVel_pinv velocity_;
  KDL::ChainIkSolverPos_NR_JL newton_;
  KDL::ChainIkSolverPos_LMA levenberg_;
};

}  // namespace

std::unique_ptr<KdlIk> make_kdl_ik(const Graph& graph, const Model& model) {
  if (!why_no_kinematics(graph).empty()) return nullptr;
  Order order;
  const KDL::Chain chain = chain_to_tip(graph, GraphTree(graph), model, order);
  return std::make_unique<KdlIkSolvers>(chain, std::move(order), model);
}

Made make_kdl_robot(const Graph& graph, const Model& model) {
  if (std::string refusal = why_not(graph); !refusal.empty()) return {nullptr, std::move(refusal)};
  const GraphTree tree(graph);
  return {tree.is_serial() ? make_chain(graph, tree, model) : make_tree(graph, tree, model), {}};
}

}  // namespace ulna::peers

// Ulna against other people's code: KDL, MuJoCo and, where they are, Pinocchio and RBDL on the same robots and states.
//
// How far two correct programs may lie apart. Both go from body to body; a component passes about
// 16 roundings per body on each of two sweeps, in each of the two programs:
//   rounding = 64 ε × number of bodies
// relative to the largest intermediate result, which norms bound:
//   pose   rounding (1 + |p|)                        M      rounding ‖M‖
//   tau    rounding (‖M‖ ‖a‖ + ‖h‖)                  where h = tau at a = 0
// Forward dynamics solves M a = tau − h. From M δa = δ(tau − h) − δM a and ‖M⁻¹‖ = κ(M) / ‖M‖:
//   a      rounding κ(M) (‖a‖ + (‖tau‖ + ‖h‖) / ‖M‖)
// A derivative of it is M⁻¹ X, and X sums n times as many terms as a torque:
//   ∂a     n rounding κ(M) (‖∂a‖ + ‖M ∂a‖ / ‖M‖)
// For an arm of seven joints rounding is 1e-13: a thousandth of the 1e-10 × κ(M) that is asked for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <filesystem>
#include <functional>
#include <map>

#include "peers/libraries.hpp"
#include "peers/peer.hpp"
#include "support/bundled.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr std::uint64_t seed = 20260002;
constexpr int states = 100;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// ---- comparing

/// The largest deviation met, relative and as a part of what is allowed.
struct Worst {
  double relative = 0.0, of_allowed = 0.0;
  int state = 0;

  void note(double error, double scale, double allowed, int now) {
    const double part = std::isfinite(error) ? error / allowed : std::numeric_limits<double>::infinity();
    if (part > of_allowed) {
      of_allowed = part;
      state = now;
    }
    relative = std::max(relative, error / scale);
  }
};
using Report = std::map<std::string, Worst>;

std::span<const double> in(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::span<double> out(Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
Vector vector_of(const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), std::ssize(x)); }

class Comparison {
 public:
  Comparison(const Model& model, peers::Peer& peer)
      : model_(model), peer_(peer), rounding_(64.0 * std::numeric_limits<double>::epsilon() * model.body_count()) {}

  Report run() {
    std::mt19937_64 generator(seed);
    for (state_ = 0; state_ < states; ++state_) {
      q_ = vector_of(random_position(model_, generator));
      v_ = vector_of(random_velocity(model_, generator));
      a_ = vector_of(random_velocity(model_, generator));
      tau_ = vector_of(random_velocity(model_, generator));
      compare_poses();
      compare_jacobians();
      update_norms();
      compare_derivatives();
      for (const MethodInfo& method : methods()) {
        if (!method.refusal(model_).empty()) continue;
        if (method.can(Quantity::mass_matrix)) compare_mass_matrix(method);
        if (method.can(Quantity::inverse_dynamics)) compare_inverse_dynamics(method);
        if (method.can(Quantity::forward_dynamics)) compare_forward_dynamics(method);
      }
    }
    return report_;
  }
  double rounding() const { return rounding_; }

 private:
  void update_norms() {
    M_.resize(model_.nv(), model_.nv());
    peer_.mass_matrix(in(q_), {M_.data(), model_.nv(), model_.nv()});
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(M_, Eigen::EigenvaluesOnly).eigenvalues();
    const Vector moduli = eigenvalues.cwiseAbs();
    is_physical_ = eigenvalues.minCoeff() > 0.0;
    M_norm_ = moduli.maxCoeff();
    condition_ = M_norm_ / moduli.minCoeff();  // by modulus: a robot as printed need not be physical
    Vector h(model_.nv());
    peer_.inverse_dynamics(in(q_), in(v_), in(Vector::Zero(model_.nv())), out(h));
    h_norm_ = h.norm();
  }

  void compare_poses() {
    Kinematics<double> kinematics(model_);
    kinematics.update_positions(in(q_));
    const Pose<double> ours = kinematics.pose(model_.tip()), theirs = peer_.tip_pose(in(q_));
    const Mat3<double> turn = ours.R - theirs.R;
    const double error = norm(ours.p - theirs.p) + norm(turn.row_x()) + norm(turn.row_y()) + norm(turn.row_z());
    const double scale = 1.0 + norm(theirs.p);
    report_["pose"].note(error, scale, rounding_ * scale, state_);
  }

  void compare_jacobians() {
    Matrix ours(6, model_.nv()), theirs(6, model_.nv());
    if (!peer_.tip_jacobian(in(q_), {theirs.data(), 6, model_.nv()})) return;
    Kinematics<double> kinematics(model_);
    kinematics.update_positions(in(q_));
    kinematics.jacobian(model_.tip(), Reference::world_axes, ours);
    const double scale = 1.0 + theirs.norm();
    report_["J"].note((ours - theirs).norm(), scale, rounding_ * scale, state_);
  }

  void compare_derivatives() {
    if (!is_physical_) return;  // engines factor M in different orders, without pivots
    const int n = model_.nv();
    Vector a(n), b(n);
    Matrix ours[3], theirs[3];
    for (Matrix* m : {ours, theirs})
      for (int k = 0; k < 3; ++k) m[k].resize(n, n);
    const auto view = [&](Matrix& m) { return MatrixView<double>{m.data(), n, n}; };
    if (!peer_.forward_derivatives(in(q_), in(v_), in(tau_), out(a), view(theirs[0]), view(theirs[1]), view(theirs[2])))
      return;
    articulated_body::DerivativeWorkspace<double> workspace(model_);
    articulated_body::forward_derivatives(model_, workspace, q_, v_, tau_, b, ours[0], ours[1], ours[2]);
    const char* names[] = {"da/dq", "da/dv", "da/dtau"};
    for (int k = 0; k < 3; ++k) {
      const double scale = theirs[k].norm() + (M_ * theirs[k]).norm() / M_norm_;
      report_[names[k]].note((ours[k] - theirs[k]).norm(), scale, n * rounding_ * condition_ * scale, state_);
    }
  }

  void compare_mass_matrix(const MethodInfo& method) {
    Matrix M(model_.nv(), model_.nv());
    make_method<double>(method.name, Quantity::mass_matrix, model_)
        ->mass_matrix(in(q_), {M.data(), model_.nv(), model_.nv()});
    note("M", method, (M - M_).norm(), M_norm_, rounding_ * M_norm_);
  }

  void compare_inverse_dynamics(const MethodInfo& method) {
    Vector ours(model_.nv()), theirs(model_.nv());
    make_method<double>(method.name, Quantity::inverse_dynamics, model_)
        ->inverse_dynamics(in(q_), in(v_), in(a_), out(ours));
    peer_.inverse_dynamics(in(q_), in(v_), in(a_), out(theirs));
    const double scale = M_norm_ * a_.norm() + h_norm_;
    note("tau", method, (ours - theirs).norm(), scale, rounding_ * scale);
  }

  void compare_forward_dynamics(const MethodInfo& method) {
    Vector ours(model_.nv()), theirs(model_.nv());
    make_method<double>(method.name, Quantity::forward_dynamics, model_)
        ->forward_dynamics(in(q_), in(v_), in(tau_), out(ours));
    peer_.forward_dynamics(in(q_), in(v_), in(tau_), out(theirs));
    const double scale = theirs.norm() + (tau_.norm() + h_norm_) / M_norm_;
    note("a", method, (ours - theirs).norm(), scale, rounding_ * condition_ * scale);
  }

  void note(const std::string& what, const MethodInfo& method, double error, double scale, double allowed) {
    report_[fmt::format("{} ({})", what, method.name)].note(error, scale, allowed, state_);
  }

  const Model& model_;
  peers::Peer& peer_;
  double rounding_;
  Report report_;
  int state_ = 0;
  Vector q_, v_, a_, tau_;
  Matrix M_;
  double M_norm_ = 0.0, condition_ = 0.0, h_norm_ = 0.0;
  bool is_physical_ = true;
};

// ---- the robots

/// The same k on all three principal moments A ≤ B ≤ C adds k to A + B − C.
void repair(Sym3<double>& I) {
  Eigen::Matrix3d full;
  full << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d e = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(full).eigenvalues();
  const double missing = e[2] - e[0] - e[1];
  if (missing > 0.0) I += Sym3<double>::diagonal(1.01 * missing);
}

enum class Friction { as_written, no_coulomb, none };

struct Case {
  std::string robot;
  Friction friction = Friction::as_written;
  bool free_base = false;
  bool repaired = false;  // inertias that break the triangle inequality are made to keep it

  std::string name() const {
    std::string text = std::filesystem::path(robot).stem().string();
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    if (friction == Friction::no_coulomb) text += "_without_coulomb_friction";
    if (friction == Friction::none) text += "_without_friction";
    return text + (free_base ? "_floating" : "");
  }
  bool is_missing_file() const { return robot.find('/') != std::string::npos && !std::filesystem::exists(robot); }

  Graph graph() const {
    Graph graph = load_graph(robot);
    graph.free_base |= free_base;
    if (repaired)
      for (GraphBody& body : graph.bodies) repair(body.mass.inertia);
    for (GraphJoint& joint : graph.joints) {
      if (friction != Friction::as_written) joint.passive.coulomb = 0.0;
      if (friction == Friction::none) joint.passive.viscous = 0.0;
    }
    return graph;
  }
};

/// Neither peer has Coulomb friction and KDL has none at all: a robot with friction is also
/// compared without.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& name : test::bundled_trees()) {
    all.push_back({name});
    const Graph graph = load_graph(name);
    const auto any = [&](auto passive) { return std::any_of(graph.joints.begin(), graph.joints.end(), passive); };
    if (any([](const GraphJoint& j) { return j.passive.coulomb != 0; })) all.push_back({name, Friction::no_coulomb});
    if (any([](const GraphJoint& j) { return j.passive.coulomb != 0 || j.passive.viscous != 0; }))
      all.push_back({name, Friction::none});
  }
  const std::string own = ULNA_ORACLE_ROBOTS, shared = ULNA_SHARED "/robots";
  all.push_back({"chain:10"});
  all.push_back({"chain:60"});
  all.push_back({own + "/branched.toml"});
  all.push_back({own + "/compound.toml"});
  all.push_back({own + "/compound.toml", Friction::as_written, true});
  all.push_back({own + "/floating_tree.toml"});
  // published with two gripper links that no real body can be, so build() and MuJoCo refuse it
  all.push_back({shared + "/talos.urdf", Friction::none, false, true});
  all.push_back({shared + "/talos.urdf", Friction::no_coulomb, true, true});
  return all;
}

// ---- the tests

struct Param {
  peers::Library library;
  Case robot;

  std::string name() const { return library.name + "_" + robot.name(); }
};
std::ostream& operator<<(std::ostream& stream, const Param& param) { return stream << param.name(); }

std::vector<Param> params() {
  std::vector<Param> all;
  for (const peers::Library& library : peers::libraries())
    for (const Case& robot : cases()) all.push_back({library, robot});
  return all;
}

class Oracle : public testing::TestWithParam<Param> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Oracle);  // a build without peers

TEST_P(Oracle, agrees) {
  const auto& [library, robot] = GetParam();
  if (robot.is_missing_file()) GTEST_SKIP() << robot.robot << " is not there";
  const Graph graph = robot.graph();
  const Model model = build(graph);
  const peers::Made made = library.make(graph, model);
  if (made.robot == nullptr) GTEST_SKIP() << library.name << " cannot have " << robot.name() << ": " << made.refusal;

  Comparison comparison(model, *made.robot);
  const Report report = comparison.run();
  EXPECT_LT(comparison.rounding(), 1e-10);
  fmt::print("{} states, seed {}; largest relative deviations (parts of what is allowed):\n", states, seed);
  for (const auto& [what, worst] : report) {
    fmt::print("  {:24} {:7.1e} ({:7.1e})\n", what, worst.relative, worst.of_allowed);
    EXPECT_LE(worst.of_allowed, 1.0) << what << ", state " << worst.state << " of seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Peers, Oracle, testing::ValuesIn(params()),
                         [](const testing::TestParamInfo<Param>& p) { return p.param.name(); });

// An adapter that refuses everything would pass the above.
TEST(Peers, have_the_robots_they_should) {
  std::vector<std::string> names{"panda_like", "ur5_like", "planar2r", "rp", "puma560", "stanford", "chain:10"};
  names.emplace_back(ULNA_ORACLE_ROBOTS "/branched.toml");
  for (const std::string& robot : names) {
    const Graph graph = load_graph(robot);
    const Model model = build(graph);
    for (const peers::Library& library : peers::libraries()) {
      if (library.name == "rbdl" && robot.ends_with("/branched.toml")) continue;  // it has armature, and RBDL none
      EXPECT_EQ(library.make(graph, model).refusal, "") << library.name << " " << robot;
    }
  }
  const Graph graph = load_graph(ULNA_ORACLE_ROBOTS "/compound.toml");
  const Model model = build(graph);
  for (const peers::Library& library : peers::libraries())
    EXPECT_EQ(library.make(graph, model).refusal.empty(), library.name == "mujoco") << library.name;
}

/// A fault in one number of the robot, 1e-8 of its size, must not go unnoticed.
struct Fault {
  const char* name;
  std::function<void(Graph&)> plant;
};

TEST(Peers, notice_planted_faults) {
  const Fault faults[] = {
      {"mass", [](Graph& g) { g.bodies[3].mass.mass *= 1.0 + 1e-8; }},
      {"mass centre", [](Graph& g) { g.bodies[3].mass.com.y += 1e-9; }},
      {"moment of inertia", [](Graph& g) { g.bodies[3].mass.inertia.zz *= 1.0 + 1e-8; }},
      {"product of inertia", [](Graph& g) { g.bodies[3].mass.inertia.xy += 1e-10; }},
      {"joint position", [](Graph& g) { g.joints[1].in_parent.p.z += 1e-9; }},
      {"joint axis", [](Graph& g) { g.joints[1].axis.x += 1e-8; }},
      {"joint offset", [](Graph& g) { g.joints[2].offset += 1e-8; }},
      {"armature", [](Graph& g) { g.joints[2].passive.armature += 1e-9; }},
      {"gravity", [](Graph& g) { g.gravity.x += 1e-8; }},
  };
  for (const peers::Library& library : peers::libraries()) {
    const bool has_armature = library.name != "rbdl";
    Graph graph = load_graph(ULNA_ORACLE_ROBOTS "/branched.toml");
    for (GraphJoint& joint : graph.joints)
      if (!has_armature) joint.passive.armature = 0.0;
    const Model model = build(graph);
    for (const Fault& fault : faults) {
      if (!has_armature && std::string_view(fault.name) == "armature") continue;
      Graph faulty = graph;
      fault.plant(faulty);
      const peers::Made made = library.make(faulty, model);
      ASSERT_NE(made.robot, nullptr) << made.refusal;
      double worst = 0.0;
      for (const auto& [what, deviation] : Comparison(model, *made.robot).run())
        worst = std::max(worst, deviation.of_allowed);
      EXPECT_GT(worst, 10.0) << library.name << " does not notice a fault in the " << fault.name;
    }
  }
}

TEST(Peers, are_found) {
  if (peers::libraries().empty()) GTEST_SKIP() << "neither KDL nor MuJoCo is installed; nothing was compared";
}

}  // namespace
}  // namespace ulna

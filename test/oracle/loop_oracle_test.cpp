// Closed loops against MuJoCo. Its solver takes them soft, so two comparisons:
//   tight  its M, forces and constraint Jacobian, but the equations solved exactly here (saddle_point.hpp)
//   coarse its solver's own answer, as far from the hard one as its softness R allows: the soft λ is
//          (S + R)⁻¹ S λ with S = J M⁻¹ Jᵀ, so that δa = M⁻¹ Jᵀ (S + R)⁻¹ R λ, and because
//          ‖S^½ (S + R)⁻¹ R^½‖ ≤ ½: √(δaᵀ M δa) ≤ ½ √(λᵀ R λ)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "peers/libraries.hpp"
#include "peers/mechanism_peer.hpp"
#include "support/bundled.hpp"
#include "support/closed_state.hpp"
#include "support/saddle_point.hpp"
#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {
namespace {

constexpr std::uint64_t seed = 20260004;
constexpr int states = 30;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct Param {
  std::string robot;
  peers::Hinge hinge;

  std::string name() const { return robot + (hinge == peers::Hinge::one_point ? "_hinges_by_one_point" : ""); }
};
std::ostream& operator<<(std::ostream& stream, const Param& param) { return stream << param.name(); }

std::vector<Param> params() {
  std::vector<Param> all;
  for (const std::string& robot : test::bundled_mechanisms()) {
    all.push_back({robot, peers::Hinge::two_points});
    const Graph graph = load_graph(robot);
    const bool planar = std::all_of(graph.loops.begin(), graph.loops.end(),
                                    [](const GraphLoop& loop) { return loop.kind == JointKind::revolute; });
    if (planar) all.push_back({robot, peers::Hinge::one_point});
  }
  return all;
}

Eigen::Map<const Vector> vector_of(const std::vector<double>& x) { return {x.data(), std::ssize(x)}; }

Eigen::Map<const Matrix> matrix_of(const std::vector<double>& x, Eigen::Index rows) {
  return {x.data(), rows, std::ssize(x) / rows};
}

/// The peer's equations, solved as they stand.
test::SaddlePoint solved(const peers::LoopSystem& system) {
  return {matrix_of(system.M, std::ssize(system.force)), matrix_of(system.J, system.rows), vector_of(system.force),
          vector_of(system.right)};
}

/// Where loops are open by a residual, the two programs' equations differ by as much.
double rounding_of(const Model& model, const std::vector<double>& q) {
  LoopEquations equations(model);
  equations.update(q);
  return test::rounding_of(model) + equations.largest_residual();
}

/// Deviations as parts of what is allowed, and that as a part of |a|.
struct Worst {
  double schur = 0.0, independent = 0.0, allowed = 0.0;
};

Worst compare(const Model& model, peers::MechanismPeer& peer) {
  std::mt19937_64 generator(seed);
  ConstrainedDynamics dynamics(model);
  std::vector<double> a(static_cast<std::size_t>(model.nv()));
  Worst worst;
  for (int k = 0; k < states; ++k) {
    const auto [q, v] = test::random_closed_state(model, generator);
    const std::vector<double> tau = random_velocity(model, generator, 5.0);
    const peers::LoopSystem system = peer.system(q, v, tau);
    const test::SaddlePoint theirs = solved(system);
    const double allowed = theirs.allowed(rounding_of(model, q), system.right_error);
    dynamics.forward_dynamics(q, v, tau, a);
    worst.schur = std::max(worst.schur, (vector_of(a) - theirs.a).norm() / allowed);
    dynamics.forward_dynamics_independent(q, v, tau, a);
    worst.independent = std::max(worst.independent, (vector_of(a) - theirs.a).norm() / allowed);
    worst.allowed = std::max(worst.allowed, allowed / theirs.a.norm());
  }
  return worst;
}

class LoopOracle : public testing::TestWithParam<Param> {
 protected:
  void SetUp() override {
    made_ = peers::make_mechanism_peer(graph_, model_, GetParam().hinge);
    if (made_.mechanism == nullptr) GTEST_SKIP() << made_.refusal;
  }

  Graph graph_ = load_graph(GetParam().robot);
  Model model_ = build(graph_);
  peers::MadeMechanism made_;
};

TEST_P(LoopOracle, SolvesTheEquationsThatMujocoHas) {
  const Worst worst = compare(model_, *made_.mechanism);
  fmt::print("parts of what is allowed: {:.1e} (Schur), {:.1e} (independent); allowed at most {:.1e} of |a|\n",
             worst.schur, worst.independent, worst.allowed);
  EXPECT_LE(worst.schur, 1.0);
  EXPECT_LE(worst.independent, 1.0);
  EXPECT_LT(worst.allowed, 1e-8);
}

TEST_P(LoopOracle, IsWithinTheSoftnessOfMujocosSolver) {
  std::mt19937_64 generator(seed);
  ConstrainedDynamics dynamics(model_);
  const std::vector<double> rest(static_cast<std::size_t>(model_.nv()), 0.0);
  std::vector<double> ours = rest, soft = rest;
  double worst = 0.0, relative = 0.0;
  for (int k = 0; k < states; ++k) {
    const std::vector<double> q = test::random_closed_state(model_, generator).q;
    const std::vector<double> tau = random_velocity(model_, generator, 5.0);
    const peers::LoopSystem system = made_.mechanism->system(q, rest, tau);
    const Vector lambda = solved(system).lambda;
    made_.mechanism->forward_dynamics(q, rest, tau, soft);
    dynamics.forward_dynamics(q, rest, tau, ours);
    const Vector off = vector_of(soft) - vector_of(ours);
    const double error = std::sqrt(off.dot(matrix_of(system.M, off.size()) * off));
    const double allowed = 0.5 * std::sqrt(lambda.dot(vector_of(system.softness).cwiseProduct(lambda)));
    worst = std::max(worst, error / allowed);
    relative = std::max(relative, off.norm() / vector_of(ours).norm());
  }
  fmt::print("parts of what is allowed: {:.1e}; relative to |a|: {:.1e}\n", worst, relative);
  EXPECT_LE(worst, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Bundled, LoopOracle, testing::ValuesIn(params()),
                         [](const testing::TestParamInfo<Param>& p) { return p.param.name(); });

/// A fault in one number of the mechanism, 1e-7 of its size, must not go unnoticed.
struct Fault {
  const char* name;
  void (*plant)(Graph&);
};

TEST(LoopPeers, NoticePlantedFaults) {
  const Fault faults[] = {
      {"loop's place in its first body", [](Graph& g) { g.loops[0].in_parent.p.x += 1e-7; }},
      {"loop's place in its second body", [](Graph& g) { g.loops[0].in_child.p.x += 1e-7; }},
      {"mass", [](Graph& g) { g.bodies[3].mass.mass *= 1.0 + 1e-7; }},
      {"armature", [](Graph& g) { g.joints[0].passive.armature += 1e-7; }},
  };
  const Graph graph = load_graph("five_bar");
  const Model model = build(graph);
  for (const Fault& fault : faults) {
    Graph faulty = graph;
    fault.plant(faulty);
    const peers::MadeMechanism made = peers::make_mechanism_peer(faulty, model, peers::Hinge::two_points);
    if (made.mechanism == nullptr) GTEST_SKIP() << made.refusal;
    const Worst worst = compare(model, *made.mechanism);
    EXPECT_GT(std::min(worst.schur, worst.independent), 10.0) << fault.name;
  }
}

// An adapter that refuses everything would pass the above.
TEST(LoopPeers, HaveAllBundledMechanisms) {
  for (const peers::Library& library : peers::libraries()) {
    if (library.name != "mujoco") continue;
    for (const std::string& robot : test::bundled_mechanisms()) {
      const Graph graph = load_graph(robot);
      const Model model = build(graph);
      EXPECT_EQ(peers::make_mechanism_peer(graph, model, peers::Hinge::two_points).refusal, "") << robot;
    }
  }
}

}  // namespace
}  // namespace ulna

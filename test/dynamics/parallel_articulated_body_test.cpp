// Articulated bodies in segments: against the serial recursion and constraint forces on chains of every
// kind, against inverse dynamics on long ones, and the same bits on any number of threads.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/segment_tree.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct State {
  explicit State(const Model& model, double speed = 0.5) {
    std::mt19937_64 generator(11);
    q = random_position(model, generator);
    v = random_velocity(model, generator, speed);
    tau = random_velocity(model, generator);
    for (int i = 0; i < model.body_count(); ++i)
      external.push_back({test::random_vector(generator, 0.3), test::random_vector(generator, 0.5)});
  }
  std::vector<double> q, v, tau;
  std::vector<Force<double>> external;
};

std::vector<double> serial(const Model& model, const State& s) {
  articulated_body::Workspace<double> ws(model);
  std::vector<double> a(s.v.size());
  articulated_body::forward_dynamics(model, ws, s.q, s.v, s.tau, a, s.external);
  return a;
}

std::vector<double> in_segments(const Model& model, const State& s) {
  articulated_body::ParallelSolver solver(model);
  std::vector<double> a(s.v.size());
  solver.forward_dynamics(s.q, s.v, s.tau, a, s.external);
  return a;
}

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) largest = std::max(largest, std::fabs(x[k] - y[k]));
  return largest;
}

/// Both ways give accelerations with the error that the condition of M makes of rounding, and both
/// leave no more of the torques than rounding does.
void expect_agreement(const Graph& graph) {
  const Model model = build(graph);
  const State s(model);
  const std::vector<double> want = serial(model, s), got = in_segments(model, s);
  const test::StateScale scale = test::scale_of(model, s.q, s.v, want);
  const double tolerance = test::acceleration_tolerance(model, scale, epsilon);
  std::vector<double> tau(s.tau.size());
  newton_euler::Workspace<double> ws(model);
  newton_euler::inverse_dynamics(model, ws, s.q, s.v, got, tau, s.external);
  for (std::size_t k = 0; k < want.size(); ++k) {
    ASSERT_NEAR(got[k], want[k], tolerance) << graph.name << ", velocity " << k;
    ASSERT_NEAR(tau[k], s.tau[k], test::torque_tolerance(model, scale, epsilon)) << graph.name << ", velocity " << k;
  }
}

/// Every second link is the cross of a universal joint, without mass.
Graph cardan_chain(int n) {
  Graph graph = load_graph("chain:" + std::to_string(n));
  graph.name = "cardan" + std::to_string(n);
  for (std::size_t i = 1; i + 1 < graph.bodies.size(); i += 2) graph.bodies[i].mass = {};
  return graph;
}

Graph with_free_base(Graph graph) {
  graph.name += " floating";
  graph.free_base = true;
  graph.bodies[0].mass = {3.0, {0.02, 0.01, -0.03}, {0.03, 0.04, 0.05, 0.001, 0, 0.002}};
  return graph;
}

Graph with_balls(int n, int period) {
  Graph graph = load_graph("chain:" + std::to_string(n));
  graph.name = "balls" + std::to_string(n);
  for (std::size_t i = 0; i < graph.joints.size(); i += static_cast<std::size_t>(period))
    graph.joints[i].kind = JointKind::spherical;
  return graph;
}

TEST(ParallelArticulatedBody, AgreesOnChainsOfEveryLength) {
  for (int n = 1; n <= 200; ++n) expect_agreement(load_graph("chain:" + std::to_string(n)));
  for (const int n : {257, 600}) expect_agreement(load_graph("general:" + std::to_string(n)));
}

TEST(ParallelArticulatedBody, AgreesOnEverySerialTestRobot) {
  for (const Graph& graph : test::test_robots())
    if (build(graph).is_serial() && test::is_positive_definite(graph)) expect_agreement(graph);
}

TEST(ParallelArticulatedBody, AgreesWithJointsOfAllKinds) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const bool free_base = seed % 2 == 0;
    expect_agreement(test::random_robot({.bodies = 70, .free_base = free_base, .passive = true}, seed));
    expect_agreement(
        test::random_robot({.bodies = 150, .free_base = free_base, .only_one_degree = true, .passive = true}, seed));
  }
  for (const int period : {1, 2, 5, 16}) expect_agreement(with_balls(120, period));
}

TEST(ParallelArticulatedBody, AgreesOnAFreeBase) {
  for (const int n : {1, 2, 16, 17, 33, 150}) {
    expect_agreement(with_free_base(load_graph("chain:" + std::to_string(n))));
    expect_agreement(with_free_base(with_balls(n, 1)));
  }
}

TEST(ParallelArticulatedBody, TakesLinksWithoutMass) {
  for (const int n : {2, 16, 17, 18, 131, 200}) expect_agreement(cardan_chain(n));
  Graph thin = load_graph("chain:100");  // nowhere to cut: one segment
  for (GraphBody& body : thin.bodies) body.mass.inertia.xx = 0.0;
  for (GraphBody& body : thin.bodies) body.mass.com = {0.05, 0.0, 0.0};
  EXPECT_EQ(articulated_body::ParallelSolver(*std::make_unique<const Model>(build(thin))).segment_count(), 1U);
  expect_agreement(thin);
}

/// Rods whose inertia along themselves is `thin` of that across, and every joint before a cut turns them along.
Model rods(double thin) {
  Graph graph = load_graph("chain:300");
  const double across = graph.bodies[1].mass.inertia.yy;
  for (std::size_t i = 1; i < graph.bodies.size(); ++i)
    graph.bodies[i].mass = {0.2, {0.05, 0, 0}, {thin * across, across, across, 0, 0, 0}};
  for (std::size_t i = 15; i < graph.joints.size(); i += 16) graph.joints[i].axis = {1, 0, 0};
  return build(graph);
}

TEST(ParallelArticulatedBody, ThinLinksKeepTheirDigits) {
  for (const double thin : {1e-1, 1e-2, 3e-3, 1e-3, 1e-5, 1e-8}) {
    const Model model = rods(thin);
    const State s(model, 0.1);
    const std::vector<double> want = serial(model, s), got = in_segments(model, s);
    // A cut body has a thousandth of its inertia at least about each axis: so many digits, and no more, may go.
    const double tolerance = 1e3 * epsilon * model.nv();
    EXPECT_LT(largest_difference(got, want), tolerance * test::largest(want)) << thin;
    EXPECT_EQ(articulated_body::ParallelSolver(model).segment_count(), thin > 2.1e-3 ? 19U : 1U) << thin;
  }
}

TEST(ParallelArticulatedBody, AgreesWithConstraintForces) {
  const Model model = load("chain:300");
  const State s(model, 0.1);
  const std::vector<double> got = in_segments(model, s);
  std::vector<double> want(got.size());
  constraint_force::Workspace<double> ws(model);
  constraint_force::forward_dynamics(model, ws, s.q, s.v, s.tau, want, s.external);
  const test::StateScale scale = test::scale_of(model, s.q, s.v, want);
  for (std::size_t k = 0; k < want.size(); ++k)
    EXPECT_NEAR(got[k], want[k], test::acceleration_tolerance(model, scale, epsilon)) << k;
}

TEST(ParallelArticulatedBody, SameBitsOnAnyNumberOfThreads) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 7);
  for (const Graph& graph : {load_graph("chain:100"), load_graph("chain:3000"), with_free_base(with_balls(1000, 3)),
                             test::random_robot({.bodies = 300, .passive = true}, 5)}) {
    const Model model = build(graph);
    const State s(model);
    articulated_body::ParallelSolver solver(model);
    std::vector<double> first(s.v.size()), again(s.v.size());
    for (const int threads : {1, 2, 3, 7, 1}) {
      tbb::task_arena arena(threads);
      arena.execute([&] { solver.forward_dynamics(s.q, s.v, s.tau, again, s.external); });
      if (threads == 1) first = again;
      EXPECT_EQ(again, first) << graph.name << " on " << threads << " threads";
    }
  }
}

/// The largest element of M: the inertia of all outer links about some joint's axis.
double largest_inertia(const Model& model, const std::vector<double>& q) {
  LinkPoses<double> poses(model);
  poses.update(model, q);
  RigidInertia<double> outer = RigidInertia<double>::zero();
  double largest = 0.0;
  for (std::size_t i = model.bodies().size(); i-- > 0;) {
    outer += model.bodies()[i].inertia;
    largest = std::max(largest, outer.about_origin.zz);
    outer = poses[i].to_parent(outer);
  }
  return largest;
}

/// M a + h = τ by Newton–Euler, which shares nothing with segments. To round the accelerations, by up to ε of
/// each and either way, moves the torques Σ M_ij a_j by about ε √n max M max a already.
void expect_round_trip(int n) {
  const Model model = load("chain:" + std::to_string(n));
  const State s(model, 0.1);
  const std::vector<double> a = in_segments(model, s);
  std::vector<double> tau(a.size());
  newton_euler::Workspace<double> ws(model);
  newton_euler::inverse_dynamics(model, ws, s.q, s.v, a, tau, s.external);
  const double off = largest_difference(tau, s.tau);
  const double rounding = epsilon * std::sqrt(n) * largest_inertia(model, s.q) * test::largest(a);
  std::printf("%d links: torques off by %.1e; rounding of accelerations is good for %.1e\n", n, off, rounding);
  EXPECT_LT(off, rounding);
}

TEST(ParallelArticulatedBody, InverseDynamicsGivesTheTorquesBack) {
  expect_round_trip(1000);
  expect_round_trip(100'000);
}

TEST(ParallelArticulatedBody, AMillionLinks) { expect_round_trip(1'000'000); }

TEST(ParallelArticulatedBody, MemoryIsLinear) {  // the figure of doc/long_chains.md
  const auto per_link = [](const Graph& graph) {
    const Model model = build(graph);
    return static_cast<double>(articulated_body::ParallelSolver(model).bytes()) / model.body_count();
  };
  const double at_20000 = per_link(load_graph("chain:20000")), at_160000 = per_link(load_graph("chain:160000"));
  std::printf("%.0f and %.0f bytes per link\n", at_20000, at_160000);
  EXPECT_LT(std::fabs(at_160000 / at_20000 - 1.0), 0.03);
  EXPECT_LT(at_160000, 310.0);
}

TEST(SegmentTree, TakesLogarithmicallyManyLevels) {
  for (std::size_t k = 0; k <= 12; ++k) {
    EXPECT_EQ(articulated_body::SegmentTree(std::size_t{1} << k).level_count(), k + 1);
    EXPECT_EQ(articulated_body::SegmentTree((std::size_t{1} << k) + 1).level_count(), k + 2);
  }
}

TEST(ParallelMethod, TakesSegmentsOnlyWhereTheyPay) {
  EXPECT_EQ(fastest_chain_path(load("chain:50"), 2), ChainPath::serial);
  EXPECT_EQ(fastest_chain_path(load("chain:5000"), 1), ChainPath::segments);
  EXPECT_EQ(fastest_chain_path(load("chain:5000"), 2), ChainPath::segments);
  EXPECT_EQ(fastest_chain_path(build(test::random_robot({.bodies = 2000}, 1)), 1), ChainPath::serial);  // empty lanes
  EXPECT_EQ(fastest_chain_path(build(test::random_robot({.bodies = 2000, .branched = true}, 1)), 2), ChainPath::serial);
}

TEST(ParallelMethod, GivesWhatTheFormulationGives) {
  for (const int n : {20, 1000}) {
    const Model model = load("chain:" + std::to_string(n));
    const State s(model, 0.1);
    const std::vector<double> want = serial(model, s);
    const test::StateScale scale = test::scale_of(model, s.q, s.v, want);
    for (const char* name : {"auto", "articulated_body", "constraint_force"}) {
      std::vector<double> got(want.size());
      make_parallel_method(name, model, 2)->forward_dynamics(s.q, s.v, s.tau, got, s.external);
      for (std::size_t k = 0; k < want.size(); ++k)
        ASSERT_NEAR(got[k], want[k], test::acceleration_tolerance(model, scale, epsilon))
            << name << ' ' << n << ' ' << k;
    }
  }
}

std::string refusal(const Model& model, const char* method) {
  try {
    make_parallel_method(method, model, 2);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(ParallelMethod, RefusesInWords) {
  const Model tree = build(test::random_robot({.bodies = 12, .branched = true}, 1)), arm = load("puma560");
  ASSERT_FALSE(tree.is_serial());
  EXPECT_THROW(articulated_body::ParallelSolver{tree}, InputError);
  EXPECT_NE(refusal(tree, "articulated_body").find("this robot branches"), std::string::npos);
  EXPECT_EQ(refusal(tree, "auto"), "");
  EXPECT_NE(refusal(arm, "denoc").find("denoc has no path on threads"), std::string::npos);
  EXPECT_THROW(make_parallel_method("auto", arm, 0), InputError);
}

}  // namespace
}  // namespace ulna

// The equations of loops of every kind, files that have them, and loops that cannot be.
#include <gtest/gtest.h>

#include <random>

#include "loop/held_arm.hpp"
#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/articulated_body/parallel.hpp"
#include "ulna/dynamics/composite_body/coriolis.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/assembly_modes.hpp"
#include "ulna/loop/rates.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

Pose<double> at(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

/// A(q + ε v): the residual's derivative along a motion is A v, and A v's is A a − b.
TEST(LoopEquations, AreDerivativesOfTheResidual) {
  std::mt19937_64 generator(5);
  for (const JointKind kind : test::loop_kinds()) {
    Graph graph = load_graph("panda_like");
    graph.loops = {{"cut", kind, "link3", "link7", at({0.1, 0, 0.05}), at({0, 0.02, 0}), 0.2, {}}};
    const Model model = build(graph);
    LoopEquations equations(model);
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
    const auto moved = [&](double h) {
      std::vector<double> there = q;
      for (std::size_t k = 0; k < q.size(); ++k) there[k] += h * v[k];
      return there;
    };
    const auto rate_at = [&](double h, int row) {
      equations.update(moved(h));
      double sum = 0.0;
      for (int k = 0; k < model.nv(); ++k) sum += equations.matrix()(row, k) * v[static_cast<std::size_t>(k)];
      return sum;
    };
    const double h = 1e-5;
    for (int row = 0; row < equations.rows(); ++row) {
      // a screw's turn is an angle only while the axes are aligned
      if (kind == JointKind::screw && row == 4) continue;
      equations.update(moved(h));
      const double after = equations.residual()[static_cast<std::size_t>(row)];
      equations.update(moved(-h));
      const double before = equations.residual()[static_cast<std::size_t>(row)];
      const double rate = rate_at(0.0, row), bend = (rate_at(h, row) - rate_at(-h, row)) / (2.0 * h);
      // central differences: third derivatives of order 10 times h², and rounding over h
      EXPECT_NEAR((after - before) / (2.0 * h), rate, 1e-8) << name_of(kind) << row;
      equations.update(q);
      equations.update_bias(v);
      EXPECT_NEAR(-equations.b()[static_cast<std::size_t>(row)], bend, 1e-8) << name_of(kind) << row;
    }
  }
}

/// A formulation would compute the tree alone and say nothing; who wants that, says tree().
TEST(Words, FormulationsRefuseLoops) {
  const Model model = load("four_bar"), tree = model.tree();
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_TRUE(tree.loops().empty());
  const auto refusal = [&](auto make) -> std::string {
    try {
      make();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const MethodInfo& info : methods())
    EXPECT_NE(refusal([&] {
                make_method<double>(info.name, info.gives.front(), model);
              }).find("'rocker_pin' closes a loop, and this is for robots without closed loops"),
              std::string::npos)
        << info.name;
  EXPECT_NE(refusal([&] { articulated_body::Workspace<double> ws(model); }), "");
  EXPECT_NE(refusal([&] { composite_body::CoriolisWorkspace<double> ws(model); }), "");
  EXPECT_NE(refusal([&] { articulated_body::ParallelSolver solver(model); }), "");
  EXPECT_EQ(refusal([&] { make_method<double>("auto", Quantity::mass_matrix, tree); }), "");
}

TEST(Words, LoopsThatCannotBe) {
  Graph graph = load_graph("four_bar");
  graph.loops[0].child = "rokcer";
  EXPECT_THROW(build(graph), InputError);
  graph.loops[0].child = "coupler";
  EXPECT_THROW(build(graph), InputError);
}

TEST(Words, WhereALoopStaysOpen) {
  Graph graph = load_graph("four_bar");
  graph.joints[2].in_parent.p.x = 3.5;
  const Model apart = build(graph);
  const Assembly open = assemble(apart, std::vector{0.3, 0.2, 0.5}, std::vector{0});
  EXPECT_FALSE(open.closed);
  EXPECT_GT(open.residual, 1.0);  // 3.5 − 0.2 − 1.0 − 0.8 at best
  EXPECT_EQ(open.worst_joint, "rocker_pin");
}

TEST(Files, KeepLoops) {
  const Graph graph = parse_toml(R"(
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "coupler"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "a"
kind = "revolute"
parent = "base"
child = "crank"
[[joint]]
name = "b"
kind = "revolute"
parent = "crank"
child = "coupler"
pose = { xyz = [0.3, 0, 0] }
[[loop]]
name = "c"
kind = "prismatic"
parent = "base"
child = "coupler"
pose = { rpy = [0, "90 deg", 0] }
child_pose = { xyz = [0.5, 0, 0], rpy = [0, "90 deg", 0] }
)",
                                 "loop.toml");
  ASSERT_EQ(graph.loops.size(), 1u);
  EXPECT_EQ(graph.loops[0].kind, JointKind::prismatic);
  EXPECT_GT(graph.loops[0].source.line, 0);
  EXPECT_EQ(build(graph).constraint_count(), 5);
}

TEST(LoopEquations, states_that_are_not_closed_are_refused) {
  const Model model = load("four_bar");
  LoopEquations equations(model);
  equations.update(std::vector{0.3, 0.0, 0.0});
  EXPECT_THROW(expect_closed(equations), InputError);
  const Assembly closed = assemble(model, std::vector{0.3, 0.0, 0.0});
  equations.update(closed.q);
  EXPECT_NO_THROW(expect_closed(equations));
  const std::vector<double> still(3, 0.0), any{1.0, 1.0, 1.0};
  EXPECT_THROW(expect_closed(equations, any), InputError);
  EXPECT_NO_THROW(expect_closed(equations, closed_rates(equations, any, std::vector<double>(equations.rows()))));
  EXPECT_NO_THROW(expect_closed(equations, still));
}

TEST(AssemblyModes, end_when_the_caller_says_so) {
  const Model model = load("four_bar");
  const std::vector<double> q{0.5, 0.0, 0.0};
  int asked = 0;
  const auto proceed = [&](double) { return ++asked < 4; };
  EXPECT_GE(assembly_modes(model, q, std::vector{0}, {.proceed = proceed}).size(), 1u);
  EXPECT_EQ(asked, 4);
  EXPECT_THROW(assembly_modes(model, q, std::vector{0}, {.tries = -1}), InputError);
  const Model tree = load("planar2r");
  EXPECT_THROW(assembly_modes(tree, std::vector{0.0, 0.0}, {}), InputError);
}

}  // namespace
}  // namespace ulna

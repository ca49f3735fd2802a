// What is recorded is what the library computes, for every robot, quantity and formulation; and
// regrouping changes nothing but the number of operations.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/evaluate.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna {
namespace {

constexpr Quantity quantities[] = {
    Quantity::mass_matrix, Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::inverse_inertia,
    Quantity::pose,        Quantity::jacobian};

/// Rounding of this quantity at this state. Regrouping moves numbers of the size of the whole arm's
/// inertia into every link, which costs as many digits as the smallest of M's pivots is smaller:
/// accelerations see the condition of M anyway, torques see the size of M.
double tolerance(const Model& model, Quantity quantity, const std::vector<std::vector<double>>& in) {
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0.0);
  const auto& v = in.size() > 1 && quantity != Quantity::inverse_inertia ? in[1] : rest;
  const auto& x = in.size() > 1 ? in.back() : rest;
  const double epsilon = std::numeric_limits<double>::epsilon();
  const test::StateScale scale = test::scale_of(model, in[0], v, x);
  switch (quantity) {
    case Quantity::inverse_dynamics: return 4.0 * test::torque_tolerance(model, scale, epsilon);
    case Quantity::forward_dynamics:
    case Quantity::inverse_inertia:
      return 16.0 * (test::acceleration_tolerance(model, scale, epsilon) +
                     epsilon * scale.condition * scale.inverse * test::largest(x));
    default: return 4.0 * test::torque_tolerance(model, test::scale_of(model, in[0], rest, rest), epsilon) + 1e-13;
  }
}

void expect_near(const std::vector<std::vector<double>>& got, const std::vector<std::vector<double>>& want,
                 double tolerance, const std::string& what) {
  for (std::size_t i = 0; i < want.size(); ++i)
    for (std::size_t k = 0; k < want[i].size(); ++k) EXPECT_NEAR(got[i][k], want[i][k], tolerance) << what << " " << k;
}

TEST(Recording, means_what_the_library_computes) {
  for (const Graph& graph : test::test_robots()) {
    if (!test::is_positive_definite(graph)) continue;
    const Model model = build(graph);
    for (const Quantity quantity : quantities) {
      const auto in = trace::random_inputs(model, quantity, 3);
      const auto want = trace::generic_result(model, quantity, in);
      const double limit = tolerance(model, quantity, in);
      for (const MethodInfo& info : methods()) {
        if (!trace::can_record(info, quantity, model)) continue;
        const std::string what = fmt::format("{} {} {}", graph.name, word_of(quantity), info.name);
        if (info.name != "constraint_force")  // loses digits of its own: its test has the bounds
          expect_near(test::evaluate(trace::record(model, quantity, info.name), in), want, limit, what);
      }
      if (quantity == Quantity::pose || quantity == Quantity::jacobian)
        expect_near(test::evaluate(trace::record(model, quantity), in), want, limit, graph.name);
    }
  }
}

TEST(Regrouping, keeps_the_dynamics) {
  for (const Graph& graph : test::test_robots()) {
    if (!test::is_positive_definite(graph)) continue;
    const Model model = build(graph), grouped = regrouped(model);
    for (const Quantity quantity : quantities) {
      const auto in = trace::random_inputs(model, quantity, 5);
      const auto want = trace::generic_result(model, quantity, in), got = trace::generic_result(grouped, quantity, in);
      expect_near(got, want, tolerance(model, quantity, in), graph.name + " " + std::string(word_of(quantity)));
    }
  }
}

TEST(Regrouping, keeps_external_wrenches) {
  const Model model = load("stanford"), grouped = regrouped(model);
  const auto in = trace::random_inputs(model, Quantity::inverse_dynamics, 2);
  std::vector<Force<double>> wrench(6, Force<double>{{1, 2, 3}, {4, 5, 6}});
  std::vector<double> a(6), b(6);
  make_method<double>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(in[0], in[1], in[2], a, wrench);
  make_method<double>("auto", Quantity::inverse_dynamics, grouped)->inverse_dynamics(in[0], in[1], in[2], b, wrench);
  expect_near({b}, {a}, tolerance(model, Quantity::inverse_dynamics, in), "stanford");
}

TEST(Regrouping, needs_fewer_operations) {
  for (const char* robot : {"puma560", "kuka_lwr4", "panda_like", "ur5_like", "stanford", "general:7"}) {
    const Model model = load(robot), grouped = regrouped(model);
    for (const Quantity quantity : {Quantity::inverse_dynamics, Quantity::forward_dynamics}) {
      const trace::Counts plain = trace::record(model, quantity).counts(),
                          fewer = trace::record(grouped, quantity).counts();
      EXPECT_LT(fewer.multiplications + fewer.additions, plain.multiplications + plain.additions) << robot;
    }
  }
}

TEST(Regrouping, refuses_methods_at_mass_centres) {
  const Model grouped = regrouped(load("puma560"));
  EXPECT_FALSE(method_info("spatial_operator").refusal(grouped).empty());
  EXPECT_TRUE(method_info("composite_body").refusal(grouped).empty());
}

/// A hundred joints fit in the limit and in 64 MB; the graph says what it holds.
TEST(Recording, takes_long_arms) {
  const trace::Recording recording = trace::record(load("chain:100"), Quantity::forward_dynamics, "articulated_body");
  EXPECT_GT(recording.graph->size(), 10'000u);
  EXPECT_LT(recording.graph->bytes(), 64u << 20);
  EXPECT_THROW(trace::record(load("chain:5000"), Quantity::forward_dynamics, "articulated_body"), InputError);
}

}  // namespace
}  // namespace ulna

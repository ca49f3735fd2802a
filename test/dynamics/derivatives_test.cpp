// Analytic derivatives against duals, which are exact.
#include <gtest/gtest.h>

#include <random>

#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

struct Matrices {
  std::vector<double> dq, dv, third, a;
};

MatrixView<double> view(std::vector<double>& m, int n) { return {m.data(), n, n}; }

/// Which of the three arguments is varied.
enum class By { q, v, last };

/// Column by column through the registered formulation on duals.
std::vector<double> by_duals(const Model& model, Quantity what, const std::vector<std::vector<double>>& in, By by) {
  const auto n = static_cast<std::size_t>(model.nv());
  const auto method = make_method<Dual4>("auto", what, model);
  std::vector<double> columns(n * n);
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<std::vector<Dual4>> x(3);
    for (std::size_t k = 0; k < 3; ++k)
      for (const double value : in[k]) x[k].emplace_back(value);
    Dual4& varied = x[static_cast<std::size_t>(by)][c];
    varied = Dual4::variable(varied.x, 0);
    std::vector<Dual4> out(n);
    if (what == Quantity::inverse_dynamics) {
      method->inverse_dynamics(x[0], x[1], x[2], out);
    } else {
      method->forward_dynamics(x[0], x[1], x[2], out);
    }
    for (std::size_t r = 0; r < n; ++r) columns[c * n + r] = out[r].d[0];
  }
  return columns;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& want, double tolerance,
                 const std::string& what) {
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], tolerance) << what << " " << k;
}

TEST(Derivatives, are_those_of_duals) {
  std::mt19937_64 generator(42);
  int tested = 0;
  for (Graph graph : test::test_robots()) {
    graph.friction_speed = 0.01;
    const Model model = build(graph);
    if (model.has_general_joints() || !test::is_positive_definite(graph)) continue;
    ++tested;
    const int n = model.nv();
    const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    const std::vector<std::vector<double>> in{random_position(model, generator), random_velocity(model, generator),
                                              random_velocity(model, generator, 5.0)};
    const double epsilon = std::numeric_limits<double>::epsilon();
    const test::StateScale scale = test::scale_of(model, in[0], in[1], in[2]);
    Matrices got{std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
                 std::vector<double>(static_cast<std::size_t>(n))};
    newton_euler::DerivativeWorkspace<double> ws(model);
    newton_euler::inverse_derivatives(model, ws, in[0], in[1], in[2], view(got.dq, n), view(got.dv, n),
                                      view(got.third, n));
    // One more factor n than the torques: a derivative sums n times as many terms of their size.
    // Coulomb friction that fades below 0.01 m/s or rad/s is up to 100 times as steep as it is high.
    const double limit = 100.0 * n * test::torque_tolerance(model, scale, epsilon);
    expect_near(got.dq, by_duals(model, Quantity::inverse_dynamics, in, By::q), limit, graph.name + " dq");
    expect_near(got.dv, by_duals(model, Quantity::inverse_dynamics, in, By::v), limit, graph.name + " dv");
    expect_near(got.third, by_duals(model, Quantity::inverse_dynamics, in, By::last), limit, graph.name + " M");

    articulated_body::DerivativeWorkspace<double> forward(model);
    articulated_body::forward_derivatives(model, forward, in[0], in[1], in[2], got.a, view(got.dq, n), view(got.dv, n),
                                          view(got.third, n));
    const test::StateScale moving = test::scale_of(model, in[0], in[1], got.a);
    const double through = 100.0 * n * test::torque_tolerance(model, moving, epsilon) * moving.inverse * 4.0 *
                           std::max(1.0, moving.condition);
    expect_near(got.dq, by_duals(model, Quantity::forward_dynamics, in, By::q), through, graph.name + " da/dq");
    expect_near(got.dv, by_duals(model, Quantity::forward_dynamics, in, By::v), through, graph.name + " da/dv");
    expect_near(got.third, by_duals(model, Quantity::forward_dynamics, in, By::last), through, graph.name + " da/dtau");
  }
  EXPECT_GE(tested, 15);
}

TEST(Derivatives, refuse_joints_of_many_degrees) {
  const Model model = load("satellite_arm");
  EXPECT_THROW(newton_euler::DerivativeWorkspace<double>{model}, InputError);
}

}  // namespace
}  // namespace ulna

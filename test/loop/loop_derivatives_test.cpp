// Derivatives of forward dynamics with closed loops against central differences along the loops, of all bundled
// mechanisms and loops of every kind.
#include "ulna/loop/loop_derivatives.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "loop/held_arm.hpp"
#include "support/bundled.hpp"
#include "support/closed_state.hpp"
#include "support/random_robot.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

using Vector = Eigen::VectorXd;

constexpr std::uint64_t seed = 20261118;
constexpr int states = 5;

std::vector<Graph> graphs() {
  std::vector<Graph> all;
  for (const std::string& robot : test::bundled_mechanisms()) all.push_back(load_graph(robot));
  for (const JointKind kind : test::loop_kinds()) all.push_back(test::held_arm(kind));
  return all;
}

struct State {
  std::vector<double> q, v, tau;
  std::vector<Force<double>> external;
};

class LoopDerivatives : public testing::TestWithParam<Graph> {
 protected:
  State random_state() {
    State s;
    const test::ClosedState closed = test::random_closed_state(model_, generator_);
    s.q = closed.q;
    s.v = closed.v;
    s.tau = random_velocity(model_, generator_, 5.0);
    s.external.resize(static_cast<std::size_t>(model_.body_count()));
    for (Force<double>& f : s.external)
      f = {test::random_vector(generator_, 2.0), test::random_vector(generator_, 5.0)};
    return s;
  }
  /// Moved along the loops by h of a direction, torques too.
  State moved(const State& s, std::span<const double> along, std::span<const double> torque, double h) {
    State next = s;
    std::vector<double> step(along.begin(), along.end());
    for (double& x : step) x *= h;
    integrate(model_, s.q, step, next.q);
    EXPECT_TRUE(dynamics_.project(next.q, next.v));
    for (std::size_t k = 0; k < next.tau.size(); ++k) next.tau[k] += h * torque[k];
    return next;
  }
  Vector acceleration(const State& s) {
    std::vector<double> a(s.v.size());
    dynamics_.forward_dynamics(s.q, s.v, s.tau, a, s.external);
    return Eigen::Map<Vector>(a.data(), std::ssize(a));
  }

  const Model model_ = build(GetParam());
  ConstrainedDynamics dynamics_{model_};
  std::mt19937_64 generator_{seed};
};

/// Numbers and how they change, as duals in the first direction.
std::vector<Dual4> duals(std::span<const double> values, std::span<const double> slopes) {
  std::vector<Dual4> result;
  for (std::size_t k = 0; k < values.size(); ++k) result.push_back(Dual4(values[k], {slopes[k], 0.0, 0.0, 0.0}));
  return result;
}

TEST_P(LoopDerivatives, AreDifferencesAlongTheLoops) {
  const auto n = static_cast<std::size_t>(model_.nv());
  const std::unique_ptr<Method<Dual4>> method = make_loop_derivatives(model_);
  const std::vector<double> none(n, 0.0);
  for (int k = 0; k < states; ++k) {
    const State s = random_state();
    std::vector<double> along = random_velocity(model_, generator_);
    dynamics_.project_velocity(s.q, along);
    const std::vector<double> torque = random_velocity(model_, generator_);
    const auto slope = [&](double h) -> std::pair<Vector, Vector> {
      const State a = moved(s, along, torque, h), b = moved(s, along, torque, -h);
      const Vector v =
          Eigen::Map<const Vector>(a.v.data(), std::ssize(a.v)) - Eigen::Map<const Vector>(b.v.data(), std::ssize(b.v));
      return {(acceleration(a) - acceleration(b)) / (2.0 * h), v / (2.0 * h)};
    };
    constexpr double h = 1e-3;
    const auto [wide, v_wide] = slope(h);
    const auto [narrow, v_narrow] = slope(0.5 * h);
    const Vector wanted = (4.0 * narrow - wide) / 3.0, v_slope = (4.0 * v_narrow - v_wide) / 3.0;

    std::vector<double> x(n), rate(n);
    coordinates_of_reference(model_, s.q, x);
    local_rates<double>(model_, x, s.q, along, rate);
    std::vector<Dual4> q(s.q.size()), a(n);
    retract<Dual4>(model_, s.q, duals(x, rate), q);
    const std::vector<Dual4> v = duals(s.v, {v_slope.data(), n}), tau = duals(s.tau, torque);
    std::vector<Force<Dual4>> external;
    for (const Force<double>& f : s.external) {
      const auto constant = [](const Vec3<double>& p) { return Vec3<Dual4>{Dual4(p.x), Dual4(p.y), Dual4(p.z)}; };
      external.push_back({constant(f.moment), constant(f.force)});
    }
    method->forward_dynamics(q, v, tau, a, external);

    const Vector value = acceleration(s);
    // Of the differences the fourth order is left, less than a hundredth of the second order that cancels; and
    // rounding.
    const double allowed = 0.01 * (wide - narrow).norm() + 1e-11 / h * (1.0 + value.norm());
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      EXPECT_DOUBLE_EQ(a[i].x, value[at]);
      EXPECT_NEAR(a[i].d[0], wanted[at], allowed) << "state " << k << ", " << i;
      EXPECT_EQ(a[i].d[1], 0.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LoopDerivatives, testing::ValuesIn(graphs()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace ulna

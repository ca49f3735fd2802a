// A system on a group, in local coordinates that it centres anew: the rotation of a body.
#include <gtest/gtest.h>

#include <array>

#include "integrate/problems.hpp"

namespace ulna {
namespace {

using namespace test;

using Vector = std::array<double, 3>;
using Quaternion = std::array<double, 4>;  // w, x, y, z

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion exponential(const Vector& phi) {
  const double angle = std::hypot(phi[0], phi[1], phi[2]);
  const double factor = angle > 1e-8 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), factor * phi[0], factor * phi[1], factor * phi[2]};
}

/// R(t) = exp(a t z) exp(b t x), a precessing top, whose velocity in its own axes is ω = b x + a Rx(−b t) z.
/// y is φ with R = C exp(φ), and φ' = ω + φ×ω/2 + κ φ×(φ×ω), κ = (1 − |φ|/2 · cot(|φ|/2))/|φ|² (the inverse of the
/// right Jacobian of the exponential); it is singular at |φ| = 2π, which the motion passes many times.
class Top final : public Ode<double> {
 public:
  Quaternion centre{1.0, 0.0, 0.0, 0.0};
  int moves = 0;

  std::size_t size() const override { return 3; }
  void rhs(const double& t, std::span<const double> y, std::span<double> dy) override {
    const Vector phi{y[0], y[1], y[2]}, omega{b, a * std::sin(b * t), a * std::cos(b * t)};
    const double s = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2], half = 0.5 * std::sqrt(s);
    const double kappa = s > 1e-4 ? (1.0 - half / std::tan(half)) / s : 1.0 / 12.0 + s / 720.0;
    const Vector once = cross(phi, omega), twice = cross(phi, once);
    for (std::size_t i = 0; i < 3; ++i) dy[i] = omega[i] + 0.5 * once[i] + kappa * twice[i];
  }
  bool recentre(std::span<double> y) override {
    if (std::hypot(y[0], y[1], y[2]) < 1.0) return false;
    centre = orientation(y);
    std::fill(y.begin(), y.end(), 0.0);
    ++moves;
    return true;
  }
  Quaternion orientation(std::span<const double> y) const { return product(centre, exponential({y[0], y[1], y[2]})); }
  static Quaternion exact(double t) { return product(exponential({0.0, 0.0, a * t}), exponential({b * t, 0.0, 0.0})); }

 private:
  static constexpr double a = 1.3, b = 0.7;
};

double distance_of(const Quaternion& x, const Quaternion& y) {  // q and −q are the same rotation
  double plus = 0.0, minus = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    plus = std::max(plus, std::fabs(x[i] - y[i]));
    minus = std::max(minus, std::fabs(x[i] + y[i]));
  }
  return std::min(plus, minus);
}

/// Errors of single steps turn with the body and neither grow nor decay: at most the number of steps times the
/// tolerance, (1 + |φ|)√3 of it in a component; with fixed steps of 0.01, the order 4 of rk4: 1e-8 per unit of time
/// times derivatives of f below 10.
TEST(Recentring, GivesTheRightRotationThroughAllMethods) {
  for (const IntegratorInfo& info : integrators()) {
    Top top;
    const auto integrator = make_integrator(info.name, top, info.needs_step ? steps_of(0.01) : tolerance(1e-9));
    integrator->start(0.0, std::vector<double>{0.0, 0.0, 0.0});
    std::vector<double> y(3);
    double worst = 0.0;
    while (integrator->time() < 20.0) {
      ASSERT_EQ(integrator->step(20.0), StepStatus::ok) << info.name;
      const double middle = 0.5 * (integrator->previous_time() + integrator->time());
      integrator->interpolate(middle, y);
      worst = std::max(worst, distance_of(top.orientation(y), Top::exact(middle)));
    }
    EXPECT_GT(top.moves, 20) << info.name;
    const auto steps = static_cast<double>(integrator->statistics().steps);
    const double most = info.needs_step ? 20.0 * 1e-8 * 10.0 : steps * 2.0 * std::sqrt(3.0) * 1e-9;
    EXPECT_LT(distance_of(top.orientation(integrator->state()), Top::exact(20.0)), most) << info.name;
    EXPECT_LT(worst, 4.0 * most) << info.name;
  }
}

}  // namespace
}  // namespace ulna

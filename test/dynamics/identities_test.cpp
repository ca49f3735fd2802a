// What must hold for the dynamics of any robot, by exact derivatives (Dual), for every joint kind,
// trees, free bases, friction, springs, armature and external wrenches.
#include <gtest/gtest.h>

#include "support/scalar_cases.hpp"
#include "support/skew.hpp"
#include "support/tangent.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using test::moved;

class Identities : public ::testing::TestWithParam<Graph> {
 protected:
  Identities() : model(build(GetParam())), n(static_cast<std::size_t>(model.nv())), generator(99) { next(); }

  void next() {
    q = random_position(model, generator);
    v = random_velocity(model, generator, 1.5);
    a = random_velocity(model, generator, 2.0);
    tolerance = test::torque_tolerance(model, test::scale_of(model, q, v, a), 2.3e-16);
  }

  /// q(t) = q moved by t v + t² a / 2 at t = 0, with t as the dual direction 0.
  std::vector<Dual4> along_v() const {
    const Dual4 t = Dual4::variable(0.0, 0);
    std::vector<Dual4> step;
    for (std::size_t k = 0; k < n; ++k) step.push_back(t * Dual4(v[k]));
    return moved<Dual4>(model, q, step);
  }

  template <class T>
  std::vector<T> mass_matrix(const std::vector<T>& at) const {
    composite_body::Workspace<T> ws(model);
    std::vector<T> M(n * n);
    composite_body::mass_matrix(model, ws, at, {M.data(), model.nv(), model.nv()});
    return M;
  }
  std::vector<double> coriolis() const {
    composite_body::CoriolisWorkspace<double> ws(model);
    std::vector<double> C(n * n);
    composite_body::coriolis_matrix(model, ws, q, v, {C.data(), model.nv(), model.nv()});
    return C;
  }

  Model model;
  std::size_t n;
  std::mt19937_64 generator;
  std::vector<double> q, v, a;
  double tolerance = 0.0;
};

TEST_P(Identities, MassMatrixIsTheDerivativeOfTorque) {
  newton_euler::Workspace<Dual4> ws(model);
  const auto M = mass_matrix(q);
  const auto qd = test::spread<Dual4>(q), vd = test::spread<Dual4>(v);
  std::vector<Dual4> tau(n);
  for (std::size_t first = 0; first < n; first += 4) {
    auto ad = test::spread<Dual4>(a);
    for (std::size_t k = first; k < std::min(first + 4, n); ++k)
      ad[k] = Dual4::variable(a[k], static_cast<int>(k - first));
    newton_euler::inverse_dynamics(model, ws, qd, vd, ad, tau);
    for (std::size_t k = first; k < std::min(first + 4, n); ++k)
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(tau[i].d[k - first], M[k * n + i], tolerance);
  }
}

TEST_P(Identities, MassMatrixIsSymmetricAndFull) {
  const auto M = mass_matrix(q);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(M[i * n + j], M[j * n + i]);
}

TEST_P(Identities, CoriolisMatrixTimesVelocityIsTheVelocityTorque) {
  newton_euler::Workspace<double> ws(model);
  std::vector<double> cv(n);
  newton_euler::coriolis_force(model, ws, q, v, cv);
  const auto C = coriolis();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += C[j * n + i] * v[j];
    EXPECT_NEAR(sum, cv[i], tolerance);
  }
}

TEST_P(Identities, MassRateMinusTwiceCoriolisIsSkewByEveryFormulation) {
  EXPECT_LT(test::skew_defect(model, q, v, coriolis()), tolerance);
  std::vector<double> C(n * n);
  for (const MethodInfo& info : methods()) {
    if (!info.can(Quantity::coriolis_matrix) || !info.refusal(model).empty()) continue;
    make_method<double>(info.name, Quantity::coriolis_matrix, model)
        ->coriolis_matrix(q, v, {C.data(), model.nv(), model.nv()});
    EXPECT_LT(test::skew_defect(model, q, v, C), tolerance) << info.name;
  }
}

/// Why it has a name of its own: the same product, and no skew matrix.
TEST(ConvectiveInertia, IsNoCoriolisMatrix) {
  const Model model = load("puma560");
  std::mt19937_64 generator(3);
  const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
  std::vector<double> MCI(36);
  for (const MethodInfo& info : methods()) {
    if (!info.can(Quantity::convective_inertia)) continue;
    EXPECT_FALSE(info.can(Quantity::coriolis_matrix)) << info.name;
    make_method<double>(info.name, Quantity::convective_inertia, model)->convective_inertia(q, v, {MCI.data(), 6, 6});
    EXPECT_GT(test::skew_defect(model, q, v, MCI), 0.1) << info.name;
  }
}

TEST_P(Identities, GravityIsTheGradientOfPotentialEnergy) {
  newton_euler::Workspace<double> ws(model);
  std::vector<double> g(n);
  newton_euler::gravity(model, ws, q, g);
  Kinematics<Dual4> kinematics(model);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Dual4> step(n, Dual4(0.0));
    step[k] = Dual4::variable(0.0, 0);
    kinematics.update_positions(moved<Dual4>(model, q, step));
    EXPECT_NEAR(kinematics.gravity_energy().d[0], g[k], tolerance);
  }
}

TEST_P(Identities, KineticEnergyIsHalfVMV) {
  const auto M = mass_matrix(q);
  double energy = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) energy += 0.5 * v[i] * M[i * n + j] * v[j];
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  EXPECT_NEAR(kinematics.kinetic_energy(v), energy, tolerance * (1.0 + test::largest(v)));
}

/// d/dt (kinetic + potential + spring) = drive power − friction power + power of external wrenches.
TEST_P(Identities, PowerBalances) {
  std::vector<Force<double>> external;
  for (int i = 0; i < model.body_count(); ++i)
    external.push_back({test::random_vector(generator, 2.0), test::random_vector(generator, 2.0)});
  newton_euler::Workspace<double> ws(model);
  std::vector<double> tau(n);
  newton_euler::inverse_dynamics(model, ws, q, v, a, tau, external);

  double power = 0.0;
  for (std::size_t k = 0; k < n; ++k)
    power += v[k] * (tau[k] - model.viscous()[k] * v[k] - model.coulomb()[k] * sign(v[k]));
  Kinematics<double> now(model);
  now.update_positions(q);
  now.update_velocities(v);
  for (int i = 0; i < model.body_count(); ++i) {
    const Frame centre{"", i, {Mat3<double>::identity(), model.com(i)}};
    const Motion<double> m = now.velocity(centre, Reference::world_axes);
    power += dot(external[static_cast<std::size_t>(i)], m);
  }

  const Dual4 t = Dual4::variable(0.0, 0);
  std::vector<Dual4> velocity;
  for (std::size_t k = 0; k < n; ++k) velocity.push_back(Dual4(v[k]) + t * Dual4(a[k]));
  Kinematics<Dual4> moving(model);
  const auto position = along_v();
  moving.update_positions(position);
  moving.update_velocities(velocity);
  const Dual4 energy = moving.kinetic_energy(velocity) + moving.gravity_energy() + moving.spring_energy(position);
  EXPECT_NEAR(energy.d[0], power, 10.0 * tolerance * (1.0 + test::largest(v)));
}

TEST_P(Identities, JacobianTimesVelocityIsVelocity) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  std::vector<double> J(6 * n);
  for (const Frame& frame : model.frames())
    for (const Reference reference : {Reference::world_axes, Reference::own_axes, Reference::world_origin}) {
      kinematics.jacobian(frame, reference, {J.data(), 6, model.nv()});
      const Motion<double> m = kinematics.velocity(frame, reference);
      const double want[] = {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
      for (std::size_t r = 0; r < 6; ++r) {
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k) sum += J[6 * k + r] * v[k];
        EXPECT_NEAR(sum, want[r], 1e-13 * (1.0 + 10.0 * static_cast<double>(n)));
      }
    }
}

TEST_P(Identities, VelocityAndAccelerationAreTimeDerivatives) {
  const Dual4 t = Dual4::variable(0.0, 0);
  std::vector<Dual4> velocity;
  for (std::size_t k = 0; k < n; ++k) velocity.push_back(Dual4(v[k]) + t * Dual4(a[k]));
  Kinematics<Dual4> moving(model);
  moving.update_positions(along_v());
  moving.update_velocities(velocity);
  Kinematics<double> now(model);
  now.update_positions(q);
  now.update_velocities(v);
  now.update_accelerations(v, a);
  const double size = 1e-12 * (1.0 + 10.0 * static_cast<double>(n));
  for (const Frame& frame : model.frames()) {
    const Motion<double> m = now.velocity(frame, Reference::world_axes);
    const Vec3<Dual4> p = moving.pose(frame).p;
    EXPECT_NEAR(p.x.d[0], m.linear.x, size);
    EXPECT_NEAR(p.y.d[0], m.linear.y, size);
    EXPECT_NEAR(p.z.d[0], m.linear.z, size);
    for (const Reference reference : {Reference::world_axes, Reference::own_axes, Reference::world_origin}) {
      const Motion<Dual4> rate = moving.velocity(frame, reference);
      const Motion<double> acceleration = now.acceleration(frame, reference);
      EXPECT_NEAR(rate.angular.x.d[0], acceleration.angular.x, size);
      EXPECT_NEAR(rate.angular.z.d[0], acceleration.angular.z, size);
      EXPECT_NEAR(rate.linear.x.d[0], acceleration.linear.x, size);
      EXPECT_NEAR(rate.linear.y.d[0], acceleration.linear.y, size);
    }
  }
}

TEST_P(Identities, BiasAccelerationIsAccelerationWithoutJointAcceleration) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  kinematics.update_accelerations(v, a);
  const Motion<double> total = kinematics.acceleration(model.tip(), Reference::world_axes);
  std::vector<double> J(6 * n);
  kinematics.jacobian(model.tip(), Reference::world_axes, {J.data(), 6, model.nv()});
  kinematics.update_bias_accelerations(v);
  const Motion<double> bias = kinematics.acceleration(model.tip(), Reference::world_axes);
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) sum += J[6 * k + 3] * a[k];
  EXPECT_NEAR(sum + bias.linear.x, total.linear.x, 1e-12 * (1.0 + 10.0 * static_cast<double>(n)));
}

/// Momentum of a free-floating robot changes only by gravity and external wrenches.
TEST_P(Identities, MomentumBalances) {
  if (!model.has_free_base()) GTEST_SKIP() << "momentum is conserved with a free base only";
  newton_euler::Workspace<double> ws(model);
  articulated_body::Workspace<double> ab(model);
  std::vector<double> tau(n), acceleration(n);
  for (std::size_t k = 6; k < n; ++k) tau[k] = a[k];  // joint torques are internal
  articulated_body::forward_dynamics(model, ab, q, v, tau, acceleration);
  const Dual4 t = Dual4::variable(0.0, 0);
  std::vector<Dual4> velocity;
  for (std::size_t k = 0; k < n; ++k) velocity.push_back(Dual4(v[k]) + t * Dual4(acceleration[k]));
  Kinematics<Dual4> moving(model);
  moving.update_positions(along_v());
  moving.update_velocities(velocity);
  const Force<Dual4> momentum = moving.momentum();
  double mass = 0.0;
  for (const Body& body : model.bodies()) mass += body.inertia.mass;
  const double size = tolerance * (1.0 + test::largest(acceleration)) * 10.0;
  EXPECT_NEAR(momentum.force.x.d[0], mass * model.gravity().x, size);
  EXPECT_NEAR(momentum.force.y.d[0], mass * model.gravity().y, size);
  EXPECT_NEAR(momentum.force.z.d[0], mass * model.gravity().z, size);
  EXPECT_NEAR(momentum.moment.x.d[0], 0.0, size);
  EXPECT_NEAR(momentum.moment.y.d[0], 0.0, size);
  EXPECT_NEAR(momentum.moment.z.d[0], 0.0, size);
}

TEST_P(Identities, ExternalWrenchesActThroughTheJacobian) {
  std::vector<Force<double>> external(model.bodies().size(), Force<double>::zero());
  const int body = model.body_count() - 1;
  const Force<double> f{{0.3, -0.2, 0.5}, {1.0, 2.0, -1.5}};
  external.back() = f;
  newton_euler::Workspace<double> ws(model);
  std::vector<double> with(n), without(n), J(6 * n);
  newton_euler::inverse_dynamics(model, ws, q, v, a, with, external);
  newton_euler::inverse_dynamics(model, ws, q, v, a, without);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.jacobian(Frame{"", body, {Mat3<double>::identity(), model.com(body)}}, Reference::world_axes,
                      {J.data(), 6, model.nv()});
  for (std::size_t k = 0; k < n; ++k) {
    const double* c = &J[6 * k];
    const double push = c[0] * f.moment.x + c[1] * f.moment.y + c[2] * f.moment.z + c[3] * f.force.x +
                        c[4] * f.force.y + c[5] * f.force.z;
    EXPECT_NEAR(without[k] - with[k], push, tolerance);
  }
  // Forward dynamics under the same wrenches gives the accelerations back.
  if (!test::is_positive_definite(GetParam())) return;
  std::vector<double> back(n);
  const auto scale = test::scale_of(model, q, v, a);
  const double accelerations = test::acceleration_tolerance(model, scale, 2.3e-16);
  for (const char* name : {"articulated_body", "composite_body"}) {
    make_method<double>(name, Quantity::forward_dynamics, model)->forward_dynamics(q, v, with, back, external);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(back[k], a[k], accelerations) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, Identities, ::testing::ValuesIn(test::test_robots()), [](const auto& robot) {
  std::string name = robot.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace
}  // namespace ulna

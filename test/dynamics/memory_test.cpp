// No algorithm allocates after its workspace is built, and none depends on what a workspace held
// before: a run on NaN poisons every field that is written, then the next run must be clean.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <limits>

#include "support/allocations.hpp"
#include "support/scalar_cases.hpp"
#include "support/test_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/ulna.hpp"

namespace ulna {
namespace {

template <class T>
struct Run {
  std::vector<T> q, v, a, tau, out, M, C, J, accelerations;
  std::vector<Force<T>> external;

  Run(const Model& model, const std::vector<double>& q0, const std::vector<double>& v0)
      : q(test::spread<T>(q0)),
        v(test::spread<T>(v0)),
        a(v),
        tau(v),
        out(v),
        M(v.size() * v.size()),
        C(M),
        J(6 * v.size()),
        external(model.bodies().size(), Force<T>::zero()) {}

  /// Everything the library computes, once.
  void all(const Model& model,
           const std::vector<std::pair<const MethodInfo*, std::unique_ptr<Method<T>>>>& formulations,
           Kinematics<T>& kinematics) {
    const int n = model.nv();
    for (const auto& [info, method] : formulations) {
      if (info->can(Quantity::inverse_dynamics)) method->inverse_dynamics(q, v, a, tau, external);
      if (info->can(Quantity::gravity)) method->gravity(q, out);
      if (info->can(Quantity::mass_matrix)) method->mass_matrix(q, {M.data(), n, n});
      if (info->can(Quantity::inverse_mass_matrix)) method->inverse_mass_matrix(q, {M.data(), n, n});
      if (info->can(Quantity::coriolis_matrix)) method->coriolis_matrix(q, v, {C.data(), n, n});
      if (info->can(Quantity::convective_inertia)) method->convective_inertia(q, v, {C.data(), n, n});
      if (info->can(Quantity::forward_dynamics)) {
        method->forward_dynamics(q, v, tau, out, external);
        for (const T& x : out) accelerations.push_back(x);  // capacity reserved
      }
    }
    kinematics.update_positions(q);
    kinematics.update_velocities(v);
    kinematics.update_accelerations(v, a);
    kinematics.update_bias_accelerations(v);
    kinematics.jacobian(model.tip(), Reference::own_axes, {J.data(), 6, n});
  }
};

template <class T>
class Memory : public ::testing::Test {};
TYPED_TEST_SUITE(Memory, test::AllScalars);

TYPED_TEST(Memory, NoAllocationAndNoStaleData) {
  using T = TypeParam;
  for (const Graph& graph : test::test_robots()) {
    if (!test::is_positive_definite(graph)) continue;
    const Model model = build(graph);
    std::mt19937_64 generator(5);
    const auto q = random_position(model, generator), v = random_velocity(model, generator);
    const std::vector<double> nan_q(q.size(), std::numeric_limits<double>::quiet_NaN()), nan_v(v.size(), nan_q[0]);
    std::vector<std::pair<const MethodInfo*, std::unique_ptr<Method<T>>>> formulations;
    for (const MethodInfo& info : methods())
      if (info.refusal(model).empty())
        formulations.emplace_back(&info, make_method<T>(info.name, info.gives.front(), model));
    Kinematics<T> kinematics(model);
    Run<T> clean(model, q, v), poison(model, nan_q, nan_v), again(model, q, v);

    for (Run<T>* run : {&clean, &poison, &again}) run->accelerations.reserve(formulations.size() * v.size());
    const std::size_t before = allocations;
    for (Run<T>* run : {&clean, &poison, &again}) run->all(model, formulations, kinematics);
    EXPECT_EQ(allocations, before) << graph.name;

    EXPECT_TRUE(std::isnan(value_of(poison.out.back()))) << graph.name;
    const auto same = [](const std::vector<T>& x, const std::vector<T>& y) {
      return std::equal(x.begin(), x.end(), y.begin(),
                        [](const T& s, const T& t) { return value_of(s) == value_of(t); });
    };
    EXPECT_TRUE(same(clean.tau, again.tau) && same(clean.out, again.out) && same(clean.M, again.M) &&
                same(clean.C, again.C) && same(clean.J, again.J) && same(clean.accelerations, again.accelerations))
        << graph.name;
  }
}

/// On one thread, where all allocations are this one's; what oneTBB keeps for its tasks it took before.
TEST(ParallelSolvers, NoAllocationAndNoStaleData) {
  const Model model = load("chain:700");
  std::mt19937_64 generator(5);
  const auto q = random_position(model, generator), v = random_velocity(model, generator, 0.1);
  std::vector<double> nan(q.size(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<Force<double>> external(model.bodies().size(), {{0.1, -0.2, 0.3}, {0.5, 0.1, -0.4}});
  articulated_body::ParallelSolver bodies(model);
  constraint_force::ParallelSolver forces(model);
  std::vector<double> first(q.size()), second(q.size()), a(q.size());
  tbb::task_arena one(1);
  const auto run = [&](const std::vector<double>& x, const std::vector<double>& y, std::vector<double>& by_bodies,
                       std::vector<double>& by_forces) {
    one.execute([&] {
      bodies.forward_dynamics(x, y, y, by_bodies, external);
      forces.forward_dynamics(x, y, y, by_forces, external);
    });
  };
  run(q, v, first, second);
  const std::size_t before = allocations;
  run(nan, nan, a, a);
  EXPECT_TRUE(std::isnan(a[0]) && std::isnan(a.back()));
  run(q, v, a, nan);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(a, first);
  EXPECT_EQ(nan, second);
}

TEST(Sizes, WrongOnesAreRefusedInWords) {
  const Model model = load("puma560");
  newton_euler::Workspace<double> ws(model);
  std::vector<double> six(6), five(5);
  try {
    newton_euler::inverse_dynamics(model, ws, five, six, six, six);
    FAIL() << "five positions were accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "q has 5 numbers, the model needs 6");
  }
}

TEST(Sizes, KinematicsAndForeignWorkspacesAreRefused) {
  const Model puma = load("puma560"), planar = load("planar2r");
  Kinematics<double> kinematics(puma);
  const std::vector<double> six(6), five(5);
  std::vector<double> J(36);
  EXPECT_THROW(kinematics.update_positions(five), std::invalid_argument);
  kinematics.update_positions(six);
  EXPECT_THROW(kinematics.update_velocities(five), std::invalid_argument);
  EXPECT_THROW(kinematics.update_accelerations(six, five), std::invalid_argument);
  EXPECT_THROW(kinematics.jacobian(puma.tip(), Reference::own_axes, {J.data(), 5, 5}), std::invalid_argument);
  newton_euler::Workspace<double> other(planar);
  std::vector<double> tau(6);
  EXPECT_THROW(newton_euler::inverse_dynamics(puma, other, six, six, six, tau), std::invalid_argument);
}

TEST(Scope, RobotsBeyondAFormulationAreRefusedByItsWorkspace) {
  const Model tree = build(test::random_robot({.bodies = 12, .branched = true, .only_one_degree = true}, 1));
  ASSERT_FALSE(tree.is_serial());
  EXPECT_THROW(denoc::Workspace<double>{tree}, InputError);
  EXPECT_THROW(denoc::ConvectiveWorkspace<double>{tree}, InputError);
  EXPECT_THROW(constraint_force::Workspace<double>{tree}, InputError);
  EXPECT_THROW(spatial_operator::Workspace<double>{tree}, InputError);
  EXPECT_THROW(homogeneous::Workspace<double>{tree}, InputError);
  EXPECT_THROW(denoc::Workspace<double>{load("satellite_arm")}, InputError);
}

}  // namespace
}  // namespace ulna

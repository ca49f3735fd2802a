// The laws that every joint kind keeps, by its struct alone: power, inertia times S, what it locks and what it frees.
#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "ulna/real/sincos.hpp"

namespace ulna {
namespace {

using Six = std::array<double, 6>;

Six six(const Motion<double>& m) { return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z}; }

class JointLaws : public ::testing::TestWithParam<JointKind> {
 protected:
  /// f(joint, its data at a random angle) for some angles, zero among them.
  template <class F>
  void each(F f) {
    for (int k = 0; k < 10; ++k) {
      const SinCos<double> t = sincos(k == 0 ? 0.0 : angle(generator));
      theta = {t.cos, t.sin};
      const JointAt<double> at{{has_pitch(GetParam()) ? 0.3 : 0.0}, theta};
      with_joint(GetParam(), [&](auto joint) { f(joint, at); });
    }
  }
  Force<double> any_force() { return {test::random_vector(generator, 1.0), test::random_vector(generator, 1.0)}; }

  std::mt19937_64 generator{17};
  std::uniform_real_distribution<double> angle{-3.0, 3.0};
  Turn<double> theta{1.0, 0.0};
};

TEST_P(JointLaws, ProjectionIsDualToMotion) {
  each([&](auto joint, const JointAt<double>& at) {
    const Force<double> f = any_force();
    const auto projected = joint.project(at, f);
    for (std::size_t k = 0; k < projected.size(); ++k)
      EXPECT_NEAR(projected[k], dot(f, subspace_column<double>(joint, at, k)), 1e-15);
  });
}

TEST_P(JointLaws, InertiaTimesItsColumns) {
  each([&](auto joint, const JointAt<double>& at) {
    const MassData m = test::random_mass(generator);
    const auto rigid = RigidInertia<double>::from_centre(m.mass, m.com, m.inertia);
    const auto articulated = ArticulatedInertia<double>::from_rigid(rigid);
    const auto by_rigid = joint.times(at, rigid), by_articulated = joint.times(at, articulated);
    for (std::size_t k = 0; k < by_rigid.size(); ++k) {
      const Force<double> want = rigid * subspace_column<double>(joint, at, k);
      for (const Force<double>& got : {by_rigid[k], by_articulated[k]}) {
        EXPECT_LT(norm(got.moment - want.moment), 1e-14 * rigid.mass);
        EXPECT_LT(norm(got.force - want.force), 1e-14 * rigid.mass);
      }
    }
  });
}

/// Of (W | H): Wᵀ S = 0 and Hᵀ S = 1; and what it composes has the power of what it resolves.
TEST_P(JointLaws, LocksWhatItDoesNotFree) {
  each([&](auto joint, const JointAt<double>& at) {
    const std::size_t locked = 6 - joint.nv;
    for (std::size_t k = 0; k < joint.nv; ++k) {
      const Six resolved = joint.components(at, six(subspace_column<double>(joint, at, k)));
      for (std::size_t r = 0; r < 6; ++r)
        EXPECT_NEAR(resolved[joint.directions[r]], r == locked + k ? 1.0 : 0.0, 1e-15) << r;
    }
    Six x, y;
    for (double& one : x) one = angle(generator);
    for (double& one : y) one = angle(generator);
    const Six ax = joint.components(at, x), ay = joint.compose(at, y);
    double left = 0.0, right = 0.0;
    for (std::size_t k = 0; k < 6; ++k) left += ax[k] * y[k];
    for (std::size_t k = 0; k < 6; ++k) right += x[k] * ay[k];
    EXPECT_NEAR(left, right, 1e-13);
  });
}

/// Where the joint stands, at any position, its equations are met.
TEST_P(JointLaws, IsClosedWhereverItMoves) {
  if (!closes_loops(GetParam())) GTEST_SKIP() << "closes no loop";
  each([&](auto joint, const JointAt<double>& at) {
    std::array<double, 8> q{};
    for (double& x : q) x = angle(generator);
    Relative moved{rotation_z(at.theta), Vec3<double>::zero(), 0.0};
    if constexpr (joint.nv > 1) {
      if (joint.quaternion >= 0) q = {0.5, -0.5, 0.1, 0.7, 0, 0, 0, 0};
      const Pose<double> pose = joint.displacement(q.data(), at.theta);
      moved = {pose.R, pose.p, 0.0};
    } else {
      const Motion<double> unit = subspace_column<double>(joint, at, 0);
      moved = {rotation_z(exact_turn(unit.angular.z * q[0])), q[0] * unit.linear, unit.angular.z * q[0]};
    }
    std::array<double, 6> residual{};
    joint.lock(at, moved, residual.data());
    for (const double r : residual) EXPECT_NEAR(r, 0.0, 1e-15);
    moved.d += Vec3<double>{0.1, 0.2, 0.3};
    if (locks(GetParam(), 5)) {
      joint.lock(at, moved, residual.data());
      EXPECT_GT(*std::max_element(residual.begin(), residual.end()), 0.01);
    }
  });
}

TEST_P(JointLaws, NamesAllItsNumbers) {
  with_joint(GetParam(), [](auto joint) {
    EXPECT_EQ(std::size(joint.positions), static_cast<std::size_t>(joint.nq));
    EXPECT_EQ(std::size(joint.rates), static_cast<std::size_t>(joint.nv));
  });
}

INSTANTIATE_TEST_SUITE_P(All, JointLaws, ::testing::ValuesIn(joint_kinds.begin(), joint_kinds.end() - 1),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace ulna

// Positions on the group: the laws of integrate(), difference() and normalise(), for every joint kind.
#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

class Positions : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Positions()
      : model(build(test::random_robot({.bodies = 9, .branched = true, .free_base = GetParam() % 2 == 0}, GetParam()))),
        generator(GetParam()),
        q(random_position(model, generator)) {}

  std::vector<double> moved(const std::vector<double>& from, const std::vector<double>& step) const {
    std::vector<double> to(from.size());
    integrate(model, from, step, to);
    return to;
  }
  std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to) const {
    std::vector<double> step(static_cast<std::size_t>(model.nv()));
    difference(model, from, to, step);
    return step;
  }

  Model model;
  std::mt19937_64 generator;
  std::vector<double> q;
};

TEST_P(Positions, DifferenceUndoesIntegrate) {
  for (const double size : {0.0, 1e-8, 0.1, 1.5}) {  // below half a turn: a rotation vector of 1.5 √3
    const std::vector<double> step = random_velocity(model, generator, size);
    const std::vector<double> back = between(q, moved(q, step));
    // a position of 10 rounds to 1e-15, which a turn near π lets grow by a few
    for (std::size_t k = 0; k < step.size(); ++k) EXPECT_NEAR(back[k], step[k], 2e-14);
  }
}

TEST_P(Positions, IntegrateReachesTheOtherEnd) {
  const std::vector<double> other = random_position(model, generator);
  const std::vector<double> reached = moved(q, between(q, other));
  Kinematics<double> x(model), y(model);
  x.update_positions(other);
  y.update_positions(reached);
  for (const Frame& link : model.links()) {
    EXPECT_LT(norm(x.pose(link).p - y.pose(link).p), 1e-12);
    EXPECT_LT(norm(log_rotation(transpose(x.pose(link).R) * y.pose(link).R)), 1e-12);
  }
  for (const double off : between(q, q)) EXPECT_NEAR(off, 0.0, 1e-15);  // twice the rounding of a unit quaternion
}

/// The step is the velocity that kinematics knows: dq/dt of q ⊞ t v is v, by central differences.
TEST_P(Positions, StepsAreVelocities) {
  const std::vector<double> v = random_velocity(model, generator);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  const double h = 1e-6;
  std::vector<double> forth = v, back = v;
  for (double& x : forth) x *= h;
  for (double& x : back) x *= -h;
  Kinematics<double> after(model), before(model);
  after.update_positions(moved(q, forth));
  before.update_positions(moved(q, back));
  for (const Frame& link : model.links()) {
    const Vec3<double> rate = (0.5 / h) * (after.pose(link).p - before.pose(link).p);
    // third derivatives of some thousand times h², and rounding of 10 m over h
    EXPECT_LT(norm(rate - kinematics.velocity(link, Reference::world_axes).linear), 1e-8);
  }
}

TEST_P(Positions, NormaliseLeavesUnitQuaternionsAndPlainNumbers) {
  std::vector<double> scaled = q;
  for (const Body& body : model.bodies())
    for (int k = 0; has_quaternion(body.kind) && k < 4; ++k)
      scaled[static_cast<std::size_t>(body.q_index + quaternion_of(body.kind) + k)] *= 1.0 + 1e-4;
  normalise(model, scaled);
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(scaled[k], q[k], 1e-15 * std::max(1.0, std::abs(q[k])));
}

INSTANTIATE_TEST_SUITE_P(Random, Positions, ::testing::Range<std::uint64_t>(1, 13));

}  // namespace
}  // namespace ulna

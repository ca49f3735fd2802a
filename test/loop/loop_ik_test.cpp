// Inverse kinematics of mechanisms: against positions that assemble() closed, and closed forms where nothing reaches.
#include "ulna/loop/loop_ik.hpp"

#include <gtest/gtest.h>

#include <random>

#include "loop/mechanism.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {
namespace {

using test::Mechanism;

void expect_closed_within_limits(const Model& model, std::span<const double> q) {
  LoopEquations equations(model);
  equations.update(q);
  EXPECT_LE(equations.largest_residual(), promised_residual);
  for (std::size_t k = 0; k < q.size(); ++k) {
    EXPECT_GE(q[k], model.lower_limits()[k] - 2e-9);
    EXPECT_LE(q[k], model.upper_limits()[k] + 2e-9);
  }
}

bool is_within(const Model& model, std::span<const double> q) {
  for (std::size_t k = 0; k < q.size(); ++k)
    if (q[k] < model.lower_limits()[k] || q[k] > model.upper_limits()[k]) return false;
  return true;
}

/// Poses that the mechanisms have: drives moved by up to a third, loops closed, the tip by forward kinematics.
TEST(LoopIk, ReachesWhatTheMechanismReaches) {
  for (const char* name : {"four_bar", "slider_crank", "five_bar", "palletizer", "stewart", "dual_arm"}) {
    SCOPED_TRACE(name);
    const Mechanism mechanism{std::string(name)};
    const Model& model = mechanism.model;
    Kinematics<double> kinematics(model);
    std::mt19937_64 generator(25);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int tried = 0;
    for (int round = 0; round < 10; ++round) {
      std::vector<double> step(static_cast<std::size_t>(model.nv())), q(static_cast<std::size_t>(model.nq()));
      for (const int drive : mechanism.drives) step[static_cast<std::size_t>(drive)] = 0.1 * unit(generator);
      const std::vector<double> home = assemble(model, model.neutral()).q;
      integrate(model, home, step, q);
      const Assembly closed = assemble(model, q);
      if (!closed.closed || !is_within(model, closed.q)) continue;
      ++tried;
      kinematics.update_positions(closed.q);
      const Pose<double> pose = kinematics.pose(model.tip());
      const IkSolution found = solve_loop_ik(model, {pose_target(model.tip(), pose)});
      ASSERT_TRUE(found.solved) << found.reason << ' ' << found.position_error << ' ' << found.orientation_error;
      expect_closed_within_limits(model, found.q);
      kinematics.update_positions(found.q);
      const Pose<double> reached = kinematics.pose(model.tip());
      EXPECT_LE(norm(reached.p - pose.p), 1e-6);
      EXPECT_LE(norm(log_rotation(transpose(pose.R) * reached.R)), 1e-6);
      const IkSolution near = solve_loop_ik(model, {pose_target(model.tip(), pose)}, closed.q, IkPreference::near);
      difference(model, closed.q, near.q, step);
      for (const double way : step) EXPECT_NEAR(way, 0.0, 1e-5);
    }
    EXPECT_GE(tried, 5);
  }
}

/// The slider goes from rod − crank to rod + crank: beyond, the nearest is the dead centre.
TEST(LoopIk, NearestOfASliderCrank) {
  const Mechanism mechanism(std::string("slider_crank"));
  const Model& model = mechanism.model;
  const double crank = 0.3, rod = 0.8;
  Kinematics<double> kinematics(model);
  kinematics.update_positions(assemble(model, model.neutral()).q);
  const Frame& slider = mechanism.frame("slider");
  const Vec3<double> here = kinematics.pose(slider).p;
  const Vec3<double> way = (1.0 / norm(here)) * here;  // along its guide, from the crank's centre
  const IkSolution far = solve_loop_ik(model, {position_target(slider, 2.0 * way)});
  EXPECT_FALSE(far.solved);
  EXPECT_NEAR(far.position_error, 2.0 - (crank + rod), 1e-6);
  EXPECT_EQ(far.reason, "the lengths of the links");
  expect_closed_within_limits(model, far.q);
  const IkSolution inside = solve_loop_ik(model, {position_target(slider, 0.9 * way)});
  ASSERT_TRUE(inside.solved);
  kinematics.update_positions(inside.q);
  EXPECT_LE(norm(kinematics.pose(slider).p - 0.9 * way), 1e-6);
}

/// The way from home is curved and long: it is followed to its end, on the side of home.
TEST(LoopIk, ArrivesFromHome) {
  const Mechanism mechanism(std::string("stewart"));
  const Model& model = mechanism.model;
  const Pose<double> pose{rotation_of_rpy({0.1, 0.0, 0.2}), {0.05, 0.02, 0.8}};
  const IkSolution found = solve_loop_ik(model, {pose_target(model.tip(), pose)});
  ASSERT_TRUE(found.solved);
  EXPECT_EQ(found.starts, 1);
  EXPECT_LT(std::abs(found.q[0]), 0.5);
  expect_closed_within_limits(model, found.q);
}

TEST(LoopIk, RefusesWhatItDoesNotKnow) {
  const Mechanism mechanism(std::string("five_bar"));
  const Model& model = mechanism.model;
  const IkTarget target = position_target(model.tip(), {0.0, -0.5, 0.0});
  EXPECT_THROW(solve_loop_ik(model, {target}, {}, IkPreference::gravity), InputError);
  EXPECT_THROW(solve_loop_ik(model, {}), InputError);
  EXPECT_THROW(solve_loop_ik(model, {position_target(model.tip(), {NAN, 0.0, 0.0})}), std::invalid_argument);
  EXPECT_THROW(solve_loop_ik(model, {target}, std::vector<double>{0.0}), std::invalid_argument);
}

}  // namespace
}  // namespace ulna

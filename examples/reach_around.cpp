// An arm of seven joints reaches to the other side of a sphere that its hand must not enter.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ulna/ulna.hpp"

namespace {

const std::vector<double> q0{-0.6, 0.3, 0, -1.9, 0, 2.2, 0}, q1{0.6, 0.3, 0, -1.9, 0, 2.2, 0}, still(7);

ulna::Vec3<double> hand_at(const ulna::Model& model, std::span<const double> q) {
  ulna::Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  return kinematics.pose(model.tip()).p;
}

ulna::ControlProblem reach(const ulna::Model& model) {
  ulna::ControlProblem problem;
  problem.knots = 75;
  problem.step = 0.02;
  problem.running.torque_weight.assign(7, 1e-3);
  problem.running.velocity_weight.assign(7, 0.1);
  ulna::IkTarget goal = ulna::position_target(model.tip(), hand_at(model, q1));
  goal.position = {1e4, 1e4, 1e4};
  problem.terminal.tips = {goal};
  problem.terminal.velocity_weight.assign(7, 10.0);
  problem.limit_weight = 1e3;
  return problem;
}

/// How near the hand comes to a point on its way.
double nearest(const ulna::Model& model, const ulna::OptimalControl& control, const ulna::Vec3<double>& point) {
  double least = 1e9;
  for (int k = 0; k <= control.knots(); ++k) least = std::min(least, norm(hand_at(model, control.q(k)) - point));
  return least;
}

}  // namespace

int main() {
  const ulna::Model model = ulna::load("panda_like");
  ulna::ControlProblem problem = reach(model);
  ulna::OptimalControl straight(model, problem);
  straight.start(q0, still);
  straight.solve(100, 1e-6);

  const ulna::Vec3<double> half_way = hand_at(model, straight.q(straight.knots() / 2));
  const double radius = 0.1;
  const ulna::Vec3<double> centre =
      half_way + ulna::Vec3<double>{0.02, 0.0, 0.02};  // in the way, not quite in the middle
  problem.keep_out = {{model.tip(), centre, radius, 1e6}};
  ulna::OptimalControl around(model, problem);
  around.start(q0, still);
  const ulna::OptimalControl::Solution solution = around.solve(200, 1e-6);

  const double before = nearest(model, straight, centre), after = nearest(model, around, centre);
  const double off = norm(hand_at(model, around.q(around.knots())) - hand_at(model, q1));
  std::printf(
      "after %d iterations: the hand comes to %.3f m of the centre instead of %.3f m (%.2f m are asked for) and ends "
      "%.4f m from its goal\n",
      solution.iterations, after, before, radius, off);
  return before < 0.5 * radius && after > 0.98 * radius && off < 0.005 ? 0 : 1;
}

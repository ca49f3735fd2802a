// A double pendulum swings up with motors that are too weak to lift it: optimal control finds the swings.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "ulna/ulna.hpp"

int main() {
  const ulna::Model model = ulna::load("planar2r");  // two rods of 1 m and 1 kg: 19.6 N m hold it stretched out
  ulna::ControlProblem problem;
  problem.knots = 200;
  problem.step = 0.02;
  problem.lower = {-6.0, -6.0};
  problem.upper = {6.0, 6.0};
  problem.running.torque_weight = {1e-2, 1e-2};
  problem.terminal.posture = {std::numbers::pi / 2, 0.0};
  problem.terminal.posture_weight = {500.0, 500.0};
  problem.terminal.velocity_weight = {50.0, 50.0};
  ulna::OptimalControl control(model, problem);
  control.start(std::vector<double>{-std::numbers::pi / 2, 0.0}, std::vector<double>{0.0, 0.0},
                std::vector<double>(2 * 200, 0.1));
  const ulna::OptimalControl::Solution solution = control.solve(300, 1e-6);
  const std::span<const double> q = control.q(control.knots()), v = control.v(control.knots());
  double largest = 0.0;
  for (int k = 0; k < control.knots(); ++k)
    for (const double u : control.torque(k)) largest = std::max(largest, std::abs(u));
  std::printf("after %d iterations: ends %.3f and %.3f rad from upright, at %.3f and %.3f rad/s; at most %.2f N m\n",
              solution.iterations, q[0] - problem.terminal.posture[0], q[1], v[0], v[1], largest);
  const bool up = std::abs(q[0] - problem.terminal.posture[0]) < 0.05 && std::abs(q[1]) < 0.05;
  return up && largest <= 6.0 ? 0 : 1;
}

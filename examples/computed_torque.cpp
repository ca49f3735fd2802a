// Computed torque at 1 kHz: an arm follows a motion, driven by the torques of its own equations of motion.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "ulna/ulna.hpp"

int main() {
  const ulna::Model model = ulna::build(ulna::load_graph("panda_like"));
  const auto n = static_cast<std::size_t>(model.nv());
  const double period = 1e-3, kp = 400.0, kd = 40.0;

  ulna::Stepper robot(model, "rk4", period);
  ulna::newton_euler::Workspace<double> workspace(model);
  std::vector<double> wanted(n), tau(n), start(n), rest(n, 0.0);
  const auto reference = [](double t, std::size_t k, double& q, double& v, double& a) {
    const double w = 2.0 * std::numbers::pi * 0.25, phase = 0.3 * static_cast<double>(k);
    q = 0.5 * std::sin(w * t + phase);
    v = 0.5 * w * std::cos(w * t + phase);
    a = -0.5 * w * w * std::sin(w * t + phase);
  };
  double q, v, a;
  for (std::size_t k = 0; k < n; ++k) {
    reference(0.0, k, q, v, a);
    start[k] = q + 0.1;  // off its path, and at rest
  }
  robot.set_state(start, rest);

  double worst = 0.0, busy = 0.0;
  for (int cycle = 0; cycle < 4000; ++cycle) {
    worst = 0.0;
    const auto began = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < n; ++k) {
      reference(robot.time(), k, q, v, a);
      wanted[k] = a + kd * (v - robot.v()[k]) + kp * (q - robot.q()[k]);
      worst = std::max(worst, std::abs(q - robot.q()[k]));
    }
    ulna::newton_euler::inverse_dynamics(model, workspace, robot.q(), robot.v(), wanted, tau);
    busy += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    robot.step(tau);
  }
  std::printf("after %.1f s the joints are %.2g rad off their path; the controller took %.2f us of each ms\n",
              robot.time(), worst, busy / 4000 * 1e6);
  return worst < 2e-3 ? 0 : 1;  // the torques are held for 1 ms, which leaves about a period times the acceleration
}

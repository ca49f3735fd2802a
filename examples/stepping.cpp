// A loop of one's own: a double pendulum swings for a minute by two integrators, and what each does to its energy.
#include <cmath>
#include <cstdio>

#include "ulna/ulna.hpp"

int main() {
  const ulna::Model model = ulna::build(ulna::load_graph("planar2r"));
  ulna::Kinematics<double> kinematics(model);
  const std::vector<double> start{0.4, 0.3}, rest(2, 0.0), none(2, 0.0);
  double drift[2] = {};
  const char* const integrators[] = {"rk4", "symplectic"};
  for (int i = 0; i < 2; ++i) {
    ulna::Stepper robot(model, integrators[i], 0.01);
    robot.set_state(start, rest);
    const auto energy = [&] {
      kinematics.update_positions(robot.q());
      kinematics.update_velocities(robot.v());
      return kinematics.kinetic_energy(robot.v()) + kinematics.gravity_energy();
    };
    const double before = energy();
    while (robot.time() < 60.0) robot.step(none);
    drift[i] = std::abs(energy() - before);
    std::printf("%-10s  energy after %.0f s: %+.2e J off\n", integrators[i], robot.time(), energy() - before);
  }
  return drift[1] < drift[0] ? 0 : 1;
}

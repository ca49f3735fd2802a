// What a payload does to the torques of an arm that holds still: m g times the lever, joint by joint.
#include <cmath>
#include <cstdio>

#include "ulna/ulna.hpp"

int main() {
  const ulna::Graph graph = ulna::load_graph("ur5_like");
  ulna::Graph loaded = graph;
  const double mass = 3.0;
  ulna::add_payload(loaded, {.frame = ulna::tip_of(graph), .mass = {.mass = mass}});
  const ulna::Model empty = ulna::build(graph), model = ulna::build(loaded);
  const std::vector<double> q{0.3, -0.8, 1.2, -0.4, 0.9, 0.1}, zero(6, 0.0);

  ulna::newton_euler::Workspace<double> workspace(empty), loaded_workspace(model);
  std::vector<double> without(6), with(6);
  ulna::newton_euler::inverse_dynamics(empty, workspace, q, zero, zero, without);
  ulna::newton_euler::inverse_dynamics(model, loaded_workspace, q, zero, zero, with);

  ulna::Kinematics<double> kinematics(empty);
  kinematics.update_positions(q);
  double worst = 0.0;
  std::printf("joint   empty      with %.0f kg   m g · lever\n", mass);
  for (int k = 0; k < 6; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const ulna::Vec3<double> tip = kinematics.pose(empty.tip()).p;
    const ulna::Motion<double> turn = kinematics.unit_motion(empty.bodies()[i], 0, tip);
    const double lever = -mass * ulna::dot(empty.gravity(), turn.linear);
    std::printf("%d   %10.4f   %10.4f   %10.4f\n", k + 1, without[i], with[i], lever);
    worst = std::max(worst, std::abs(with[i] - without[i] - lever));
  }
  return worst < 1e-12 * 100.0 ? 0 : 1;
}

// An elastic joint: the motor turns, a spring takes the link along. Two inertias on a spring swing against each other
// with ω² = k (1/J + 1/I), which the run must show.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "ulna/ulna.hpp"

int main() {
  const double motor = 0.2, link = 0.5, stiffness = 300.0;  // kg m², kg m², N m/rad
  ulna::Graph graph;
  graph.name = "elastic_joint";
  graph.gravity = {0, 0, 0};
  graph.bodies = {{.name = "rotor", .mass = {.mass = 1.0, .inertia = {motor, motor, motor, 0, 0, 0}}},
                  {.name = "link", .mass = {.mass = 2.0, .inertia = {link, link, link, 0, 0, 0}}}};
  graph.joints = {{.name = "motor", .parent = "base", .child = "rotor"},
                  {.name = "gear", .parent = "rotor", .child = "link", .passive = {.stiffness = stiffness}}};
  const ulna::Model model = ulna::build(graph);

  ulna::SimulationSetup setup{.q0 = {0.0, 0.1}, .duration = 2.0};
  setup.watched = {{.v_index = 1, .value = 0.0, .text = "the spring is free"}};
  ulna::Trajectory trajectory;
  const ulna::RunResult result = ulna::simulate(model, setup, trajectory);
  const std::size_t passes = result.events.size();
  const double half = (result.events.back().t - result.events.front().t) / static_cast<double>(passes - 1);
  const double expected = std::numbers::pi / std::sqrt(stiffness * (1.0 / motor + 1.0 / link));
  std::printf("half a period is %.9f s, by the formula %.9f s\n", half, expected);
  return std::abs(half - expected) < 1e-7 ? 0 : 1;
}

// A robot without a file: a column that lifts, an arm that turns on it, and a second one attached by name.
#include <cmath>
#include <cstdio>

#include "ulna/ulna.hpp"

int main() {
  ulna::Graph arm;
  arm.name = "arm";
  arm.bodies = {{.name = "upper", .mass = {.mass = 4.0, .com = {0.2, 0, 0}, .inertia = {0.01, 0.06, 0.06, 0, 0, 0}}},
                {.name = "lower", .mass = {.mass = 2.0, .com = {0.15, 0, 0}, .inertia = {0.004, 0.02, 0.02, 0, 0, 0}}}};
  arm.joints = {{.name = "shoulder", .parent = "base", .child = "upper"},
                {.name = "elbow",
                 .parent = "upper",
                 .child = "lower",
                 .in_parent = {ulna::Mat3<double>::identity(), {0.4, 0, 0}},
                 .limits = {.lower = -2.5, .upper = 2.5}}};
  arm.frames = {{.name = "hand", .body = "lower", .pose = {ulna::Mat3<double>::identity(), {0.3, 0, 0}}}};

  ulna::Graph robot;
  robot.name = "lift_with_arm";
  robot.bodies = {{.name = "carriage", .mass = {.mass = 10.0, .inertia = {0.2, 0.2, 0.2, 0, 0, 0}}}};
  robot.joints = {{.name = "lift", .kind = ulna::JointKind::prismatic, .parent = "base", .child = "carriage"}};
  ulna::attach(robot, arm, "left_", "carriage", {ulna::Mat3<double>::identity(), {0, 0.2, 0}});
  robot.tip = "left_hand";

  const ulna::Model model = ulna::build(robot);
  std::printf("%s: %d joints, tip %s\n", robot.name.c_str(), model.nv(), model.tip().name.c_str());
  ulna::composite_body::Workspace<double> workspace(model);
  std::vector<double> q{0.1, 0.5, -0.5}, M(9);
  ulna::composite_body::mass_matrix(model, workspace, q, {M.data(), 3, 3});
  for (int r = 0; r < 3; ++r) std::printf("  %8.4f %8.4f %8.4f\n", M[r], M[r + 3], M[r + 6]);
  return std::abs(M[0] - 16.0) < 1e-12 ? 0 : 1;  // the lift carries all of the mass
}

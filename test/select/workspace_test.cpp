// The numerical workspace against closed forms (errata 2.6–2.10 and textbook ones), within its own error.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ulna/io/robot/load.hpp"
#include "ulna/study/select/workspace.hpp"

namespace ulna::selection {
namespace {

constexpr double pi = std::numbers::pi;

bool always() { return true; }

/// An arm of standard DH rows, as TOML text per link; every link has some mass.
Arm dh_arm(const std::vector<std::string>& rows, const RangeChoice& choice = {}) {
  std::string text = "dh = \"standard\"\n";
  for (const std::string& row : rows) text += "[[link]]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n" + row + "\n";
  return make_arm("arm", parse_toml(text, "arm.toml"), choice);
}

Arm with_slides(const std::string& robot, double low, double high) {
  RangeChoice choice;
  choice.slide = {low, high};
  return make_arm(robot, load_graph(robot), choice);
}

reach::Volume expect_size(const Arm& arm, double size, double share) {
  const reach::Volume found = find_workspace(arm, always);
  EXPECT_NEAR(found.size.value, size, found.size.error);
  EXPECT_LT(found.size.error, share * size) << "the stated error is of no use";
  return found;
}

/// P along x, then R with its link of length a: errata 2.7.
Arm pr_arm(double a, double b) {
  return dh_arm(
      {"joint = \"prismatic\"\nalpha = \"-90 deg\"\nlimits = { lower = 0, upper = " + std::to_string(b) + " }",
       "joint = \"revolute\"\na = " + std::to_string(a)});
}

TEST(Workspace, planar_two_links_fill_a_ring) {
  const reach::Volume ring =
      expect_size(dh_arm({"joint = \"revolute\"\na = 1", "joint = \"revolute\"\na = 0.5"}), pi * (2.25 - 0.25), 0.01);
  EXPECT_EQ(ring.holes, 1);
  EXPECT_NEAR(ring.hole_size, pi * 0.25, ring.size.error);
  EXPECT_EQ(expect_size(dh_arm({"joint = \"revolute\"\na = 1", "joint = \"revolute\"\na = 1"}), 4 * pi, 0.01).holes, 0);
}

TEST(Workspace, planar_two_links_within_limits) {
  // The elbow from 60° to 120°, the shoulder through a quarter turn: r² is 2 + 2 cos, and the tip's angle
  // about the base runs with the shoulder's, so the area is that of a quarter of the ring …
  const Arm arm = dh_arm({"joint = \"revolute\"\na = 1\nlimits = { lower = 0, upper = \"90 deg\" }",
                          "joint = \"revolute\"\na = 1\nlimits = { lower = \"60 deg\", upper = \"120 deg\" }"});
  expect_size(arm, (3.0 - 1.0) * pi / 4.0, 0.02);
}

TEST(Workspace, rp_arm_of_table_3) {
  expect_size(with_slides("rp", 0.0, 1.0), pi, 0.01);  // a₁ = 0: π b₂²
  const Arm offset = with_slides("rp", 1.0, 2.0);      // as a₁ = 1, b₂ from 0 to 1: 3π a², printed 4π a²
  const reach::Volume found = expect_size(offset, 3.0 * pi, 0.01);
  EXPECT_EQ(found.holes, 1);
}

TEST(Workspace, pr_arm_of_table_3_with_its_hole) {
  expect_size(pr_arm(1, 1), 3.9132229549810362, 0.01);  // golden/002_workspace.json, printed 5.1416
  const reach::Volume lens = expect_size(pr_arm(2, 1), 7.9579337142403386, 0.01);
  EXPECT_EQ(lens.holes, 1);
  EXPECT_NEAR(lens.hole_size, 16.566370614359172 - 7.9579337142403386, lens.size.error);
  EXPECT_EQ(expect_size(pr_arm(1, 2), 7.1415926535897931, 0.01).holes, 0);
  EXPECT_EQ(expect_size(pr_arm(1, 3), 9.1415926535897931, 0.01).holes, 0);
}

TEST(Workspace, planar_arm_that_begins_with_a_slide_along_any_direction) {
  for (const char* theta : {"0 deg", "30 deg", "60 deg", "90 deg"}) {
    const std::string turned = std::string("\ntheta = \"") + theta + "\"";
    const std::string slide = "joint = \"prismatic\"\nlimits = { lower = 0, upper = 1 }";
    expect_size(dh_arm({slide + "\nalpha = \"-90 deg\"" + turned, slide}), 1.0, 0.01);
    expect_size(dh_arm({slide + "\nalpha = \"-90 deg\"" + turned, "joint = \"revolute\"\na = 1"}), 3.9132229549810362,
                0.01);
  }
}

TEST(Workspace, joints_that_are_locked_move_nothing) {
  const std::string locked = "joint = \"revolute\"\na = 1\nlimits = { lower = 0.3, upper = 0.3 }";
  EXPECT_THROW(dh_arm({locked, locked}), InputError);
  EXPECT_THROW(dh_arm({"joint = \"revolute\"\na = 1", locked, locked}), InputError);
  expect_size(
      dh_arm({"joint = \"revolute\"\na = 1", locked, "joint = \"revolute\"\na = 0.5"}),
      pi * (std::pow(std::sqrt(2 + 2 * std::cos(0.3)) + 0.5, 2) - std::pow(std::sqrt(2 + 2 * std::cos(0.3)) - 0.5, 2)),
      0.01);
}

TEST(Workspace, rtx_of_table_5) { expect_size(with_slides("rtx", 0.0, 1.0), 4.0 * pi * 0.432 * 0.2, 0.05); }

TEST(Workspace, stanford_of_table_5) {
  // 4π b₃³/3 for any offset b₂ = 0.1; the points within b₂ of the first axis are a bore through it.
  const reach::Volume ball = expect_size(with_slides("stanford3", 0.0, 1.0), 4.0 * pi / 3.0, 0.03);
  EXPECT_EQ(ball.holes, 0);
}

TEST(Workspace, hollow_ball) {
  const std::string turn = "joint = \"revolute\"\n";
  const reach::Volume shell = expect_size(dh_arm({turn + "alpha = \"90 deg\"", turn + "a = 1", turn + "a = 0.5"}),
                                          4.0 / 3.0 * pi * (1.5 * 1.5 * 1.5 - 0.5 * 0.5 * 0.5), 0.05);
  EXPECT_EQ(shell.holes, 1);
}

TEST(Workspace, limits_cut_a_sector_of_the_ball) {
  const std::string turn = "joint = \"revolute\"\n";
  const Arm arm = dh_arm({turn + "alpha = \"90 deg\"\nlimits = { lower = 0, upper = \"30 deg\" }",
                          turn + "limits = { lower = 0, upper = \"90 deg\" }\na = 0\nalpha = \"90 deg\"",
                          "joint = \"prismatic\"\nlimits = { lower = 1, upper = 2 }"});
  // From the pole to the equator, through a twelfth of a turn.
  expect_size(arm, 2.0 / 3.0 * pi * (8.0 - 1.0) / 12.0, 0.08);
}

TEST(Workspace, many_joints) {
  const std::string turn = "joint = \"revolute\"\n";
  expect_size(dh_arm({turn + "a = 1", turn + "a = 0.5", turn + "a = 0.3", turn + "a = 0.2"}), 4.0 * pi, 0.05);
  // A ball of the whole length around an anthropomorphic arm with a roll in its forearm and a bent wrist.
  const Arm six = dh_arm({turn + "alpha = \"90 deg\"", turn + "a = 1", turn + "alpha = \"90 deg\"",
                          turn + "b = 0.8\nalpha = \"-90 deg\"", turn + "alpha = \"90 deg\"", turn + "b = 0.2"});
  expect_size(six, 4.0 / 3.0 * pi * 8.0, 0.5);
}

TEST(Workspace, refuses_what_has_none) {
  EXPECT_THROW(make_arm("rtx", load_graph("rtx"), {}), InputError);  // a slide without an end
  RangeChoice choice;
  choice.given["joint1"] = {5.0, 6.0};
  EXPECT_THROW(make_arm("scara", load_graph("scara"), choice), InputError);
  EXPECT_THROW(make_arm("chain", load_graph("chain:1"), {}), InputError);
}

}  // namespace
}  // namespace ulna::selection

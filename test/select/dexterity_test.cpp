// The dexterous part of workspaces against closed forms, within its own error.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ulna/io/robot/load.hpp"
#include "ulna/study/select/workspace.hpp"

namespace ulna::selection {
namespace {

constexpr double pi = std::numbers::pi;

bool always() { return true; }

Arm dh_arm(const std::vector<std::string>& rows) {
  std::string text = "dh = \"standard\"\n";
  for (const std::string& row : rows) text += "[[link]]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n" + row + "\n";
  return make_arm("arm", parse_toml(text, "arm.toml"), {});
}

std::string turn(const std::string& more) { return "joint = \"revolute\"\n" + more; }

Arm planar_arm(double a, double b, double c) {
  const auto link = [](double length) { return turn("a = " + std::to_string(length)); };
  return dh_arm({link(a), link(b), link(c)});
}

reach::Dexterity expect_size(const Arm& arm, double size, double share) {
  const reach::Dexterity found = find_dexterity(arm, always);
  EXPECT_TRUE(found.enough_joints);
  EXPECT_NEAR(found.size.value, size, found.size.error);
  EXPECT_LT(found.size.error, share * size) << "the stated error is of no use";
  return found;
}

TEST(Dexterity, too_few_joints_have_none) {
  for (const char* robot : {"planar2r", "stanford3"}) {
    RangeChoice choice;
    choice.slide = {0.0, 1.0};
    const reach::Dexterity none = find_dexterity(make_arm(robot, load_graph(robot), choice), always);
    EXPECT_FALSE(none.enough_joints);
    EXPECT_EQ(none.size.value, 0.0);
    EXPECT_EQ(none.size.error, 0.0);
  }
}

/// From nothing up to what the lattice does not see.
void expect_none_found(const Arm& arm) {
  const reach::Dexterity none = find_dexterity(arm, always);
  EXPECT_TRUE(none.enough_joints);
  EXPECT_EQ(none.size.value, none.size.error);
  EXPECT_LT(none.size.value, 0.1);
}

TEST(Dexterity, planar_arm_of_three_links) {
  // The circle of the last link about the point must lie in the ring of the first two: from |a − b| + c to a + b − c …
  expect_size(planar_arm(1.0, 0.6, 0.2), pi * (1.4 * 1.4 - 0.6 * 0.6), 0.03);
  // … or go around its hole: up to c − |a − b| as well.
  expect_size(planar_arm(1.0, 0.9, 0.3), pi * (1.6 * 1.6 - 0.4 * 0.4 + 0.2 * 0.2), 0.03);
  // No hole at all.
  expect_size(planar_arm(1.0, 1.0, 0.5), pi * 1.5 * 1.5, 0.03);
}

TEST(Dexterity, last_link_too_long_for_any) { expect_none_found(planar_arm(0.5, 0.2, 1.0)); }

TEST(Dexterity, limits_take_orientations_away) {
  // The last joint turns by 10° only: every point keeps some orientations and none keeps all.
  const Arm arm = dh_arm({turn("a = 1"), turn("a = 0.6"), turn("a = 0.2\nlimits = { lower = 0, upper = \"10 deg\" }")});
  expect_none_found(arm);
}

TEST(Dexterity, squares_instead_of_rings) {
  // As good as a full turn of the first joint, but not quite.
  const Arm arm = dh_arm(
      {turn("a = 1\nlimits = { lower = \"-179.9 deg\", upper = \"179.9 deg\" }"), turn("a = 0.6"), turn("a = 0.2")});
  expect_size(arm, pi * (1.4 * 1.4 - 0.6 * 0.6), 0.1);
}

TEST(Dexterity, cylinder_with_a_wrist) {
  // Turn, rise and reach by 1 m each, from 0 to 1 m off the axis, with a wrist at the tip: all of the cylinder, 2π.
  const auto arm = [](const std::string& limits) {
    return dh_arm({turn(""), "joint = \"prismatic\"\nalpha = \"-90 deg\"\nlimits = { lower = 0, upper = 2 }",
                   "joint = \"prismatic\"\nlimits = { lower = 0, upper = 1 }", turn("alpha = \"90 deg\"" + limits),
                   turn("alpha = \"-90 deg\""), turn(limits)});
  };
  expect_size(arm(""), 2.0 * pi, 0.2);
  // One configuration of the arm, and a wrist that stops 10° before half a turn: no point has every orientation, which
  // random ones show: of a thousand points none is left.
  const reach::Dexterity limited =
      find_dexterity(arm("\nlimits = { lower = \"-170 deg\", upper = \"170 deg\" }"), always);
  EXPECT_LE(limited.size.value - limited.size.error, 0.0);
  EXPECT_LT(limited.size.value + limited.size.error, 0.02 * 2.0 * pi);
}

TEST(Dexterity, locked_joints_do_not_count) {
  const Arm arm = dh_arm({turn("a = 1"), turn("a = 0.6"), turn("a = 0.2\nlimits = { lower = 0.5, upper = 0.5 }")});
  EXPECT_FALSE(find_dexterity(arm, always).enough_joints);
}

TEST(Dexterity, spherical_wrist_turns_every_way_everywhere) {
  // Two links in a plane that turns, a wrist with three axes through the tip: all of the shell between 0.2 and 1.8.
  const Arm arm = dh_arm({turn("alpha = \"90 deg\""), turn("a = 1"), turn("a = 0.8\nalpha = \"90 deg\""),
                          turn("alpha = \"90 deg\""), turn("alpha = \"-90 deg\""), turn("")});
  const double shell = 4.0 / 3.0 * pi * (std::pow(1.8, 3) - std::pow(0.2, 3));
  expect_size(arm, shell, 0.05);
}

TEST(Dexterity, wrist_with_a_hand_loses_the_rim) {
  // The tip 0.2 m beyond the wrist: its sphere must lie within the shell, from 0.4 to 1.6.
  const Arm arm = dh_arm({turn("alpha = \"90 deg\""), turn("a = 1"), turn("a = 0.8\nalpha = \"90 deg\""),
                          turn("alpha = \"90 deg\""), turn("alpha = \"-90 deg\""), turn("b = 0.2")});
  expect_size(arm, 4.0 / 3.0 * pi * (std::pow(1.6, 3) - std::pow(0.4, 3)), 0.3);
}

}  // namespace
}  // namespace ulna::selection

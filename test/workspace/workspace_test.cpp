// What a robot reaches, against closed forms: sizes within the stated errors, extents, loads, the boundary itself.
#include "ulna/study/workspace/workspace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "ulna/io/robot/load.hpp"

namespace ulna::reach {
namespace {

constexpr double pi = std::numbers::pi;

Graph dh_arm(const std::vector<std::string>& rows, const std::string& mass = "1") {
  std::string text = "dh = \"standard\"\n";
  for (const std::string& row : rows)
    text += "[[link]]\nmass = " + mass + "\ninertia = [1e-9, 1e-9, 1e-9]\n" + row + "\n";
  return parse_toml(text, "arm.toml");
}
std::string turn(const std::string& more) { return "joint = \"revolute\"\n" + more; }
std::string slide(double length, const std::string& more) {
  return "joint = \"prismatic\"\nlimits = { lower = 0, upper = " + std::to_string(length) + " }\n" + more;
}
Graph elbow() { return dh_arm({turn("alpha = \"90 deg\""), turn("a = 1"), turn("a = 0.5")}); }
/// Three slides across each other.
Graph gantry() {
  return dh_arm(
      {slide(1.0, "alpha = \"90 deg\""), slide(2.0, "theta = \"90 deg\"\nalpha = \"90 deg\""), slide(0.5, "")});
}

void expect_size(const Size& found, double size, double share) {
  EXPECT_NEAR(found.value, size, found.error);
  EXPECT_LT(found.error, share * size) << "the stated error is of no use";
}

double volume_within(const std::vector<std::array<Vec3<double>, 3>>& boundary) {
  double volume = 0.0;
  for (const auto& [a, b, c] : boundary) volume += dot(a, cross(b, c)) / 6.0;
  return volume;
}

TEST(Explore, box_of_a_gantry) {
  const Record record = explore(gantry(), {}, {});
  EXPECT_FALSE(record.robot.revolved);
  expect_size(record.volume.size, 1.0, 0.02);
  EXPECT_NEAR(record.from_base.largest, std::sqrt(1.0 + 4.0 + 0.25), 1e-6);
  EXPECT_NEAR(record.from_base.smallest, 0.0, 1e-6);
  EXPECT_FALSE(record.from_axis);
  EXPECT_FALSE(record.has_service);
  EXPECT_NEAR(volume_within(record.boundary), record.volume.size.value, 1e-9) << "triangles that do not close";
  ASSERT_EQ(record.slices.size(), 4U);
  for (const Slice& slice : record.slices) {
    double cells = 0.0;
    for (const char reached : slice.reached) cells += reached;
    const double cell = (slice.x_high - slice.x_low) / slice.columns * (slice.y_high - slice.y_low) / slice.rows;
    // z and x, or x and y, of sides 1, 2 and 0.5: half a cell may be lost or won at each side.
    EXPECT_NEAR(cells * cell, slice.height ? 1.0 : 0.5, 3.0 * std::sqrt(cell));
  }
}

TEST(Explore, shell_of_an_elbow_arm) {
  const Record record = explore(elbow(), {}, {});
  EXPECT_TRUE(record.robot.revolved);
  const double shell = 4.0 / 3.0 * pi * (3.375 - 0.125);
  expect_size(record.volume.size, shell, 0.02);
  EXPECT_EQ(record.volume.holes, 1);
  EXPECT_NEAR(record.volume.hole_size, 4.0 / 3.0 * pi * 0.125, record.volume.size.error);
  EXPECT_NEAR(record.from_base.largest, 1.5, 1e-6);
  EXPECT_NEAR(record.from_base.smallest, 0.5, 1e-6);
  ASSERT_TRUE(record.from_axis);
  EXPECT_NEAR(record.from_axis->largest, 1.5, 1e-6);
  EXPECT_NEAR(record.from_axis->smallest, 0.0, 1e-4);
  EXPECT_NEAR(record.height[0], -1.5, 1e-6);
  EXPECT_NEAR(record.height[1], 1.5, 1e-6);
  // A polygon of 90 corners instead of a circle.
  EXPECT_NEAR(volume_within(record.boundary), record.volume.size.value * 90.0 * std::sin(2.0 * pi / 90.0) / (2.0 * pi),
              1e-6);
  for (const Point& point : record.points) {
    EXPECT_GT(norm(point.p), 0.5 - 1e-4);
    EXPECT_LT(norm(point.p), 1.5 + 1e-4);
  }
}

TEST(Explore, first_axis_that_is_tilted_and_has_limits) {
  // A third of the shell, lying on its side.
  Graph graph = elbow();
  graph.joints[0].limits.lower = 0.0;
  graph.joints[0].limits.upper = 2.0 * pi / 3.0;
  graph.joints[1].limits.lower = -pi / 2.0;  // the upper arm in front, the forearm all round
  graph.joints[1].limits.upper = pi / 2.0;
  graph.joints[2].limits.lower = graph.joints[2].limits.upper = 0.0;  // stretched: a surface
  EXPECT_THROW(explore(graph, {}, {}), InputError);
  graph = dh_arm({turn("alpha = \"90 deg\"\nlimits = { lower = 0, upper = \"120 deg\" }"),
                  turn("alpha = \"90 deg\"\nlimits = { lower = 0, upper = \"180 deg\" }"), slide(1.0, "")});
  const Record record = explore(graph, {.maps = false}, {});
  EXPECT_FALSE(record.robot.revolved);
  expect_size(record.volume.size, 4.0 / 3.0 * pi / 3.0, 0.03);
}

TEST(Explore, accuracy_that_is_asked_for) {
  for (const double accuracy : {0.05, 0.2}) {
    const Options options{.accuracy = accuracy};
    expect_size(find_volume(make_robot(elbow(), options), options).size, 4.0 / 3.0 * pi * 3.25, accuracy);
    expect_size(find_volume(make_robot(load_graph("scara"), options), options).size,
                find_volume(make_robot(load_graph("scara"), {}), {}).size.value, accuracy);
  }
}

TEST(Explore, a_branch_of_a_tree) {
  Graph tree = elbow();
  attach(tree, gantry(), "second_", "base", {Mat3<double>::identity(), {3.0, 0.0, 0.0}});
  const Model model = build(tree);
  ASSERT_FALSE(model.is_serial());
  Options options;
  options.frame = model.links().back().name;
  const Robot robot = make_robot(tree, options);
  EXPECT_FALSE(robot.revolved) << "the elbow's branch";
  expect_size(find_volume(robot, options).size, 1.0, 0.02);
}

TEST(Explore, wrist_points_everywhere) {
  const Graph arm = dh_arm({turn("alpha = \"90 deg\""), turn("a = 1"), turn("a = 0.8\nalpha = \"90 deg\""),
                            turn("alpha = \"90 deg\""), turn("alpha = \"-90 deg\""), turn("")});
  const Record record = explore(arm, {.slices = 1}, {});
  ASSERT_TRUE(record.has_service);
  EXPECT_NEAR(record.mean_service, 1.0, 1e-3);
  ASSERT_TRUE(record.dexterity);
  expect_size(record.dexterity->size, 4.0 / 3.0 * pi * (std::pow(1.8, 3) - std::pow(0.2, 3)), 0.05);
}

TEST(Explore, payload_of_links_without_mass) {
  // The first joint holds m g x, whatever the elbow does.
  Graph arm = dh_arm({turn("a = 1"), turn("a = 0.7")}, "1e-9");
  arm.gravity = {0.0, -9.81, 0.0};
  arm.joints[0].limits.effort = 50.0;
  const Record record = explore(arm, {}, {});
  ASSERT_TRUE(record.has_payload);
  ASSERT_GT(record.points.size(), 100U);
  for (const Point& point : record.points) {
    if (std::abs(point.p.x) < 0.05) continue;
    EXPECT_NEAR(point.payload, 50.0 / (9.81 * std::abs(point.p.x)), 1e-3 * point.payload);
  }
  EXPECT_NEAR(record.least_payload, 50.0 / (9.81 * 1.7), 0.2);
}

TEST(Explore, same_for_any_number_of_threads) {
  const auto run = [](int threads) {
    Options options;
    options.threads = threads;
    return explore(load_graph("puma560"), {.maps = false}, options);
  };
  const Record one = run(1), two = run(2);
  EXPECT_EQ(one.volume.size.value, two.volume.size.value);
  EXPECT_EQ(one.dexterity->size.value, two.dexterity->size.value);
  EXPECT_EQ(one.from_base.largest, two.from_base.largest);
}

TEST(Explore, refuses_what_has_no_workspace) {
  const auto refused = [](const Graph& graph, const Options& options) {
    EXPECT_THROW(explore(graph, {}, options), InputError);
  };
  refused(load_graph("stanford3"), {});  // a slide without end
  refused(load_graph("four_bar"), {});   // a loop
  refused(dh_arm({turn("a = 1")}), {});  // a circle
  refused(elbow(), {.frame = "nowhere"});
  refused(elbow(), {.ranges = {{"nothing", {0.0, 1.0}}}});
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::string first = elbow().joints[0].name;
  refused(elbow(), {.ranges = {{first, {none, 1.0}}}});
  refused(elbow(), {.ranges = {{first, {0.0, none}}}});
  for (const double accuracy : {0.0, -0.01, none}) refused(elbow(), {.accuracy = accuracy});
  for (const int slices : {-1, most_slices + 1}) EXPECT_THROW(explore(elbow(), {.slices = slices}, {}), InputError);
  EXPECT_THROW(explore(elbow(), {}, {.keep_going = [] { return false; }}), Interrupted);
}

const std::vector<std::string> spherical_wrist{turn("alpha = \"90 deg\""), turn("alpha = \"-90 deg\""), turn("")};

/// The wrist turns everywhere, so that the dexterous part is the workspace, which few points of a lattice meet.
void expect_all_dexterous(std::vector<std::string> rows, double size, double share) {
  rows.insert(rows.end(), spherical_wrist.begin(), spherical_wrist.end());
  const Options options{};
  const Robot robot = make_robot(dh_arm(rows), options);
  expect_size(find_dexterity(robot, options).size, size, share);
}

TEST(Dexterity, of_a_thin_shell) {
  expect_all_dexterous({turn("alpha = \"90 deg\""), turn("alpha = \"90 deg\""),
                        "joint = \"prismatic\"\nlimits = { lower = 0.99, upper = 1 }"},
                       4.0 / 3.0 * pi * (1.0 - std::pow(0.99, 3)), 0.25);
}

/// Thinner than the finest lattice: samples of the joints alone show it.
TEST(Dexterity, of_a_skin) {
  const Options options{};
  std::vector<std::string> rows{turn("alpha = \"90 deg\""), turn("alpha = \"90 deg\""),
                                "joint = \"prismatic\"\nlimits = { lower = 0.999, upper = 1 }"};
  rows.insert(rows.end(), spherical_wrist.begin(), spherical_wrist.end());
  const Size found = find_dexterity(make_robot(dh_arm(rows), options), options).size;
  EXPECT_NEAR(found.value, 4.0 / 3.0 * pi * (1.0 - std::pow(0.999, 3)), found.error);
}

TEST(Dexterity, of_a_thin_plate) {
  expect_all_dexterous(
      {slide(1.0, "alpha = \"90 deg\""), slide(2.0, "theta = \"90 deg\"\nalpha = \"90 deg\""), slide(0.1, "")}, 0.2,
      0.25);
}

/// A wrist whose limits leave no orientation free at any point that is asked: there may still be one between them.
TEST(Workspace, WhatLiesBetweenThePointsIsInDoubt) {
  const reach::Options options{};
  const reach::Robot arm = reach::make_robot(load_graph("iiwa14"), options);
  const reach::Dexterity found = reach::find_dexterity(arm, options);
  EXPECT_TRUE(found.enough_joints);
  EXPECT_GT(found.size.error, 0.0);
  EXPECT_EQ(found.size.value, found.size.error);  // from nothing upwards
}

}  // namespace
}  // namespace ulna::reach

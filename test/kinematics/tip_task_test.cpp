// What a tip is there for, and whether a posture is singular for that.
#include "ulna/kinematics/tip_task.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "support/bundled.hpp"
#include "support/small_robots.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr double right_angle = std::numbers::pi / 2;

struct Posture {
  Posture(const Model& model, const TipTask& task, const std::vector<double>& q) : J(6 * q.size()) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    kinematics.jacobian(model.tip(), Reference::world_axes, {J.data(), 6, model.nv()});
    rows = task.rows({J.data(), 6, model.nv()});
    measure = manipulability({rows.data(), static_cast<int>(rows.size()) / model.nv(), model.nv()});
    singular = measure.rank < task.rank;
  }
  std::vector<double> J, rows;
  Manipulability measure{};
  bool singular = false;
};

std::vector<std::string> serial_arms() {
  std::vector<std::string> names;
  for (const std::string& name : test::bundled_trees()) {
    const Model model = load(name);
    if (model.is_serial() && !model.has_general_joints()) names.push_back(name);
  }
  return names;
}

/// A posture of right angles and slides at their ends in which the arm is singular; empty if there is none.
std::vector<double> singular_posture(const Model& model, const TipTask& task) {
  std::vector<double> q(static_cast<std::size_t>(model.nv()));
  for (unsigned code = 0; code < 1U << (2 * q.size()); ++code) {
    for (std::size_t k = 0; k < q.size(); ++k) {
      const bool slides = model.joints()[k].kind == JointKind::prismatic;
      q[k] = (slides ? 0.5 : right_angle) * ((code >> (2 * k)) & 3U);
    }
    if (Posture(model, task, q).singular) return q;
  }
  return {};
}

TEST(TipTask, EveryBundledArmHasItsOwn) {
  const std::map<std::string, std::string> wanted{{"planar2r", "position in a plane"},
                                                  {"rp", "position in a plane"},
                                                  {"pr", "position in a plane"},
                                                  {"planar3r", "position and orientation in a plane"},
                                                  {"rtx", "position in space"},
                                                  {"stanford3", "position in space"},
                                                  {"stanford3_printed", "position in space"},
                                                  {"scara", "position in space and rotation about one axis"}};
  for (const std::string& name : serial_arms()) {
    const Model model = load(name);
    const auto found = wanted.find(name);
    EXPECT_TRUE(found != wanted.end() || model.nv() >= 6) << name << " wants a line in this test";
    EXPECT_EQ(tip_task(model, model.tip()).name(),
              found != wanted.end() ? found->second : "position and orientation in space")
        << name;
  }
}

TEST(TipTask, SingularPosturesOfEveryArmAreFoundAndOthersAreNot) {
  for (const std::string& name : serial_arms()) {
    const Model model = load(name);
    const TipTask task = tip_task(model, model.tip());
    const std::vector<double> q = singular_posture(model, task);
    ASSERT_FALSE(q.empty()) << name;
    EXPECT_NEAR(Posture(model, task, q).measure.yoshikawa, 0.0, 1e-12) << name;
    std::mt19937 generator(7);
    for (int k = 0; k < 20; ++k) {
      const Posture other(model, task, random_position(model, generator));
      EXPECT_FALSE(other.singular) << name;
      EXPECT_GT(other.measure.yoshikawa, 0.0) << name;
    }
  }
}

/// The textbook's: a₁a₂|sin q₂|.
TEST(TipTask, StretchedArmOfTwoLinksIsSingular) {
  const Model model = load("planar2r");
  const TipTask task = tip_task(model, model.tip());
  for (const double elbow : {0.0, std::numbers::pi, 1.0}) {
    const Posture posture(model, task, {0.3, elbow});
    EXPECT_EQ(posture.singular, elbow != 1.0);
    EXPECT_NEAR(posture.measure.yoshikawa, std::abs(std::sin(elbow)), 1e-15);
  }
}

/// Joints that turn about x, y, z, … in one point, the tip `reach` metres from it.
Graph wrist(int joints, double reach) {
  const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Graph graph;
  graph.name = "wrist";
  graph.bodies.push_back({"base", {}, {}, {}});
  for (int k = 0; k < joints; ++k) {
    graph.bodies.push_back({"link" + std::to_string(k + 1), {1.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}, {}, {}});
    GraphJoint joint;
    joint.name = "joint" + std::to_string(k + 1);
    joint.parent = graph.bodies[static_cast<std::size_t>(k)].name;
    joint.child = graph.bodies.back().name;
    joint.axis = axes[k % 3];
    if (k == 0) joint.in_parent.p = {0.1, 0.2, 0.7};  // off the origin: rounding is not zero
    graph.joints.push_back(joint);
  }
  GraphFrame tip;
  tip.name = "tip";
  tip.body = graph.bodies.back().name;
  tip.pose.p = {reach / 3, 2 * reach / 3, 2 * reach / 3};
  graph.frames.push_back(tip);
  graph.tip = "tip";
  return graph;
}

TEST(TipTask, OfWristsAndHeads) {
  for (const double reach : {0.0, 0.2}) {
    const Model model = build(wrist(3, reach));
    const TipTask task = tip_task(model, model.tip());
    EXPECT_EQ(task.name(), "orientation") << reach;
    EXPECT_TRUE(Posture(model, task, {0.4, right_angle, 0.1}).singular);
    EXPECT_FALSE(Posture(model, task, {0.4, 0.3, 0.1}).singular);
  }
  const Model head = build(wrist(2, 0.2)), hinge = build(wrist(1, 0.2));
  EXPECT_EQ(tip_task(head, head.tip()).name(), "position and orientation in space, 2 of 6 at a time");
  EXPECT_EQ(tip_task(hinge, hinge.tip()).name(), "rotation about one axis");
}

TEST(TipTask, OfFramesThatDoNotMoveOrSlide) {
  const Model rail = build(test::slider(1.0)), floating = load("satellite_arm");
  EXPECT_EQ(tip_task(rail, rail.tip()).name(), "position on a line");
  EXPECT_EQ(tip_task(rail, Frame{"ground", -1, Pose<double>::identity()}).name(), "none, it does not move");
  EXPECT_EQ(tip_task(floating, floating.tip()).name(), "position and orientation in space");
}

}  // namespace
}  // namespace ulna

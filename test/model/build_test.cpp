// build(): merging, ordering, turning of frames; and the findings of check().
#include "ulna/model/build.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/turn_to.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

/// Poses of all links straight from the graph: joint by joint, no turned frames, no merging.
std::vector<Pose<double>> poses_by_hand(const Graph& graph, const Model& model, const std::vector<double>& q) {
  std::vector<Pose<double>> poses(graph.bodies.size(), Pose<double>::identity());
  std::vector<bool> done(graph.bodies.size(), false);
  const auto index = [&](const std::string& name) {
    for (std::size_t i = 0; i < graph.bodies.size(); ++i) {
      if (graph.bodies[i].name == name) return i;
    }
    throw std::logic_error(name);
  };
  const auto joint_motion = [&](const GraphJoint& joint) -> Pose<double> {
    if (joint.kind == JointKind::fixed) return Pose<double>::identity();
    for (const JointInfo& info : model.joints()) {
      if (info.name != joint.name) continue;
      const double* x = &q[static_cast<std::size_t>(model.bodies()[static_cast<std::size_t>(info.body)].q_index)];
      const Vec3<double> axis = (1.0 / norm(joint.axis)) * joint.axis;
      const double moved = x[0] + joint.offset;
      switch (joint.kind) {
        case JointKind::revolute: return {exp_rotation(moved * axis), Vec3<double>::zero()};
        case JointKind::prismatic: return {Mat3<double>::identity(), moved * axis};
        case JointKind::screw: return {exp_rotation(moved * axis), joint.pitch * moved * axis};
        case JointKind::spherical: return {rotation_of_quaternion(x[0], x[1], x[2], x[3]), Vec3<double>::zero()};
        case JointKind::cylindrical: return {exp_rotation(x[0] * axis), x[1] * axis};
        case JointKind::universal:
          return {exp_rotation(Vec3<double>{x[0], 0, 0}) * exp_rotation(Vec3<double>{0, x[1], 0}),
                  Vec3<double>::zero()};
        case JointKind::planar: {
          const Mat3<double> R = test::turn_to(axis);
          return {exp_rotation(x[2] * axis), x[0] * R.column_x() + x[1] * R.column_y()};
        }
        default: return {rotation_of_quaternion(x[3], x[4], x[5], x[6]), {x[0], x[1], x[2]}};
      }
    }
    throw std::logic_error(joint.name);
  };
  if (graph.free_base) poses[0] = {rotation_of_quaternion(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
  done[0] = true;
  for (std::size_t pass = 0; pass < graph.joints.size(); ++pass)
    for (const GraphJoint& joint : graph.joints) {
      const std::size_t parent = index(joint.parent), child = index(joint.child);
      if (!done[parent] || done[child]) continue;
      poses[child] = poses[parent] * joint.in_parent * joint_motion(joint) * inverse(joint.in_child);
      done[child] = true;
    }
  return poses;
}

TEST(Build, KeepsTheGeometryOfTheFile) {
  std::vector<Graph> graphs = test::random_robots();
  for (const char* name : {"stanford", "kuka_lwr4", "panda_like", "satellite_arm", "scara"})
    graphs.push_back(load_graph(name));
  std::mt19937_64 generator(3);
  for (const Graph& graph : graphs) {
    const Model model = build(graph);
    Kinematics<double> kinematics(model);
    for (int k = 0; k < 10; ++k) {
      const auto q = random_position(model, generator);
      kinematics.update_positions(q);
      const auto want = poses_by_hand(graph, model, q);
      for (std::size_t i = 0; i < want.size(); ++i) {
        const Pose<double> off = inverse(want[i]) * kinematics.pose(model.links()[i]);
        EXPECT_LT(norm(off.p), 1e-13) << graph.name << " " << graph.bodies[i].name;
        EXPECT_LT(norm(log_rotation(off.R)), 1e-13) << graph.name << " " << graph.bodies[i].name;
      }
    }
  }
}

TEST(Build, FirstChildrenNeedNoSecondTurn) {
  const Model model = load("puma560");
  for (const Body& body : model.bodies()) EXPECT_FALSE(body.placement.has_gamma);
  // −90 deg stays a true right angle.
  EXPECT_EQ(model.bodies()[1].placement.alpha.c, 0.0);
  EXPECT_EQ(model.bodies()[1].placement.alpha.s, -1.0);
}

TEST(Build, MergesFixedJoints) {
  Graph graph = load_graph("planar2r");
  graph.bodies.push_back({"tool", {0.5, {0.1, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0}}, {}, {}});
  GraphJoint weld;
  weld.name = "weld";
  weld.kind = JointKind::fixed;
  weld.parent = "link2";
  weld.child = "tool";
  weld.in_parent.p = {0.2, 0, 0};
  graph.joints.push_back(weld);
  const Model model = build(graph);
  EXPECT_EQ(model.body_count(), 2);
  EXPECT_DOUBLE_EQ(model.bodies()[1].inertia.mass, 1.5);
  ASSERT_NE(model.find_frame("tool"), nullptr);
  EXPECT_EQ(model.find_frame("tool")->body, 1);
  // Mass centre of rod (0.5 m) and tool (1.0 + 0.2 + 0.1 m), from the joint.
  EXPECT_NEAR(model.com(1).x, (0.5 * 1.0 + 1.3 * 0.5) / 1.5, 1e-15);
}

TEST(Build, APitchMovesScrewsAlone) {
  Graph graph = load_graph("ur5_like");
  graph.joints[1].offset = 0.3;
  const Model without = build(graph);
  graph.joints[1].pitch = 0.1;
  const Model with = build(graph);
  EXPECT_EQ(norm(without.bodies()[1].placement.p - with.bodies()[1].placement.p), 0.0);
}

TEST(Build, EveryVelocityBelongsToItsJoint) {
  const Model model = build(load_graph("satellite_arm"));
  std::vector<std::string> names;
  for (int k = 0; k < model.nv(); ++k) names.push_back(model.joint_of(k).name);
  std::vector<std::string> expected(6, model.joints()[0].name);  // the free base
  for (const JointInfo& joint : model.joints().subspan(1)) expected.push_back(joint.name);
  EXPECT_EQ(names, expected);
}

TEST(Build, OrdersBranchesByTheFile) {
  Graph graph;
  graph.name = "fork";
  for (const char* name : {"root", "left", "right", "left_tip"})
    graph.bodies.push_back({name, {1, {}, {1, 1, 1, 0, 0, 0}}, {}, {}});
  const auto hinge = [&](const char* name, const char* parent, const char* child) {
    GraphJoint joint;
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    graph.joints.push_back(joint);
  };
  hinge("to_tip", "left", "left_tip");  // before its parent's joint in the file
  hinge("to_left", "root", "left");
  hinge("to_right", "root", "right");
  const Model model = build(graph);
  EXPECT_FALSE(model.is_serial());
  EXPECT_EQ(model.joints()[0].name, "to_left");
  EXPECT_EQ(model.joints()[1].name, "to_tip");
  EXPECT_EQ(model.joints()[2].name, "to_right");
  EXPECT_EQ(model.parent_of_v()[1], 0);
  EXPECT_EQ(model.parent_of_v()[2], -1);
}

TEST(Build, ReportsAllProblemsAtOnce) {
  Graph graph = load_graph("planar2r");
  graph.bodies[1].mass.mass = -1;
  graph.bodies[2].mass.inertia.xx = -1;
  try {
    build(graph);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.findings().size(), 2u);
    EXPECT_EQ(e.findings()[0].link, "link1");
    EXPECT_FALSE(e.findings()[0].remedy.empty());
  }
}

struct FindingCase {
  const char* words;
  void (*spoil)(Graph&);
};

class CheckFinds : public ::testing::TestWithParam<FindingCase> {};

TEST_P(CheckFinds, WhatWasSpoiled) {
  Graph graph = load_graph("ur5_like");
  EXPECT_TRUE(check(graph).empty());
  GetParam().spoil(graph);
  const auto findings = check(graph);
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.reason.find(GetParam().words) != std::string::npos && !f.remedy.empty();
  })) << (findings.empty() ? "nothing found" : findings[0].reason);
}

INSTANTIATE_TEST_SUITE_P(
    Spoiled, CheckFinds,
    ::testing::Values(
        FindingCase{"is negative", [](Graph& g) { g.bodies[2].mass.mass = -3; }},
        FindingCase{"not positive definite", [](Graph& g) { g.bodies[2].mass.inertia.xy = 5; }},
        FindingCase{"triangle inequality", [](Graph& g) { g.bodies[2].mass.inertia.xx = 1; }},
        FindingCase{"rod without thickness", [](Graph& g) { g.bodies[2].mass.inertia = {0, 0, 0, 0, 0, 0}; }},
        FindingCase{"is much for the link's size", [](Graph& g) { g.bodies[2].mass.inertia = {4, 4, 4, 0, 0, 0}; }},
        FindingCase{"times the link's size", [](Graph& g) { g.bodies[2].mass.inertia = {4e3, 4e3, 4e3, 0, 0, 0}; }},
        FindingCase{"moves but has no mass", [](Graph& g) { g.bodies[2].mass = {}; }},
        FindingCase{"neither it nor anything it carries", [](Graph& g) { g.bodies[6].mass = {}; }},
        FindingCase{"has moments of inertia but no mass", [](Graph& g) { g.bodies[2].mass.mass = 0; }},
        FindingCase{"mass centre is", [](Graph& g) { g.bodies[2].mass.com.x = 212.5; }},
        FindingCase{"weighs", [](Graph& g) { g.bodies[2].mass.mass = 8.4e6; }},
        FindingCase{"add up to",
                    [](Graph& g) {
                      for (auto& j : g.joints) j.in_child.p.x += 400.0;
                    }},
        FindingCase{"not quite, a right angle",
                    [](Graph& g) {
                      g.joints[1].in_parent.R = rotation_x(Turn<double>{std::cos(3e-6), std::sin(3e-6)});
                    }},
        FindingCase{"turns", [](Graph& g) { g.joints[1].limits.upper = 360; }},
        FindingCase{"above its upper limit",
                    [](Graph& g) {
                      g.joints[1].limits = {1, -1, 1, 1};
                    }},
        FindingCase{"limits must be numbers", [](Graph& g) { g.joints[1].limits.lower = std::nan(""); }},
        FindingCase{"effort not negative", [](Graph& g) { g.joints[1].limits.effort = -1; }},
        FindingCase{"not finite", [](Graph& g) { g.bodies[2].mass.com.x = std::nan(""); }},
        FindingCase{"not negative", [](Graph& g) { g.joints[1].passive.viscous = -1; }},
        FindingCase{"two bodies have this name", [](Graph& g) { g.bodies[2].name = "link1"; }},
        FindingCase{"two joints have this name", [](Graph& g) { g.joints[2].name = "joint1"; }},
        FindingCase{"tip is not a link", [](Graph& g) { g.tip = "hand"; }},
        FindingCase{"one degree", [](Graph& g) {
                      g.joints[1].kind = JointKind::spherical;
                      g.joints[1].passive.coulomb = 1;
                    }}));

/// What is wrong with the structure does not hide what is wrong with the masses.
TEST(Build, TellsAllProblemsAtOnce) {
  Graph graph = load_graph("planar3r");
  graph.joints[1].parent = "nowhere";
  graph.joints[2].limits = {1, -1, 1, 1};
  graph.bodies[1].mass.mass = -3.0;
  graph.tip = "hand";
  try {
    build(graph);
    FAIL() << "was not refused";
  } catch (const InputError& error) {
    const std::string all = error.what();
    for (const char* what : {"'nowhere' does not exist", "above its upper limit", "is negative", "tip is not a link"})
      EXPECT_NE(all.find(what), std::string::npos) << what << " is not in\n" << all;
  }
}

TEST(Build, KeepsWhatTheImporterHadToSay) {
  const char* text = R"(<robot name="gripper"><link name="palm"/>
    <link name="left"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="right"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="a" type="prismatic"><parent link="palm"/><child link="left"/><limit lower="0" upper="1" velocity="1" effort="1"/></joint>
    <joint name="b" type="prismatic"><parent link="palm"/><child link="right"/><limit lower="0" upper="1" velocity="1" effort="1"/><mimic joint="a"/><calibration rising="0"/></joint>
    </robot>)";
  const Model model = build(parse_urdf(text, "gripper.urdf"));
  ASSERT_EQ(model.notices().size(), 1u);
  EXPECT_NE(model.notices()[0].find("calibration"), std::string::npos) << model.notices()[0];
  EXPECT_EQ(model.nv(), 1);  // the second finger follows the first
}

}  // namespace
}  // namespace ulna

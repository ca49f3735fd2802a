// MJCF: what is honoured beside dynamics (test/oracle compares that with MuJoCo), what is named and left, what is
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "ulna/io/robot/format.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

Graph read(const std::string& text) { return parse_mjcf(text, "robot.xml"); }

std::string arm(const std::string& in_body, const std::string& behind = "", const std::string& before = "") {
  return "<mujoco>" + before + R"(<worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)" +
         in_body + "</body></worldbody>" + behind + "</mujoco>";
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Mjcf, LimitsAnglesAndEffort) {
  const Graph graph =
      read(arm(R"(<joint name="j" range="-90 45" ref="30" damping="0.5" frictionloss="0.25"/>)",
               R"(<actuator><motor joint="j" gear="50" ctrlrange="-2 1" forcerange="-9 9"/></actuator>)"));
  const GraphJoint& joint = graph.joints.at(0);
  EXPECT_NEAR(joint.limits.lower, -std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(joint.limits.upper, std::numbers::pi / 4, 1e-15);
  EXPECT_NEAR(joint.offset, -std::numbers::pi / 6, 1e-15);
  EXPECT_EQ(joint.limits.effort, 100.0);
  EXPECT_EQ(joint.passive.viscous, 0.5);
  EXPECT_EQ(joint.passive.coulomb, 0.25);
  EXPECT_FALSE(joint.continuous);
  EXPECT_TRUE(graph.notices.empty());
}

TEST(Mjcf, ARangeHoldsIfLimitedSaysSoOrIsAutomatic) {
  const auto bounded = [](const std::string& compiler, const std::string& limited) {
    return std::isfinite(read(arm("<joint range=\"-1 1\"" + limited + "/>", "", "<compiler " + compiler + "/>"))
                             .joints.at(0)
                             .limits.upper);
  };
  EXPECT_TRUE(bounded("", ""));
  EXPECT_FALSE(bounded("autolimits='false'", ""));
  EXPECT_TRUE(bounded("autolimits='false'", " limited='true'"));
  EXPECT_FALSE(bounded("", " limited='false'"));
}

TEST(Mjcf, SeveralJointsOfABodyAreAChain) {
  const Graph graph = read(arm(R"(<joint name="x" type="slide" axis="1 0 0"/><joint name="t" pos="0 1 0"/>)"));
  ASSERT_EQ(graph.joints.size(), 2u);
  EXPECT_EQ(graph.joints[0].parent, "world");
  EXPECT_EQ(graph.joints[0].child, graph.joints[1].parent);
  EXPECT_EQ(graph.joints[1].child, "b");
  EXPECT_EQ(find_body(graph, graph.joints[0].child)->mass.mass, 0.0);
}

TEST(Mjcf, FramesPlaceWhatIsInThem) {
  const Graph graph = read(R"(<mujoco><default><default class="c"><joint axis="0 1 0"/></default></default><worldbody>
    <frame pos="1 0 0" euler="0 0 90" childclass="c"><body name="b" pos="1 0 0"><joint/><geom size="1"/>
    <frame pos="0 0 2"><site name="s" pos="0 0 1"/></frame></body></frame></worldbody></mujoco>)");
  EXPECT_EQ(graph.joints.at(0).axis.y, 1.0);
  EXPECT_NEAR(norm(graph.joints[0].in_parent.p - Vec3<double>{1, 1, 0}), 0.0, 1e-15);
  EXPECT_EQ(graph.frames.at(0).pose.p.z, 3.0);
}

TEST(Mjcf, MassesAreBoundBalancedAndScaled) {
  const std::string body =
      R"(<worldbody><body name="b"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 6"/></body></worldbody>)";
  const auto mass = [&](const std::string& words) {
    return find_body(read("<mujoco><compiler " + words + "/>" + body + "</mujoco>"), "b")->mass;
  };
  EXPECT_EQ(mass("boundmass='3'").mass, 3.0);
  EXPECT_EQ(mass("boundinertia='1.5'").inertia.xx, 1.5);
  EXPECT_EQ(mass("balanceinertia='true'").inertia.yy, 3.0);
  EXPECT_EQ(mass("settotalmass='5'").inertia.zz, 30.0);
}

TEST(Mjcf, WhatIsLeftOutIsNamedOnce) {
  const Graph graph = read(arm(R"(<joint name="j"/><geom type="mesh" mesh="m"/>)",
                               R"(<contact/><sensor/><tendon/><keyframe><key name="home"/></keyframe>
    <actuator><position name="p" joint="j"/><general name="t" tendon="x"/></actuator>
    <equality><joint name="e" joint1="j" polycoef="0 1 2 0 0"/><tendon name="f"/><weld name="w" body1="b" active="false"/></equality>)",
                               R"(<option density="1.2"/><asset/><visual/>)"));
  const std::vector<std::string> want{
      "what a medium does to the bodies is left out (density)",
      "sections that dynamics here does without are left out (<contact>, <sensor>, <tendon>)",
      "meshes that are no files are not drawn (b)",
      "gains of actuators are left out; a drive is the scenario's (p)",
      "actuators of anything but a joint are left out (t)",
      "equalities of joints other than lines between two joints of one degree are left out (e)",
      "equalities other than connect, weld and joint are left out (<tendon>)",
      "equalities that are not active are left out (w)",
      "keyframes without a name or positions are left out (home)"};
  EXPECT_EQ(graph.notices, want);
}

TEST(Mjcf, LinesBetweenJointsAreFollowed) {
  const Graph graph =
      read(arm(R"(<joint name="j" ref="10"/><body><joint name="k" type="slide" ref="0.5"/><geom size="1"/></body>)",
               R"(<equality><joint joint1="k" joint2="j" polycoef="0.25 2 0 0 0"/></equality>)"));
  const GraphJoint* k = find_joint(graph, "k");
  ASSERT_TRUE(k->mimic);
  EXPECT_EQ(k->mimic->joint, "j");
  EXPECT_EQ(k->mimic->multiplier, 2.0);
  EXPECT_NEAR(k->mimic->offset, 0.75 - 2.0 * 10.0 * std::numbers::pi / 180.0, 1e-15);
  EXPECT_EQ(build(graph).nv(), 1);
}

/// Rotors in the world that tendons tie to joints, one for each, are motors; what is more or less than that is named
/// and left as it is.
TEST(Mjcf, TiedRotorsAreMotorsThatJointsShare) {
  const auto with = [](const std::string& rotor, const std::string& sum, const std::string& more = "") {
    return read(
        R"(<mujoco><worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/>
      <body name="c"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="k"/></body></body>
      <body name="one"><inertial pos="0 0 0" mass="1" diaginertia="1e-4 1e-4 1e-4"/><joint name="r1"/></body>)" +
        rotor + R"(</worldbody><tendon><fixed name="t1"><joint joint="r1" coef="2"/><joint joint="j" coef="-10"/>
      <joint joint="k" coef="4"/></fixed><fixed name="t2">)" +
        sum + R"(</fixed></tendon><equality><tendon tendon1="t1"/><tendon tendon1="t2"/></equality>)" + more +
        "</mujoco>");
  };
  const std::string body = R"(<body name="two"><inertial pos="0 0 0" mass="1" diaginertia="1e-4 1e-4 2e-4"/>)";
  const std::string joint = R"(<joint name="r2" armature="1e-3"/></body>)";
  const std::string sum = R"(<joint joint="k" coef="7"/><joint joint="r2" coef="-1"/><joint joint="j" coef="0"/>)";
  const Graph good = with(body + joint, sum);
  EXPECT_TRUE(good.notices.empty());
  EXPECT_EQ(good.joints.size(), 2U);
  EXPECT_EQ(find_body(good, "two"), nullptr);
  ASSERT_EQ(good.couplings.size(), 1U);
  EXPECT_EQ(good.couplings[0].joints, (std::vector<std::string>{"j", "k"}));
  EXPECT_EQ(good.couplings[0].motors[0].gears, (std::vector<double>{5, -2}));
  EXPECT_EQ(good.couplings[0].motors[1].gears, (std::vector<double>{0, 7}));
  EXPECT_DOUBLE_EQ(good.couplings[0].motors[1].inertia, 1.2e-3);

  const std::string off_its_axis =
      R"(<body name="two"><inertial pos="0.1 0 0" mass="1" diaginertia="1e-4 1e-4 2e-4"/>)";
  const std::vector<std::pair<std::string, std::string>> others{
      {off_its_axis + joint, sum},
      {body + R"(<joint name="r2" limited="true" range="-1 1"/></body>)", sum},
      {body + R"(<joint name="r2" stiffness="1"/></body>)", sum},
      {body + R"(<geom size="1" mass="0"/>)" + joint, sum},
      {body + R"(<joint name="r2" type="slide"/></body>)", sum},
      {body + joint, R"(<joint joint="k" coef="7"/><joint joint="r2" coef="0"/><joint joint="j" coef="1"/>)"},
      {body + joint, R"(<joint joint="k" coef="7"/><joint joint="r2" coef="-1"/>)"},  // of other joints than the first
      {body + joint, R"(<joint joint="k" coef="7"/><joint joint="r1" coef="-1"/><joint joint="j" coef="0"/>)"},
      {body + joint, R"(<joint joint="nobody" coef="7"/><joint joint="r2" coef="-1"/>)"}};
  for (const auto& [rotor, tied] : others) {
    const Graph left = with(rotor, tied);
    EXPECT_TRUE(left.couplings.empty()) << rotor << tied;
    EXPECT_EQ(left.joints.size(), 4U);
    EXPECT_EQ(left.notices.size(), 2U);
  }
  EXPECT_TRUE(with(body + joint, sum, R"(<equality><joint joint1="j" joint2="r2"/></equality>)").couplings.empty());
}

TEST(Mjcf, IsToldByItsFirstTag) {
  EXPECT_EQ(robot_format_of_text("<?xml version='1.0'?><!-- <robot> -->\n<mujoco/>").name, "mjcf");
  EXPECT_EQ(robot_format_of_text("<!-- <mujoco> --><robot name='r'/>").name, "urdf");
  EXPECT_EQ(robot_format_of_file("arm.xml", "<robot/>")->name, "urdf");
  EXPECT_EQ(robot_format_of_file("arm.xml", "<mujoco/>")->name, "mjcf");
  EXPECT_EQ(robot_format_of_file("arm.urdf", "<mujoco/>")->name, "urdf");
}

TEST(Mjcf, RefusalsHaveALine) {
  const std::string head = "robot.xml:1: error: ";
  EXPECT_EQ(refusal("<a/>"), "robot.xml: error: not an MJCF file: there is no <mujoco> in it");
  EXPECT_NE(refusal(arm("<joint class='c'/>")).find(head + "<joint>: there is no default class 'c'"),
            std::string::npos);
  EXPECT_NE(refusal(arm("<joint type='screw'/>")).find(head + "joints of type 'screw' are not known"),
            std::string::npos);
  EXPECT_NE(refusal(arm("<joint name='j'/><joint name='j'/>")).find(head + "joint 'j' is there already"),
            std::string::npos);
  EXPECT_NE(refusal(arm("<body><freejoint/></body>")).find(head + "a free joint is the only one"), std::string::npos);
  EXPECT_NE(refusal(arm("<geom quat='0 0 0 0'/>")).find(head + "a quaternion of <geom> is zero"), std::string::npos);
  EXPECT_NE(refusal(arm("<geom type='box' size='1 1'/>")).find(head + "a box has 2 numbers"), std::string::npos);
  EXPECT_NE(refusal(arm("<joint range='a b'/>")).find(head + "'range' of <joint>: 'a' is not"), std::string::npos);
  EXPECT_NE(refusal(arm("", "", "<compiler coordinate='global'/>")).find(head + "global coordinates"),
            std::string::npos);
  EXPECT_NE(refusal(arm("<replicate count='2'/>")).find(head + "<replicate> makes bodies"), std::string::npos);
  EXPECT_NE(refusal(arm("", "<actuator><motor joint='x'/></actuator>")).find(head + "<motor> drives joint 'x'"),
            std::string::npos);
  EXPECT_NE(refusal(arm("", "<equality><weld body1='x'/></equality>")).find(head + "<weld> is on body 'x'"),
            std::string::npos);
  EXPECT_NE(refusal("<mujoco><worldbody><body><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>")
                .find("takes its mass from a mesh, which is not read; give it an <inertial>"),
            std::string::npos);
}

TEST(Mjcf, IncludesFilesBesideIt) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ulna_mjcf_includes";
  std::filesystem::create_directories(folder / "parts");
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("parts/body.xml", R"(<mujocoinclude><body name="b"><joint name="j"/><geom size="1"/>
<include file="parts/inner.xml"/></body></mujocoinclude>)");
  write("parts/inner.xml", "<mujocoinclude><site name='s'/></mujocoinclude>");
  write("cycle.xml", "<mujocoinclude>\n<include file='cycle.xml'/></mujocoinclude>");
  const auto load = [&](const std::string& file) {
    return parse_mjcf("<mujoco><worldbody>\n<include file='" + file + "'/></worldbody></mujoco>",
                      (folder / "r.xml").string());
  };
  const Graph graph = load("parts/body.xml");
  EXPECT_EQ(graph.joints.at(0).name, "j");
  EXPECT_EQ(graph.frames.at(0).name, "s");
  EXPECT_EQ(graph.joints[0].source.file, (folder / "parts/body.xml").string());
  for (const auto& [file, words] :
       {std::pair{"cycle.xml", "cycle.xml:2: error: include 'cycle.xml': this file is there already"},
        {"r.xml", "r.xml:2: error: include 'r.xml': this file is there already"},
        {"../r.xml", "it is outside the folder of the robot"},
        {"/etc/passwd", "it is outside the folder of the robot"},
        {"none.xml", "there is no such file beside the robot"}}) {
    try {
      load(file);
      ADD_FAILURE() << file;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
  std::filesystem::remove_all(folder);
}

TEST(Mjcf, KeyframesArePostures) {
  const char* text = R"(<mujoco><worldbody>
<body name="a"><joint name="one" axis="0 0 1"/><geom size="0.1"/>
  <body name="b"><joint name="ball" type="ball"/><geom size="0.1"/>
    <body name="c"><joint name="slide" type="slide" ref="0.5"/><geom size="0.1"/>
      <body name="d"><joint name="follower"/><geom size="0.1"/></body></body></body></body>
</worldbody>
<equality><joint joint1="follower" joint2="one" polycoef="0.1 2 0 0 0"/></equality>
<keyframe>
<key name="home" qpos="0.3 0.5 0.1 0.7 0.5 0.6 0.7"/>
</keyframe></mujoco>)";
  const Graph graph = parse_mjcf(text, "r.xml");
  ASSERT_EQ(graph.postures.size(), 1u);
  EXPECT_EQ(graph.postures[0].name, "home");
  EXPECT_EQ(graph.postures[0].q.in_si(), (std::vector<double>{0.3, 0.1, 0.7, 0.5, 0.5, 0.6}));
  const Model model = build(graph);
  ASSERT_NE(model.find_posture("home"), nullptr);
  const std::string wrong = std::string(text).replace(std::string(text).find("0.3 0.5"), 7, "0.3");
  EXPECT_THROW(parse_mjcf(wrong, "r.xml"), InputError);
}

}  // namespace
}  // namespace ulna

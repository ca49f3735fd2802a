// URDF as people write it: what XML allows, what is honoured, what is named and left.
#include <gtest/gtest.h>

#include <numbers>

#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

const std::string inertial =
    R"(<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";

std::string arm(const std::string& in_joint, const std::string& in_robot = "") {
  return R"(<robot name="r"><link name="a"/><link name="b">)" + inertial +
         R"(</link><joint name="j" type="continuous"><parent link="a"/><child link="b"/>)" + in_joint + "</joint>" +
         in_robot + "</robot>";
}

Graph read(const std::string& text) { return parse_urdf(text, "robot.urdf"); }

TEST(Xml, CommentsInstructionsCdataAndEntities) {
  const Graph graph = read(
      "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- <link name='no'/> -->\n<?pi a > b?>"
      "<robot name='A&amp;B &lt;&#233;&#x1F916;&gt;'\n><![CDATA[ <link/> & ]]>"
      "<link name = 'a\nb'/><!-- -- --></robot >\n<!-- end -->\n");
  EXPECT_EQ(graph.name, "A&B <\u00e9\U0001F916>");
  ASSERT_EQ(graph.bodies.size(), 1u);
  EXPECT_EQ(graph.bodies[0].name, "a\nb");
  EXPECT_EQ(graph.bodies[0].source.line, 4);
}

TEST(Urdf, RightAnglesAreExact) {
  const Graph graph = read(arm(R"(<origin xyz="1 2 3" rpy="1.5707963267948966 0 -3.141592653589793"/>)"));
  const Mat3<double>& R = graph.joints.at(0).in_parent.R;
  const Mat3<double> want = rotation_z(Turn<double>{-1, 0}) * rotation_x(Turn<double>{0, 1});
  for (const auto element :
       {&Mat3<double>::xx, &Mat3<double>::xy, &Mat3<double>::xz, &Mat3<double>::yx, &Mat3<double>::yy,
        &Mat3<double>::yz, &Mat3<double>::zx, &Mat3<double>::zy, &Mat3<double>::zz})
    EXPECT_EQ(R.*element, want.*element);
}

TEST(Urdf, TheAxisIsXWhereNoneIsGiven) {
  EXPECT_EQ(read(arm("")).joints.at(0).axis.x, 1.0);
  EXPECT_EQ(read(arm(R"(<axis xyz="0 0 1"/>)")).joints.at(0).axis.z, 1.0);
}

TEST(Urdf, AMotorBehindAGearIsArmature) {
  const std::string plain = R"(<transmission name="t"><joint name="j"><hardwareInterface>x</hardwareInterface></joint>
    <actuator name="m"><mechanicalReduction>50</mechanicalReduction><motorInertia>2e-5</motorInertia></actuator></transmission>)";
  const std::string drake = R"(<transmission><joint name="j"/><actuator name="m">
    <drake:rotor_inertia value="2e-5"/><drake:gear_ratio value="50"/></actuator></transmission>)";
  for (const std::string& text : {plain, drake}) {
    const Graph graph = read(arm("", text));
    EXPECT_NEAR(graph.joints.at(0).passive.armature, 0.05, 1e-16);
    EXPECT_TRUE(graph.notices.empty()) << graph.notices.front();
  }
}

TEST(Urdf, WhatIsLeftOutIsNamedOnce) {
  const Graph graph =
      read(arm(R"(<safety_controller k_velocity="1"/><calibration rising="0"/><foo/><foo/><x:bar/>)",
               R"(<gazebo/><gazebo reference="b"/><foo/><transmission name="t"><joint name="j"/></transmission>)"));
  const std::vector<std::string> want{
      "gazebo tags are skipped (robot, b)", "tags that URDF does not know are skipped (<foo>, <x:bar>)",
      "safety controllers are left out, their soft limits too (j)", "calibrations are left out (j)",
      "transmissions are skipped where they have no motor inertia (t)"};
  EXPECT_EQ(graph.notices, want);
}

}  // namespace
}  // namespace ulna

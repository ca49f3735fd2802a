// URDF as people write it: what XML allows, what is honoured, what is named and left.
#include <gtest/gtest.h>

#include <numbers>

#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"

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

/// Two joints in line and two motors: the kinetic energy of the rotors is ½ Σ J (G v)².
TEST(Urdf, MotorsThatTwoJointsShare) {
  const auto with = [](const std::string& type, const std::string& reductions) {
    return read(R"(<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="c"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j1" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
      <joint name="j2" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
      <transmission name="t"><type>transmission_interface/)" +
                type + R"(</type>
      <actuator name="m2"><role>actuator2</role><mechanicalReduction>30</mechanicalReduction>)" +
                reductions + R"(</actuator>
      <actuator name="m1"><role>actuator1</role><mechanicalReduction>50</mechanicalReduction><motorInertia>1e-4</motorInertia></actuator>
      <joint name="j1"><role>joint1</role><mechanicalReduction>2</mechanicalReduction></joint>
      <joint name="j2"><role>joint2</role><mechanicalReduction>3</mechanicalReduction></joint></transmission></robot>)");
  };
  const auto rotors = [](const Graph& graph) {
    const Model model = build(graph);
    composite_body::Workspace<double> ws(model);
    std::vector<double> M(4);
    composite_body::mass_matrix(model, ws, std::vector{0.2, 0.3}, {M.data(), 2, 2});
    return std::vector<double>{M[0] - 2.0, M[1] - 1.0,
                               M[3] - 1.0};  // the links' own are 2, 1, 1 about their common axis
  };
  const auto want = [](double g11, double g12, double g21, double g22) {
    const double J1 = 1e-4, J2 = 2e-4;
    return std::vector<double>{J1 * g11 * g11 + J2 * g21 * g21, J1 * g11 * g12 + J2 * g21 * g22,
                               J1 * g12 * g12 + J2 * g22 * g22};
  };
  const std::string inertia = "<motorInertia>2e-4</motorInertia>";
  for (const auto& [type, expected] : {std::pair{"DifferentialTransmission", want(100, 150, 60, -90)},
                                       {"FourBarLinkageTransmission", want(100, 0, 30, 90)}}) {
    const Graph graph = with(type, inertia);
    EXPECT_TRUE(graph.notices.empty());
    const std::vector<double> got = rotors(graph);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(got[k], expected[k], 1e-13) << type;
  }
  EXPECT_EQ(with("Unheard", inertia).notices.at(0),
            "transmissions to several joints are skipped, but for two of ROS's kinds (t)");
  EXPECT_TRUE(with("Unheard", inertia).couplings.empty());
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

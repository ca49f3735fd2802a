// SDF: frames relative to each other, axes in any of them, models within models; and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {
namespace {

const std::string inertial =
    "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string model(const std::string& parts, const std::string& version = "1.9", const std::string& head = "") {
  return "<sdf version='" + version + "'><model name='m'" + head + ">" + parts + "</model></sdf>";
}
std::string link(const std::string& name, const std::string& pose = "") {
  return "<link name='" + name + "'>" + pose + inertial + "</link>";
}
std::string joint(const std::string& inside, const std::string& type = "revolute", const std::string& name = "j") {
  return "<joint name='" + name + "' type='" + type + "'><parent>a</parent><child>b</child>" + inside + "</joint>";
}
const std::string axis_z = "<axis><xyz>0 0 1</xyz></axis>";

Graph read(const std::string& text) { return parse_sdf(text, "robot.sdf"); }

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_pose(const Pose<double>& got, const Vec3<double>& p, const Vec3<double>& rpy) {
  EXPECT_LT(norm(got.p - p), 1e-15);
  EXPECT_LT(norm(log_rotation(transpose(rotation_of_rpy(rpy)) * got.R)), 1e-15);
}

TEST(Sdf, LinksStandInTheModelAndJointsInTheirChildren) {
  const Graph graph = read(model(link("a") + link("b", "<pose>1 2 3 0 0 1.5707963267948966</pose>") +
                                 joint("<pose>0.5 0 0 0 0 0</pose>" + axis_z)));
  expect_pose(graph.joints.at(0).in_child, {0.5, 0, 0}, {0, 0, 0});
  expect_pose(graph.joints[0].in_parent, {1, 2.5, 3}, {0, 0, std::numbers::pi / 2});
}

TEST(Sdf, PosesAreRelativeToAnyFrame) {
  const std::string frames = R"(<frame name="f" attached_to="a"><pose>0 0 1 0 0 0</pose></frame>
    <frame name="g"><pose relative_to="f" degrees="true">1 0 0 0 0 90</pose></frame>)";
  const Graph graph = read(model(frames + link("a", "<pose>0 1 0 0 0 0</pose>") +
                                 link("b", "<pose relative_to='g' rotation_format='quat_xyzw'>1 0 0 1 0 0 1</pose>") +
                                 joint("<pose relative_to='g'/>" + axis_z)));
  expect_pose(graph.joints.at(1).in_parent, {1, 0, 1}, {0, 0, std::numbers::pi / 2});  // behind the root's own place
  expect_pose(inverse(graph.joints[1].in_child), {1, 0, 0}, {std::numbers::pi / 2, 0, 0});
  const GraphFrame* g = find_frame(graph, "g");
  ASSERT_NE(g, nullptr);
  EXPECT_EQ(g->body, "a");
  expect_pose(g->pose, {1, 0, 1}, {0, 0, std::numbers::pi / 2});
}

TEST(Sdf, AxesAreOfTheJointTheModelOrAnyFrame) {
  const std::string turned = link("a") + link("b", "<pose>0 0 0 1.5707963267948966 0 0</pose>");
  const auto axis = [&](const std::string& words, const std::string& version) {
    return read(model(turned + joint("<axis>" + words + "</axis>"), version)).joints.at(0).axis;
  };
  EXPECT_EQ(axis("<xyz>0 0 1</xyz>", "1.9").z, 1.0);
  EXPECT_EQ(axis("<xyz>0 0 1</xyz>", "1.4").y, 1.0);  // the model's, as files before 1.5 have it
  EXPECT_EQ(axis("<xyz>0 0 1</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6").y, 1.0);
  EXPECT_EQ(axis("<xyz expressed_in='a'>0 0 1</xyz>", "1.8").y, 1.0);
}

TEST(Sdf, ModelsInModelsStandByAFrameOfTheirs) {
  const std::string hand = "<model name='hand' placement_frame='palm'><pose relative_to='a'>0 0 1 0 0 0</pose>" +
                           link("palm", "<pose>0 5 0 0 0 0</pose>") + link("finger") +
                           "<joint name='k' type='fixed'><parent>palm</parent><child>finger</child></joint></model>";
  const Graph graph =
      read(model(link("a") + hand + "<joint name='j' type='revolute'><parent>a</parent><child>hand::palm</child>" +
                 axis_z + "</joint>"));
  ASSERT_EQ(graph.joints.size(), 2u);
  const GraphJoint* j = find_joint(graph, "j");
  ASSERT_NE(j, nullptr);
  EXPECT_EQ(j->child, "hand::palm");
  expect_pose(j->in_parent, {0, 0, 1}, {0, 0, 0});
  const GraphJoint* k = find_joint(graph, "hand::k");
  ASSERT_NE(k, nullptr);
  expect_pose(k->in_parent, {0, -5, 0}, {0, 0, 0});
}

TEST(Sdf, JointTypesLimitsAndDynamics) {
  const Graph graph = read(model(link("a") + link("b") + joint(R"(<axis><xyz>0 0 1</xyz>
    <limit><lower>-1e16</lower><upper>inf</upper><effort>5</effort><velocity>-1</velocity></limit>
    <dynamics><damping>0.1</damping><friction>0.2</friction><spring_reference>0.3</spring_reference>
    <spring_stiffness>0.4</spring_stiffness></dynamics></axis>)")));
  const GraphJoint& j = graph.joints.at(0);
  EXPECT_TRUE(j.continuous);
  EXPECT_EQ(j.limits.effort, 5.0);
  EXPECT_TRUE(std::isinf(j.limits.velocity));
  EXPECT_EQ(j.passive.viscous, 0.1);
  EXPECT_EQ(j.passive.coulomb, 0.2);
  EXPECT_EQ(j.passive.rest, 0.3);
  EXPECT_EQ(j.passive.stiffness, 0.4);
  const auto only = [](const std::string& inside, const std::string& type) {
    return read(model(link("a") + link("b") + joint(inside, type))).joints.at(0);
  };
  EXPECT_NEAR(only(axis_z + "<screw_thread_pitch>0.5</screw_thread_pitch>", "screw").pitch,
              0.5 / (2 * std::numbers::pi), 1e-16);
  EXPECT_EQ(only(axis_z + "<thread_pitch>-4</thread_pitch>", "screw").pitch, 0.25);
  EXPECT_EQ(only("", "ball").kind, JointKind::spherical);
  EXPECT_EQ(only("", "fixed").kind, JointKind::fixed);
  const std::string two = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>";
  const GraphJoint universal = only(two, "universal");
  EXPECT_EQ(universal.kind, JointKind::universal);
  EXPECT_EQ(universal.in_parent.R.zx, 1.0);  // x is the first axis
  const Graph split = read(model(link("a") + link("b") +
                                 joint("<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 1</xyz></axis2>", "revolute2")));
  ASSERT_EQ(split.joints.size(), 2u);
  EXPECT_EQ(split.joints[0].child, split.joints[1].parent);
}

TEST(Sdf, AFollowerMovesWithItsLeader) {
  const std::string mimic = R"(<axis><xyz>0 0 1</xyz><mimic joint="j" axis="axis"><multiplier>2</multiplier>
    <offset>0.5</offset><reference>0.1</reference></mimic></axis>)";
  const Graph graph =
      read(model(link("a") + link("b") + link("c") + joint(axis_z) +
                 "<joint name='k' type='revolute'><parent>b</parent><child>c</child>" + mimic + "</joint>"));
  const GraphJoint* k = find_joint(graph, "k");
  ASSERT_TRUE(k->mimic);
  EXPECT_EQ(k->mimic->joint, "j");
  EXPECT_NEAR(k->mimic->offset, 0.3, 1e-16);
  EXPECT_EQ(build(graph).nv(), 1);
}

TEST(Sdf, TheWorldIsThereIfItIsNeeded) {
  const std::string arm = link("a") + link("b") + joint(axis_z);
  EXPECT_EQ(find_body(read(model(arm)), "world"), nullptr);
  const std::string weld = "<joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>";
  EXPECT_EQ(read(model(arm + weld)).bodies.at(0).name, "world");
  const Graph placed = read(model("<pose>0 0 1 0 0 0</pose>" + arm));
  EXPECT_EQ(placed.joints.at(0).parent, "world");
  expect_pose(placed.joints[0].in_parent, {0, 0, 1}, {0, 0, 0});
  const Graph in_world = read(
      "<sdf version='1.6'><world name='w'><gravity>0 0 -1</gravity><model "
      "name='floor'><static>true</static></model><model name='m'>" +
      arm + "</model></world></sdf>");
  EXPECT_EQ(in_world.gravity.z, -1.0);
  EXPECT_EQ(in_world.notices.at(0), "static models are left out (floor)");
}

TEST(Sdf, InertiasThatTheFormatMakesUpAreTold) {
  const std::string light = "<link name='b'><inertial><mass>2</mass></inertial></link>";
  const Graph graph = read(model(link("a") + light + joint(axis_z)));
  EXPECT_EQ(find_body(graph, "b")->mass.inertia.xx, 1.0);
  ASSERT_EQ(graph.notices.size(), 1u);
  EXPECT_EQ(graph.notices[0], "an <inertial> without <inertia> has 1 kg m² about every axis, as SDF says (b)");
}

TEST(Sdf, TheOldestVersionThatHasItAllIsWritten) {
  Graph graph = read(model(link("a") + link("b") + link("c") + joint(axis_z) +
                           "<joint name='k' type='revolute'><parent>b</parent><child>c</child>" + axis_z + "</joint>"));
  const auto version = [&] {
    std::vector<std::string> notices;
    const std::string text = to_sdf(graph, notices, {});
    const std::size_t at = text.find("<sdf version=\"") + 14;
    return text.substr(at, text.find('"', at) - at);
  };
  EXPECT_EQ(version(), "1.9");
  graph.joints.at(0).kind = JointKind::screw;
  graph.joints[0].pitch = 0.1;
  EXPECT_EQ(version(), "1.10");
  graph.joints.at(1).mimic = {"j", 2.0, 0.0};
  EXPECT_EQ(version(), "1.11");
}

TEST(Sdf, RefusalsHaveALine) {
  const std::string head = "robot.sdf:1: error: ", ab = link("a") + link("b");
  const auto expect = [&](const std::string& text, const std::string& words) {
    EXPECT_NE(refusal(text).find(words), std::string::npos) << refusal(text);
  };
  expect("<robot/>", "robot.sdf: error: not an SDF file");
  expect("<sdf version='2'/>", head + "'version' of <sdf> is '2'");
  expect("<sdf version='1.9'/>", head + "there is no <model>");
  expect(model(""), head + "model 'm' has no link");
  expect(model(link("a") + link("a")), head + "there is another 'a' on line 1");
  expect(model(link("world")), head + "there is another 'world', the world's name");
  expect(model(ab + joint(axis_z, "hinge")), head + "joint type 'hinge' is not known");
  expect(model(ab + joint("", "revolute")), head + "joint 'j' has no <axis>");
  expect(model(link("a") + joint(axis_z)), head + "<joint>: there is no link, joint, frame or model 'b'");
  expect(model(ab + "<frame name='f'><pose relative_to='g'/></frame><frame name='g'><pose relative_to='f'/></frame>"),
         "form a ring");
  expect(model(ab + "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>"), "form a ring");
  expect(model(ab + joint("<pose>1 2 3</pose>" + axis_z)), head + "<pose>: 3 numbers; give 6");
  expect(model(ab + "<include><uri>model://x</uri></include>"), head + "<include> of 'model://x' is not read");
  expect("<sdf version='1.9'><model name='m'>" + ab + "</model><model name='n'>" + ab + "</model></sdf>",
         head + "there are 2 models");
}

}  // namespace
}  // namespace ulna

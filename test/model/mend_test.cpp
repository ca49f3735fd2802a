// The usual faults of robot files: found, corrected to what the file was before, and no alarm without one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "support/test_robots.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/mend.hpp"

namespace ulna {
namespace {

/// The arms of the catalogue, which are as published.
std::vector<std::string> published() {
  std::vector<std::string> names;
  for (const BundledRobot& robot : bundled_robots())
    if (robot.is_in_use) names.push_back(robot.name);
  return names;
}

bool warns_of(const Graph& graph, std::string_view words) {
  for (const Finding& finding : check(graph))
    if ((finding.reason + finding.remedy).find(words) != std::string::npos) return true;
  return false;
}

void expect_same(const Graph& mended, const Graph& right) {
  // A factor and its inverse: two roundings of each number.
  constexpr double rounding = 4e-16;
  for (std::size_t b = 0; b < right.bodies.size(); ++b) {
    const MassData &m = mended.bodies[b].mass, &w = right.bodies[b].mass;
    EXPECT_NEAR(m.mass, w.mass, rounding * w.mass);
    EXPECT_LE(norm(m.com - w.com), rounding * norm(w.com));
    for (const auto moment : {&Sym3<double>::xx, &Sym3<double>::yy, &Sym3<double>::zz, &Sym3<double>::xy})
      EXPECT_NEAR(m.inertia.*moment, w.inertia.*moment, rounding * std::fabs(w.inertia.*moment));
  }
  for (std::size_t j = 0; j < right.joints.size(); ++j) {
    const GraphJoint &joint = mended.joints[j], &want = right.joints[j];
    EXPECT_LE(norm(joint.in_parent.p - want.in_parent.p), rounding * norm(want.in_parent.p));
    EXPECT_TRUE(joint.limits.lower == want.limits.lower ||
                std::fabs(joint.limits.lower - want.limits.lower) < rounding * std::fabs(want.limits.lower));
  }
}

void scale(Sym3<double>& inertia, double factor) {
  for (const auto moment : {&Sym3<double>::xx, &Sym3<double>::yy, &Sym3<double>::zz, &Sym3<double>::xy,
                            &Sym3<double>::xz, &Sym3<double>::yz})
    inertia.*moment *= factor;
}

TEST(Mend, NothingIsDoneToRobotsThatAreRight) {
  for (const BundledRobot& robot : bundled_robots()) {
    if (robot.name.find(':') != std::string::npos) continue;
    Graph graph = load_graph(robot.name);
    if (warns_of(graph, "radius of gyration")) continue;  // a paper's
    EXPECT_EQ(mend(graph), std::vector<std::string>()) << robot.name;
  }
  for (const char* name : {"chain:12", "chain:100000", "general:12"}) {
    Graph graph = load_graph(name);
    EXPECT_TRUE(mend(graph).empty()) << name;
  }
}

TEST(Mend, NoAlarmOnTheCatalogue) {
  for (const std::string& name : published()) {
    const Graph graph = load_graph(name);
    for (const char* words : {"grams", "millimetres", "origins", "left-handed", "degrees", "radius of gyration"})
      EXPECT_FALSE(warns_of(graph, words)) << name << ": " << words;
  }
}

/// As a file whose author left SI: each number times how many of his units are in one of SI.
struct Fault {
  double lengths, masses, inertias;
  std::string_view told;
};

Graph with(const Fault& fault, Graph graph) {
  for (GraphBody& body : graph.bodies) {
    body.mass.com = fault.lengths * body.mass.com;
    body.mass.mass *= fault.masses;
    scale(body.mass.inertia, fault.inertias);
    for (Shape& shape : body.shapes) {
      shape.pose.p = fault.lengths * shape.pose.p;
      for (double& size : shape.size) size *= fault.lengths;
    }
  }
  for (GraphJoint& joint : graph.joints) {
    joint.in_parent.p = fault.lengths * joint.in_parent.p;
    joint.in_child.p = fault.lengths * joint.in_child.p;
    if (joint.kind != JointKind::prismatic) continue;
    joint.limits.lower *= fault.lengths;
    joint.limits.upper *= fault.lengths;
  }
  for (GraphFrame& frame : graph.frames) frame.pose.p = fault.lengths * frame.pose.p;
  return graph;
}

TEST(Mend, OneUnitThroughout) {
  const Fault faults[] = {{1e3, 1, 1, "millimetres"}, {1e2, 1, 1, "centimetres"}, {1, 1e3, 1, "grams"},
                          {1, 1, 1e4, "kg cm²"},      {1, 1, 1e6, "kg mm²"},      {1, 1, 1e7, "g cm²"},
                          {1, 1, 1e9, "g mm²"}};
  for (const std::string& name : published()) {
    const Graph right = load_graph(name);
    for (const Fault& fault : faults) {
      SCOPED_TRACE(name + " " + std::string(fault.told));
      Graph graph = with(fault, right);
      EXPECT_TRUE(warns_of(graph, fault.told));
      EXPECT_EQ(mend(graph).size(), 1u);
      expect_same(graph, right);
    }
  }
}

/// Where other units make an arm of the numbers too, who wrote them must say; never is a wrong robot taken for right.
TEST(Mend, SeveralUnitsAtOnceAreMendedOrAskedFor) {
  const Fault faults[] = {{1, 1, 1e3, "g m²"},      {1, 1e3, 1e3, "g m²"},     {1e3, 1, 1e6, "kg mm²"},
                          {1e3, 1e3, 1e9, "g mm²"}, {1e2, 1, 1e4, "kg cm²"},   {1e2, 1e3, 1e7, "g cm²"},
                          {1e3, 1e3, 1, "grams"},   {1, 1e3, 1e6, "kg mm²"},   {1, 1e3, 1e7, "g cm²"},
                          {1, 1e3, 1e9, "g mm²"},   {1e3, 1e3, 1e6, "kg mm²"}, {1e2, 1, 1, "centimetres"}};
  int mended = 0, asked = 0;
  for (const std::string& name : published()) {
    const Graph right = load_graph(name);
    for (const Fault& fault : faults) {
      SCOPED_TRACE(fmt::format("{} × {}, {}, {}", name, fault.lengths, fault.masses, fault.inertias));
      Graph graph = with(fault, right);
      const bool asks = warns_of(graph, "several units fit");
      EXPECT_TRUE(warns_of(graph, fault.told));
      EXPECT_EQ(mend(graph).empty(), asks);
      if (!asks) expect_same(graph, right);
      ++(asks ? asked : mended);
    }
  }
  EXPECT_GT(mended, 10 * asked);
}

/// Of panda_like's bulky links kg mm² and g cm² make arms.
TEST(Mend, TwoUnitsThatFitAreBothNamed) {
  const Graph given = with({1, 1, 1e6, ""}, load_graph("panda_like"));
  Graph graph = given;
  EXPECT_TRUE(warns_of(graph, "several units fit"));
  EXPECT_TRUE(warns_of(graph, "kg mm²"));
  EXPECT_TRUE(warns_of(graph, "g cm²"));
  EXPECT_TRUE(mend(graph).empty());
  expect_same(graph, given);
}

TEST(Mend, LimitsInDegrees) {
  for (const std::string& name : published()) {
    SCOPED_TRACE(name);
    const Graph right = load_graph(name);
    Graph graph = right;
    std::size_t wide = 0;
    for (GraphJoint& joint : graph.joints) {
      if (joint.kind != JointKind::revolute) continue;
      joint.limits.lower *= 180.0 / std::numbers::pi;
      joint.limits.upper *= 180.0 / std::numbers::pi;
      if (std::isfinite(joint.limits.upper)) ++wide;
    }
    EXPECT_EQ(warns_of(graph, "degrees"), wide > 0);
    EXPECT_EQ(mend(graph).size(), wide);
    expect_same(graph, right);
  }
}

TEST(Mend, InertiasAboutTheOriginsOfTheLinks) {
  for (const std::string& name : published()) {
    SCOPED_TRACE(name);
    const Graph right = load_graph(name);
    Graph graph = right;
    for (GraphBody& body : graph.bodies)
      body.mass.inertia =
          RigidInertia<double>::from_centre(body.mass.mass, body.mass.com, body.mass.inertia).about_origin;
    EXPECT_TRUE(warns_of(graph, "links' origins"));
    EXPECT_EQ(mend(graph).size(), 1u);
    for (std::size_t b = 0; b < right.bodies.size(); ++b) {
      const MassData &m = graph.bodies[b].mass, &w = right.bodies[b].mass;
      const double rounding = 4e-16 * (w.inertia.zz + w.mass * dot(w.com, w.com));
      EXPECT_NEAR(m.inertia.zz, w.inertia.zz, rounding);
      EXPECT_NEAR(m.inertia.xy, w.inertia.xy, rounding);
    }
  }
}

/// As templates of URDF have them: 1 kg and 0.1 kg m² in every link, which other rules find nothing wrong with.
TEST(Check, PlaceholdersAreTold) {
  for (const std::string& name : published()) {
    SCOPED_TRACE(name);
    Graph graph = load_graph(name);
    EXPECT_FALSE(warns_of(graph, "placeholders"));
    for (GraphBody& body : graph.bodies)
      if (body.mass.mass > 0.0) body.mass = {1.0, {0, 0, 0}, Sym3<double>::diagonal(0.1)};
    EXPECT_TRUE(warns_of(graph, "placeholders"));
    for (GraphBody& body : graph.bodies)
      if (body.mass.mass > 0.0) body.mass = {1.0, {0.1, 0, 0.01}, Sym3<double>::diagonal(1.0)};
    EXPECT_TRUE(warns_of(graph, "placeholders"));
    EXPECT_TRUE(mend(graph).empty()) << "not a matter of units";
    graph = load_graph(name);
    for (GraphBody& body : graph.bodies)
      if (body.mass.mass > 0.0) body.mass.inertia = {0.01, 0.01, 0.008, 0, 0, 0};
    EXPECT_TRUE(warns_of(graph, "though their masses differ"));
  }
}

TEST(Check, ATensorTenTimesTooLargeIsTold) {
  Graph graph = load_graph("ur5e");
  EXPECT_FALSE(warns_of(graph, "decimal point"));
  for (GraphBody& body : graph.bodies)
    if (body.name == "forearm_link") scale(body.mass.inertia, 20.0);
  EXPECT_TRUE(warns_of(graph, "decimal point"));
}

TEST(Mend, LeftHandedAxes) {
  const Graph right = load_graph("panda_like");
  Graph graph = right;
  Mat3<double>& R = graph.joints.at(2).in_parent.R;
  R = Mat3<double>::from_columns(R.column_x(), R.column_y(), -1.0 * R.column_z());
  EXPECT_TRUE(warns_of(graph, "left-handed"));
  EXPECT_THROW(build(graph), InputError);
  EXPECT_EQ(mend(graph).size(), 1u);
  EXPECT_LT(norm(R.column_z() - right.joints.at(2).in_parent.R.column_z()), 1e-15);
  EXPECT_NO_THROW(build(graph));
}

Graph one_link(const MassData& mass, const Vec3<double>& tip) {
  Graph graph;
  graph.bodies = {{.name = "rod", .mass = mass}};
  graph.joints = {{.name = "j", .parent = "base", .child = "rod"}};
  graph.joints[0].in_parent.p = {0, 0, 0.1};
  graph.frames = {{.name = "tip", .body = "rod", .pose = {Mat3<double>::identity(), tip}}};
  return graph;
}

TEST(Mend, OrdinaryRobotsOfFewLinksStay) {
  // A rod without a shape on a low stand; a box on a joint a quarter from its end; a satellite with a wheel; an arm on
  // a table of granite; a cart whose slide has no end in practice.
  std::vector<Graph> robots{one_link({2.0, {0.5, 0, 0}, {1e-3, 0.167, 0.167, 0, 0, 0}}, {0, 0, 0}),
                            one_link({3.0, {0.1, 0, 0}, {0.005, 0.0425, 0.0425, 0, 0, 0}}, {0.3, 0, 0})};
  Graph satellite = one_link({5.0, {0, 0, 0}, {0.02, 0.02, 0.04, 0, 0, 0}}, {0, 0, 0});
  satellite.free_base = true;
  satellite.bodies.push_back({.name = "base", .mass = {500.0, {0, 0, 0}, {80, 80, 100, 0, 0, 0}}});
  robots.push_back(satellite);
  Graph granite = load_graph("ur5e");
  find_body(granite, granite.joints[0].parent)->mass = {3000.0, {0, 0, -0.5}, {800, 800, 900, 0, 0, 0}};
  robots.push_back(granite);
  Graph cart = one_link({10.0, {0, 0, 0}, {0.4, 0.4, 0.6, 0, 0, 0}}, {0.3, 0, 0});
  cart.joints[0].kind = JointKind::prismatic;
  cart.joints[0].limits = {-1000.0, 1000.0, 1.0, 100.0};
  robots.push_back(cart);
  for (std::size_t k = 0; k < robots.size(); ++k) EXPECT_EQ(mend(robots[k]), std::vector<std::string>()) << k;
}

TEST(Mend, DegreesAreOfTheWholeFile) {
  Graph graph = load_graph("ur5e");
  graph.joints[1].limits = {-170, 170, 30, 100};
  graph.joints[2].limits = {-40, 40, 30, 100};
  graph.joints[3].limits = {-1e16, 1e16, 3, 100};
  EXPECT_EQ(mend(graph).size(), 2u);
  EXPECT_NEAR(graph.joints[1].limits.upper, 170 * std::numbers::pi / 180, 1e-15);
  EXPECT_NEAR(graph.joints[2].limits.lower, -40 * std::numbers::pi / 180, 1e-15);
  EXPECT_NEAR(graph.joints[2].limits.velocity, 30 * std::numbers::pi / 180, 1e-15);
  EXPECT_EQ(graph.joints[3].limits.upper, 1e16);  // none, as some write it
  graph.joints[1].kind = JointKind::screw;
  graph.joints[1].limits = {0, 300, 30, 100};
  EXPECT_TRUE(mend(graph).empty());  // a lead screw turns often
}

TEST(Mend, TheGroundNeedNotBeNamed) {
  Graph graph = one_link({10.0, {0.5, 0, 0}, {1e4, 83e4, 83e4, 0, 0, 0}}, {1, 0, 0});
  EXPECT_EQ(mend(graph).size(), 1u);
  EXPECT_NEAR(graph.bodies.at(0).mass.inertia.yy, 0.83, 1e-15);
  EXPECT_EQ(graph.bodies.size(), 1u);
}

}  // namespace
}  // namespace ulna

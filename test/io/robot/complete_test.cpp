// Mass data guessed from shapes, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "ulna/io/robot/complete.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/model/build.hpp"

namespace ulna {
namespace {

Graph arm() {
  return parse_toml(R"(
[[body]]
name = "rod"
[[body.shape]]
kind = "cylinder"
size = [0.05, 0.4]
pose = { xyz = [0, 0, 0.2] }
[[body]]
name = "hand"
mass = 2
com = [0, 0, 0]
inertia = [0.01, 0.01, 0.01]
[[body]]
name = "block"
[[body.shape]]
kind = "box"
size = [0.1, 0.2, 0.3]
pose = { xyz = [1, 0, 0] }
[[body.shape]]
kind = "box"
size = [0.1, 0.2, 0.3]
pose = { xyz = [-1, 0, 0] }
[[body]]
name = "empty"
[[joint]]
name = "j1"
kind = "continuous"
parent = "base"
child = "rod"
[[joint]]
name = "j2"
kind = "continuous"
parent = "rod"
child = "hand"
[[joint]]
name = "j3"
kind = "continuous"
parent = "hand"
child = "block"
[[joint]]
name = "j4"
kind = "fixed"
parent = "block"
child = "empty"
)",
                    "arm.toml");
}

TEST(Complete, OneDensityForAllThatHaveNoMass) {
  Graph graph = arm();
  const Completion done = complete_masses(graph, 10.0);
  const double rod = std::numbers::pi * 0.05 * 0.05 * 0.4, block = 2 * 0.1 * 0.2 * 0.3;
  EXPECT_NEAR(done.density, 8.0 / (rod + block), 1e-12 * done.density);
  EXPECT_EQ(done.completed, (std::vector<std::string>{"rod", "block"}));
  EXPECT_EQ(done.shapeless, (std::vector<std::string>{"empty"}));
  const MassData& r = find_body(graph, "rod")->mass;
  EXPECT_NEAR(r.mass, done.density * rod, 1e-14);
  EXPECT_NEAR(r.com.z, 0.2, 1e-15);
  EXPECT_NEAR(r.inertia.xx, r.mass * (3 * 0.05 * 0.05 + 0.4 * 0.4) / 12, 1e-15);
  EXPECT_NEAR(r.inertia.zz, r.mass * 0.05 * 0.05 / 2, 1e-15);
  const MassData& b = find_body(graph, "block")->mass;
  EXPECT_NEAR(norm(b.com), 0.0, 1e-15);
  EXPECT_NEAR(b.inertia.xx, b.mass * (0.2 * 0.2 + 0.3 * 0.3) / 12, 1e-14);
  EXPECT_NEAR(b.inertia.yy, b.mass * ((0.1 * 0.1 + 0.3 * 0.3) / 12 + 1.0), 1e-13);
  EXPECT_EQ(find_body(graph, "hand")->mass.mass, 2.0);
  EXPECT_EQ(guessed_links(graph), done.completed);
}

TEST(Complete, TheMarkIsKeptAndTold) {
  Graph graph = arm();
  EXPECT_THROW(build(graph), InputError);  // nothing to accelerate
  complete_masses(graph, 10.0);
  EXPECT_NO_THROW(build(graph));
  EXPECT_EQ(guessed_links(parse_toml(to_toml(graph), "again.toml")), guessed_links(graph));
  int told = 0;
  for (const Finding& finding : check(graph)) told += finding.reason.find("guessed") != std::string::npos ? 1 : 0;
  EXPECT_EQ(told, 2);
  std::vector<std::string> notices;
  to_urdf(graph, notices);
  EXPECT_NE(notices.at(0).find("guessed"), std::string::npos);
}

TEST(Complete, WhatCannotBe) {
  Graph graph = arm();
  EXPECT_THROW(complete_masses(graph, 2.0), InputError);
  EXPECT_THROW(complete_masses(graph, 0.0), InputError);
  EXPECT_THROW(complete_masses(graph, std::nan("")), InputError);
  complete_masses(graph, 10.0);
  EXPECT_THROW(complete_masses(graph, 11.0), InputError);
}

TEST(Complete, MeshesOfARealArm) {
  const std::string file = ULNA_SHARED "/robots/ur_e_description/urdf/ur10e.urdf";
  if (!std::ifstream(file)) GTEST_SKIP() << file << " is not there";
  const Graph right = load_graph(file);
  Graph graph = right;
  double mass = 0.0;
  for (GraphBody& body : graph.bodies) {
    mass += body.mass.mass;
    body.mass = {};
  }
  complete_masses(graph, mass);
  // Guesses: of the masses each within a factor of four of what the maker says, of the mass centres within 0.2 m.
  for (std::size_t b = 0; b < right.bodies.size(); ++b) {
    const MassData &guess = graph.bodies[b].mass, &truth = right.bodies[b].mass;
    if (!(truth.mass > 0.0)) continue;
    EXPECT_GT(guess.mass, truth.mass / 4) << right.bodies[b].name;
    EXPECT_LT(guess.mass, truth.mass * 4) << right.bodies[b].name;
    EXPECT_LT(norm(guess.com - truth.com), 0.2) << right.bodies[b].name;
  }
  EXPECT_NO_THROW(build(graph));
}

}  // namespace
}  // namespace ulna

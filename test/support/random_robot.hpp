// Random robots with every joint kind, branches, merged links, friction, springs and armature.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "ulna/model/build.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna::test {

struct RobotRecipe {
  int bodies = 8;
  bool branched = false;
  bool free_base = false;
  bool only_one_degree = false;
  bool passive = false;
};

inline Vec3<double> random_vector(std::mt19937_64& generator, double scale) {
  std::uniform_real_distribution<double> u(-scale, scale);
  const double x = u(generator), y = u(generator), z = u(generator);
  return {x, y, z};
}

inline Pose<double> random_pose(std::mt19937_64& generator) {
  const Vec3<double> w = random_vector(generator, 1.5);
  return {exp_rotation(w), random_vector(generator, 0.5)};
}

/// Mass data of a few point masses: always physical.
inline MassData random_mass(std::mt19937_64& generator) {
  std::uniform_real_distribution<double> u(0.2, 2.0);
  RigidInertia<double> sum = RigidInertia<double>::zero();
  for (int k = 0; k < 5; ++k)
    sum += RigidInertia<double>::from_centre(u(generator), random_vector(generator, 0.4), Sym3<double>::zero());
  const Vec3<double> c = (1.0 / sum.mass) * sum.h;
  return {sum.mass, c, sum.about_origin - RigidInertia<double>::m_skew_squared(sum.mass, c)};
}

inline Graph random_robot(const RobotRecipe& recipe, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  Graph graph;
  graph.name = "random" + std::to_string(seed);
  graph.free_base = recipe.free_base;
  graph.gravity = random_vector(generator, 10.0);
  graph.bodies.push_back({"root", random_mass(generator), {}, {}});
  std::vector<JointKind> kinds(joint_kinds.begin(), joint_kinds.end());
  if (recipe.only_one_degree) std::erase_if(kinds, [](JointKind kind) { return !has_one_degree(kind); });
  for (int i = 1; i <= recipe.bodies; ++i) {
    GraphJoint joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = kinds[generator() % kinds.size()];
    const std::uint64_t back = recipe.branched ? generator() % graph.bodies.size() : graph.bodies.size() - 1;
    joint.parent = graph.bodies[back].name;
    joint.child = "body" + std::to_string(i);
    joint.in_parent = random_pose(generator);
    joint.in_child = random_pose(generator);
    joint.axis = random_vector(generator, 1.0);
    joint.pitch = has_pitch(joint.kind) ? 0.1 : 0.0;
    const bool one_degree = degrees_of(joint.kind) == 1;
    if (one_degree) joint.offset = 0.3;
    if (recipe.passive && one_degree) joint.passive = {0.4, 0.3, 2.0, 0.1, 0.2};
    if (recipe.passive && degrees_of(joint.kind) > 1 && !slides(joint.kind)) joint.passive = {0.4, 0.0, 0.0, 0.0, 0.2};
    graph.bodies.push_back({joint.child, random_mass(generator), {}, {}});
    graph.joints.push_back(joint);
  }
  return graph;
}

/// Lets joints of one degree follow others of them, before and after them in the tree, followers among these.
inline void let_follow(Graph& graph, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> u(-1.5, 1.5);
  std::vector<GraphJoint*> joints;
  for (GraphJoint& joint : graph.joints)
    if (has_one_degree(joint.kind)) joints.push_back(&joint);
  std::shuffle(joints.begin(), joints.end(), generator);
  for (std::size_t i = 1; i < joints.size(); ++i)  // in the shuffled order a joint follows one before it
    if (i == 1 || generator() % 2 == 0) joints[i]->mimic = {joints[generator() % i]->name, u(generator), u(generator)};
}

/// A spread of them for tests that hold for any robot. At least one joint always moves.
inline std::vector<Graph> random_robots() {
  std::vector<Graph> robots;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    robots.push_back(random_robot({.bodies = 6, .only_one_degree = true}, seed));
    robots.push_back(random_robot({.bodies = 9, .branched = true, .passive = true}, 100 + seed));
    robots.push_back(random_robot({.bodies = 7, .branched = true, .free_base = true}, 200 + seed));
  }
  return robots;
}

}  // namespace ulna::test

// A robot through any two formats is the same robot: M and torques at the same state, to 1e-12 of their size. A pose
// passes a dozen roundings in each format, and errors of poses add along the arm: for ten bodies that is 1e-13.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/bundled.hpp"
#include "support/random_robot.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr double allowed = 1e-12;

/// Where each number of q or v is, by the name of its joint and its own.
using Index = std::map<std::string, int>;
Index index_of(const Model& model, bool of_positions) {
  Index index;
  for (const JointInfo& joint : model.joints()) {
    const auto& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    const auto numbers = of_positions ? position_numbers(body.kind) : rate_numbers(body.kind);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      index[joint.name + numbers[k].suffix] = (of_positions ? body.q_index : body.v_index) + static_cast<int>(k);
  }
  return index;
}

std::vector<double> moved(const std::vector<double>& from, const Index& there, const Index& here) {
  std::vector<double> to(from.size());
  for (const auto& [name, at] : here) to[static_cast<std::size_t>(at)] = from[static_cast<std::size_t>(there.at(name))];
  return to;
}

std::vector<double> torques(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                            const std::vector<double>& a) {
  std::vector<double> tau(v.size());
  make_method<double>("newton_euler", Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, tau);
  return tau;
}

std::vector<double> mass_matrix(const Model& model, const std::vector<double>& q) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> M(n * n);
  make_method<double>("composite_body", Quantity::mass_matrix, model)
      ->mass_matrix(q, {M.data(), model.nv(), model.nv()});
  return M;
}

double largest(const std::vector<double>& x) {
  double most = 0.0;
  for (const double value : x) most = std::max(most, std::fabs(value));
  return most;
}

void expect_same(const Graph& want, const Graph& got) {
  const Model one = build(want), other = build(got);
  const Index q_one = index_of(one, true), q_other = index_of(other, true);
  const Index v_one = index_of(one, false), v_other = index_of(other, false);
  ASSERT_EQ(one.nq(), other.nq());
  for (const auto& [name, at] : q_one) ASSERT_EQ(q_other.count(name), 1u) << name;
  std::mt19937_64 generator(20260024);
  for (int state = 0; state < 3; ++state) {
    const auto q = random_position(one, generator);
    const auto v = random_velocity(one, generator), a = random_velocity(one, generator);
    const auto q2 = moved(q, q_one, q_other), v2 = moved(v, v_one, v_other), a2 = moved(a, v_one, v_other);
    const auto M = mass_matrix(one, q), M2 = mass_matrix(other, q2);
    const auto n = static_cast<std::size_t>(one.nv());
    for (const auto& [row, i] : v_one)
      for (const auto& [column, j] : v_one)
        EXPECT_NEAR(M[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)],
                    M2[static_cast<std::size_t>(v_other.at(row)) * n + static_cast<std::size_t>(v_other.at(column))],
                    allowed * largest(M));
    const auto tau = torques(one, q, v, a), tau2 = moved(torques(other, q2, v2, a2), v_other, v_one);
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_NEAR(tau[k], tau2[k], allowed * (largest(tau) + static_cast<double>(n) * largest(M) * largest(a)));
  }
}

/// What a format can say of joints.
struct Ability {
  std::string_view form;
  std::vector<JointKind> kinds;
  bool springs, armature, head;  // head: gravity, a free base
};

std::vector<Ability> abilities() {
  using enum JointKind;
  return {
      {"explicit", {revolute, prismatic, screw, spherical, cylindrical, universal, planar, fixed}, true, true, true},
      {"urdf", {revolute, prismatic, planar, fixed}, false, false, false},
      {"mjcf", {revolute, prismatic, spherical, cylindrical, universal, planar, fixed}, true, true, true},
      {"sdf", {revolute, prismatic, screw, spherical, universal, fixed}, true, false, false}};
}

Graph adapted(Graph graph, const Ability& ability) {
  for (GraphJoint& joint : graph.joints) {
    if (joint.name == "free_base") continue;
    if (std::find(ability.kinds.begin(), ability.kinds.end(), joint.kind) == ability.kinds.end()) {
      joint.kind = JointKind::revolute;
      joint.pitch = 0.0;
    }
    if (!ability.springs) joint.passive.stiffness = joint.passive.rest = 0.0;
    if (!ability.armature) joint.passive.armature = 0.0;
    if (!has_axis(joint.kind) && !ability.armature) joint.passive.viscous = 0.0;
  }
  return graph;
}

bool is_on_free_joint(const Graph& graph) {
  return std::any_of(graph.joints.begin(), graph.joints.end(),
                     [](const GraphJoint& joint) { return joint.kind == JointKind::free; });
}

Graph through(const Graph& graph, const Ability& ability) {
  for (const RobotFormat& format : robot_formats()) {
    for (const RobotForm& form : format.forms) {
      if (form.name != ability.form) continue;
      std::vector<std::string> notices;
      Graph read = format.parse(form.write(graph, {}, notices), "written" + std::string(format.endings.front()));
      read.allow_nonphysical = true;
      read.nonphysical_reason = "as the robot was";
      if (!ability.head) {
        read.gravity = graph.gravity;
        read.friction_speed = graph.friction_speed;
        read.free_base = read.free_base || graph.free_base || (is_on_free_joint(graph) && !is_on_free_joint(read));
      }
      return read;
    }
  }
  ADD_FAILURE() << ability.form;
  return graph;
}

void expect_round_trips(const Graph& graph) {
  for (const Ability& first : abilities())
    for (const Ability& second : abilities()) {
      SCOPED_TRACE(graph.name + " through " + std::string(first.form) + " and " + std::string(second.form));
      const Graph able = adapted(adapted(graph, first), second);
      const Graph once = through(able, first);
      expect_same(able, once);
      expect_same(able, through(once, second));
    }
}

TEST(RoundTrips, BundledRobots) {
  std::vector<std::string> names = test::bundled_trees();
  for (const std::string& name : test::catalogue()) names.push_back(name);
  for (const std::string& name : names) {
    Graph graph = load_graph(name);
    for (GraphJoint& joint : graph.joints) joint.limits.velocity = 3.0;
    // URDF makes links of frames, and MJCF keeps this name for the ground.
    std::erase_if(graph.frames, [](const GraphFrame& frame) { return frame.name == "world"; });
    expect_round_trips(graph);
  }
}

TEST(RoundTrips, ArmsInUseAsDhTables) {
  for (const std::string& name : test::catalogue()) {
    SCOPED_TRACE(name);
    const Graph graph = load_graph(name), read = parse_toml(to_dh_toml(graph), "table.toml");
    expect_same(graph, read);
    const auto tip = [](const Model& model) {
      Kinematics<double> kinematics(model);
      kinematics.update_positions(std::vector<double>(static_cast<std::size_t>(model.nq()), 0.3));
      return kinematics.pose(model.tip());
    };
    const Pose<double> wanted = tip(build(graph)), got = tip(build(read));
    EXPECT_LT(norm(got.p - wanted.p), 1e-12);
    EXPECT_LT(norm(got.R.column_x() - wanted.R.column_x()) + norm(got.R.column_z() - wanted.R.column_z()), 1e-12);
  }
}

TEST(RoundTrips, RandomRobots) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    expect_round_trips(test::random_robot(
        {.bodies = 6, .branched = seed % 2 == 0, .free_base = seed % 3 == 0, .passive = true}, seed));
}

TEST(RoundTrips, Followers) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Graph graph = test::random_robot({.bodies = 7, .branched = true, .only_one_degree = true}, seed);
    for (GraphJoint& joint : graph.joints)
      if (has_pitch(joint.kind)) joint.kind = JointKind::revolute, joint.pitch = 0.0;
    test::let_follow(graph, seed);
    expect_round_trips(graph);
  }
}

/// Branches, followers, balls: MuJoCo has all positions in the order of its bodies.
TEST(RoundTrips, PosturesAreKeyframes) {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Graph graph = test::random_robot({.bodies = 7, .branched = true}, seed);
    for (GraphJoint& joint : graph.joints)
      if (has_pitch(joint.kind) || joint.kind == JointKind::free) joint.kind = JointKind::revolute, joint.pitch = 0.0;
    if (seed % 2 == 0) test::let_follow(graph, seed);
    std::mt19937_64 generator(seed);
    const std::vector<double> q = random_position(build(graph), generator);
    graph.postures.push_back({"home", {}, {}});
    for (const double x : q) graph.postures[0].q.push_back(x);
    std::vector<std::string> notices;
    const Model written = build(graph), read = build(parse_mjcf(to_mjcf(graph, notices), "written.xml"));
    ASSERT_NE(read.find_posture("home"), nullptr) << graph.name;
    const std::vector<double> expected = moved(q, index_of(written, true), index_of(read, true));
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(read.find_posture("home")->q[k], expected[k], 1e-15);
    several += read.is_serial() ? 0 : 1;
  }
  EXPECT_GT(several, 5);
}

/// In MJCF the rotors are bodies of their own; read again they are motors.
TEST(RoundTrips, MotorsThatJointsShareInMjcf) {
  Graph graph = load_graph("puma560");
  graph.couplings.push_back({.name = "wrist",
                             .joints = {"joint4", "joint5", "joint6"},
                             .motors = {{.gears = {76, 0, 0}, .inertia = 3e-5, .viscous = 1e-4},
                                        {.gears = {1, 72, 0}, .inertia = 4e-5, .coulomb = 2e-3},
                                        {.gears = {0.5, -3, 80}, .inertia = 0.0}}});
  graph.couplings.push_back({.name = "belts",
                             .joints = {"joint2", "joint3"},
                             .motors = {{.gears = {100, 0}, .inertia = 2e-4}, {.gears = {50, 50}, .inertia = 2e-4}}});
  graph.couplings[0].motors[1].limits.effort = 0.4;
  graph.postures.push_back({"there", JointNumbers{0.1, -0.2, 0.3, 0.4, -0.5, 0.6}, {}});
  for (GraphJoint& joint : graph.joints) joint.passive.armature += 0.01;
  std::vector<std::string> notices;
  const std::string text = to_mjcf(graph, notices);
  const Graph read = parse_mjcf(text, "written.xml");
  EXPECT_TRUE(read.notices.empty()) << read.notices.front();
  ASSERT_EQ(read.couplings.size(), 2U);
  const GraphCoupling* wrist = nullptr;
  for (const GraphCoupling& one : read.couplings)
    if (one.name == "wrist") wrist = &one;
  ASSERT_NE(wrist, nullptr);
  EXPECT_EQ(wrist->joints, graph.couplings[0].joints);
  for (std::size_t m = 0; m < 3; ++m) {
    const GraphMotor &want = graph.couplings[0].motors[m], &got = wrist->motors[m];
    EXPECT_EQ(got.gears, want.gears);
    EXPECT_NEAR(got.inertia, want.inertia, 1e-19);
    EXPECT_EQ(got.viscous, want.viscous);
    EXPECT_EQ(got.coulomb, want.coulomb);
    EXPECT_EQ(got.limits.effort, want.limits.effort);
  }
  expect_same(graph, read);
  const Model again = build(read);
  const std::vector<double>& there = again.find_posture("there")->q;
  const std::vector<double> wanted{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};
  ASSERT_EQ(there.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(there[k], wanted[k], 1e-15);

  graph.bodies[1].name = "wrist_rotor1";
  for (GraphJoint& joint : graph.joints) {
    if (joint.child == find_joint(graph, "joint1")->child) joint.child = "wrist_rotor1";
    if (joint.name == "joint2") joint.parent = "wrist_rotor1";
  }
  EXPECT_THROW(to_mjcf(graph, notices), InputError);
}

/// A table's frames are others than those of the file: what is drawn stays where it is, of links that are fixed to
/// others too.
TEST(RoundTrips, ShapesInADhTable) {
  for (const char* name : {"ur5e", "gen3", "so_arm100"}) {
    SCOPED_TRACE(name);
    Graph graph = load_graph(name);
    GraphJoint glued{.name = "glue", .kind = JointKind::fixed, .parent = graph.joints.back().child, .child = "camera"};
    graph.bodies.push_back({.name = "camera"});
    graph.bodies.back().shapes = {{Shape::Kind::box, {rotation_of_rpy({0.1, 0.2, 0.3}), {0.1, 0, 0.2}}, {1, 2, 3}}};
    glued.in_parent = {rotation_of_rpy({0.3, -0.2, 0.1}), {0.05, 0, 0.1}};
    graph.joints.push_back(glued);
    for (const std::string& text : {to_dh_toml(graph), to_toml(graph)}) {
      const Graph read = parse_toml(text, "table.toml");
      EXPECT_NE(text.find("dh = "), std::string::npos);
      const auto places = [](const Graph& of) {
        const Model model = build(of);
        Kinematics<double> kinematics(model);
        kinematics.update_positions(std::vector<double>(static_cast<std::size_t>(model.nq()), 0.3));
        std::vector<std::pair<Shape, Pose<double>>> all;
        for (const GraphBody& body : of.bodies)
          for (const Shape& shape : body.shapes)
            all.emplace_back(shape, kinematics.pose(*model.find_frame(body.name)) * shape.pose);
        return all;
      };
      const auto wanted = places(graph), got = places(read);
      ASSERT_EQ(got.size(), wanted.size());
      for (std::size_t k = 0; k < got.size(); ++k) {
        EXPECT_EQ(got[k].first.kind, wanted[k].first.kind);
        EXPECT_EQ(got[k].first.size, wanted[k].first.size);
        EXPECT_LT(norm(got[k].second.p - wanted[k].second.p), 1e-12);
        EXPECT_LT(norm(got[k].second.R.column_z() - wanted[k].second.R.column_z()), 1e-12);
      }
    }
    graph.bodies.front().shapes = {{Shape::Kind::sphere, Pose<double>::identity(), {0.1, 0, 0}}};
    EXPECT_THROW(to_dh_toml(graph), InputError) << "a table has no row for the ground";
    EXPECT_EQ(parse_toml(to_toml(graph), "explicit.toml").bodies.front().shapes.size(), 1U);
  }
}

TEST(RoundTrips, ShapesFramesLimitsAndLoops) {
  Graph graph = test::random_robot({.bodies = 2, .only_one_degree = true}, 5);
  graph.joints[0].kind = graph.joints[1].kind = JointKind::revolute;
  graph.joints[0].pitch = graph.joints[1].pitch = 0.0;
  graph.joints[0].limits = {-1, 2, std::numeric_limits<double>::infinity(), 7};
  const Pose<double> here = Pose<double>::identity();
  graph.bodies[1].shapes = {
      {Shape::Kind::box, here, {1, 2, 3}, {}, {}},
      {Shape::Kind::cylinder, here, {0.1, 0.5, 0}, Colour{0.1, 0.2, 0.3, 1.0}, {}},
      {Shape::Kind::sphere, {Mat3<double>::identity(), {0, 0, 1}}, {0.2, 0, 0}, Colour{1, 0, 0, 0.5}, {}},
      {Shape::Kind::mesh, here, {1, 1, -2}, Colour{0, 1, 0, 1}, "package://arm/meshes/<a> & b.stl"},
      {Shape::Kind::mesh, here, {1, 1, 1}, {}, "/meshes/arm.dae"}};
  graph.frames.push_back({"tool", "body2", {rotation_of_rpy({0.1, 0.2, 0.3}), {1, 2, 3}}, {}});
  for (const Ability& ability : abilities()) {
    SCOPED_TRACE(ability.form);
    const Graph read = through(graph, ability);
    const GraphJoint* joint = find_joint(read, "joint1");
    EXPECT_EQ(joint->limits.lower, -1.0);
    EXPECT_EQ(joint->limits.upper, 2.0);
    EXPECT_EQ(joint->limits.effort, 7.0);
    const auto& shapes = find_body(read, "body1")->shapes;
    ASSERT_EQ(shapes.size(), ability.form == "mjcf" ? 3u : 5u);  // MuJoCo would insist on the mesh's file
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      EXPECT_EQ(shapes[k].kind, graph.bodies[1].shapes[k].kind);
      EXPECT_EQ(shapes[k].size, graph.bodies[1].shapes[k].size);
      EXPECT_EQ(shapes[k].colour, graph.bodies[1].shapes[k].colour);
      EXPECT_EQ(shapes[k].mesh, graph.bodies[1].shapes[k].mesh);
    }
  }
  Graph mechanism = load_graph("four_bar");
  mechanism.loops[0].kind = JointKind::spherical;
  std::vector<std::string> notices;
  const Graph read = parse_mjcf(to_mjcf(mechanism, notices), "written.xml");
  ASSERT_EQ(read.loops.size(), 1u);
  EXPECT_LT(norm(read.loops[0].in_parent.p - mechanism.loops[0].in_parent.p), 1e-12);
  EXPECT_LT(norm(read.loops[0].in_child.p - mechanism.loops[0].in_child.p), 1e-12);
}

}  // namespace
}  // namespace ulna

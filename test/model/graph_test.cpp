// Robots made in code: found by name, attached to each other, and what a model gives in the axes they were written in.
#include <gtest/gtest.h>

#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

/// Designated initialisers, no "base" among the bodies.
Graph lever() {
  return {
      .name = "lever",
      .bodies = {{.name = "rod", .mass = {.mass = 2.0, .com = {0.3, 0.1, 0}, .inertia = {0.1, 0.2, 0.25, 0, 0, 0}}}},
      .joints = {{.name = "hinge",
                  .parent = "base",
                  .child = "rod",
                  .in_parent = {rotation_of_rpy({0.1, -0.2, 0.3}), {0, 0, 0.5}},
                  .axis = {0, 1, 0},
                  .limits = {.lower = -1.0, .upper = 2.0}}},
      .frames = {{.name = "end", .body = "rod", .pose = {Mat3<double>::identity(), {0.6, 0, 0}}}}};
}

std::vector<double> torques(const Model& model, const std::vector<double>& q) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> v(n, 0.7), a(n, -1.1), tau(n);
  make_method<double>("newton_euler", Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, tau);
  return tau;
}

TEST(GraphInCode, IsWrittenWithItsGround) {
  std::vector<std::string> notices;
  const Graph read = parse_urdf(to_urdf(lever(), notices), "lever.urdf");
  ASSERT_NE(find_body(read, "base"), nullptr);
  const double want = torques(build(lever()), {0.4})[0];
  EXPECT_NEAR(torques(build(read), {0.4})[0], want, 1e-14 * std::fabs(want));  // the angles of a rotation round
}

TEST(GraphInCode, ImpliesTheGround) {
  Graph written = lever();
  const Model model = build(written);
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(model.links()[0].name, "base");
  add_base(written);
  add_base(written);  // once is enough
  EXPECT_EQ(written.bodies.size(), 2u);
  EXPECT_EQ(torques(model, {0.4}), torques(build(written), {0.4}));
}

TEST(GraphInCode, IsFoundByName) {
  Graph graph = lever();
  ASSERT_NE(find_body(graph, "rod"), nullptr);
  EXPECT_EQ(find_body(graph, "rdo"), nullptr);
  ASSERT_NE(find_joint(graph, "hinge"), nullptr);
  find_joint(graph, "hinge")->limits.upper = 1.5;
  const Model model = build(graph);
  EXPECT_EQ(model.upper_limits()[0], 1.5);
  EXPECT_EQ(model.lower_limits()[0], -1.0);
  ASSERT_NE(model.find_joint("hinge"), nullptr);
  EXPECT_EQ(model.find_joint("hinge")->child, "rod");
  EXPECT_EQ(model.find_joint("rod"), nullptr);
}

TEST(GraphInCode, LimitsAreByPosition) {
  const Model model = load("satellite_arm");
  ASSERT_EQ(std::ssize(model.lower_limits()), model.nq());
  for (int k = 0; k < 7; ++k) EXPECT_EQ(model.upper_limits()[static_cast<std::size_t>(k)], HUGE_VAL);
}

/// The same robot written by hand: the second lever's ground is fixed in the first one's end.
TEST(Attach, IsARobotFixedThere) {
  Graph two = lever();
  const Pose<double> grip{rotation_of_rpy({0.4, 0.5, -0.6}), {0.01, 0.02, 0.03}};
  attach(two, lever(), "second_", "end", grip);
  Graph written = lever();
  written.bodies.push_back({.name = "other", .mass = lever().bodies[0].mass});
  GraphJoint hinge = lever().joints[0];
  hinge.name = "other_hinge";
  hinge.parent = "rod";
  hinge.child = "other";
  hinge.in_parent = written.frames[0].pose * grip * hinge.in_parent;
  written.joints.push_back(hinge);
  const Model a = build(two), b = build(written);
  ASSERT_EQ(a.nv(), 2);
  EXPECT_NE(a.find_frame("second_end"), nullptr);
  EXPECT_EQ(a.joints()[1].name, "second_hinge");
  const auto x = torques(a, {0.3, -0.8}), y = torques(b, {0.3, -0.8});
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(x[k], y[k], 1e-13 * std::abs(y[k]));
}

TEST(Attach, RefusesWhatItCannotJoin) {
  Graph graph = lever();
  EXPECT_THROW(attach(graph, lever(), "second_", "nowhere"), InputError);
  EXPECT_THROW(attach(graph, lever(), "", "end"), InputError);  // two rods
  EXPECT_EQ(graph.joints.size(), 1u);
}

/// Mass data come back in the axes of the file, though inside the hinge's axis is z.
TEST(MassData, AreThoseOfTheFile) {
  const Graph graph = lever();
  const Model model = build(graph);
  const MassData& want = graph.bodies[0].mass;
  const MassData got = model.mass_data(*model.find_frame("rod"));
  EXPECT_NEAR(got.mass, want.mass, 1e-15);
  EXPECT_LT(norm(got.com - want.com), 1e-15);
  for (const auto part : {&Sym3<double>::xx, &Sym3<double>::yy, &Sym3<double>::zz, &Sym3<double>::xy, &Sym3<double>::xz,
                          &Sym3<double>::yz})
    EXPECT_NEAR(got.inertia.*part, want.inertia.*part, 1e-15);
  EXPECT_LT(norm(model.mass_data(*model.find_frame("end")).com - Vec3<double>{-0.3, 0.1, 0}), 1e-15);
  EXPECT_EQ(model.mass_data(*model.find_frame("base")).mass, 0.0);
}

/// Against the robot that was built with it; and none is none again.
TEST(RunTimePayload, IsThatOfTheGraph) {
  const MassData box{1.5, {0.02, 0.05, -0.1}, {0.01, 0.02, 0.015, 0.001, 0.002, -0.001}};
  for (const char* name : {"panda_like", "puma560"}) {
    const Graph bare = load_graph(name);
    Graph loaded = bare;
    add_payload(loaded, {.mass = box});
    Model model = build(bare);
    const Model want = build(loaded);
    const std::vector<double> q(static_cast<std::size_t>(model.nq()), 0.4);
    const auto before = torques(model, q), wanted = torques(want, q);
    double largest = 0.0;
    for (const double x : wanted) largest = std::max(largest, std::abs(x));
    model.set_payload(model.tip(), {9.0, {1, 1, 1}, {}});  // the next one replaces it
    model.set_payload(model.tip(), box);
    const auto got = torques(model, q);
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], wanted[k], 1e-13 * largest) << name;
    EXPECT_LT(norm(model.com(model.tip().body) - want.com(want.tip().body)), 1e-14);
    model.set_payload(model.tip(), {});
    EXPECT_EQ(torques(model, q), before) << name;
  }
}

}  // namespace
}  // namespace ulna

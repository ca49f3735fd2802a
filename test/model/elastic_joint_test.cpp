// Elastic joints and motors against the closed forms of two masses on a spring.
#include <gtest/gtest.h>

#include <numbers>

#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/elastic_joint.hpp"
#include "ulna/simulate/simulation.hpp"

namespace ulna {
namespace {

constexpr double inertia = 0.3, rotor = 2e-5, gear = 100.0, stiffness = 50.0;

std::string wheel(const std::string& joint_data, const char* kind = "revolute") {
  return std::string(R"(
name = "wheel"
gravity = [0, 0, 0]
[[body]]
name = "disc"
mass = 1.5
com = [0, 0, 0]
inertia = [0.2, 0.2, 0.3]
[[joint]]
name = "hub"
kind = ")") +
         kind +
         R"("
parent = "base"
child = "disc"
)" + joint_data;
}

Graph parsed(const std::string& text) { return parse_toml(text, "wheel.toml"); }

TEST(ElasticJoint, HasTheMassMatrixOfTwoMasses) {
  const Model model = build(parsed(wheel("motor = { gear = 100, inertia = 2e-5 }\nelastic = { stiffness = 50 }\n")));
  ASSERT_EQ(model.nv(), 2);
  EXPECT_EQ(model.joints()[0].name, "hub_motor");
  EXPECT_EQ(model.joints()[1].name, "hub_spring");
  composite_body::Workspace<double> ws(model);
  std::vector<double> M(4);
  composite_body::mass_matrix(model, ws, std::vector{0.3, 0.1}, {M.data(), 2, 2});
  EXPECT_DOUBLE_EQ(M[0], inertia + gear * gear * rotor);
  EXPECT_DOUBLE_EQ(M[1], inertia);
  EXPECT_DOUBLE_EQ(M[3], inertia);
}

/// Let go with a deflection d the two swing about their common centre with ω² = k (1/I + 1/J): after half a period the
/// deflection is −d, and the motor has moved by 2 d I / (I + J).
TEST(ElasticJoint, SwingsAsTwoMassesOnASpring) {
  const Model model = build(parsed(wheel("motor = { gear = 100, inertia = 2e-5 }\nelastic = { stiffness = 50 }\n")));
  const double J = gear * gear * rotor, omega = std::sqrt(stiffness * (1.0 / inertia + 1.0 / J)), d = 0.05;
  SimulationSetup setup;
  setup.q0 = {0.0, d};
  setup.duration = std::numbers::pi / omega;
  setup.every = setup.duration;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
  Trajectory trajectory;
  const RunResult result = simulate(model, setup, trajectory);
  ASSERT_EQ(result.status, RunStatus::completed);
  EXPECT_NEAR(result.final_q[1], -d, 1e-10);
  EXPECT_NEAR(result.final_q[0], 2.0 * d * inertia / (inertia + J), 1e-10);
}

TEST(ElasticJoint, LinkStandsWhereMotorAndSpringPutIt) {
  const std::string place = "pose = { xyz = [0, 0, 0.4], rpy = [0.2, 0.1, 0] }\noffset = 0.3\naxis = [0, 1, 0]\n";
  const Model stiff = build(parsed(wheel(place)));
  const Model elastic = build(parsed(wheel(place + "elastic = { stiffness = 50, damping = 1 }\n")));
  Kinematics<double> one(stiff), other(elastic);
  one.update_positions(std::vector{0.7});
  other.update_positions(std::vector{0.5, 0.2});
  const Pose<double> a = one.pose(*stiff.find_frame("disc")), b = other.pose(*elastic.find_frame("disc"));
  EXPECT_LT(norm(a.p - b.p), 1e-15);
  EXPECT_LT(norm(a.R.column_x() - b.R.column_x()), 1e-15);
}

TEST(ElasticJoint, WorksInDhTables) {
  const std::string text = R"(
dh = "standard"
[[link]]
joint = "revolute"
a = 1
mass = 1
com = [-0.5, 0, 0]
inertia = [0, 0.1, 0.1]
elastic = { stiffness = 100 }
armature = 0.2
[[link]]
joint = "revolute"
a = 0.5
mass = 1
com = [-0.25, 0, 0]
inertia = [0, 0.05, 0.05]
)";
  const Model model = build(parsed(text));
  ASSERT_EQ(model.nv(), 3);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(std::vector{0.5, 0.25, -0.75});
  EXPECT_NEAR(kinematics.pose(model.tip()).p.x, std::cos(0.75) + 0.5, 1e-15);
}

TEST(Motor, IsSeenBehindItsGear) {
  const Model model =
      build(parsed(wheel("limits = { effort = 500 }\nfriction = { viscous = 0.5 }\n"
                         "motor = { gear = 100, inertia = 2e-5, viscous = 1e-5, coulomb = 0.01, "
                         "torque = 1.5, speed = 400, efficiency = 0.8 }\n")));
  EXPECT_DOUBLE_EQ(model.armature()[0], 1e4 * 2e-5);
  EXPECT_DOUBLE_EQ(model.viscous()[0], 0.5 + 1e4 * 1e-5);
  EXPECT_DOUBLE_EQ(model.coulomb()[0], 1.0);
  EXPECT_DOUBLE_EQ(model.joints()[0].limits.effort, 120.0);
  EXPECT_DOUBLE_EQ(model.joints()[0].limits.velocity, 4.0);
}

TEST(Motor, RefusesWhatCannotBe) {
  const auto message = [](const std::string& data, const char* kind = "revolute") {
    try {
      build(parsed(wheel(data, kind)));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const auto expect = [&](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect(message("armature = 1\nmotor = { gear = 100 }\n"), "both 'motor' and 'armature'");
  expect(message("motor = { gear = -1 }\n"), "gear");
  expect(message("motor = { efficiency = 1.5 }\n"), "above 1");
  expect(message("elastic = { stiffness = 0 }\n"), "not positive");
  expect(message("elastic = { stiffness = 5 }\nspring = { stiffness = 1 }\n"), "has a spring");
  expect(message("elastic = { stiffness = 5 }\n", "spherical"), "not one degree");
  expect(message("elastic = { damping = 5 }\n"), "stiffness");
}

}  // namespace
}  // namespace ulna

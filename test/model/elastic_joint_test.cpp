// Elastic joints, motors and flexible bases against closed forms of masses on springs.
#include <gtest/gtest.h>

#include <numbers>

#include "ulna/control/linearise.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/elastic_joint.hpp"
#include "ulna/model/flexible_base.hpp"
#include "ulna/simulate/motion_ode.hpp"
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

/// ω² = k (1/I + 1/J) and the damper's share; the two turn freely together beside it.
TEST(ElasticJoint, HasTheFrequencyOfTwoMassesWhenLinearised) {
  const Model model =
      build(parsed(wheel("motor = { gear = 100, inertia = 2e-5 }\nelastic = { stiffness = 50, damping = 0.2 }\n")));
  const std::vector<double> zero(2, 0.0);
  const std::vector<LinearMode> list = modes(linearise(model, zero, zero, zero));
  const double J = gear * gear * rotor, omega = std::sqrt(stiffness * (1.0 / inertia + 1.0 / J));
  ASSERT_FALSE(list.empty());
  EXPECT_NEAR(list.back().frequency, omega, 1e-12 * omega);
  EXPECT_NEAR(list.back().damping, 0.2 * omega / (2.0 * stiffness), 1e-12);
  for (std::size_t k = 0; k + 1 < list.size(); ++k) EXPECT_NEAR(list[k].frequency, 0.0, 1e-6);
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
  for (const char* turns : {"100", "-100"}) {
    const Model model = build(
        parsed(wheel("limits = { effort = 500 }\nfriction = { viscous = 0.5 }\nmotor = { gear = " + std::string(turns) +
                     ", inertia = 2e-5, viscous = 1e-5, coulomb = 0.01, torque = 1.5, speed = 400, "
                     "efficiency = 0.8 }\n")));
    EXPECT_DOUBLE_EQ(model.armature()[0], 1e4 * 2e-5);
    EXPECT_DOUBLE_EQ(model.viscous()[0], 0.5 + 1e4 * 1e-5);
    EXPECT_DOUBLE_EQ(model.coulomb()[0], 1.0);
    EXPECT_DOUBLE_EQ(model.joints()[0].limits.effort, 120.0);
    EXPECT_DOUBLE_EQ(model.joints()[0].limits.velocity, 4.0);
  }
}

/// The torque of a motor that a constant drive asks for too much of, at these velocities.
double given(const Model& model, double asked, double velocity) {
  Actions actions;
  actions.drive = ConstantDrive{{asked}};
  actions.saturate = true;
  MotionOde system(model, "auto", actions);
  const std::vector<double> q{0.0}, v{velocity};
  std::vector<double> a(1), tau(1);
  system.enter(0.0, q, v);
  system.accelerations(0.0, q, v, a, tau);
  return tau[0];
}

TEST(Motor, GivesLessTorqueAtSpeed) {
  const Model model = build(parsed(
      wheel("motor = { gear = 100, torque_by_speed = [[0, 1.5], [200, 1.2], [400, 0.2]], efficiency = 0.5 }\n")));
  EXPECT_DOUBLE_EQ(model.joints()[0].limits.effort, 75.0);
  EXPECT_DOUBLE_EQ(given(model, 500, 0.0), 75.0);
  EXPECT_DOUBLE_EQ(given(model, 500, 1.0), 50 * 1.35);
  EXPECT_DOUBLE_EQ(given(model, 500, 3.0), 50 * 0.7);
  EXPECT_NEAR(given(model, 500, 4.2), 50 * 0.1, 1e-12);  // the line falls on
  EXPECT_DOUBLE_EQ(given(model, 500, 5.0), 0.0);
  EXPECT_DOUBLE_EQ(given(model, 500, -3.0), 75.0);  // it brakes
  EXPECT_DOUBLE_EQ(given(model, -500, -3.0), -50 * 0.7);
  EXPECT_DOUBLE_EQ(given(model, -500, 3.0), -75.0);
  EXPECT_DOUBLE_EQ(given(model, 20, 1.0), 20.0);
}

/// J v̇ = T (1 − v/v₀): v = v₀ (1 − exp(−T t / (J v₀))), the closed form of a motor on its line.
TEST(Motor, RunsUpAlongItsLine) {
  const Model model = build(parsed(wheel("motor = { gear = 10, torque_by_speed = [[0, 0.3], [50, 0]] }\n")));
  SimulationSetup setup;
  setup.actions.drive = ConstantDrive{{100.0}};
  setup.actions.saturate = true;
  setup.duration = setup.every = 0.5;
  setup.accuracy.relative = setup.accuracy.absolute = 1e-12;
  Trajectory trajectory;
  const RunResult result = simulate(model, setup, trajectory);
  ASSERT_EQ(result.status, RunStatus::completed);
  EXPECT_NEAR(result.final_v[0], 5.0 * (1.0 - std::exp(-3.0 * 0.5 / (inertia * 5.0))), 1e-10);
}

TEST(Motor, LineSurvivesAFile) {
  const Graph graph = parsed(wheel("motor = { gear = 10, torque_by_speed = [[0, 0.3], [50, 0]] }\n"));
  const Model model = build(parse_toml(to_toml(graph), "written.toml"));
  ASSERT_EQ(model.joints()[0].limits.effort_by_speed.size(), 2u);
  EXPECT_DOUBLE_EQ(model.joints()[0].limits.effort_by_speed[1].speed, 5.0);
  EXPECT_DOUBLE_EQ(model.joints()[0].limits.effort, 3.0);
}

/// A disc on a base that gives way along x and about z: two oscillators, m ẍ + k x and I φ̈ + k φ.
TEST(FlexibleBase, SwingsAsItsSpringsSay) {
  const Model model =
      build(parsed("flexible_base = { slide = [900, 0, 0], turn = [0, 0, 8], slide_damping = [6, 0, 0], mass = 2.5, "
                   "inertia = [1, 1, "
                   "0.5] }\n" +
                   wheel("")));
  ASSERT_EQ(model.nv(), 3);
  EXPECT_EQ(model.joints()[0].name, "base_slide_x");
  EXPECT_EQ(model.joints()[1].name, "base_turn_z");
  const std::vector<double> zero(3, 0.0);
  const std::vector<LinearMode> list = modes(linearise(model, zero, zero, zero));
  double slide = 0.0, turn = 0.0;
  for (const LinearMode& mode : list) {
    if (std::abs(mode.frequency - 4.0) < 0.5) turn = mode.frequency;
    if (std::abs(mode.frequency - 15.0) > 1.0) continue;
    slide = mode.frequency;
    EXPECT_NEAR(mode.damping, 6.0 / (2 * 4.0 * 15.0), 1e-12);
  }
  EXPECT_NEAR(slide, std::sqrt(900.0 / 4.0), 1e-11);  // with the disc's 1.5 kg
  EXPECT_NEAR(turn, std::sqrt(8.0 / 0.5), 1e-11);     // the disc turns on its hub
}

TEST(FlexibleBase, StandsWhereItStoodAndIsWritten) {
  const std::string arm = R"(
dh = "standard"
base_pose = { xyz = [0, 0, 0.5] }
[[link]]
joint = "revolute"
alpha = "90 deg"
b = 0.3
a = 0.2
mass = 2
com = [-0.1, 0.02, 0]
inertia = [0.01, 0.02, 0.02]
)";
  const Model stiff = build(parsed(arm));
  const Graph graph = parsed(
      "flexible_base = { slide = [1e4, 1e4, 2e4], turn = [500, 500, 900], pose = { xyz = [0, 0, 0.1] }, mass = 20, "
      "inertia = [1, 1, 1] }\n" +
      arm);
  const Model soft = build(graph), read = build(parse_toml(to_toml(graph), "written.toml"));
  ASSERT_EQ(soft.nv(), 7);
  ASSERT_EQ(read.nv(), 7);
  Kinematics<double> one(stiff), other(soft), third(read);
  one.update_positions(std::vector{0.4});
  for (Kinematics<double>* k : {&other, &third}) k->update_positions(std::vector{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4});
  EXPECT_LT(norm(one.pose(stiff.tip()).p - other.pose(soft.tip()).p), 1e-15);
  EXPECT_LT(norm(one.pose(stiff.tip()).p - third.pose(read.tip()).p), 1e-15);
  // Turned about x at the springs' place: the tip's height above it is the lever.
  other.update_positions(std::vector{0.0, 0.0, 0.0, 1e-3, 0.0, 0.0, 0.4});
  const Vec3<double> before = one.pose(stiff.tip()).p, after = other.pose(soft.tip()).p;
  EXPECT_NEAR(after.y, std::cos(1e-3) * before.y - std::sin(1e-3) * (before.z - 0.1), 1e-15);
  for (const Finding& finding : check(graph)) ADD_FAILURE() << finding.reason;
}

TEST(FlexibleBase, RefusesWhatCannotBe) {
  const auto expect = [](const std::string& text, const char* words) {
    std::string message = "nothing";
    try {
      build(parsed(text + wheel("")));
    } catch (const InputError& e) {
      message = e.what();
    }
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_NE(message.find("wheel.toml:"), std::string::npos) << message;
  };
  expect("flexible_base = { slide = [0, 0, 0] }\n", "stiff in all directions");
  expect("flexible_base = { slide = [-1, 0, 0] }\n", "negative");
  expect("flexible_base = { slide_damping = [1, 0, 0] }\n", "no stiffness for base_slide_x");
  expect("base = \"free\"\nflexible_base = { slide = [1, 0, 0] }\n", "floats");
  expect("flexible_base = { slid = [1, 0, 0] }\n", "slid");
  std::string text = "flexible_base = { slide = [1, 0, 0] }\n" + wheel("");
  for (std::size_t at = text.find("disc"); at != std::string::npos; at = text.find("disc"))
    text.replace(at, 4, "ground");
  try {
    parsed(text);
    ADD_FAILURE() << "a second 'ground' is taken";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("called 'ground'"), std::string::npos) << e.what();
  }
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
  expect(message("motor = { gear = 0 }\n"), "gear");
  expect(message("motor = { efficiency = 1.5 }\n"), "above 1");
  for (const char* points : {"[[0, 1]]", "[[1, 1], [2, 0]]", "[[0, 1], [0, 0]]", "[[0, 1], [2, 2]]", "[[0, 1], [9, 1]]",
                             "[[0, 1], [2, -1]]"})
    expect(message(std::string("motor = { torque_by_speed = ") + points + " }\n"), "efforts fall");
  expect(message("motor = { torque_by_speed = [[0, 1, 2], [2, 0, 1]] }\n"), "points of two numbers");
  expect(message("motor = { torque_by_speed = [[0, nan], [2, 0]] }\n"), "finite");
  expect(message("limits = { effort_by_speed = [[0, 1], [2, 0]] }\nmotor = { torque_by_speed = [[0, 1], [2, 0]] }\n"),
         "give one of them");
  expect(message("elastic = { stiffness = 0 }\n"), "not positive");
  expect(message("elastic = { stiffness = 5 }\nspring = { stiffness = 1 }\n"), "has a spring");
  expect(message("elastic = { stiffness = 5 }\n", "spherical"), "not one degree");
  expect(message("elastic = { damping = 5 }\n"), "stiffness");
}

}  // namespace
}  // namespace ulna

// Drives by optimal control and impedance: against closed forms of what they hold, and through disturbances.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ulna/control/linearise.hpp"
#include "ulna/control/lqr.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/spatial/lie.hpp"
#include "ulna/study/run.hpp"

namespace ulna {
namespace {

const std::vector<double> home{0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3};
const std::string start =
    "robot = \"panda_like\"\n[run]\nfor = 4\n[start]\nq = [0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3]\n[drive]\n";

Record run_text(const std::string& text) {
  const Record record = run(parse_scenario(text, "drive.toml"));
  EXPECT_EQ(record.result.status, RunStatus::completed) << record.result.reason;
  return record;
}

std::vector<double> last_position(const Record& record) {
  const std::span<const double> row = record.trajectory.row(record.trajectory.size() - 1);
  return {row.begin() + 1, row.begin() + 8};
}

/// Whatever hangs at the frame, it gives way by force over stiffness, along each axis and about it, and the posture's
/// springs have no part in it.
TEST(FeedbackDrives, ImpedanceGivesWayAsASpring) {
  const Model model = load("panda_like");
  // a spring of the scenario pulls the flange to a point: its force at the end is what the impedance bears
  const Record record = run_text(start +
                                 "kind = \"impedance\"\nstiffness = [500, 800, 300]\nturning_stiffness = 60\n"
                                 "damping = 90\nturning_damping = 8\nkp = 15\nkd = 6\ngravity = true\n"
                                 "[[spring]]\nframe = \"flange\"\nanchor = [0.6, 0.3, 0.2]\nstiffness = 40\n");
  Kinematics<double> kinematics(model);
  kinematics.update_positions(home);
  const Pose<double> wanted = kinematics.pose(model.tip());
  kinematics.update_positions(last_position(record));
  const Pose<double> is = kinematics.pose(model.tip());
  const Vec3<double> pull = 40.0 * (Vec3<double>{0.6, 0.3, 0.2} - is.p);
  EXPECT_GT(norm(pull), 5.0);
  EXPECT_NEAR(is.p.x - wanted.p.x, pull.x / 500.0, 2e-4);  // four seconds leave a little of the motion
  EXPECT_NEAR(is.p.y - wanted.p.y, pull.y / 800.0, 2e-4);
  EXPECT_NEAR(is.p.z - wanted.p.z, pull.z / 300.0, 2e-4);
  EXPECT_LE(norm(log_rotation(wanted.R * transpose(is.R))), 1e-3);
}

/// x' = (A − BK) x by so many steps of Euler's method that three digits are right.
std::vector<double> closed_loop(const LinearSystem& system, const std::vector<double>& K, std::vector<double> x,
                                double time) {
  const auto n = static_cast<std::size_t>(system.states), m = static_cast<std::size_t>(system.inputs);
  constexpr int steps = 200'000;
  std::vector<double> u(m), dx(n);
  for (int step = 0; step < steps; ++step) {
    std::ranges::fill(u, 0.0);
    std::ranges::fill(dx, 0.0);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < m; ++i) u[i] -= K[k * m + i] * x[k];
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) dx[i] += system.A[k * n + i] * x[k];
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i) dx[i] += system.B[k * n + i] * u[k];
    for (std::size_t i = 0; i < n; ++i) x[i] += time / steps * dx[i];
  }
  return x;
}

/// After a small push the arm comes back as the linear system does.
TEST(FeedbackDrives, LqrBringsItBackAsTheLinearSystem) {
  const std::string drive = "kind = \"lqr\"\nposition_weight = 50\nvelocity_weight = 2\neffort_weight = 0.01\n";
  const Record record =
      run_text(start + drive + "[[disturbance]]\njoint = \"joint2\"\ntorque = 0.5\nfrom = 0.1\nuntil = 0.2\n");
  const Model model = load("panda_like");
  Lineariser lineariser(model);
  const std::vector<double> rest(7, 0.0);
  const LinearisedRobot robot = lineariser(home, rest, lineariser.torques(home, rest));
  LqrWeights weights{std::vector<double>(7, 50.0), std::vector<double>(7, 0.01)};
  weights.state.insert(weights.state.end(), 7, 2.0);
  const LqrGains gains = lqr(robot, weights);
  const auto state_at = [&](std::size_t row) {
    std::vector<double> x(record.trajectory.row(row).begin() + 1, record.trajectory.row(row).begin() + 15);
    for (std::size_t k = 0; k < 7; ++k) x[k] -= home[k];
    return x;
  };
  const std::vector<double> pushed = state_at(20), later = state_at(40);
  const std::vector<double> expected = closed_loop(robot, gains.K, pushed, 0.2);
  double size = 0.0;
  for (const double x : pushed) size = std::max(size, std::abs(x));
  EXPECT_GT(size, 1e-5);
  for (std::size_t k = 0; k < 14; ++k) EXPECT_NEAR(later[k], expected[k], 1e-3 * size) << k;
}

TEST(FeedbackDrives, SampledLqrFollowsAMotion) {
  const Record record = run_text(start +
                                 "kind = \"lqr\"\nsample = 0.01\n[drive.motion]\nkind = \"quintic\"\n"
                                 "to = [0.5, 0.3, 0.2, -1.5, 0.2, 1.8, 0.1]\ntime = 1.5\n");
  const std::vector<double> to{0.5, 0.3, 0.2, -1.5, 0.2, 1.8, 0.1};
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(last_position(record)[k], to[k], 1e-4);
}

/// At 1 kHz, through a push and noise, within the motors' torques.
TEST(FeedbackDrives, PredictionReachesAPostureThroughDisturbances) {
  const Record record = run_text(start +
                                 "kind = \"mpc\"\nto = [0.5, 0.3, 0.2, -1.5, 0.2, 1.8, 0.1]\nsample = 0.001\n"
                                 "[[disturbance]]\njoint = \"joint2\"\ntorque = 20\nfrom = 1\nuntil = 1.2\n"
                                 "[[disturbance]]\njoint = \"joint4\"\nnoise = 0.5\nevery = 0.01\nuntil = 2\n");
  const std::vector<double> to{0.5, 0.3, 0.2, -1.5, 0.2, 1.8, 0.1};
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(last_position(record)[k], to[k], 1e-3);
  const Model& model = *record.model;
  const std::size_t first = record.trajectory.column("tau1");
  for (std::size_t i = 0; i < record.trajectory.size(); ++i)
    for (std::size_t k = 0; k < 7; ++k)
      EXPECT_LE(std::abs(record.trajectory.row(i)[first + k]),
                model.joint_of(static_cast<int>(k)).limits.effort + (k == 1   ? 20.0
                                                                     : k == 3 ? 4.0
                                                                              : 1e-9));
}

TEST(FeedbackDrives, SayWhatTheyLack) {
  const auto message = [](const std::string& drive, const char* robot = "panda_like") {
    try {
      const Scenario scenario =
          parse_scenario(std::string("robot = \"") + robot + "\"\n[drive]\n" + drive, "drive.toml");
      prepare(scenario);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("kind = \"mpc\"\nsample = 0.001\n").find("'to'"), std::string::npos);
  EXPECT_NE(message("kind = \"mpc\"\nto = 0\n").find("'sample'"), std::string::npos);
  EXPECT_NE(message("kind = \"mpc\"\nto = 0\nsample = 0.001\nknots = 1\n").find("knots"), std::string::npos);
  EXPECT_NE(message("kind = \"impedance\"\n").find("stiffness"), std::string::npos);
  EXPECT_NE(message("kind = \"impedance\"\nstiffness = [1, 2]\n").find("three"), std::string::npos);
  EXPECT_NE(message("kind = \"impedance\"\nstiffness = 1\nframe = \"hnad\"\n").find("hnad"), std::string::npos);
  EXPECT_NE(message("kind = \"lqr\"\nposition_weight = [1, 2]\n").find("position_weight"), std::string::npos);
  EXPECT_NE(message("kind = \"lqr\"\neffort_weight = 0\n").find("weight"), std::string::npos);
  EXPECT_FALSE(message("kind = \"lqr\"\n", "satellite_arm").empty());
}

}  // namespace
}  // namespace ulna

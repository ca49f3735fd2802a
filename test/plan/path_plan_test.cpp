// Path files: read or refused with the line, followed by the tip as they say, and driven in a simulation.
#include "ulna/study/path_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/spatial/lie.hpp"
#include "ulna/study/run.hpp"

namespace ulna {
namespace {

constexpr const char* square = R"(
start = [0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3]
[limits]
velocity = ["120 deg"]
tip_speed = 0.5
[[move]]
joints = [0.3, 0.3, 0, -1.6, 0, 1.9, 0.2]
blend = 0.05
[[move]]
joints = [0.5, 0.3, 0, -1.6, 0, 1.9, 0.6]
[[move]]
line = [0.4, 0.2, 0.5]
blend = 0.02
[[move]]
line = [0.4, 0.0, 0.5]
[[move]]
arc = [0.4, -0.2, 0.5]
via = [0.4, -0.1, 0.6]
)";

std::string message_of(const std::string& text, const Model& model) {
  try {
    const PathPlan plan = parse_path_plan(text, "path.toml");
    path_of(plan, model);
    limits_of(plan, model);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(PathPlan, LeadsTheTipAsItSays) {
  const Model model = load("panda_like");
  const PathPlan plan = parse_path_plan(square, "path.toml");
  const TipPath followed = path_of(plan, model);
  ASSERT_TRUE(followed.path) << followed.reason;
  const Path& path = *followed.path;
  // one rest before the first line, one before the arc, which leaves its line at a corner
  int rests = 0;
  for (std::size_t k = 0; k < path.ends().size(); ++k) rests += path.rests(k) ? 1 : 0;
  EXPECT_EQ(rests, 2);
  Kinematics<double> kinematics(model);
  std::vector<double> q(7), first(7), second(7);
  double off_circle = 0.0, highest = 0.0;
  bool on_arc = false;
  for (std::size_t piece = 0; piece < path.piece_count(); ++piece) {
    path.at(0.5 * (path.ends()[piece] + path.ends()[piece + 1]), piece, q, first, second);
    kinematics.update_positions(q);
    const Vec3<double> p = kinematics.pose(model.tip()).p;
    on_arc = on_arc || (piece > 0 && path.rests(piece) && p.y < 1e-3);
    if (!on_arc) continue;
    off_circle = std::max(off_circle, std::abs(norm(p - Vec3<double>{0.4, -0.1, 0.5}) - 0.1));
    highest = std::max(highest, p.z);
  }
  EXPECT_TRUE(on_arc);
  EXPECT_LE(off_circle, 2e-5);  // a natural spline is off by some micrometres next to its ends
  EXPECT_NEAR(highest, 0.6, 1e-4);
  const TimingLimits limits = limits_of(plan, model);
  EXPECT_NEAR(limits.velocity[6], 2.0944, 1e-4);
  EXPECT_EQ(limits.torque, timing_limits(model).torque);
}

TEST(PathPlan, WaypointsAndPosesComeFromFiles) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ulna_path_plan";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "way.csv") << "t,q1,q2\n0,0,0\n1,0.5,0.2\n2,1,0\n";
  std::ofstream(folder / "poses.csv") << "t,x,y,z,qx,qy,qz,qw\n0,0.4,0.2,0.5,1,0,0,0\n1,0.4,0.1,0.5,1,0,0,0\n";
  const Model two = load("planar2r");
  const PathPlan plan = parse_path_plan("[[move]]\nwaypoints = \"way.csv\"\n", (folder / "p.toml").string());
  EXPECT_EQ(path_of(plan, two).path->piece_count(), 2U);
  const Model arm = load("panda_like");
  const PathPlan poses = parse_path_plan("[[move]]\nposes = \"poses.csv\"\n", (folder / "p.toml").string());
  EXPECT_TRUE(path_of(poses, arm).path);
  std::ofstream(folder / "poses.csv") << "t,x,y,z,qx,qy,qz,qw\n0,0.4,0.2,0.5,1,1,0,0\n";
  EXPECT_THROW(path_of(poses, arm), InputError);
}

TEST(PathPlan, SaysWhatIsWrongAndWhere) {
  const Model model = load("panda_like");
  for (const auto& [text, words] :
       {std::pair{"", "there is no [[move]]"},
        {"[[move]]\n", "path.toml:1"},
        {"[[move]]\njoints = [1, 2]\n", "'joints' has 2 numbers"},
        {"[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\nline = [0, 0, 0]\n", "needs one of"},
        {"[[move]]\narc = [0, 0, 0]\n", "'via'"},
        {"[[move]]\narc = [0.4, 0, 0.5]\nvia = [0.4, 0.1, 0.5]\n", "needs a beginning"},
        {"[[move]]\nline = [0.4, 0, 0.5]\n", "needs an orientation"},
        {"[[move]]\nline = [0.4, 0, 0.5]\norientation = [1, 1, 0, 0]\n", "length 1"},
        {"[[move]]\nthrough = [[0, 0, 0, -1, 0, 1, 0], 3]\n", "list of lists"},
        {"[[move]]\nthrough = [[0, 0, 0, -1, 0, 1, 0]]\n", "two waypoints"},
        {"[[move]]\njoints = [9, 0, 0, -1, 0, 1, 0]\n[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n",
         "beyond its upper limit"},
        {"[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n", "one point only"},
        {"[limits]\npower = -1\n[[move]]\nthrough = [[0, 0, 0, -1, 0, 1, 0], [0, 0, 0, -1, 0, 1.2, 0]]\n", "positive"},
        {"hold = \"hand\"\n[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n", "hold"},
        {"[[move]]\nwaypoints = \"\"\n", "names no file"},
        {"[[move]]\nline = [0.4, 0, 0.5]\norientation = [1, 0, 0, 0]\n[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n",
         "give a start"},
        {"[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n[[move]]\njoints = [1, "
         "0, 0, "
         "-1, 0, 1, 0]\n",
         "path.toml:3: error: this move goes nowhere"},
        {"start = [0.1, 0.2, 0.1, -1.8, 0.1, 2, 0.3]\n[[move]]\nline = [0.4, 0.2, 0.5]\n[[move]]\nline = [0.4, 0.2, "
         "0.5]\n"
         "[[move]]\nline = [0.4, 0.1, 0.5]\n",
         "path.toml:4: error: the move goes nowhere"},
        {"posture = \"nowhere\"\n[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n", "no posture 'nowhere'"},
        {"frame = \"hnad\"\n[[move]]\njoints = [0, 0, 0, -1, 0, 1, 0]\n", "no link or frame 'hnad'"}}) {
    const std::string told = message_of(text, model);
    EXPECT_NE(told.find(words), std::string::npos) << text << told;
  }
}

/// Three turns of the tool about its own axis are beyond the limits of the wrist, but for whoever does not ask for
/// them.
TEST(PathPlan, TheArmMayTurnAboutItsTool) {
  const Model model = load("panda_like");
  PathPlan plan;
  plan.start = std::vector<double>{0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3};
  Kinematics<double> kinematics(model);
  kinematics.update_positions(plan.start.in_si());
  const Pose<double> from = kinematics.pose(model.tip());
  for (int k = 1; k <= 9; ++k)
    plan.moves.push_back({.line = from.p + Vec3<double>{0.0, 0.01 * k, 0.0},
                          .orientation = from.R * exp_rotation(Vec3<double>{0.0, 0.0, 2.0 * k})});
  EXPECT_FALSE(path_of(plan, model).path);
  EXPECT_GT(path_of(plan, model).leg, 0);
  for (const TipHold hold : {TipHold::direction, TipHold::position}) {
    plan.hold = hold;
    EXPECT_TRUE(path_of(plan, model).path);
  }
}

/// A simulated arm that is driven by the torques of the planned motion ends where the path does.
TEST(PathPlan, IsAMotionOfScenarios) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ulna_path_scenario";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "path.toml") << square;
  const Model model = load("panda_like");
  const auto reference = motion_of(parse_path_plan(square, "path.toml"), model);
  const double end = reference->breaks().back();
  for (const char* drive : {"kind = \"playback\"", "kind = \"computed_torque\"\nkp = 400\nkd = 40"}) {
    const std::string text = "robot = \"panda_like\"\n[run]\nfor = " + std::to_string(end) +
                             "\n[start]\nq = [0.1, 0.2, 0.1, -1.8, 0.1, 2.0, 0.3]\n[drive]\n" + drive +
                             "\n[drive.motion]\nkind = \"path\"\nfile = \"path.toml\"\n";
    const Record record = run(parse_scenario(text, (folder / "s.toml").string()));
    std::vector<double> q(7), v(7), a(7);
    reference->at(end, end, q, v, a);
    const auto& rows = record.trajectory;
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(rows.row(rows.size() - 1)[1 + k], q[k], 1e-5) << drive;
  }
}

}  // namespace
}  // namespace ulna

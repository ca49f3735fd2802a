// Scenario files: the bundled ones run, every scenario survives being written and read, and a bad
// file is told all its problems at once.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "support/runs.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna {
namespace {

class Bundled : public ::testing::TestWithParam<std::string> {};

test::FinishedRun short_piece(Scenario scenario) {
  scenario.duration = 0.2;
  scenario.every = 0.05;
  const Model model = build(robot_of(scenario));
  return test::finish(model, setup_of(scenario, model));
}

TEST_P(Bundled, RunsAndIsTheSameAfterWritingAndReading) {
  const Scenario scenario = load_scenario(GetParam());
  EXPECT_FALSE(scenario.title.empty());
  EXPECT_FALSE(scenario.provenance.empty());
  const Scenario again = parse_scenario(to_toml(scenario), "again.toml");
  EXPECT_EQ(to_toml(again), to_toml(scenario));
  const test::FinishedRun first = short_piece(scenario), second = short_piece(again);
  EXPECT_EQ(first.result.status, RunStatus::completed) << first.result.reason;
  ASSERT_EQ(first.trajectory.size(), 5u);
  for (std::size_t i = 0; i < first.trajectory.size(); ++i) {
    const auto a = first.trajectory.row(i), b = second.trajectory.row(i);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << "row " << i;  // to the last bit
  }
}

std::vector<std::string> bundled_names() {
  std::vector<std::string> names;
  for (const BundledScenario& bundled : bundled_scenarios()) names.push_back(bundled.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, Bundled, ::testing::ValuesIn(bundled_names()), [](const auto& one) { return one.param; });

TEST(BundledScenarios, AreThoseOfTheSpecification) {
  const std::vector<std::string> names = bundled_names();
  for (const char* name :
       {"stanford_free_fall", "stanford_forced", "puma_free_fall", "puma_forced", "planar3r_free_fall",
        "planar3r_forced", "kuka_pd", "satellite_free", "satellite_reach", "chain100_swing"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

/// Numbers of any size and sign, whole ones and zeros of both signs among them.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : generator_(seed) {}
  std::uint64_t below(std::uint64_t n) { return generator_() % n; }
  bool coin() { return below(2) == 0; }
  double any() {
    switch (below(5)) {
      case 0: return coin() ? 0.0 : -0.0;
      case 1: return static_cast<double>(below(2000)) - 1000.0;
      default: break;
    }
    for (;;) {
      const auto x = std::bit_cast<double>(generator_());
      if (std::isfinite(x)) return x;
    }
  }
  double or_default() { return any() + 0.0; }  // a zero of either sign is the default and left out
  double positive() { return std::abs(any()) + 1e-300; }
  std::vector<double> list() {
    std::vector<double> values(1 + below(4));
    for (double& x : values) x = any();
    return values;
  }
  Vec3<double> vector() { return {any(), any(), any()}; }
  std::string text() {
    static const char* const words[] = {
        "plain", "\"quoted\" \\ back", "two\nlines\ttab", "Gelenkwinkel größer \x7f", "#[=]'", ""};
    return words[below(6)];
  }

 private:
  std::mt19937_64 generator_;
};

ScenarioMotion random_motion(Numbers& any) {
  static const char* const kinds[] = {"cycloid", "quintic", "trapezoid", "cosine", "spline"};
  ScenarioMotion motion;
  motion.kind = kinds[any.below(5)];
  if (motion.kind == "cosine") {
    motion.amplitude = any.list();
    motion.offset = any.list();
    motion.period = any.positive();
    motion.phase = any.or_default();
  } else if (motion.kind == "spline") {
    motion.file = "/some where/motion.csv";
  } else {
    motion.from = any.list();
    motion.to = any.list();
    motion.start = any.or_default();
    motion.time = any.positive();
    if (motion.kind == "trapezoid") motion.blend = 0.3125;
  }
  return motion;
}

ScenarioDrive random_drive(Numbers& any) {
  static const char* const kinds[] = {"free", "constant", "table", "playback", "pd", "computed_torque"};
  ScenarioDrive drive;
  drive.kind = kinds[any.below(6)];
  if (drive.kind == "constant") drive.torque = any.list();
  if (drive.kind == "table") {
    drive.file = "/tmp/table \"x\".csv";
    drive.hold = any.coin() ? "steps" : "spline";
  }
  if (drive.kind == "pd" || drive.kind == "computed_torque") {
    drive.kp = any.list();
    drive.kd = any.list();
  }
  if (drive.kind == "pd" || drive.kind == "computed_torque" || drive.kind == "playback")
    drive.motion = random_motion(any);
  drive.gravity = any.coin();
  drive.saturate = any.coin();
  if (any.coin()) drive.sample = any.positive();
  return drive;
}

void add_random_actions(Scenario& s, Numbers& any) {
  for (std::uint64_t i = any.below(3); i > 0; --i)
    s.loads.push_back(
        {any.text() + "x", any.vector(), any.vector(), any.coin() ? 0.0 : -1.5, any.coin() ? INFINITY : 2.5});
  for (std::uint64_t i = any.below(4); i > 0; --i) {
    ScenarioDisturbance disturbance;
    disturbance.joint = any.text() + "j";
    if (any.coin()) {
      disturbance.noise = any.positive();
      disturbance.every = any.positive();
    } else {
      disturbance.torque = any.any();
      disturbance.from = 0.25;
      if (any.coin()) disturbance.until = 1e3;
    }
    s.disturbances.push_back(disturbance);
  }
  const Frame frame{any.text() + "f", -1, Pose<double>::identity()};
  if (any.coin()) s.frame_loads.push_back(FrameSpring{frame, {any.any(), 0, 0}, any.positive(), any.positive(), 0.5});
  if (any.coin()) s.frame_loads.push_back(FrameDamper{frame, any.positive(), any.positive()});
  if (any.coin()) s.frame_loads.push_back(FrameWall{frame, {any.any(), 1, 2}, {0, any.positive(), 1}, any.positive()});
  for (std::uint64_t i = any.below(3); i > 0; --i) {
    ScenarioEvent event{.text = any.text(), .action = static_cast<EventAction>(any.below(3))};
    (any.coin() ? event.joint : event.frame) = any.text() + "e";
    if (!event.frame.empty()) event.axis = {0.0, any.coin() ? 1.0 : -0.5, 0.25};
    (any.coin() ? event.position : event.velocity) = any.any();
    s.events.push_back(event);
  }
}

Scenario random_scenario(std::uint64_t seed) {
  Numbers any(seed);
  Scenario s;
  s.name = "run" + std::to_string(seed);
  s.title = any.text();
  s.provenance = any.text();
  s.robot = any.coin() ? "chain:12" : "/a folder/robot.v2.toml";
  s.free_base = any.coin();
  if (any.coin()) s.gravity = any.vector();
  if (any.coin())
    s.payloads.push_back({any.text(), {any.positive(), any.vector(), {any.positive(), 2, 3, -1, any.positive(), 0}}});
  s.nonphysical_reason = any.text();
  s.method = "denoc";
  s.seed = any.below(9'000'000'000'000'000ULL);
  s.duration = any.positive();
  s.every = any.positive();
  s.integrator = "rkf45";
  s.relative = any.positive();
  s.absolute = any.coin() ? s.relative : any.positive();
  if (any.coin()) s.step = any.positive();
  if (any.coin()) s.largest_step = any.positive();
  if (any.coin()) s.most_steps = any.positive();
  if (any.coin()) s.friction_speed = any.positive();
  s.baumgarte = any.positive();
  s.limits = static_cast<EventAction>(any.below(3));
  if (any.coin()) s.q = any.list();
  if (any.coin()) s.v = any.list();
  s.drive = random_drive(any);
  add_random_actions(s, any);
  return s;
}

/// All numbers of a scenario, as their bits.
std::vector<std::uint64_t> bits(const Scenario& s) {
  std::vector<std::uint64_t> all{s.seed, static_cast<std::uint64_t>(s.limits)};
  const auto add = [&](std::initializer_list<double> values) {
    for (const double x : values) all.push_back(std::bit_cast<std::uint64_t>(x));
  };
  const auto add_list = [&](const std::vector<double>& values) {
    all.push_back(values.size());
    for (const double x : values) add({x});
  };
  add({s.duration, s.every, s.relative, s.absolute, s.step, s.largest_step, s.most_steps,
       s.friction_speed.value_or(-1.0), s.baumgarte, s.drive.sample});
  if (s.gravity) add({s.gravity->x, s.gravity->y, s.gravity->z});
  for (const auto* list : {&s.q, &s.v}) add_list(list->in_si());
  for (const auto* list : {&s.drive.torque, &s.drive.kp, &s.drive.kd}) add_list(*list);
  if (const auto& m = s.drive.motion) {
    add({m->start, m->time, m->blend, m->period, m->phase});
    for (const auto* list : {&m->from, &m->to, &m->offset, &m->amplitude}) add_list(list->in_si());
  }
  for (const Payload& x : s.payloads) {
    const Sym3<double>& i = x.mass.inertia;
    add({x.mass.mass, x.mass.com.x, x.mass.com.y, x.mass.com.z, i.xx, i.yy, i.zz, i.xy, i.xz, i.yz});
  }
  for (const ScenarioLoad& x : s.loads)
    add({x.moment.x, x.moment.y, x.moment.z, x.force.x, x.force.y, x.force.z, x.from, x.until});
  for (const ScenarioDisturbance& x : s.disturbances) add({x.torque, x.from, x.until, x.noise, x.every});
  for (const ScenarioEvent& x : s.events) add({x.position.value_or(-1.0).in_si(), x.velocity.value_or(-1.0).in_si()});
  return all;
}

TEST(Scenario, SurvivesWritingAndReadingBitForBit) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Scenario scenario = random_scenario(seed);
    const std::string text = to_toml(scenario);
    try {
      const Scenario again = parse_scenario(text, "again.toml");
      EXPECT_EQ(to_toml(again), text) << "seed " << seed;
      EXPECT_EQ(bits(again), bits(scenario)) << "seed " << seed << "\n" << text;
      EXPECT_EQ(again.title, scenario.title);
      EXPECT_EQ(again.nonphysical_reason, scenario.nonphysical_reason);
    } catch (const InputError& e) {
      ADD_FAILURE() << "seed " << seed << ": " << e.what() << "\n" << text;
    }
  }
}

TEST(Scenario, AllProblemsAreToldAtOnceWithTheirLines) {
  const std::string text =
      "robot = \"planar2r\"\n"                                // 1
      "seed = -3\n"                                           // 2
      "titel = \"x\"\n"                                       // 3
      "[run]\n"                                               // 4
      "for = -1\n"                                            // 5
      "every = \"soon\"\n"                                    // 6
      "integrator = \"rk5\"\n"                                // 7
      "[drive]\n"                                             // 8
      "kind = \"pd\"\n"                                       // 9
      "kp = [1, nan]\n"                                       // 10
      "kd = []\n"                                             // 11
      "[[load]]\n"                                            // 12
      "force = [1, 2]\n"                                      // 13
      "[[disturbance]]\n"                                     // 14
      "joint = \"joint1\"\nnoise = -1\nevery = 0.1\n"         // 15 to 17
      "[[event]]\njoint = 7\nposition = 1\naction = \"\"\n";  // 18 to 21
  try {
    parse_scenario(text, "bad.toml");
    FAIL() << "was read";
  } catch (const InputError& e) {
    std::vector<int> lines;
    for (const Finding& finding : e.findings()) {
      EXPECT_EQ(finding.source.file, "bad.toml");
      lines.push_back(finding.source.line);
    }
    for (const int line : {2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 16, 19, 21})
      EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << "line " << line << "\n" << e.what();
  }
}

TEST(Scenario, WithoutARobotIsNotTakenForARobot) {
  try {
    parse_scenario("title = \"x\"\n[run]\nfor = 1\n", "a.toml");
    FAIL() << "was read";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("'robot' is missing"), std::string::npos) << e.what();
  }
}

TEST(Setup, ListsMayLeaveOutTheFreeBaseOrGiveOneNumberForAll) {
  Scenario scenario =
      parse_scenario("robot = \"satellite_arm\"\n[start]\nq = 0.5\nv = [1, 2, 3, 4, 5, 6, 7]\n", "a.toml");
  const Model model = build(robot_of(scenario));
  const SimulationSetup setup = setup_of(scenario, model);
  EXPECT_EQ(setup.q0, (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(setup.v0, (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7}));
  scenario.v = {1, 2};
  EXPECT_THROW(setup_of(scenario, model), InputError);
  scenario.v.clear();
  scenario.q = {0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_THROW(setup_of(scenario, model), InputError);
}

TEST(Setup, NumbersInCodeAreDoublesInSiUnitsOrAsTheyWereWritten) {
  Scenario scenario;
  scenario.robot = "rtx";  // its first joint slides
  const Model model = build(robot_of(scenario));
  const std::vector<double> q{0.1, 0.2, 0.3};
  scenario.q = q;
  scenario.v = {0.5};
  scenario.events = {{.joint = "joint1", .position = 0.25}};
  const SimulationSetup setup = setup_of(scenario, model);
  EXPECT_EQ(setup.q0, q);
  EXPECT_EQ(setup.v0, std::vector<double>(3, 0.5));
  EXPECT_EQ(setup.watched.at(0).value, 0.25);
  scenario.q = {0.1, parse_written("90 deg", "q"), parse_written("2 rad", "q")};
  EXPECT_EQ(setup_of(scenario, model).q0, (std::vector<double>{0.1, std::acos(0.0), 2.0}));
  scenario.q[0] = parse_written("1 deg", "q");
  EXPECT_THROW(setup_of(scenario, model), InputError);
}

TEST(Setup, AnEventMayBeOnTheVelocity) {
  const Scenario scenario = parse_scenario(
      "robot = \"planar2r\"\n[[event]]\njoint = \"joint2\"\nvelocity = 2.5\naction = \"stop\"\n", "a.toml");
  const SimulationSetup setup = setup_of(scenario, build(robot_of(scenario)));
  ASSERT_EQ(setup.watched.size(), 1u);
  EXPECT_EQ(setup.watched[0].v_index, 1);
  EXPECT_TRUE(setup.watched[0].velocity);
  EXPECT_EQ(setup.watched[0].value, 2.5);
  EXPECT_EQ(setup.watched[0].text, "joint2: velocity 2.5");
}

}  // namespace
}  // namespace ulna

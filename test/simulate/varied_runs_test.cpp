// What differs from run to run of an ensemble: the grammar, the numbers drawn, and what they do to a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/runs.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna {
namespace {

Scenario scenario_with(std::initializer_list<const char*> vary, const char* robot = "ur5_like") {
  Scenario scenario = load_scenario(robot);
  scenario.ensemble.runs = 1;
  for (const char* text : vary) scenario.ensemble.vary.push_back(parse_variation(text));
  return scenario;
}

/// A scenario with everything that its runs are made of.
struct Varied {
  explicit Varied(Scenario of)
      : scenario(std::move(of)), graph(robot_of(scenario)), model(build(graph)), runs(scenario, graph, model) {}
  Varied(std::initializer_list<const char*> vary) : Varied(scenario_with(vary)) {}
  Varied(const Varied&) = delete;
  Varied& operator=(const Varied&) = delete;

  std::vector<double> drawn(std::size_t parameter, std::size_t count) const {
    std::vector<double> values;
    for (std::size_t k = 0; k < count; ++k) values.push_back(runs.draw(k).values[parameter]);
    return values;
  }

  Scenario scenario;
  Graph graph;
  Model model;
  VariedRuns runs;
};

TEST(Variation, IsReadAsWritten) {
  const Variation normal = parse_variation("q=normal:90deg");
  EXPECT_EQ(normal.what, Variation::What::position);
  EXPECT_DOUBLE_EQ(normal.high.in_si(), std::acos(0.0));
  const Variation range = parse_variation("tau3=uniform:-1..2.5");
  EXPECT_EQ(range.number, 3);
  EXPECT_EQ(range.low.in_si(), -1.0);
  EXPECT_EQ(range.high.in_si(), 2.5);
  const Variation factor = parse_variation("upper.arm.mass=uniform:0.5..1.5x");
  EXPECT_EQ(factor.name, "upper.arm");
  EXPECT_TRUE(factor.relative);
  EXPECT_EQ(factor.low.in_si(), -0.5);
  EXPECT_EQ(factor.high.in_si(), 0.5);
  const Variation percent = parse_variation("kp=uniform:10%");
  EXPECT_TRUE(percent.relative);
  EXPECT_EQ(percent.low.in_si(), -0.1);
  EXPECT_EQ(percent.high.in_si(), 0.1);
}

TEST(Variation, MistakesAreNamed) {
  for (const char* bad : {"",
                          "q",
                          "q=",
                          "q=normal",
                          "q=normal:",
                          "=normal:1",
                          "q=gauss:1",
                          "x=normal:1",
                          ".q=normal:1",
                          "q=normal:a",
                          "q=normal:-1",
                          "q=normal:0",
                          "q=normal:1..2",
                          "q=uniform:2..1",
                          "q=uniform:1..",
                          "q=uniform:..1",
                          "q=normal:5%",
                          "q=normal:1kg",
                          "mass=normal:1",
                          "mass=normal:1deg",
                          "mass=uniform:2x",
                          "payload=normal:5%",
                          "link1.payload=normal:1kg",
                          "q0=normal:1",
                          "q01=normal:1",
                          "mass2=normal:5%",
                          "a.q2=normal:1",
                          "q=normal:nan",
                          "q=normal:inf",
                          "q=normal:1e400",
                          "q=uniform:1..nan",
                          "q2x=normal:1"}) {
    EXPECT_THROW(parse_variation(bad), InputError) << bad;
  }
}

TEST(VariedRuns, WhatDoesNotFitTheRobotIsRefused) {
  for (const char* bad :
       {"q7=normal:1", "elbow.q=normal:1", "kp=normal:5%", "to=normal:1", "link9.mass=normal:5%", "mass=uniform:-1..1x",
        "payload=uniform:-1..1", "friction=uniform:-1..1", "friction=normal:5%"})
    EXPECT_THROW(Varied({bad}), InputError) << bad;
  EXPECT_THROW(Varied({"q=normal:1", "q2=normal:1"}), InputError);
  EXPECT_THROW(Varied(scenario_with({"q=normal:5deg"}, "stanford")), InputError) << "joint 3 slides";
  EXPECT_THROW(Varied({}), InputError) << "all runs alike";
  Scenario pushing = load_scenario("ur5_like_scatter");
  pushing.drive.kp = {-100.0};
  pushing.ensemble.vary = {parse_variation("kp=normal:1%")};
  EXPECT_THROW(Varied{pushing}, InputError) << "every draw would be impossible";
}

/// Mean and deviation of n numbers scatter by σ/√n and σ√(κ − 1)/(2√n), κ the kurtosis; five of these hold for all
/// but one seed in a million.
void expect_moments(const std::vector<double>& values, double mean, double deviation, double kurtosis) {
  const auto n = static_cast<double>(values.size());
  double m = 0.0, s = 0.0;
  for (const double x : values) m += x / n;
  for (const double x : values) s += (x - m) * (x - m) / (n - 1.0);
  EXPECT_NEAR(m, mean, 5.0 * deviation / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(s), deviation, 5.0 * deviation * std::sqrt(kurtosis - 1.0) / (2.0 * std::sqrt(n)));
}

/// Kolmogorov's distance exceeds 2.5/√n once in 100 000 times (2 exp(−2·2.5²) = 7e-6).
void expect_distribution(std::vector<double> values, const std::function<double(double)>& law) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    worst = std::max(worst, std::fabs(law(values[i]) - static_cast<double>(i) / n));
    worst = std::max(worst, std::fabs(law(values[i]) - static_cast<double>(i + 1) / n));
  }
  EXPECT_LT(worst, 2.5 / std::sqrt(n));
}

TEST(VariedRuns, NumbersFollowTheirLaws) {
  constexpr std::size_t n = 20'000;
  const Varied varied({"q=normal:0.1", "v2=uniform:-1..3", "link2.mass=uniform:0.9..1.1x"});
  const double root2 = std::sqrt(2.0);
  for (const std::size_t joint : {0u, 5u}) {
    const std::vector<double> q = varied.drawn(joint, n);
    expect_moments(q, 0.0, 0.1, 3.0);
    expect_distribution(q, [&](double x) { return 0.5 * std::erfc(-x / 0.1 / root2); });
  }
  const std::vector<double> v = varied.drawn(6, n);
  expect_moments(v, 1.0, 4.0 / std::sqrt(12.0), 1.8);
  expect_distribution(v, [](double x) { return (x + 1.0) / 4.0; });
  const double mass = 8.393;
  const std::vector<double> m = varied.drawn(7, n);
  expect_moments(m, mass, 0.2 * mass / std::sqrt(12.0), 1.8);
  EXPECT_GE(*std::min_element(m.begin(), m.end()), 0.9 * mass * (1.0 - 1e-12));
  EXPECT_LE(*std::max_element(m.begin(), m.end()), 1.1 * mass * (1.0 + 1e-12));
}

/// Numbers of different parameters have nothing to do with each other, nor have those of neighbouring runs.
TEST(VariedRuns, NumbersAreIndependent) {
  constexpr std::size_t n = 20'000;
  const Varied varied({"q=normal:1"});
  const std::vector<double> a = varied.drawn(0, n), b = varied.drawn(1, n);
  double across = 0.0, along = 0.0;
  for (std::size_t k = 1; k < n; ++k) {
    across += a[k] * b[k];
    along += a[k] * a[k - 1];
  }
  EXPECT_LT(std::fabs(across / n), 5.0 / std::sqrt(n));
  EXPECT_LT(std::fabs(along / n), 5.0 / std::sqrt(n));
}

TEST(VariedRuns, ImpossibleDrawsAreRepeated) {
  const Varied varied({"friction1=normal:1", "link6.mass=normal:60%"});
  long repeated = 0;
  constexpr std::size_t n = 10'000;
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_GE(varied.runs.draw(k).values[0], 0.0);
    EXPECT_GT(varied.runs.draw(k).values[1], 0.0);
    repeated += varied.runs.draw(k).repeated;
  }
  // half of the first law and Φ(−1/0.6) = 4.8 % of the second; repeats of repeats make a geometric series
  const double wanted = n * (0.5 / 0.5 + 0.0478 / 0.9522);
  EXPECT_NEAR(static_cast<double>(repeated), wanted, 5.0 * std::sqrt(2.1 * n));
  // what is left of a normal law about zero is half of it: mean √(2/π)
  const std::vector<double> f = varied.drawn(0, n);
  expect_moments(f, std::sqrt(2.0 / M_PI), std::sqrt(1.0 - 2.0 / M_PI), 3.87);
}

TEST(VariedRuns, SeedsRepeatAndNamesCount) {
  const Varied one({"q=normal:1", "v=normal:1"}), again({"v=normal:1", "q=normal:1"});
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(one.runs.run(k).q0, again.runs.run(k).q0) << "what else is varied, and in which order, does not count";
    EXPECT_EQ(one.runs.run(k).v0, again.runs.run(k).v0);
  }
  Scenario other = scenario_with({"q=normal:1"});
  other.seed = 2;
  const Varied reseeded(other);
  EXPECT_NE(one.runs.run(0).q0, reseeded.runs.run(0).q0);
  EXPECT_NE(one.runs.run(0).q0, one.runs.run(1).q0);
  EXPECT_NE(*one.runs.run(0).seed, *one.runs.run(1).seed);
}

/// These numbers, computed apart in Python, must come out on every machine, now and later: runs are repeated by seed.
TEST(VariedRuns, TheGeneratorIsNotChanged) {
  const Varied varied({"q1=uniform:0..1", "q2=normal:1"});
  const std::vector<double> first = varied.runs.draw(0).values, second = varied.runs.draw(1).values;
  EXPECT_EQ(first[0], 0.61638794332478819);
  EXPECT_EQ(second[0], 0.72965269921696496);
  EXPECT_DOUBLE_EQ(first[1], 2.1121159984015891);
}

TEST(VariedRuns, MassesAreThoseOfAnEditedRobot) {
  const Varied varied({"link3.mass=uniform:0.5..1.5x", "payload=uniform:0..2kg"});
  SimulationSetup setup = varied.runs.nominal();
  setup.duration = 0.3;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double> drawn = varied.runs.draw(k).values;
    Graph edited = load_graph("ur5_like");
    for (GraphBody& body : edited.bodies) {
      if (body.name != "link3") continue;
      const double factor = drawn[0] / body.mass.mass;
      body.mass.mass = drawn[0];
      for (double* x : {&body.mass.inertia.xx, &body.mass.inertia.yy, &body.mass.inertia.zz, &body.mass.inertia.xy,
                        &body.mass.inertia.xz, &body.mass.inertia.yz})
        *x *= factor;
    }
    // the payload as a body of its own, fixed at the tip; a tensor of 1e-12 that a body must have
    edited.bodies.push_back({"load", {drawn[1], {0, 0, 0}, {1e-12, 1e-12, 1e-12, 0, 0, 0}}, {}, {}});
    GraphJoint joint;
    joint.name = "grip";
    joint.kind = JointKind::fixed;
    joint.parent = varied.model.tip().name;
    joint.child = "load";
    edited.joints.push_back(joint);
    const RunResult by_hand = test::finish(build(edited), setup).result;
    const RunResult drawn_run = test::finish(*varied.runs.run(k).model, setup).result;
    // the same robot to rounding, and 1e-12 of inertia beside the wrist's 1e-4
    EXPECT_LT(test::largest_difference(by_hand.final_q, drawn_run.final_q), 1e-6) << k;
    EXPECT_GT(test::largest_difference(drawn_run.final_q, test::finish(varied.model, setup).result.final_q), 1e-4);
  }
}

TEST(VariedRuns, DrivesChangeInWhatIsVaried) {
  Scenario scenario = load_scenario("ur5_like_scatter");
  scenario.ensemble.vary = {parse_variation("kp2=normal:10%"), parse_variation("to=uniform:1deg"),
                            parse_variation("coulomb1=uniform:0..1")};
  const Varied varied(scenario);
  const auto& nominal = std::get<PdDrive>(varied.runs.nominal().actions.drive);
  const EnsembleRun run = varied.runs.run(3);
  const auto& own = std::get<PdDrive>(*run.drive);
  EXPECT_NE(own.kp[1], nominal.kp[1]);
  EXPECT_EQ(own.kp[0], nominal.kp[0]);
  EXPECT_EQ(own.kd, nominal.kd);
  std::vector<double> q(6), v(6), a(6), q_nominal(6);
  own.reference->at(10.0, 10.0, q, v, a);
  nominal.reference->at(10.0, 10.0, q_nominal, v, a);
  const std::vector<double> drawn = varied.runs.draw(3).values;
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(q[k], drawn[1 + k], 1e-12);
    EXPECT_LT(std::fabs(q[k] - q_nominal[k]), M_PI / 180.0);
  }
  EXPECT_EQ(run.friction.coulomb[0], drawn[7]);
  EXPECT_EQ(run.friction.viscous[0], 0.0);
}

TEST(VariedRuns, TorquesOfAFreeRobotAreConstantOnes) {
  const Varied varied({"tau=normal:2"});
  ASSERT_TRUE(std::holds_alternative<ConstantDrive>(varied.runs.nominal().actions.drive));
  EXPECT_EQ(std::get<ConstantDrive>(*varied.runs.run(0).drive).torque, varied.runs.draw(0).values);
}

TEST(ScenarioEnsemble, IsReadAndWrittenBack) {
  const char* text =
      "robot = \"ur5_like\"\n[ensemble]\nruns = 12\nseed = 5\nvary = [\"q=normal:5deg\", \"payload=uniform:0..2kg\"]\n"
      "keep = [\"tip\", \"energy\"]\n";
  const Scenario scenario = parse_scenario(text, "file.toml");
  EXPECT_EQ(scenario.ensemble.runs, 12u);
  EXPECT_EQ(scenario.seed, 5u);
  ASSERT_EQ(scenario.ensemble.vary.size(), 2u);
  EXPECT_EQ(scenario.ensemble.vary[1].source.line, 5);
  const Scenario again = parse_scenario(to_toml(scenario), "again.toml");
  EXPECT_EQ(to_toml(again), to_toml(scenario));
  EXPECT_EQ(again.ensemble.keep, scenario.ensemble.keep);
}

TEST(ScenarioEnsemble, MistakesHaveTheirLine) {
  const auto told = [](const std::string& lines) {
    try {
      parse_scenario("robot = \"ur5_like\"\n[ensemble]\n" + lines, "file.toml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(told("vary = \"q=normal:1\"\n").find("file.toml:2: error: [ensemble]: 'runs' is missing"),
            std::string::npos);
  EXPECT_NE(told("runs = 3\nvary = [\n\"q=normal:1\",\n\"q=gauss:1\"]\n").find("file.toml:6: error: vary 'q=gauss:1'"),
            std::string::npos);
  EXPECT_NE(told("runs = 0\n").find("file.toml:3"), std::string::npos);
  EXPECT_NE(told("runs = 2.5\n").find("file.toml:3"), std::string::npos);
  EXPECT_NE(told("runs = 3\nvary = 4\n").find("file.toml:4"), std::string::npos);
  EXPECT_NE(told("runs = 3\nvarry = 4\n").find("did you mean 'vary'"), std::string::npos);
  EXPECT_NE(told("runs = 3\nseed = -1\n").find("file.toml:4"), std::string::npos);
}

}  // namespace
}  // namespace ulna

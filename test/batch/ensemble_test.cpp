// Ensembles: every run is what it is alone, whoever shares its pack and however many threads there are.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "support/runs.hpp"
#include "ulna/base/error.hpp"
#include "ulna/batch/ensemble.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/payload.hpp"

namespace ulna {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const Model& arm() {
  static const Model model = load("ur5_like");
  return model;
}

/// The same spread of starts whatever the number of runs.
std::vector<double> start_of(std::size_t k, double size = 1.0) {
  std::mt19937_64 generator(1000 + k);
  std::vector<double> q;
  for (int i = 0; i < 6; ++i) q.push_back(size * (static_cast<double>(generator() >> 11) * 0x1p-52 - 1.0));
  return q;
}

EnsembleSetup falls(std::size_t runs, double duration = 0.3) {
  EnsembleSetup setup;
  setup.nominal.duration = duration;
  setup.nominal.every = 0.1;
  setup.nominal.integrator = "dp5";
  setup.nominal.accuracy.relative = setup.nominal.accuracy.absolute = 1e-6;
  setup.runs = runs;
  setup.keep = {"q1", "v6", "tip_x", "energy"};
  setup.threads = 1;
  setup.vary = [](std::size_t k) { return EnsembleRun{.q0 = start_of(k)}; };
  return setup;
}

/// To the bit, NaN included.
void expect_same(std::span<const double> a, std::span<const double> b, std::size_t run) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << "run " << run;
}

void expect_same_run(const EnsembleResult& a, std::size_t i, const EnsembleResult& b, std::size_t j) {
  const EnsembleRunResult &x = a.runs[i], &y = b.runs[j];
  EXPECT_EQ(x.status, y.status) << i;
  EXPECT_EQ(x.reason, y.reason) << i;
  EXPECT_EQ(x.steps, y.steps) << i;
  EXPECT_EQ(x.rejected, y.rejected) << i;
  expect_same({&x.time, 1}, {&y.time, 1}, i);
  expect_same(x.q, y.q, i);
  expect_same(x.v, y.v, i);
  expect_same({&x.energy, 1}, {&y.energy, 1}, i);
  ASSERT_EQ(a.times.size(), b.times.size());
  for (std::size_t k = 0; k < a.times.size(); ++k) expect_same(a.sample(i, k), b.sample(j, k), i);
}

void expect_same_ensemble(const EnsembleResult& a, const EnsembleResult& b) {
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (std::size_t k = 0; k < a.runs.size(); ++k) expect_same_run(a, k, b, k);
}

/// Each run of `setup` again as the only one of an ensemble.
void expect_same_alone(const Model& model, const EnsembleSetup& setup, const EnsembleResult& together) {
  for (std::size_t k = 0; k < setup.runs; ++k) {
    EnsembleSetup one = setup;
    one.runs = 1;
    one.vary = [&](std::size_t) { return setup.vary(k); };
    expect_same_run(together, k, simulate_ensemble(model, one), 0);
  }
}

SimulationSetup single_setup(const EnsembleSetup& setup, std::size_t k) {
  SimulationSetup single = setup.nominal;
  const EnsembleRun run = setup.vary(k);
  if (!run.q0.empty()) single.q0 = run.q0;
  if (!run.v0.empty()) single.v0 = run.v0;
  if (run.drive) single.actions.drive = *run.drive;
  if (run.seed) single.actions.held.seed = *run.seed;
  single.actions.friction = run.friction;
  single.at_limits = EventAction::ignore;
  return single;
}

/// How much a deviation at the start has grown at the end, by trying: in every direction, and twice that for what
/// single directions miss.
double growth(const Model& model, SimulationSetup setup) {
  setup.accuracy.relative = setup.accuracy.absolute = 1e-10;
  const auto end = [&] {
    RunResult result = test::finish(model, setup).result;
    result.final_q.insert(result.final_q.end(), result.final_v.begin(), result.final_v.end());
    return result.final_q;
  };
  if (setup.v0.empty()) setup.v0.assign(setup.q0.size(), 0.0);
  const std::vector<double> straight = end();
  double sum = 0.0;
  for (auto* start : {&setup.q0, &setup.v0}) {
    for (double& x : *start) {
      constexpr double shift = 1e-5;
      x += shift;
      sum += test::largest_difference(end(), straight) / shift;
      x -= shift;
    }
  }
  return 2.0 * std::max(1.0, sum);
}

/// Both stay within the tolerance in each step, and what they are off grows on the way.
void expect_near_single(const Model& model, const EnsembleSetup& setup, const EnsembleResult& together, std::size_t k) {
  const SimulationSetup single = single_setup(setup, k);
  const auto [trajectory, alone] = test::finish(model, single);
  const EnsembleRunResult& run = together.runs[k];
  ASSERT_EQ(run.status, alone.status) << run.reason << " / " << alone.reason;
  double size = 0.0;
  for (const double x : alone.final_q) size = std::max(size, std::fabs(x));
  for (const double x : alone.final_v) size = std::max(size, std::fabs(x));
  const double per_step =
      (single.accuracy.absolute + single.accuracy.relative * size) * std::sqrt(2.0 * static_cast<double>(run.q.size()));
  const double bound = 2.0 * static_cast<double>(alone.statistics.steps) * per_step * growth(model, single);
  EXPECT_LT(test::largest_difference(run.q, alone.final_q), bound) << k;
  EXPECT_LT(test::largest_difference(run.v, alone.final_v), bound) << k;
  EXPECT_LT(bound, 0.1) << "a bound that proves nothing";
  ASSERT_EQ(trajectory.size(), together.times.size());
  for (std::size_t i = 0; i < together.times.size(); ++i) {
    EXPECT_EQ(together.times[i], trajectory.row(i)[0]);
    for (std::size_t c = 0; c < together.columns.size(); ++c) {
      const double scale = together.columns[c].unit == "J" ? 100.0 : 1.0;  // J per rad or rad/s: weights of some 50 N
      EXPECT_NEAR(together.sample(k, i)[c], trajectory.at(i, together.columns[c].name), scale * bound)
          << together.columns[c].name << " of run " << k << " at " << together.times[i];
    }
  }
}

class Integrators : public ::testing::TestWithParam<const char*> {};

TEST_P(Integrators, EveryRunIsWhatItIsAlone) {
  EnsembleSetup setup = falls(7);
  setup.nominal.integrator = GetParam();
  if (integrator_info(GetParam()).needs_step) setup.nominal.accuracy.fixed_step = 0.002;
  for (const EnsembleCode code : {EnsembleCode::generic, EnsembleCode::compiled}) {
    setup.code = code;
    const EnsembleResult together = simulate_ensemble(arm(), setup);
    EXPECT_TRUE(together.packed);
    expect_same_alone(arm(), setup, together);
  }
}

TEST_P(Integrators, RunsAreThoseOfSimulate) {
  EnsembleSetup setup = falls(5);
  setup.nominal.integrator = GetParam();
  setup.nominal.accuracy.relative = setup.nominal.accuracy.absolute = 1e-8;
  if (integrator_info(GetParam()).needs_step) setup.nominal.accuracy.fixed_step = 0.002;
  for (const EnsembleCode code : {EnsembleCode::generic, EnsembleCode::compiled}) {
    setup.code = code;
    const EnsembleResult together = simulate_ensemble(arm(), setup);
    for (std::size_t k = 0; k < setup.runs; ++k) expect_near_single(arm(), setup, together, k);
  }
}

INSTANTIATE_TEST_SUITE_P(Explicit, Integrators, ::testing::Values("rk4", "rkf45", "dp5", "dop853"),
                         [](const auto& name) { return std::string(name.param); });

TEST(Ensemble, AnyNumberOfRuns) {
  const EnsembleSetup most = falls(4097, 0.02);
  const EnsembleResult all = simulate_ensemble(arm(), most);
  for (const std::size_t n : {0u, 1u, 3u, 4u, 5u}) {
    EnsembleSetup setup = most;
    setup.runs = n;
    setup.threads = 2;
    const EnsembleResult some = simulate_ensemble(arm(), setup);
    ASSERT_EQ(some.runs.size(), n);
    for (std::size_t k = 0; k < n; ++k) expect_same_run(some, k, all, k);
  }
  for (const EnsembleRunResult& run : all.runs) EXPECT_EQ(run.status, RunStatus::completed);
}

TEST(Ensemble, TheSameWhateverTheNumberOfThreads) {
  EnsembleSetup setup = falls(61);
  // far apart in length, so that lanes are refilled out of step
  setup.vary = [](std::size_t k) { return EnsembleRun{.q0 = start_of(k, k % 5 == 0 ? 3.0 : 0.3)}; };
  const EnsembleResult one = simulate_ensemble(arm(), setup);
  for (const int threads : {2, 3, 7}) {
    setup.threads = threads;
    const EnsembleResult many = simulate_ensemble(arm(), setup);
    EXPECT_EQ(many.threads, threads);
    expect_same_ensemble(one, many);
  }
}

TEST(Ensemble, ThreadsAndRunsOfTheirOwnRobotMix) {
  EnsembleSetup setup = falls(13);
  Graph graph = load_graph("ur5_like");
  for (GraphBody& body : graph.bodies) body.mass.mass *= 1.5;
  const auto heavy = std::make_shared<const Model>(build(graph));
  setup.vary = [&](std::size_t k) { return EnsembleRun{.q0 = start_of(k), .model = k % 3 == 1 ? heavy : nullptr}; };
  const EnsembleResult one = simulate_ensemble(arm(), setup);
  setup.threads = 3;
  expect_same_ensemble(one, simulate_ensemble(arm(), setup));
  // a run with a robot of its own is that of simulate(), to the bit
  const auto [trajectory, alone] = test::finish(*heavy, single_setup(setup, 4));
  EXPECT_EQ(one.runs[4].q, alone.final_q);
  EXPECT_EQ(one.runs[4].steps, alone.statistics.steps);
  EXPECT_EQ(one.sample(4, 2)[3], trajectory.at(2, "energy"));
}

/// Robots of their own masses and payloads, and some of the nominal ones.
EnsembleSetup varied_masses(std::size_t runs) {
  EnsembleSetup setup = falls(runs);
  setup.keep = {"q1", "v6"};
  setup.own_robots = true;
  setup.varied_bodies = {5, 2, 5};  // in any order
  setup.code = EnsembleCode::compiled;
  setup.vary = [](std::size_t k) {
    Graph graph = load_graph("ur5_like");
    for (GraphBody& body : graph.bodies)
      if (body.name == "link3") body.mass.mass *= 1.0 + 0.1 * static_cast<double>(k);
    add_payload(graph, {"", {.mass = 0.3 * static_cast<double>(k % 4)}});
    const bool is_own = k % 5 != 4;
    return EnsembleRun{.q0 = start_of(k), .model = is_own ? std::make_shared<const Model>(build(graph)) : nullptr};
  };
  return setup;
}

TEST(Ensemble, RobotsThatDifferInInertiasShareAPack) {
  EnsembleSetup setup = varied_masses(13);
  setup.nominal.accuracy.relative = setup.nominal.accuracy.absolute = 1e-8;
  const EnsembleResult one = simulate_ensemble(arm(), setup);
  ASSERT_TRUE(one.packed) << one.note;
  EXPECT_EQ(one.method, "compiled");
  for (std::size_t k = 0; k < setup.runs; ++k) {
    const std::shared_ptr<const Model> own = setup.vary(k).model;
    const Model& robot = own != nullptr ? *own : arm();
    expect_near_single(robot, setup, one, k);
    Kinematics<double> at_end(robot);
    at_end.update_positions(one.runs[k].q);
    at_end.update_velocities(one.runs[k].v);
    EXPECT_DOUBLE_EQ(one.runs[k].energy, at_end.kinetic_energy(one.runs[k].v) + at_end.gravity_energy());
  }
  setup.threads = 3;
  expect_same_ensemble(one, simulate_ensemble(arm(), setup));
}

TEST(Ensemble, RobotsThatDifferOtherwiseDoNot) {
  EnsembleSetup setup = varied_masses(5);
  setup.varied_bodies = {5};
  EXPECT_THROW(simulate_ensemble(arm(), setup), InputError) << "link3 was not announced";
  setup = varied_masses(5);
  setup.vary = [](std::size_t k) {
    Graph graph = load_graph("ur5_like");
    graph.joints[2].in_parent.p.x += 0.1 * static_cast<double>(k);
    return EnsembleRun{.q0 = start_of(k), .model = std::make_shared<const Model>(build(graph))};
  };
  EXPECT_THROW(simulate_ensemble(arm(), setup), InputError) << "a longer arm";
  setup.varied_bodies = {99};
  EXPECT_THROW(simulate_ensemble(arm(), setup), InputError) << "no such body";
  setup = varied_masses(5);
  setup.keep.emplace_back("energy");
  EXPECT_NE(simulate_ensemble(arm(), setup).note.find("their robots differ"), std::string::npos);
  setup = varied_masses(5);
  setup.code = EnsembleCode::automatic;
  EXPECT_NE(simulate_ensemble(arm(), setup).note.find("too few"), std::string::npos);
}

EnsembleSetup constant_torques(std::size_t runs) {
  EnsembleSetup setup = falls(runs);
  setup.nominal.actions.drive = ConstantDrive{std::vector<double>(6, 0.0)};
  setup.vary = [](std::size_t k) {
    return EnsembleRun{.q0 = start_of(k), .drive = ConstantDrive{{0.1 * static_cast<double>(k), 0, 1, 0, 0, 0}}};
  };
  return setup;
}

/// `spoil` changes run 2; no other changes in any bit.
void expect_no_harm(const EnsembleSetup& setup, const std::function<void(EnsembleRun&)>& spoil, RunStatus wanted) {
  for (const EnsembleCode code : {EnsembleCode::generic, EnsembleCode::compiled}) {
    EnsembleSetup good = setup;
    good.code = code;
    EnsembleSetup spoilt = good;
    spoilt.vary = [&](std::size_t k) {
      EnsembleRun run = setup.vary(k);
      if (k == 2) spoil(run);
      return run;
    };
    const EnsembleResult a = simulate_ensemble(arm(), good), b = simulate_ensemble(arm(), spoilt);
    EXPECT_EQ(b.runs[2].status, wanted) << b.runs[2].reason;
    EXPECT_FALSE(b.runs[2].reason.empty());
    for (std::size_t k = 0; k < setup.runs; ++k)
      if (k != 2) expect_same_run(a, k, b, k);
  }
}

TEST(Ensemble, ARunThatIsNotFiniteHarmsNoOther) {
  expect_no_harm(
      constant_torques(9), [](EnsembleRun& run) { run.drive = ConstantDrive{std::vector<double>(6, nan)}; },
      RunStatus::not_finite);
  expect_no_harm(
      falls(9), [](EnsembleRun& run) { run.q0[3] = nan; }, RunStatus::not_finite);
  expect_no_harm(
      falls(9), [](EnsembleRun& run) { run.v0 = {0, 0, 0, 0, 0, HUGE_VAL}; }, RunStatus::not_finite);
}

TEST(Ensemble, ARunThatOverflowsHarmsNoOther) {
  expect_no_harm(
      falls(9), [](EnsembleRun& run) { run.v0.assign(6, 1e160); }, RunStatus::not_finite);
}

TEST(Ensemble, AFixedStepThatDivergesHarmsNoOther) {
  EnsembleSetup setup = falls(9);
  setup.nominal.accuracy.fixed_step = 0.01;
  expect_no_harm(
      setup, [](EnsembleRun& run) { run.v0.assign(6, 1e6); }, RunStatus::not_finite);
}

/// Sine and cosine of angles beyond 1e5 come another way, which must not be the neighbours' way too.
TEST(Ensemble, AJointThatHasTurnedFarHarmsNoOther) {
  expect_no_harm(
      falls(9), [](EnsembleRun& run) { run.q0[1] += 3e5; }, RunStatus::completed);
}

EnsembleSetup controlled(std::size_t runs, double sample) {
  EnsembleSetup setup = falls(runs);
  const auto drive_of = [](double target, double gain) {
    const auto motion = make_reference(PointToPoint{PointToPoint::Profile::quintic, std::vector<double>(6, 0.0),
                                                    std::vector<double>(6, target), 0.05, 0.15, 0.25});
    // weak in the light wrist, whose inertia of 1e-4 kg m² a sampled drive would throw about
    const std::vector<double> kp{gain, gain, gain, 0.1 * gain, 0.1 * gain, 0.005 * gain};
    std::vector<double> kd = kp;
    for (double& k : kd) k *= 0.1;
    return PdDrive{motion, kp, kd, true};
  };
  setup.nominal.actions.drive = drive_of(0.5, 20.0);
  setup.nominal.actions.held.sample = sample;
  setup.nominal.actions.held.pulses = {{1, 3.0, 0.11, 0.13}};
  setup.nominal.actions.held.noises = {{2, 0.5, 0.03}};
  setup.keep.insert(setup.keep.end(), {"tau2", "a3", "qd1", "balance", "work_drives"});
  setup.vary = [=](std::size_t k) {
    const auto x = static_cast<double>(k);
    return EnsembleRun{.q0 = start_of(k, 0.1), .drive = drive_of(0.5 + 0.05 * x, 20.0 + x), .seed = 100 + k};
  };
  return setup;
}

class Controlled : public ::testing::TestWithParam<double> {};

TEST_P(Controlled, DrivesOfTheirOwn) {
  EnsembleSetup setup = controlled(6, GetParam());
  setup.nominal.accuracy.relative = setup.nominal.accuracy.absolute = 1e-9;
  const EnsembleResult together = simulate_ensemble(arm(), setup);
  expect_same_alone(arm(), setup, together);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto [trajectory, alone] = test::finish(arm(), single_setup(setup, k));
    ASSERT_EQ(together.runs[k].status, alone.status);
    // feedback damps what steps are off: a hundred steps of 1e-9 remain below 1e-5 in all columns, accelerations of
    // some 100/s² per rad included
    for (std::size_t i = 0; i < together.times.size(); ++i)
      for (std::size_t c = 0; c < together.columns.size(); ++c)
        EXPECT_NEAR(together.sample(k, i)[c], trajectory.at(i, together.columns[c].name), 1e-5)
            << together.columns[c].name << " at " << together.times[i];
  }
}

INSTANTIATE_TEST_SUITE_P(ContinuousAndSampled, Controlled, ::testing::Values(0.0, 0.005));

TEST(Ensemble, OtherDrivesGoInPacksToo) {
  const auto reference = make_reference(CosineMotion{std::vector<double>(6, 0.0), std::vector<double>(6, 0.2), 3.0});
  const auto spline = std::make_shared<CubicSpline>(std::vector<double>{0.0, 0.1, 0.3}, std::vector<double>(18, 1.0), 6,
                                                    CubicSpline::Ends::natural);
  for (const DriveSpec& drive :
       {DriveSpec(SplineDrive{spline}), DriveSpec(PlaybackDrive{reference}),
        DriveSpec(ComputedTorqueDrive{reference, std::vector<double>(6, 100.0), std::vector<double>(6, 20.0)})}) {
    EnsembleSetup setup = falls(5);
    setup.nominal.accuracy.relative = setup.nominal.accuracy.absolute = 1e-8;
    setup.nominal.actions.drive = drive;
    setup.nominal.actions.held.loads = {{5, {{0, 0, 0}, {1, 2, 3}}, 0.1, 0.2}};
    const EnsembleResult together = simulate_ensemble(arm(), setup);
    EXPECT_TRUE(together.packed);
    expect_same_alone(arm(), setup, together);
    for (std::size_t k = 0; k < setup.runs; ++k) {
      const RunResult alone = test::finish(arm(), single_setup(setup, k)).result;
      EXPECT_LT(test::largest_difference(together.runs[k].q, alone.final_q), 1e-4) << drive.index();
    }
  }
}

/// Friction beyond the robot's own is as if the robot had it.
TEST(Ensemble, FrictionIsThatOfAnEditedRobot) {
  EnsembleSetup setup = falls(5);
  setup.nominal.accuracy.relative = setup.nominal.accuracy.absolute = 1e-9;
  setup.keep.emplace_back("work_friction");
  setup.vary = [](std::size_t k) {
    const auto x = static_cast<double>(k);
    // Coulomb friction fades below 1e-3 rad/s, which makes light joints stiff
    const std::vector<double> none(6, 0.0), dry{0.2, 0.2, 0.2, 0.01, 0.01, 0.0005};
    return EnsembleRun{.q0 = start_of(k), .friction = {std::vector<double>(6, 0.01 * x), k < 3 ? none : dry}};
  };
  const EnsembleResult together = simulate_ensemble(arm(), setup);
  expect_same_alone(arm(), setup, together);
  for (std::size_t k = 0; k < setup.runs; ++k) {
    const EnsembleRun run = setup.vary(k);
    Graph graph = load_graph("ur5_like");
    ASSERT_EQ(graph.joints.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
      graph.joints[i].passive.viscous = run.friction.viscous[i];
      graph.joints[i].passive.coulomb = run.friction.coulomb[i];
    }
    SimulationSetup single = single_setup(setup, k);
    single.actions.friction = {};
    const auto [trajectory, alone] = test::finish(build(graph), single);
    // friction takes energy and so lets nothing grow: 1e-9 in each of some hundred steps
    EXPECT_LT(test::largest_difference(together.runs[k].q, alone.final_q), 1e-5) << k;
    EXPECT_NEAR(together.sample(k, 3)[4], trajectory.at(3, "work_friction"), 1e-4) << k;
  }
}

TEST(Ensemble, WhatCannotShareAPackRunsOnItsOwn) {
  const Model satellite = load("satellite_arm");
  EnsembleSetup setup = falls(3);
  setup.vary = [](std::size_t) { return EnsembleRun{}; };
  const EnsembleResult floating = simulate_ensemble(satellite, setup);
  EXPECT_FALSE(floating.packed);
  EXPECT_NE(floating.note.find("several degrees"), std::string::npos) << floating.note;
  SimulationSetup single = setup.nominal;
  single.at_limits = EventAction::ignore;
  const auto alone = test::finish(satellite, single).result;
  for (const EnsembleRunResult& run : floating.runs) EXPECT_EQ(run.q, alone.final_q);

  EnsembleSetup stiff = falls(3);
  stiff.nominal.integrator = "bdf";
  const EnsembleResult by_bdf = simulate_ensemble(arm(), stiff);
  EXPECT_FALSE(by_bdf.packed);
  EXPECT_EQ(by_bdf.runs[1].q, test::finish(arm(), single_setup(stiff, 1)).result.final_q);

  EnsembleSetup stopped = falls(3);
  stopped.nominal.watched = {{1, true, 0.5, EventAction::stop, "fast enough"},
                             {1, true, -0.5, EventAction::stop, "fast enough"}};
  const EnsembleResult early = simulate_ensemble(arm(), stopped);
  EXPECT_FALSE(early.packed);
  EXPECT_EQ(early.runs[0].status, RunStatus::stopped_by_event);
  EXPECT_LT(early.runs[0].time, 0.3);
  EXPECT_TRUE(std::isnan(early.sample(0, 3)[0]));
}

TEST(Ensemble, AnInterruptKeepsWhatIsFinished) {
  const EnsembleSetup setup = falls(40, 1.0);
  const EnsembleResult whole = simulate_ensemble(arm(), setup);
  for (const int threads : {1, 2}) {
    EnsembleSetup own = setup;
    own.threads = threads;
    const EnsembleResult part =
        simulate_ensemble(arm(), own, [](const EnsembleProgress& at) { return at.finished < 10; });
    std::size_t finished = 0, never = 0;
    for (std::size_t k = 0; k < setup.runs; ++k) {
      if (part.runs[k].status == RunStatus::completed) {
        ++finished;
        expect_same_run(part, k, whole, k);
      } else {
        EXPECT_EQ(part.runs[k].status, RunStatus::interrupted);
        never += part.runs[k].reason == "not run" ? 1 : 0;
      }
    }
    EXPECT_GE(finished, 10u);
    EXPECT_GT(never, 0u);
  }
}

/// Keeps runs in memory; fails after so many, as a full disk would.
class MemoryJournal final : public EnsembleJournal {
 public:
  void begin(std::string_view) override { kept = 0; }
  bool recall(std::size_t k, EnsembleRunResult& run, std::span<double> samples) override {
    const auto found = runs.find(k);
    if (found == runs.end()) return false;
    run = found->second.first;
    std::copy(found->second.second.begin(), found->second.second.end(), samples.begin());
    return true;
  }
  void keep(std::size_t k, const EnsembleRunResult& run, std::span<const double> samples) override {
    if (kept == most) throw InputError("full");
    ++kept;
    EXPECT_TRUE(runs.emplace(k, std::pair(run, std::vector<double>(samples.begin(), samples.end()))).second) << k;
  }

  std::map<std::size_t, std::pair<EnsembleRunResult, std::vector<double>>> runs;
  std::size_t kept = 0, most = 1000;
};

TEST(Ensemble, OnlyWhatTheJournalDoesNotKnowIsRun) {
  const EnsembleSetup setup = falls(40, 1.0);
  const EnsembleResult whole = simulate_ensemble(arm(), setup);
  for (const int threads : {1, 2}) {
    MemoryJournal journal;
    EnsembleSetup own = setup;
    own.threads = threads;
    own.journal = &journal;
    journal.most = 13;
    EXPECT_THROW(simulate_ensemble(arm(), own), InputError);
    EXPECT_EQ(journal.runs.size(), 13u);
    journal.most = 1000;
    simulate_ensemble(arm(), own, [](const EnsembleProgress& at) {
      EXPECT_EQ(at.recalled, 13u);
      return at.finished < 20;
    });
    const std::size_t before = journal.runs.size();
    EXPECT_GE(before, 20u);
    EXPECT_LT(before, 40u);
    const EnsembleResult resumed = simulate_ensemble(arm(), own);
    EXPECT_EQ(journal.kept, 40u - before);
    for (std::size_t k = 0; k < setup.runs; ++k) expect_same_run(resumed, k, whole, k);
    expect_same(resumed.samples, whole.samples, 0);
  }
}

TEST(Ensemble, SamplesEndAtTheDuration) {
  EnsembleSetup setup = falls(5, 0.25);
  const EnsembleResult result = simulate_ensemble(arm(), setup);
  EXPECT_EQ(result.times, (std::vector<double>{0.0, 0.1, 0.2, 0.25}));
  for (std::size_t k = 0; k < setup.runs; ++k) {
    EXPECT_EQ(result.sample(k, 0)[0], start_of(k)[0]);
    EXPECT_EQ(result.sample(k, 3)[0], result.runs[k].q[0]);
    EXPECT_NEAR(result.sample(k, 3)[3], result.runs[k].energy, 1e-12 * 1e3);
  }
  setup.keep.clear();
  EXPECT_TRUE(simulate_ensemble(arm(), setup).times.empty());
}

TEST(Ensemble, WhatDoesNotFitIsRefused) {
  const auto refuses = [](const std::function<void(EnsembleSetup&)>& spoil) {
    EnsembleSetup setup = falls(9);
    spoil(setup);
    EXPECT_ANY_THROW(simulate_ensemble(arm(), setup));
  };
  refuses([](EnsembleSetup& s) { s.keep = {"q9"}; });
  refuses([](EnsembleSetup& s) { s.nominal.duration = -1; });
  refuses([](EnsembleSetup& s) { s.nominal.integrator = "euler"; });
  refuses([](EnsembleSetup& s) { s.nominal.integrator = "rk4"; });
  refuses([](EnsembleSetup& s) { s.nominal.method = "magic"; });
  refuses([](EnsembleSetup& s) { s.nominal.q0 = {1.0}; });
  refuses([](EnsembleSetup& s) { s.vary = [](std::size_t) { return EnsembleRun{.q0 = {1.0}}; }; });
  refuses([](EnsembleSetup& s) { s.vary = [](std::size_t) { return EnsembleRun{.v0 = {1.0}}; }; });
  refuses([](EnsembleSetup& s) { s.vary = [](std::size_t) { return EnsembleRun{.friction = {{1.0}, {1.0}}}; }; });
  refuses([](EnsembleSetup& s) {
    s.vary = [](std::size_t) { return EnsembleRun{.drive = ConstantDrive{std::vector<double>(6, 1.0)}}; };
  });
  refuses([](EnsembleSetup& s) {
    s.nominal.actions.drive = ConstantDrive{std::vector<double>(6, 1.0)};
    s.vary = [](std::size_t) { return EnsembleRun{.drive = ConstantDrive{{1.0}}}; };
  });
  refuses([](EnsembleSetup& s) {
    s.nominal.every = 1e-6;
    s.runs = 1'000'000;
  });
  refuses([](EnsembleSetup& s) { s.vary = [](std::size_t) -> EnsembleRun { throw InputError("no such run"); }; });
}

}  // namespace
}  // namespace ulna

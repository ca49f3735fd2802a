// Criteria, task and ranking: against golden/002_*, counts.md and closed forms.
#include "ulna/study/select/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "ulna/io/robot/load.hpp"
#include "ulna/model/elastic_joint.hpp"

namespace ulna::selection {
namespace {

constexpr double pi = std::numbers::pi;

bool always() { return true; }

nlohmann::json golden(const std::string& name) {
  std::ifstream file(std::string(ULNA_GOLDEN) + "/" + name);
  return nlohmann::json::parse(file);
}

Arm arm_of(const Graph& graph, double slide) {
  RangeChoice choice;
  choice.slide = {0.0, slide};
  return make_arm(graph.name, graph, choice);
}
Arm arm_of(const std::string& robot, double slide = pi) { return arm_of(load_graph(robot), slide); }

/// The joints of the paper's figures with all lengths 1: Tables III and V at a_i = b_i = a.
Graph unit_arm(const std::string& name) {
  const std::string mass = "mass = 1\ninertia = [0.1, 0.1, 0.1]\n";
  const std::string turn = "[[link]]\njoint = \"revolute\"\n" + mass,
                    slide = "[[link]]\njoint = \"prismatic\"\n" + mass;
  std::string links;
  if (name == "rp") links = turn + "theta = \"90 deg\"\nalpha = \"90 deg\"\n" + slide + "b = 1\n";
  if (name == "pr") links = slide + "alpha = \"-90 deg\"\n" + turn + "a = 1\n";
  if (name == "rtx") links = slide + turn + "a = 1\n" + turn + "a = 1\n";
  if (name == "stanford") links = turn + "alpha = \"-90 deg\"\n" + turn + "b = 0.1\nalpha = \"-90 deg\"\n" + slide;
  Graph graph = parse_toml("dh = \"standard\"\n" + links, name + ".toml");
  graph.name = name;
  if (name.size() == 2) graph.gravity = {0, 0, 0};  // the planar arms lie
  return graph;
}

Task short_task() {
  Task task = default_task();
  task.to = {1.0};
  return task;
}

void expect_torques(const Arm& arm, const nlohmann::json& times, const nlohmann::json& tau) {
  const TaskLoads loads = run_task(arm, default_task(), always);
  ASSERT_EQ(loads.t.size(), 1001U);
  const std::size_t n = arm.ranges.size();
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto row = static_cast<std::size_t>(std::lround(times[k].get<double>() / 0.01));
    for (std::size_t i = 0; i < n; ++i) {
      const double wanted = tau[k][i].get<double>();
      EXPECT_NEAR(loads.tau[row * n + i], wanted, 1e-11 * std::max(1.0, std::abs(wanted))) << arm.name << " " << k;
    }
  }
}

TEST(Task, default_is_eq_23_and_gives_the_golden_torques) {
  const nlohmann::json spatial = golden("002_spatial.json")["arms"];
  expect_torques(arm_of("rtx"), spatial["RTX"]["t_fine"], spatial["RTX"]["tau_fine"]);
  const nlohmann::json& stanford = spatial["Stanford3_r_corrected"];
  expect_torques(arm_of("stanford3"), stanford["t_fine"], stanford["tau_fine"]);
  for (const auto& [robot, name] : {std::pair{"rp", "RP"}, {"pr", "PR"}}) {
    nlohmann::json times, tau;
    const nlohmann::json planar = golden("002_planar.json");
    for (const auto& row : planar[name]["table"]) {
      times.push_back(row["t"]);
      tau.push_back(row["tau"]);
    }
    expect_torques(arm_of(robot), times, tau);
  }
}

TEST(Task, loads_of_a_lifted_mass) {
  // The first joint of rtx carries 19 kg: it lifts them by h on a cycloid, so that ∫|τ v| is m g h, as the
  // acceleration stays below g, and the payload adds its part.
  Task task = short_task();
  task.payload = 2.5;
  const TaskLoads loads = run_task(arm_of("rtx", 1.0), task, always);
  EXPECT_NEAR(loads.joints[0].energy, 21.5 * 9.81 * 1.0, 1e-9 * 211.0);  // trapezoids: periodic, so exact
  const double acceleration = 2.0 * pi / 100.0;                          // greatest of the cycloid: 2π h/T²
  EXPECT_NEAR(loads.joints[0].peak, 21.5 * (9.81 + acceleration), 1e-9 * 211.0);
  EXPECT_NEAR(loads.energy, loads.joints[0].energy + loads.joints[1].energy + loads.joints[2].energy, 1e-12);
}

TEST(Task, tip_follows_the_points) {
  const Arm arm = arm_of("planar2r");
  const Task task = parse_task("points = [[1.2, 0.3, 0], [0.4, 1.1, 0], [-0.9, 0.9, 0]]\ntime = 2\nevery = 0.001", "t");
  const TaskLoads loads = run_task(arm, task, always);
  const auto tip = [&](std::size_t k) {
    const double a = loads.q[2 * k], b = a + loads.q[2 * k + 1];
    return std::pair{std::cos(a) + std::cos(b), std::sin(a) + std::sin(b)};
  };
  EXPECT_NEAR(tip(0).first, 1.2, 1e-9);
  EXPECT_NEAR(tip(1000).first, 0.4, 1e-9);
  EXPECT_NEAR(tip(1000).second, 1.1, 1e-9);
  EXPECT_NEAR(tip(2000).second, 0.9, 1e-9);
  for (std::size_t k = 1; k < 2000; ++k) {
    // Central differences: h²/6 and h²/12 of the next derivatives, which are of the size of a few hundreds.
    const double h = 0.001;
    for (std::size_t i = 0; i < 2; ++i) {
      const double before = loads.q[2 * (k - 1) + i], here = loads.q[2 * k + i], after = loads.q[2 * (k + 1) + i];
      EXPECT_NEAR((after - before) / (2.0 * h), loads.v[2 * k + i], 1e-3);
      EXPECT_NEAR((after - 2.0 * here + before) / (h * h), loads.a[2 * k + i], 1e-2);
    }
  }
}

/// Two links of 1 m and 1 kg as one rod of 2 m: J ω²/2 twice and J α √(2 blend), with rows that meet none of the jumps.
TEST(Task, trapezoids_of_speed_jump_between_the_rows) {
  Graph graph = load_graph("planar2r");
  graph.gravity = {0, 0, 0};
  const Arm arm = make_arm("rod", graph, {});
  const double inertia = 2.0 * 4.0 / 3.0, speed = 0.5 / 0.75, torque = inertia * speed / 0.25;
  for (const char* every : {"0.3", "0.07"}) {
    const Task task =
        parse_task(std::string("to = [0.5, 0]\ntime = 1\nprofile = \"trapezoid\"\nevery = ") + every, "t");
    const JointLoad load = run_task(arm, task, always).joints[0];
    EXPECT_NEAR(load.peak, torque, 1e-9);
    EXPECT_NEAR(load.energy, inertia * speed * speed, 1e-9);
    EXPECT_NEAR(load.rms, torque * std::sqrt(0.5), 1e-9);
  }
}

/// The tip speeds up, stays and slows down on each line: it is at rest at the points.
TEST(Task, trapezoids_of_the_tip) {
  const Task task = parse_task(
      "points = [[1.2, 0.3, 0], [0.4, 1.1, 0], [-0.9, 0.9, 0]]\ntime = 2\nprofile = \"trapezoid\"\nevery = 0.01", "t");
  const TaskLoads loads = run_task(arm_of("planar2r"), task, always);
  for (std::size_t k = 0; k < loads.t.size(); ++k) {
    if (std::remainder(loads.t[k], 1.0) != 0.0) continue;
    EXPECT_NEAR(loads.v[2 * k], 0.0, 1e-9) << loads.t[k];
    EXPECT_NEAR(loads.v[2 * k + 1], 0.0, 1e-9) << loads.t[k];
  }
  EXPECT_EQ(std::ranges::count(loads.t, 1.0), 2);
}

TEST(Task, refuses_what_is_out_of_reach) {
  const Arm arm = arm_of("planar2r");
  EXPECT_THROW(run_task(arm, parse_task("points = [[1, 0, 0], [2.5, 0, 0]]", "t"), always), InputError);
  EXPECT_THROW(run_task(arm, parse_task("points = [[1, 0, 0], [1, 0, 1]]", "t"), always), InputError);
  EXPECT_THROW(run_task(arm_of("scara"), parse_task("to = 3", "t"), always), InputError);
  EXPECT_THROW(run_task(arm, parse_task("to = [1, 2, 3]", "t"), always), InputError);
  EXPECT_THROW(parse_task("to = 1\npoints = [[1, 0, 0], [1, 0, 1]]", "t"), InputError);
  EXPECT_THROW(parse_task("points = [[1, 0], [1, 0]]", "t"), InputError);
  EXPECT_THROW(parse_task("to = 1\nspeed = 3", "t"), InputError);
}

TEST(Survey, rtx_against_closed_forms) {
  const Survey found = survey(arm_of("rtx", 1.0), {}, always);
  const double product = 0.432 * 0.2;
  EXPECT_NEAR(found.manipulability.value, product, 1e-12);  // a₂a₃|sin θ₃|
  EXPECT_NEAR(std::abs(std::sin(found.manipulability.q[2])), 1.0, 1e-9);
  // Over the ring r dr = a₂a₃ sin θ₃ dθ₃, so that the mean is a₂a₃ ∫sin²/∫sin.
  EXPECT_NEAR(found.mean_manipulability.value, product * pi / 4.0, found.mean_manipulability.error);
  EXPECT_LT(found.mean_manipulability.error, 0.05 * product);
  ASSERT_FALSE(found.singular.empty());
  for (const std::vector<double>& q : found.singular) EXPECT_NEAR(std::sin(q[2]), 0.0, 1e-5);
}

TEST(Survey, stanford_and_planar_arms) {
  // b₃²|sin θ₂| (erratum 2.10), plus b₃²b₂²-terms of the offset in Table IV(b)'s arm: none in the determinant.
  const Survey stanford = survey(arm_of("stanford3", 1.0), {}, always);
  EXPECT_NEAR(stanford.manipulability.value, 1.0, 1e-12);
  EXPECT_NEAR(std::abs(std::sin(stanford.manipulability.q[1])), 1.0, 1e-6);
  // RP: diagonal inertia matrix (golden/002_planar), w = b₂. PR: w = a₂|cos θ₂|.
  const Survey rp = survey(arm_of("rp", 1.0), {}, always);
  EXPECT_EQ(rp.off_diagonal.value, 0.0);
  EXPECT_NEAR(rp.manipulability.value, 1.0, 1e-12);
  EXPECT_NEAR(rp.mean_manipulability.value, 2.0 / 3.0, rp.mean_manipulability.error);  // ∫r r dr / ∫r dr
  const Survey pr = survey(arm_of("pr", 1.0), {}, always);
  EXPECT_NEAR(pr.manipulability.value, 0.8584, 1e-12);
  EXPECT_GT(pr.off_diagonal.value, 0.0);
}

void expect_within(const Estimate& estimate, double value) {
  EXPECT_NEAR(estimate.value, value, estimate.error);
  EXPECT_LT(estimate.error, 0.15 * value) << "the stated error is of no use";
}

/// What is a position's manipulability here is one in `ulna fk`: the tasks are the same.
TEST(Survey, tasks_are_those_of_the_robots) {
  for (const BundledRobot& bundled : bundled_robots()) {
    const Graph graph = load_graph(bundled.name.find(':') == std::string::npos ? bundled.name : "general:5");
    RangeChoice choice;
    choice.slide = {0.0, 1.0};
    const bool is_arm = bundled.loops == 0 && build(graph).is_serial() && !build(graph).has_general_joints();
    if (!is_arm) continue;
    const Arm arm = make_arm(graph.name, graph, choice);
    const TipTask alone = tip_task(arm.model, arm.model.tip());
    EXPECT_EQ(arm.task.name(), alone.name()) << graph.name;
    EXPECT_EQ(arm.task.rank, alone.rank) << graph.name;
    const std::vector<double> q = arm.middle();
    Kinematics<double> kinematics(arm.model);
    std::vector<double> J(6 * q.size());
    kinematics.update_positions(q);
    kinematics.jacobian(arm.model.tip(), Reference::world_axes, {J.data(), 6, arm.model.nv()});
    const auto measured = [&](const TipTask& task) {
      const std::vector<double> rows = task.position_rows({J.data(), 6, arm.model.nv()});
      return manipulability({rows.data(), task.position.dimension, arm.model.nv()}).yoshikawa;
    };
    EXPECT_NEAR(measured(arm.task), measured(alone), 1e-14) << graph.name;
  }
}

TEST(Survey, inertia_of_the_planar_arms) {
  // RP with b₂ = b from 0 to 1: M = m diag(b², 1), J = diag(b, 1) but for signs and order (golden/002_planar).
  const Survey rp = survey(arm_of("rp", 1.0), {}, always);
  const double m = 2.45;
  expect_within(rp.condition, 4.0);                // 1/b² at b = 1/2
  expect_within(rp.dynamic, 1.0 / (m * m * 0.5));  // 1/(m² b)
  // M̄ = m diag(1/3, 1); the median c of |b² − 1/3| has √(1/3 + c) − √(1/3 − c) = 1/2.
  expect_within(rp.variation, std::sqrt(1.0 / 9.0 - 25.0 / 576.0) / std::sqrt(10.0 / 9.0));
  // PR: m₁₂ = −m d₂ sin θ₂, the median of |sin| over a turn is √½.
  const Survey pr = survey(arm_of("pr", 1.0), {}, always);
  const double x = m * 0.4292 * std::sqrt(0.5), i = 0.60176129066666695;
  expect_within(pr.off_diagonal, std::sqrt(2.0) * x / std::sqrt(14.7 * 14.7 + i * i + 2.0 * x * x));
}

/// The paper's criteria only: operations, time, workspace and manipulability.
Weights of_the_paper() {
  Weights weights;
  for (const char* key : {"id", "fd", "cpu", "off_diagonal", "variation", "condition", "dynamic", "dexterous",
                          "mean_manipulability", "isotropy", "smallest", "well_conditioned", "power", "energy"})
    weights[key] = 0.0;
  return weights;
}

Comparison compare_units(const std::string& a, const std::string& b, const Weights& weights) {
  std::vector<Candidate> candidates;
  for (const std::string& name : {a, b})
    candidates.push_back(evaluate(arm_of(unit_arm(name), 1.0), short_task(), {}, always));
  measure_cpu(candidates, always);
  return compare(short_task(), std::move(candidates), weights);
}

const Criterion& row(const Comparison& comparison, const std::string& key) {
  return *std::find_if(comparison.criteria.begin(), comparison.criteria.end(),
                       [&](const Criterion& r) { return r.key == key; });
}

TEST(Ranking, rtx_over_stanford_as_in_table_5) {
  const Comparison found = compare_units("rtx", "stanford", of_the_paper());
  EXPECT_EQ(found.order[0], 0U);
  for (const char* key : {"gim", "mci", "workspace"}) {
    EXPECT_TRUE(row(found, key).best[0]) << key;
    EXPECT_FALSE(row(found, key).best[1]) << key;
  }
  EXPECT_NEAR(row(found, "workspace").values[0], 4.0 * pi, row(found, "workspace").errors[0]);
  EXPECT_NEAR(row(found, "workspace").values[1], 4.0 * pi / 3.0, row(found, "workspace").errors[1]);
  EXPECT_NEAR(row(found, "manipulability").values[0], 1.0, 1e-12);
  EXPECT_NEAR(row(found, "manipulability").values[1], 1.0, 1e-12);
  EXPECT_FALSE(row(found, "manipulability").best[0]);  // alike: neither is marked
  EXPECT_GT(found.candidates[0].cpu->median, 0.0);
}

TEST(Ranking, rp_over_pr_as_in_table_3) {
  const Comparison found = compare_units("rp", "pr", {{"cpu", 0.0}});
  EXPECT_EQ(found.order[0], 0U);
  EXPECT_NEAR(row(found, "workspace").values[0], 3.0 * pi, row(found, "workspace").errors[0]);  // erratum 2.6
  EXPECT_NEAR(row(found, "workspace").values[1], golden("002_workspace.json")["PR a2=1 b1=1"]["reachable"],
              row(found, "workspace").errors[1]);
  EXPECT_NEAR(row(found, "manipulability").values[0], 2.0, 1e-12);  // erratum 2.8
  EXPECT_NEAR(row(found, "manipulability").values[1], 1.0, 1e-12);
  EXPECT_TRUE(row(found, "workspace").best[0]);
  EXPECT_TRUE(row(found, "manipulability").best[0]);
  EXPECT_TRUE(row(found, "off_diagonal").best[0]);  // it is diagonal, the point of the paper
  // Against Table III, but as counts.md has it: the inertia matrix of PR needs less.
  EXPECT_TRUE(row(found, "gim").best[1]);
}

TEST(Ranking, operations_of_the_papers_arms) {
  const Candidate rtx = evaluate(arm_of("rtx", 1.0), short_task(), {}, always);
  EXPECT_EQ(rtx.operations[0].multiplications, 2);  // counts.md: 2/2
  EXPECT_EQ(rtx.operations[0].additions, 2);
  EXPECT_EQ(rtx.operations[2].multiplications, 15);  // counts.md: 15/8
  EXPECT_EQ(rtx.operations[2].additions, 8);
}

TEST(Ranking, weights_decide) {
  std::vector<Candidate> candidates;
  for (const char* name : {"rtx", "stanford"})
    candidates.push_back(evaluate(arm_of(unit_arm(name), 1.0), short_task(), {}, always));
  Weights weights = of_the_paper();
  weights.erase("cpu");  // not measured here
  for (const char* key : {"gim", "mci", "workspace", "manipulability"}) weights[key] = 0.0;
  EXPECT_THROW(compare(short_task(), candidates, weights), InputError);
  weights["energy"] = 2.0;
  const Comparison found = compare(short_task(), candidates, weights);
  EXPECT_EQ(found.order[0], row(found, "energy").values[0] < row(found, "energy").values[1] ? 0U : 1U);
  EXPECT_EQ(found.scores[found.order[0]], 1.0);
  EXPECT_THROW(compare(short_task(), candidates, {{"enrgy", 1.0}}), InputError);
  EXPECT_THROW(compare(short_task(), candidates, {{"energy", -1.0}}), InputError);
}

TEST(Ranking, requirement_holds_within_the_errors) {
  std::vector<Candidate> candidates{evaluate(arm_of(unit_arm("rp"), 1.0), short_task(), {}, always)};
  candidates[0].workspace.size = {0.045, 0.045};
  const auto reasons = [&](bool above, double bound) {
    return compare(short_task(), candidates, {}, {{"workspace", above, bound}}).candidates[0].loads.broken;
  };
  ASSERT_EQ(reasons(true, 0.01).size(), 1U) << "it may be nothing";
  EXPECT_EQ(reasons(true, 0.01)[0], "workspace is 0.045 ± 0.045 m² and must be above 0.01 m²");
  EXPECT_EQ(reasons(false, 0.08).size(), 1U) << "it may be 0.09";
  EXPECT_TRUE(reasons(false, 0.1).empty());
  EXPECT_TRUE(reasons(true, -0.01).empty());
}

/// Two slides at right angles in a plane without gravity: every figure of a task has a closed form.
Graph slides(const std::string& more = "") {
  return parse_toml(R"(
name = "slides"
gravity = [0, 0, 0]
[[body]]
name = "carriage"
mass = 3
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "tool"
mass = 2
com = [0, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "x"
kind = "prismatic"
axis = [1, 0, 0]
parent = "base"
child = "carriage"
limits = { lower = -1, upper = 2, effort = 30 }
[[joint]]
name = "y"
kind = "prismatic"
axis = [0, 1, 0]
parent = "carriage"
child = "tool"
limits = { lower = -1, upper = 2, effort = 6 }
)" + more,
                    "slides.toml");
}

Candidate figures_of(const Graph& graph, const Task& task, const StiffnessChoice& stiffness) {
  const WantedParts wanted{false, false, false, false, false, false, false, true, true, true};
  return evaluate(make_arm(graph.name, graph, {}, stiffness), task, wanted, always);
}

TEST(TaskFigures, least_time_is_that_of_full_force_to_the_middle_and_back) {
  Task task = default_task();
  task.is_default = false;
  task.to = {1.0, 0.5};
  task.payload = 1.0;  // masses 6 and 3: accelerations 5 and 2 at most
  const double length = std::sqrt(1.25), most = std::min(5.0 / (1.0 / length), 2.0 / (0.5 / length));
  EXPECT_NEAR(figures_of(slides(), task, {}).figures.cycle_time.value, 2.0 * std::sqrt(length / most), 1e-6);
  task.to.clear();
  task.points = {{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {0, 0, 0}};
  task.every = 0.07;  // no row meets the points
  const double sum = 2.0 * (std::sqrt(1.0 / 5.0) + std::sqrt(0.5 / 2.0) + std::sqrt(length / most));
  EXPECT_NEAR(figures_of(slides(), task, {}).figures.cycle_time.value, sum, 1e-4 * sum);
}

TEST(TaskFigures, where_nothing_moves_no_time_passes) {
  Task task = default_task();
  task.is_default = false;
  task.to.clear();
  task.points = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  EXPECT_NEAR(figures_of(slides(), task, {}).figures.cycle_time.value, 2.0 * std::sqrt(3.0 + 2.0) / std::sqrt(30.0),
              1e-4);
  task.points.clear();
  task.from = {0.5, 0.5};
  task.to = {0.5, 0.5};
  EXPECT_EQ(figures_of(slides(), task, {}).figures.cycle_time.value, 0.0);
}

/// Rotors of motors that joints share stand as still as others where they are held.
TEST(TaskFigures, shared_rotors_do_not_swing) {
  Graph graph = slides();
  graph.couplings.push_back({.name = "belts",
                             .joints = {"x", "y"},
                             .motors = {{.gears = {10, 4}, .inertia = 0.2}, {.gears = {10, -7}, .inertia = 0.3}}});
  Task task = default_task();
  task.is_default = false;
  task.to = {1.0, 0.5};
  const StiffnessChoice springs{{{"x", 600.0}}, 700.0};
  EXPECT_NEAR(figures_of(graph, task, springs).figures.frequency.value,
              figures_of(slides(), task, springs).figures.frequency.value, 1e-12);
}

TEST(TaskFigures, a_file_of_elastic_joints_is_read_whole) {
  const Graph graph = slides(R"(motor = { gear = 10, inertia = 0.5 }
elastic = { stiffness = 400 }
[[coupling]]
name = "belts"
joints = ["x", "y_motor"]
[[coupling.motor]]
gears = [10, 4]
[[coupling.motor]]
gears = [10, -7]
[[posture]]
name = "home"
q = [0.1, 0.2, 0]
)");
  const Arm arm = make_arm("slides", graph, {});
  EXPECT_EQ(arm.model.nv(), 2);
  ASSERT_EQ(arm.model.couplings().size(), 1U);
  EXPECT_EQ(arm.stiffness[1], 400.0);

  Graph heavy = slides("elastic = { stiffness = 400 }\n");  // its author gave the rotor a mass
  find_body(heavy, "y_rotor")->mass = {.mass = 3.0};
  EXPECT_TRUE(with_rigid_joints(heavy).elasticity.empty());
  EXPECT_EQ(build(with_rigid_joints(heavy).graph).nv(), 3);
}

TEST(TaskFigures, stiffness_and_frequency_of_masses_on_springs) {
  Task task = default_task();
  task.is_default = false;
  task.to = {1.0, 0.5};
  task.payload = 1.0;
  const Candidate both = figures_of(slides(), task, {{{"x", 5000.0}}, 700.0});
  EXPECT_NEAR(both.figures.stiffness.value, 700.0, 1e-9);
  EXPECT_NEAR(both.figures.frequency.value, std::sqrt(700.0 / 3.0) / (2.0 * pi), 1e-12);
  const Candidate one = figures_of(slides(), task, {{{"x", 600.0}}, {}});  // y is rigid
  EXPECT_NEAR(one.figures.stiffness.value, 600.0, 1e-9);
  EXPECT_NEAR(one.figures.frequency.value, std::sqrt(600.0 / 6.0) / (2.0 * pi), 1e-12);
  EXPECT_NE(figures_of(slides(), task, {}).figures.stiffness.lacks.find("no stiffness"), std::string::npos);

  // In the file: the joint is rigid in the arm, keeps its name, and its rotor does not swing with the link.
  const Graph elastic = slides("motor = { gear = 10, inertia = 0.5 }\nelastic = { stiffness = 400 }\n");
  const Candidate from_file = figures_of(elastic, task, {});
  EXPECT_EQ(from_file.arm.model.nv(), 2);
  EXPECT_EQ(from_file.arm.model.joints()[1].name, "y");
  EXPECT_NEAR(from_file.figures.stiffness.value, 400.0, 1e-9);
  EXPECT_NEAR(from_file.figures.frequency.value, std::sqrt(400.0 / 3.0) / (2.0 * pi), 1e-12);

  // A bar on a spring that turns: the tip moves by r for each radian, and r is 2 where the arm is straight.
  const Candidate turning = figures_of(load_graph("planar2r"), short_task(), {{{"joint1", 8000.0}}, {}});
  EXPECT_NEAR(turning.figures.stiffness.value, 8000.0 / 4.0, 1e-9);
  EXPECT_NEAR(turning.survey.reach.value, 2.0, 1e-12);
}

TEST(Ranking, criteria_on_request) {
  Task task = default_task();
  task.is_default = false;
  task.to = {1.0, 0.5};
  std::vector<Candidate> candidates{figures_of(slides(), task, {{}, 700.0}), figures_of(slides(), task, {})};
  const std::vector<std::string> asked{"stiffness", "peak.2", "rms.x", "peak.2"};
  const Comparison found = compare(task, candidates, {{"cycle_time", 2.0}}, {{"power.y", false, 1e6}}, asked);
  EXPECT_EQ(row(found, "peak.2").values[0], candidates[0].loads.joints[1].peak);
  EXPECT_EQ(row(found, "rms.x").values[0], candidates[0].loads.joints[0].rms);
  EXPECT_EQ(row(found, "peak.2").unit, "N");
  EXPECT_EQ(row(found, "cycle_time").weight, 2.0);
  EXPECT_EQ(
      std::count_if(found.criteria.begin(), found.criteria.end(), [](const auto& r) { return r.key == "peak.2"; }), 1);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{0}));
  ASSERT_EQ(found.candidates[1].loads.broken.size(), 1U);
  EXPECT_EQ(found.candidates[1].loads.broken[0].rfind("stiffness: no stiffness", 0), 0U);
  EXPECT_THROW(compare(task, candidates, {{"peek.2", 1.0}}), InputError);
  const Comparison without = compare(task, candidates, {}, {{"rms.elbow", false, 1.0}});
  EXPECT_EQ(without.candidates[0].loads.broken[0], "rms.elbow: it has no joint 'elbow'");
  EXPECT_TRUE(std::none_of(without.criteria.begin(), without.criteria.end(),
                           [](const auto& r) { return r.key == "cycle_time"; }));
}

/// Where every M is singular there is no dynamic manipulability, which is not more than anything.
TEST(Ranking, what_is_not_known_meets_no_requirement) {
  Task task = default_task();
  task.is_default = false;
  task.to = {1.0, 0.5};
  std::vector<Candidate> candidates{figures_of(slides(), task, {}), figures_of(slides(), task, {})};
  candidates[0].survey.dynamic.value = std::numeric_limits<double>::quiet_NaN();
  candidates[1].survey.dynamic.value = 2.0;
  EXPECT_EQ(compare(task, candidates, {}, {{"dynamic", true, 1.0}}).order, (std::vector<std::size_t>{1}));
}

TEST(Ranking, refuses_what_cannot_be_compared) {
  EXPECT_NO_THROW(expect_comparable({arm_of("rtx")}));
  EXPECT_THROW(expect_comparable({arm_of("rtx"), arm_of("rp")}), InputError);
  EXPECT_NO_THROW(expect_comparable({arm_of("rtx"), arm_of("stanford3")}));
}

}  // namespace
}  // namespace ulna::selection

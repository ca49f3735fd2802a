#include "papers/wolinski_other_engine.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <array>

#include "papers/dense.hpp"
#include "papers/deviation.hpp"
#include "papers/finished_run.hpp"
#include "papers/mujoco_engine.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::reproduction {

namespace {

constexpr double every = 1.0 / 64;  // a power of two, so that samples are at the same times in both engines
constexpr std::size_t joints = 7;

/// q, v and a of all joints, one after the other, by sample.
struct Motion3 {
  std::vector<double> t;
  std::array<std::vector<double>, 3 * joints> columns;
};

Motion3 motion_of(const FinishedRun& finished) {
  Motion3 motion{finished.column("t"), {}};
  const std::array letters{"q", "v", "a"};
  for (std::size_t k = 0; k < motion.columns.size(); ++k)
    motion.columns[k] = finished.column(fmt::format("{}{}", letters[k / joints], k % joints + 1));
  return motion;
}

Motion3 motion_of(const PdSamples& rows) {
  Motion3 motion;
  for (const std::vector<double>& row : rows.rows) {
    motion.t.push_back(row[0]);
    for (std::size_t k = 0; k < motion.columns.size(); ++k) motion.columns[k].push_back(row[k + 1]);
  }
  return motion;
}

Motion3 with_ulna(double tolerance) {
  Scenario scenario = load_scenario("kuka_pd");
  scenario.every = every;
  scenario.relative = scenario.absolute = tolerance;
  return motion_of(run_to_end(scenario));
}

/// A bound of the rates at which the dampers bring the joints to rest: the trace of D⁻¹ K_d, of which all eigenvalues
/// are positive. Some 5e4 1/s, and five times that where the arm is stretched.
double damping_rate(const Model& model, const std::vector<double>& kd, const std::vector<double>& q) {
  const Eigen::MatrixXd D = mass_matrix(model, q);
  return (D.inverse() * Eigen::Map<const Eigen::VectorXd>(kd.data(), D.rows()).asDiagonal()).trace();
}

/// Steps from sample to sample with which a Runge–Kutta method of order 4 is stable along the path: rate times step at
/// most 2.5, and 2.78 is where it ends.
std::vector<long> stable_steps(const Model& model, const std::vector<double>& kd, const Motion3& path) {
  std::vector<double> rates(path.t.size()), q(joints);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    for (std::size_t j = 0; j < joints; ++j) q[j] = path.columns[j][i];
    rates[i] = damping_rate(model, kd, q);
  }
  std::vector<long> steps(rates.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = std::lround(std::ceil(std::max(rates[i], rates[i + 1]) * every / 2.5));
  return steps;
}

/// With steps that are stable along the path, made shorter by a factor.
EngineAnswer with_mujoco(const Motion3& path, double factor) {
  const Scenario scenario = load_scenario("kuka_pd");
  const Graph graph = robot_of(scenario);
  const Model model = build(graph);
  const SimulationSetup setup = setup_of(scenario, model);
  const PdDrive& drive = std::get<PdDrive>(setup.actions.drive);
  PdTask task{
      &graph, &model, &drive, setup.q0, std::vector<double>(joints, 0.0), every, stable_steps(model, drive.kd, path)};
  for (long& steps : task.steps) steps = std::lround(factor * static_cast<double>(steps));
  return simulate_with_mujoco(task);
}

/// The largest difference of positions, of velocities and of accelerations, over all joints and times.
struct Differences {
  std::array<double, 3> most{};

  Differences(const Motion3& a, const Motion3& b) {
    for (std::size_t k = 0; k < a.columns.size(); ++k)
      most[k / joints] = std::max(most[k / joints], largest_difference(a.columns[k], b.columns[k]));
  }
};

const std::array units{"rad", "rad/s", "rad/s²"};
const std::array signs{"δ_q", "δ_q̇", "δ_q̈"};

/// What the paper's two engines differ by at most.
constexpr std::array printed{5e-4, 5e-4, 0.014};

/// Two runs of one engine with different accuracy tell how accurate the finer one is at least.
void add_agreement(const Motion3& ulna, const Motion3& coarser_ulna, const Motion3& mujoco,
                   const Motion3& coarser_mujoco, Section& section) {
  const Differences between(ulna, mujoco), own(ulna, coarser_ulna), its(mujoco, coarser_mujoco);
  for (std::size_t k = 0; k < 3; ++k) {
    const double allowed = own.most[k] + its.most[k];
    section.claims.push_back(sentence_claim(
        {"Section 4.3", fmt::format("{} of all joints between the two engines", signs[k]), "results are comparable"},
        fmt::format("at most {:.1e} {}", between.most[k], units[k]),
        between.most[k] <= allowed && allowed < 0.01 * printed[k],
        fmt::format("Equal if within the errors of both, {:.1e} (Ulna: BDF at 1e-11 against 1e-10) + {:.1e} (MuJoCo: "
                    "steps against 1.5 times as long ones), and these below a hundredth of {:g}.",
                    own.most[k], its.most[k], printed[k])));
  }
}

/// “Values never exceeded …”, at the tolerances that the paper may have had.
void add_printed_bounds(const Motion3& mujoco, Section& section) {
  Table table{"Ulna's BDF against MuJoCo: the largest difference over all joints, by Ulna's tolerance.",
              {"tolerance", "δ_q, rad", "δ_q̇, rad/s", "δ_q̈, rad/s²", "within 5e-4, 5e-4, 0.014"},
              {}};
  std::string holds = "none", at_the_papers;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const Differences off(with_ulna(tolerance), mujoco);
    bool within = true;
    for (std::size_t k = 0; k < 3; ++k) within = within && off.most[k] <= printed[k];
    if (within && holds == "none") holds = fmt::format("{:.0e}", tolerance);
    if (tolerance == 1e-6) at_the_papers = fmt::format("{:.2g}", off.most[2]);
    table.rows.push_back({fmt::format("{:.0e}", tolerance), fmt::format("{:.2g}", off.most[0]),
                          fmt::format("{:.2g}", off.most[1]), fmt::format("{:.2g}", off.most[2]),
                          within ? "yes" : "no"});
  }
  section.tables.push_back(table);
  section.claims.push_back(undetermined_claim(
      {"Section 4.3", "“values never exceeded”", "δ_q ≤ 5e-4 rad, δ_q̇ ≤ 5e-4 rad/s, δ_q̈ ≤ 0.014 rad/s²"},
      "The tolerances of these runs are not stated, and the differences are those of the integrators, not of the "
      "equations. The dampers turn an error of a velocity into one of an acceleration 10⁴ times as large: larger "
      "differences for accelerations, as the paper sees too.",
      fmt::format("kept with tolerances from {} down; at 1e-6 δ_q̈ reaches {}", holds, at_the_papers)));
}

Figure difference_figure(const Motion3& ulna, const Motion3& mujoco) {
  Figure figure{"Figures 7, 9 and 11: joint 1 as the paper compares it, BDF at 1e-6, against MuJoCo instead of ADAMS.",
                {}};
  const std::array titles{"q_1: difference of Ulna and MuJoCo", "q̇_1: difference of Ulna and MuJoCo",
                          "q̈_1: difference of Ulna and MuJoCo"};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> off = ulna.columns[joints * k];
    for (std::size_t i = 0; i < off.size(); ++i) off[i] = std::abs(off[i] - mujoco.columns[joints * k][i]);
    figure.pictures.emplace_back(
        Plot{titles[k], "t, s", fmt::format("{}, {}", signs[k], units[k]), {Curve{"", ulna.t, off}}});
  }
  return figure;
}

}  // namespace

Section wolinski_other_engine() {
  Section section{"Section 4.3: against another engine", {}, {}, {}, {}};
  section.text = {
      "The paper compares with ADAMS: Cartesian coordinates, differential-algebraic equations. Here MuJoCo takes "
      "its place: the same robot file and drive, MuJoCo's own forward dynamics and its own Runge–Kutta method of "
      "order 4."};
  const Motion3 as_printed = with_ulna(1e-6);
  const EngineAnswer coarse = with_mujoco(as_printed, 1.0), fine = with_mujoco(as_printed, 1.5);
  if (!fine.refusal.empty() || !coarse.refusal.empty()) {
    section.claims.push_back(
        undetermined_claim({"Section 4.3, Figs 7, 9, 11", "both engines agree", "results are comparable"},
                           fine.refusal.empty() ? coarse.refusal : fine.refusal));
    return section;
  }
  const Motion3 mujoco = motion_of(fine.samples);
  add_agreement(with_ulna(1e-11), with_ulna(1e-10), mujoco, motion_of(coarse.samples), section);
  add_printed_bounds(mujoco, section);
  section.figures.push_back(difference_figure(as_printed, mujoco));
  return section;
}

}  // namespace ulna::reproduction

#include "papers/wolinski_forward.hpp"

#include <fmt/format.h>

#include <cmath>

#include "papers/deviation.hpp"
#include "papers/finished_run.hpp"
#include "papers/wolinski_inverse.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::reproduction {

namespace {

constexpr int joints = 7;

std::string name(const char* letters, int joint) { return fmt::format("{}{}", letters, joint); }

/// Root of the mean square from a time on.
double mean_size(const std::vector<double>& t, const std::vector<double>& x, double from) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (t[i] < from) continue;
    sum += x[i] * x[i];
    ++count;
  }
  return std::sqrt(sum / count);
}

Figure motion_figure(const FinishedRun& finished) {
  Figure figure{"Figures 6, 8 and 10: joint 1 under the PD drive, and what it should follow.", {}};
  figure.pictures = plots_of({{"", &finished}}, {"q1", "v1", "a1"});
  Plot& position = figure.pictures[0];
  position.curves[0].name = "q_1";
  position.curves.push_back({"q_d", finished.column("t"), finished.column("qd1"), Curve::Style::dashed});
  return figure;
}

Figure torque_figure(const std::vector<double>& t, const FinishedRun& finished,
                     const std::vector<std::vector<double>>& wanted) {
  Figure figure{"The torques of the PD drive (32), and dashed those of inverse dynamics (Figure 5).", {}};
  for (int j = 1; j <= joints; ++j) {
    figure.pictures.emplace_back(Plot{fmt::format("torque at joint {}", j),
                                      "t, s",
                                      "N m",
                                      {Curve{"", t, finished.column(name("tau", j))},
                                       Curve{"", t, wanted[static_cast<std::size_t>(j - 1)], Curve::Style::dashed}}});
  }
  return figure;
}

/// `exact`: the same run at a tolerance so fine that what is left is the drive's error.
void add_torques(const FinishedRun& finished, const FinishedRun& exact, const Model& model, const PdDrive& drive,
                 Section& section) {
  const std::vector<double> t = finished.column("t");
  const std::vector<std::vector<double>> wanted = wolinski_torques(model.gravity(), t);
  const double settled = 1.0;
  Table table{
      fmt::format("From t = {:g} s on: the torques of the drive against those of inverse dynamics. In the first "
                  "{:g} s the arm sags into its springs: the drive begins with no torque.",
                  settled, settled),
      {"joint", "inverse dynamics, rms, N m", "difference, rms", "largest difference of largest torque",
       "|q − q_d| at most, rad", "largest torque over stiffness, rad"},
      {}};
  double mean = 0.0, most = 0.0, farthest = 0.0;
  bool bounded = true;
  for (int j = 1; j <= joints; ++j) {
    const auto at = static_cast<std::size_t>(j - 1);
    const std::vector<double>& id = wanted[at];
    std::vector<double> off = finished.column(name("tau", j));
    for (std::size_t i = 0; i < off.size(); ++i) off[i] = t[i] < settled ? 0.0 : off[i] - id[i];
    const double size = mean_size(t, id, settled), in_mean = mean_size(t, off, settled) / size,
                 at_most = largest(off) / largest(id), sag = largest(id) / drive.kp[at],
                 astray = largest_difference(exact.column(name("q", j)), exact.column(name("qd", j)));
    mean = std::max(mean, in_mean);
    most = std::max(most, at_most);
    farthest = std::max(farthest, astray);
    bounded = bounded && std::isfinite(sag) && astray <= sag;
    table.rows.push_back({fmt::format("{}", j), fmt::format("{:.3g}", size), fmt::format("{:.1f} %", 100.0 * in_mean),
                          fmt::format("{:.1f} %", 100.0 * at_most), fmt::format("{:.2g}", astray),
                          fmt::format("{:.2g}", sag)});
  }
  section.claims.push_back(undetermined_claim(
      {"Section 4.3", "the torques of (32) are similar to those of Fig. 5", "similar"}, "How similar is not said.",
      fmt::format("after 1 s to {:.1f} % in the mean, {:.0f} % at most", 100.0 * mean, 100.0 * most)));
  section.claims.push_back(sentence_claim(
      {"Section 4.3", "“the PD controller keeps the error bounded”", "bounded"},
      fmt::format("|q − q_d| ≤ {:.2g} rad, in each joint below its bound", farthest), bounded,
      "The bound of a joint: where its spring alone would hold the largest torque of inverse dynamics. At a tolerance "
      "of 1e-9."));
  section.tables.push_back(table);
  section.figures.push_back(torque_figure(t, finished, wanted));
}

}  // namespace

Section wolinski_forward() {
  Section section{"Section 4.3: forward dynamics", {}, {}, {}, {}};
  section.text = {
      "The scenario kuka_pd: the drive of (32)–(34) from the start (30), (31), by BDF at a tolerance of 1e-6, the "
      "finer of the two of section 4.4; gravity along −y. At t = 0 the drive has no torque, joint 1 is at rest "
      "until the others begin to fall, and within milliseconds all have settled into their springs and dampers. "
      "Near t = 3.5 and 10.5 s the arm is stretched, the dampers act five times as fast as elsewhere, and the "
      "errors of the integrator show in the accelerations."};
  const Scenario scenario = load_scenario("kuka_pd");
  const FinishedRun finished = run_to_end(scenario);
  section.claims.push_back(
      sentence_claim({"Section 4.3", "the simulation", "for 14 s"},
                     fmt::format("{}, t = {:g} s", name_of(finished.result.status), finished.result.time),
                     finished.result.status == RunStatus::completed && finished.result.time == 14.0));
  section.figures.push_back(motion_figure(finished));
  const Model model = build(robot_of(scenario));
  Scenario finer = scenario;
  finer.relative = finer.absolute = 1e-9;
  add_torques(finished, run_to_end(finer), model, std::get<PdDrive>(setup_of(scenario, model).actions.drive), section);
  return section;
}

}  // namespace ulna::reproduction

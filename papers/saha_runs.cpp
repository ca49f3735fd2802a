#include "papers/saha_runs.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "papers/claim.hpp"
#include "papers/deviation.hpp"
#include "papers/finished_run.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/simulate/playback_growth.hpp"
#include "ulna/study/select/sweep.hpp"

namespace ulna::reproduction {

namespace {

const std::vector<std::string> six_positions{"q1", "q2", "q3", "q4", "q5", "q6"};
const std::vector<std::string> six_torques{"tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};

Scenario scenario_by(const std::string& name, const std::string& integrator, double tolerance) {
  Scenario scenario = load_scenario(name);
  scenario.integrator = integrator;
  scenario.relative = scenario.absolute = tolerance;
  return scenario;
}

/// Over all samples of both runs, the largest difference of the columns; infinite if one ended early.
double difference(const FinishedRun& a, const FinishedRun& b, const std::vector<std::string>& columns) {
  double worst = 0.0;
  for (const std::string& name : columns) worst = worse(worst, largest_difference(a.column(name), b.column(name)));
  return worst;
}

/// The reference of a playback run, joint by joint, at the samples' times.
std::vector<std::vector<double>> reference_of_run(const Scenario& scenario, const std::vector<double>& times) {
  const Model model = build(robot_of(scenario));
  const SimulationSetup setup = setup_of(scenario, model);
  const ReferenceMotion& motion = *reference_of(setup.actions.drive);
  std::vector<std::vector<double>> columns(motion.size(), std::vector<double>(times.size()));
  std::vector<double> q(motion.size()), v(motion.size()), a(motion.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    motion.at(times[k], times[k], q, v, a);
    for (std::size_t i = 0; i < q.size(); ++i) columns[i][k] = q[i];
  }
  return columns;
}

/// When a run has left its reference by a hundredth of the way that a turning joint goes; the run's end if never.
double departure(const FinishedRun& run, const Scenario& scenario) {
  const std::vector<double> t = run.column("t");
  const auto reference = reference_of_run(scenario, t);
  double way = 0.0;
  for (const auto& column : reference) way = std::max(way, std::abs(column.back() - column.front()));
  double earliest = t.back();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const std::vector<double> q = run.column(six_positions[i]);
    for (std::size_t k = 0; k < t.size() && t[k] < earliest; ++k)
      if (!(std::abs(q[k] - reference[i][k]) <= 0.01 * way)) earliest = t[k];
  }
  return earliest;
}

PlaybackGrowth growth_of(const Scenario& scenario) {
  const Model model = build(robot_of(scenario));
  const SimulationSetup setup = setup_of(scenario, model);
  return playback_growth(model, setup.actions, setup.duration, 0.05);
}

/// What rounding alone may make of a run that is played back: that of each step, grown as small deviations grow.
double grown_rounding(const Scenario& scenario, const FinishedRun& run) {
  double most = 0.0;
  for (const PlaybackGrowth::Row& row : growth_of(scenario).rows) most = worse(most, row.amplification);
  return rounding(static_cast<double>(run.result.statistics.steps), most);
}

/// In how many seconds a small deviation grows tenfold from here on.
double tenfold_time(const Scenario& scenario, double from) {
  const PlaybackGrowth growth = growth_of(scenario);
  double start = 0.0;
  for (const PlaybackGrowth::Row& row : growth.rows) {
    if (row.t >= from - 1e-9 && start == 0.0) start = row.amplification;
    if (start > 0.0 && row.amplification >= 10.0 * start) return row.t - from;
  }
  return scenario.duration - from;
}

void add_departure(Section& section, const Scenario& scenario, double rkf, double adams) {
  const std::string both = fmt::format("{:.2f} s (RKF), {:.2f} s (ABM)", rkf, adams);
  if (scenario.robot == "stanford") {
    const double tenfold = tenfold_time(scenario, 2.5);
    section.claims.push_back(sentence_claim(
        {"Section 4", "Stanford: leaves the trajectory (RKF)", "after about 2.5 s"}, both,
        std::abs(rkf - 2.5) <= tenfold,
        fmt::format(
            "By a hundredth of the way of a joint, at tolerance 1e-6. The deviation grows tenfold in {:.2f} s there, "
            "so that about so much is what “about” can mean.",
            tenfold)));
    section.claims.push_back(
        sentence_claim({"Figure 6(i)", "Stanford: both integrators give similar plots", "similar"},
                       fmt::format("they leave the trajectory {:.2f} s apart", std::abs(rkf - adams)),
                       std::abs(rkf - adams) <= tenfold));
  } else {
    section.claims.push_back(undetermined_claim(
        {"Section 4", "PUMA: leaves the trajectory", "after about 6 s"},
        "The inertias of the print cannot be simulated (errata 0.12, 0.13); with absolute values it is later.", both));
  }
}

/// Departures at tolerances a factor of 100 apart: by then ‖Φ‖ must have grown by about as much.
void add_departures(Section& section, const Curve& growth) {
  const auto amplification_at = [&](double t) {
    const auto at = std::lower_bound(growth.x.begin(), growth.x.end(), t - 1e-9) - growth.x.begin();
    return growth.y[static_cast<std::size_t>(std::min(at, std::ssize(growth.y) - 1))];
  };
  Table table{"When the Stanford arm leaves its path by a hundredth of its way.",
              {"tolerance of rkf45", "leaves at, s", "‖Φ‖ there", "over the one before"},
              {}};
  double before = 0.0, first = 0.0, last = 0.0;
  bool as_predicted = true;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Scenario scenario = scenario_by("stanford_forced", "rkf45", tolerance);
    last = departure(run_to_end(scenario), scenario);
    const double amplification = amplification_at(last);
    if (first == 0.0) first = last;
    // Within a factor of ten: the error of a run is its tolerance only roughly.
    if (before > 0.0) as_predicted = as_predicted && amplification > 10.0 * before && amplification < 1000.0 * before;
    table.rows.push_back({fmt::format("{:.0e}", tolerance), fmt::format("{:.2f}", last),
                          fmt::format("{:.1e}", amplification),
                          before > 0.0 ? fmt::format("{:.0f}", amplification / before) : ""});
    before = amplification;
  }
  section.tables.push_back(table);
  section.claims.push_back(sentence_claim(
      {"Section 4", "the deviation is not the integrator's: “two standard routines … are used” to verify it",
       "similar plots"},
      fmt::format(
          "a hundredth of the tolerance delays it until small errors have grown a hundredfold more: from {:.2f} s to "
          "{:.2f} s",
          first, last),
      as_predicted, "The motion is unstable, whatever integrates it."));
}

/// Curves of the desired motion behind those of the runs.
void add_reference(Figure& figure, const Scenario& scenario, const std::vector<double>& t) {
  const auto reference = reference_of_run(scenario, t);
  for (std::size_t i = 0; i < reference.size(); ++i)
    figure.pictures[i].curves.push_back({"eq. (18)", t, reference[i], Curve::Style::dashed});
}

double acceleration_at_start(const Model& model, std::span<const double> q, std::size_t joint) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> zero(n, 0.0), a(n);
  make_method<double>("auto", Quantity::forward_dynamics, model)->forward_dynamics(q, zero, zero, a);
  return a[joint];
}

double holding_torque(const Model& model, std::size_t joint) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> zero(n, 0.0), tau(n);
  make_method<double>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(zero, zero, zero, tau);
  return tau[joint];
}

}  // namespace

Section saha_planar_arm() {
  Section section{"Section 4: the planar arm of three links", {}, {}, {}, {}};
  section.text = {
      "The paper compares its runs with explicit equations of motion and finds that they match exactly. Here "
      "UDUᵀ runs beside composite bodies, whose inertia matrix and bias are the explicit equations."};
  for (const char* name : {"planar3r_free_fall", "planar3r_forced"}) {
    const bool forced = std::string_view(name) == "planar3r_forced";
    Scenario denoc = scenario_by(name, "dop853", 1e-12);
    denoc.duration = 5.0;
    Scenario composite = denoc, coarser = denoc;
    denoc.method = "denoc";
    composite.method = coarser.method = "composite_body";
    coarser.relative = coarser.absolute = 1e-11;
    const FinishedRun explicit_run = run_to_end(composite);
    const std::vector<std::string> joints{"q1", "q2", "q3"};
    const double apart = difference(run_to_end(denoc), explicit_run, joints),
                 own = difference(run_to_end(coarser), explicit_run, joints),
                 grown = forced ? grown_rounding(composite, explicit_run) : 0.0;
    section.claims.push_back(sentence_claim(
        {"Section 4", forced ? "forced: both formulations" : "free fall: both formulations", "exactly match"},
        fmt::format("{:.1e} rad apart at most in 5 s at tolerance 1e-12", apart),
        std::isfinite(apart) && apart <= own + grown,
        fmt::format("One formulation alone at tolerances 1e-12 and 1e-11: {:.1e} rad apart.", own) +
            (forced ? fmt::format(" Rounding alone may have grown to {:.1e} rad.", grown) : "")));
  }
  section.claims.push_back(undetermined_claim({"Section 4", "parameters of the arm", "none"},
                                              "Erratum 0.20: lengths and masses are not given.",
                                              "three rods of 1 m and 1 kg are assumed"));
  return section;
}

Section saha_free_fall() {
  Section section{"Figure 4: free fall", {}, {}, {}, {}};
  const FinishedRun stanford = run_to_end(load_scenario("stanford_free_fall")),
                    puma = run_to_end(load_scenario("puma_free_fall"));
  section.figures.push_back({"Figure 4(i): the Stanford arm", plots_of({{"", &stanford}}, six_positions)});
  section.figures.push_back({"Figure 4(ii): the PUMA", plots_of({{"", &puma}}, six_positions)});
  double zero_time = NAN;
  for (const RunEvent& event : stanford.result.events)
    if (std::isnan(zero_time) && event.text.find("joint 2") != std::string::npos) zero_time = event.t;
  const double at_half = stanford.trajectory.at(50, "q2");
  section.claims.push_back(misprint_claim(
      {"Section 4", "Stanford: θ₂ becomes zero", "a little after 0.5 s"},
      fmt::format("θ₂ = {:.3f} at 0.5 s, zero at {:.4f} s", at_half, zero_time), zero_time > 0.5 && zero_time < 0.7,
      {"0.17", "2.2439 s", "read off a coarse plot: θ₂ creeps towards zero, and is below 0.1 from 0.94 s on"},
      std::abs(zero_time - 2.2439) < 5e-5));
  const std::vector<double> slide = stanford.column("q3");
  const double before = slide[50], after = slide[100] - slide[50];
  section.claims.push_back(sentence_claim(
      {"Section 4", "Stanford: the slide starts picking up at 0.5 s", "increases sharply"},
      fmt::format("{:.2f} m in the first half second, {:.2f} m in the second", before, after), after > 3.0 * before,
      "A constant acceleration would give three times as much; more than that is picking up."));
  const Model model = load("puma560");
  const std::vector<double> zero(6, 0.0);
  const double start = acceleration_at_start(model, zero, 1);
  const double with = holding_torque(model, 1),
               without = holding_torque(build(selection::varied_graph("puma560", {{"link3.a", 0.0, 1.0}}, {0.0})), 1);
  section.claims.push_back(sentence_claim({"Section 4", "PUMA: joint 2 starts in the positive direction", "positive"},
                                          fmt::format("θ̈₂(0) = {:+.3f} rad/s²", start), start > 0.0));
  section.claims.push_back(
      misprint_claim({"Section 4", "PUMA: and that is due to a₃", "due to a₃ = 0.02"},
                     fmt::format("holding torque {:.2f} N m with a₃ = 0.02, {:.2f} N m with a₃ = 0", with, without),
                     std::abs(with - without) > 0.5 * std::abs(with),
                     {"0.16", "due to the weight of the links", "a₃ contributes three parts in a hundred"},
                     std::abs(with - without) < 0.05 * std::abs(with)));
  section.claims.push_back(undetermined_claim(
      {"Figure 4", "the curves", "drawn, no numbers"}, "The print gives no values to hold the curves against.",
      fmt::format("redrawn; energy is kept to {:.0e} J and {:.0e} J", stanford.result.largest_imbalance,
                  puma.result.largest_imbalance)));
  return section;
}

Section saha_gravity() {
  Section section{"Section 4: which way gravity points", {}, {}, {}, {}};
  Table table{
      "Free fall under gravity along each axis.",
      {"gravity", "Stanford: θ₂ comes to 0 within 2.5 s", "slide there, m", "PUMA: θ̈₂(0), rad/s²", "as described"},
      {}};
  std::vector<std::string> fitting;
  const std::array<std::pair<const char*, Vec3<double>>, 6> directions{{{"+X", {9.81, 0, 0}},
                                                                        {"−X", {-9.81, 0, 0}},
                                                                        {"+Y", {0, 9.81, 0}},
                                                                        {"−Y", {0, -9.81, 0}},
                                                                        {"+Z", {0, 0, 9.81}},
                                                                        {"−Z", {0, 0, -9.81}}}};
  for (const auto& [name, gravity] : directions) {
    Scenario fall = load_scenario("stanford_free_fall");
    fall.duration = 2.5;
    fall.gravity = gravity;
    const FinishedRun stanford = run_to_end(fall);
    const std::vector<double> theta2 = stanford.column("q2"), b3 = stanford.column("q3");
    std::size_t down = 0;
    while (down < theta2.size() && theta2[down] > 0.0) ++down;
    const bool fell = down < theta2.size(), grew = fell && b3[down] > 0.0;
    Scenario puma = load_scenario("puma_free_fall");
    puma.gravity = gravity;
    const Model model = build(robot_of(puma));
    const double start = acceleration_at_start(model, std::vector<double>(6, 0.0), 1);
    const bool fits = fell && grew && start > 0.0;
    if (fits) fitting.emplace_back(name);
    table.rows.push_back({name, fell ? "yes" : "no", fell ? fmt::format("{:.3f}", b3[down]) : "–",
                          fmt::format("{:+.3f}", start), fits ? "yes" : "no"});
  }
  section.tables.push_back(table);
  const Quote quote{"Section 4", "direction of gravity", "not stated"};
  const std::string found = fmt::format("{}", fmt::join(fitting, ", "));
  const bool only_down = fitting == std::vector<std::string>{"−Z"};
  section.claims.push_back(
      only_down ? undetermined_claim(
                      quote, "Erratum 0.18: of the six axes, the one under which both arms fall as the text says.",
                      "only " + found)
                : sentence_claim(quote, "both fall as the text says under: " + found, false));
  return section;
}

Section saha_forced() {
  Section section{"Figures 5 and 6: torques of a cycloid, played back", {}, {}, {}, {}};
  for (const auto& [name, label, part] :
       {std::tuple{"stanford_forced", "the Stanford arm", "(i)"}, std::tuple{"puma_forced", "the PUMA", "(ii)"}}) {
    const Scenario by_rkf = scenario_by(name, "rkf45", 1e-6), by_adams = scenario_by(name, "adams", 1e-6);
    const FinishedRun rkf = run_to_end(by_rkf), adams = run_to_end(by_adams);
    section.figures.push_back({fmt::format("Figure 5{}: forces and torques for eq. (18), {}", part, label),
                               plots_of({{"", &rkf}}, six_torques)});
    Figure positions{
        fmt::format("Figure 6{}: positions of {}, Runge–Kutta–Fehlberg and Adams–Bashforth–Moulton at 1e-6", part,
                    label),
        plots_of({{"RKF", &rkf}, {"ABM", &adams}}, six_positions)};
    add_reference(positions, by_rkf, rkf.column("t"));
    section.figures.push_back(std::move(positions));
    add_departure(section, by_rkf, departure(rkf, by_rkf), departure(adams, by_adams));
  }
  return section;
}

Section saha_tip() {
  Section section{"Figure 7: the Stanford arm's end effector", {}, {}, {}, {}};
  const FinishedRun rkf = run_to_end(scenario_by("stanford_forced", "rkf45", 1e-6));
  section.figures.push_back(
      {"Figure 7: forced run, Runge–Kutta–Fehlberg at 1e-6", plots_of({{"", &rkf}}, {"tip_x", "tip_y", "tip_z"})});
  section.claims.push_back(
      undetermined_claim({"Figure 7", "end effector against Bae and Haug", "a similar trend"},
                         "Bae and Haug's curves are not in the paper, and after 3 s no two runs agree.", "redrawn"));
  const auto printed = [](double t) {
    return 0.5 * (2.0 * std::numbers::pi * t / 10.0 - std::sin(2.0 * std::numbers::pi * t / 10.0));
  };
  const double printed_end = printed(10.0);
  section.claims.push_back(misprint_claim(
      {"(18)", "θ_i(T) of the cycloid", "½[2πt/T − sin(2πt/T)]"},
      fmt::format("ends at {:.4f} for every joint; the Stanford arm is to turn to {:.4f} rad", printed_end,
                  std::numbers::pi / 3.0),
      std::abs(printed_end - std::numbers::pi / 3.0) < 1e-14,
      {"0.11", "θ(0) + (θ(T) − θ(0))/2π·[2πt/T − sin(2πt/T)]", "the print holds for a way of π only, as the PUMA's"},
      [] {
        const std::vector<double> ends{0.0, 10.0};
        const auto motion = reference_of_run(load_scenario("stanford_forced"), ends);
        return std::abs(motion[0][1] - std::numbers::pi / 3.0) < 1e-14 && std::abs(motion[2][1] - 0.1) < 1e-14;
      }()));
  return section;
}

Section saha_deviation() {
  Section section{"Why the forced runs leave their path", {}, {}, {}, {}};
  section.text = {
      "Torques that are played back hold nothing. Small deviations δ of positions and velocities grow as δ̇ = J(t) δ "
      "with the Jacobian of the equations of motion along the path, δ(t) = Φ(t) δ(0); rounding and the integrator "
      "supply them. doc/playback.md has the details."};
  Plot plot{"largest growth of a small deviation", "t, s", "‖Φ‖", {}};
  plot.log_y = true;
  for (const char* name : {"stanford_forced", "puma_forced", "planar3r_forced"}) {
    const Scenario scenario = load_scenario(name);
    const Model model = build(robot_of(scenario));
    const SimulationSetup setup = setup_of(scenario, model);
    const PlaybackGrowth growth = playback_growth(model, setup.actions, setup.duration, 0.05);
    Curve curve{name, {}, {}};
    for (const PlaybackGrowth::Row& row : growth.rows) {
      curve.x.push_back(row.t);
      curve.y.push_back(row.amplification);
    }
    plot.curves.push_back(std::move(curve));
  }
  section.figures.push_back({"", {plot}});
  add_departures(section, plot.curves[0]);
  return section;
}

}  // namespace ulna::reproduction

#include "run_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/fnv.hpp"
#include "ulna/integrate/integrator.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna {

namespace {

std::string loops_text(const Record& record) {
  const std::string how = record.scenario.baumgarte > 0.0
                              ? fmt::format("pulled together at {:g} per second", record.scenario.baumgarte)
                              : "held by projection";
  return fmt::format("{}, {}; largest residual {:.1e}", record.model->loops().size(), how,
                     record.result.largest_residual);
}

ReportHead::Rows facts_of(const Record& record) {
  const Model& model = *record.model;
  const Vec3<double>& g = model.gravity();
  const bool loops = !record.model->loops().empty();
  ReportHead::Rows facts{
      {"robot", fmt::format("{} ({} degree{} of freedom{}{})", model.name(), model.nv(), model.nv() == 1 ? "" : "s",
                            loops ? " of the tree" : "", model.has_free_base() ? ", free base" : "")},
      {"drive", record.scenario.drive.kind},
      {"integrator", accuracy_text(record.scenario)},
      {"formulation", record.method},
      {"gravity", fmt::format("({:g}, {:g}, {:g}) m/s²", g.x, g.y, g.z)},
      {"samples", fmt::format("{}, every {:g} s", record.result.samples, record.scenario.every)},
      {"wall clock", fmt::format("{:.3g} s, {:.3g} × real time", record.result.wall,
                                 record.result.time / std::max(record.result.wall, 1e-9))}};
  if (loops) facts.emplace_back("closed loops", loops_text(record));
  if (!record.scenario.provenance.empty()) facts.emplace_back("source", record.scenario.provenance);
  return facts;
}

ReportHead::Rows statistics_of(const Record& record) {
  const IntegratorStatistics& s = record.result.statistics;
  ReportHead::Rows rows;
  for (const auto& [name, value] : {std::pair{"steps", s.steps},
                                    {"rejected steps", s.rejected},
                                    {"right-hand sides", s.right_hand_sides},
                                    {"right-hand sides for output", s.output_right_hand_sides},
                                    {"Jacobians", s.jacobians},
                                    {"factorisations", s.factorisations}})
    rows.emplace_back(name, fmt::format("{}", value));
  rows.emplace_back("robot hash", robot_hash(*record.graph));
  rows.emplace_back("seed", fmt::format("{}", record.scenario.seed));
  return rows;
}

std::vector<std::string> warnings_of(const Record& record) {
  std::vector<std::string> warnings;
  if (record.growth) {
    warnings.push_back(fmt::format(
        "Playback without feedback: small deviations grow up to {:.1e} times in this run, {:.2g} per second "
        "on average, so that even rounding errors become visible.",
        record.growth->largest.amplification, record.growth->rate));
  }
  if (record.result.start_moved > 1e-9)
    warnings.push_back(
        fmt::format("The start was moved by up to {:.3g} to close the loops.", record.result.start_moved));
  if (const std::vector<std::string> links = guessed_links(*record.graph); !links.empty())
    warnings.push_back(fmt::format("Mass data are guessed from shapes, and torques and motions as rough: {}.",
                                   fmt::join(links, ", ")));
  return warnings;
}

}  // namespace

std::string robot_hash(const Graph& graph) { return fmt::format("{:016x}", fnv1a(to_explicit_toml(graph))); }

std::string accuracy_text(const Scenario& scenario) {
  const IntegratorInfo& info = integrator_info(scenario.integrator);
  if (scenario.step > 0.0) return fmt::format("{}, step {:g} s", scenario.integrator, scenario.step);
  if (!info.takes_tolerance) return std::string(scenario.integrator);
  return scenario.relative == scenario.absolute
             ? fmt::format("{}, tolerance {:g}", scenario.integrator, scenario.relative)
             : fmt::format("{}, tolerance {:g} relative, {:g} absolute", scenario.integrator, scenario.relative,
                           scenario.absolute);
}

std::string subject_of(const Scenario& scenario, const Graph& graph) {
  return scenario.title.empty() ? graph.title : scenario.title;
}

ReportHead head_of(const Record& record) {
  const RunResult& result = record.result;
  const Scenario& scenario = record.scenario;
  ReportHead head;
  head.title = scenario.name;
  head.subtitle = subject_of(scenario, *record.graph);
  head.facts = facts_of(record);
  head.statistics = statistics_of(record);
  head.ok = result.status == RunStatus::completed;
  head.status = head.ok ? fmt::format("completed at t = {:g} s", result.time)
                        : fmt::format("ended at t = {:.9g} s: {}", result.time, result.reason);
  head.warnings = warnings_of(record);
  head.events = result.events;
  head.energy_balance =
      fmt::format("largest |energy − work| {:.2e} J, {:.1e} of the energy that was exchanged", result.largest_imbalance,
                  result.largest_imbalance / std::max(result.largest_energy, 1e-300));
  head.scenario = to_toml(scenario);
  return head;
}

}  // namespace ulna

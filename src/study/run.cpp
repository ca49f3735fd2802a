#include "ulna/study/run.hpp"

#include <fmt/format.h>

#include "study/compiled_scenario.hpp"
#include "ulna/loop/compiled_loops.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna {

namespace {

void expect_compilable(const PreparedRun& prepared) {
  if (!prepared.model->loops().empty() && prepared.setup.baumgarte > 0.0)
    throw InputError(
        "compiled code does not go with Baumgarte's rate; leave it out, and loops are closed by projection");
  if (integrator_info(prepared.scenario.integrator).canonical)
    throw InputError(fmt::format("compiled code does not go with the integrator {}", prepared.scenario.integrator));
  expect_no_method(prepared.scenario);
}

/// What `auto` came to.
std::string method_name(const Scenario& scenario, const Model& model) {
  if (!model.loops().empty()) return std::string(name_of(loop_method(scenario.method)));
  return std::string(resolve_method(scenario.method, Quantity::forward_dynamics, model).name);
}

/// Nothing for a robot so large that it would take longer than the run, or when the caller ends it.
std::optional<PlaybackGrowth> growth_of(const PreparedRun& prepared, const RunResult& result,
                                        const RunOptions& options) {
  constexpr int most_degrees = 20;
  const SimulationSetup& setup = prepared.setup;
  const bool played_back = prepared.scenario.drive.kind == "playback" && result.status == RunStatus::completed;
  if (!played_back || prepared.model->nv() > most_degrees) return std::nullopt;
  const RunProgress at_end{result.time, 0.0, result.wall, result.statistics};
  PlaybackGrowth growth = playback_growth(*prepared.model, setup.actions, setup.duration, setup.duration / 20.0,
                                          [&] { return !options.proceed || options.proceed(at_end); });
  return growth.complete ? std::optional(std::move(growth)) : std::nullopt;
}

/// With its robot as robot_of() gives it.
PreparedRun prepared_for(Scenario scenario, Graph robot) {
  auto graph = std::make_shared<const Graph>(std::move(robot));
  auto model = std::make_shared<const Model>(build(*graph));
  SimulationSetup setup = setup_of(scenario, *model);
  return {std::move(scenario), std::move(graph), std::move(model), std::move(setup)};
}

}  // namespace

PreparedRun prepare(Scenario scenario) {
  Graph robot = robot_of(scenario);
  return prepared_for(std::move(scenario), std::move(robot));
}

PreparedRun prepare(Scenario scenario, const Graph& robot) {
  Graph changed = robot_of(scenario, robot);
  return prepared_for(std::move(scenario), std::move(changed));
}

Record run(const PreparedRun& prepared, Recorder& recorder, const RunOptions& options) {
  Record record{prepared.scenario,
                prepared.graph,
                prepared.model,
                method_name(prepared.scenario, *prepared.model),
                "",
                {},
                trajectory_columns(*prepared.model, reference_of(prepared.setup.actions.drive) != nullptr),
                {},
                {}};
  SimulationSetup setup = prepared.setup;
  if (options.compiled) {
    expect_compilable(prepared);
    setup.forward = [&](const Model& tree) {
      const Model& model = *prepared.model;
      if (!model.loops().empty()) {
        const CompiledLoops compiled = compile_loops(model);
        if (compiled.own) record.method = "compiled";
        record.note = compiled.note;
        return compiled.make();
      }
      Compiled<double> compiled = compile<double>(tree, Quantity::forward_dynamics);
      if (compiled.own) record.method = "compiled";
      record.note = compiled.note;
      return std::move(compiled.method);
    };
  }
  record.result = simulate(*prepared.model, setup, recorder, options.proceed);
  record.growth = growth_of(prepared, record.result, options);
  return record;
}

Record run(const Scenario& scenario, const RunOptions& options) {
  Trajectory trajectory;
  Record record = run(prepare(scenario), trajectory, options);
  record.trajectory = std::move(trajectory);
  return record;
}

}  // namespace ulna

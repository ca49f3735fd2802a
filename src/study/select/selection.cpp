#include "ulna/study/select/selection.hpp"

#include "base/expect_threads.hpp"
#include "criterion_rows.hpp"
#include "robot_table.hpp"
#include "selected_arms.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::selection {

namespace {

Graph graph_of(const Entrant& robot) {
  const auto* graph = std::get_if<Graph>(&robot);
  return graph != nullptr ? *graph : load_graph(std::get<std::string>(robot));
}

}  // namespace

GivenRange given_range(const std::string& name, WrittenNumber low, WrittenNumber high) {
  const std::size_t dot = name.rfind('.');
  const bool alone = dot == std::string::npos;
  return {alone ? "" : name.substr(0, dot), alone ? name : name.substr(dot + 1), std::move(low), std::move(high)};
}

GivenStiffness given_stiffness(const std::string& name, double value) {
  const std::size_t dot = name.rfind('.');
  const bool alone = dot == std::string::npos;
  return {alone ? "" : name.substr(0, dot), alone ? name : name.substr(dot + 1), value};
}

PreparedSelection prepare(Selection selection) {
  PreparedSelection prepared{std::move(selection), {}, {}};
  const Selection& given = prepared.selection;
  expect_numbers(given, prepared.timed());
  prepared.sweep = {given.vary, {}, given.pareto[0], given.pareto[1]};
  if (given.vary.empty()) {
    if (!given.rules.empty()) throw InputError("rule: rules follow numbers that vary; name some with vary");
    for (const Entrant& robot : given.robots) prepared.arms.push_back(make_arm(graph_of(robot), given, {}));
  } else {
    prepared.sweep.variants = variants({names_to_vary(given), given.vary, given.steps});
    std::optional<RobotTable> table;  // of the robot whose turn it is
    for (const Variant& variant : prepared.sweep.variants) {
      if (!table || table->robot() != variant.robot) table.emplace(variant.robot, given.vary, given.rules);
      prepared.arms.push_back(make_arm(table->varied(variant.values), given, variant.values));
    }
  }
  expect_known_joints(given, prepared.arms);
  expect_comparable(prepared.arms);
  return prepared;
}

SelectRecord run(PreparedSelection prepared, const SelectOptions& options) {
  expect_threads(options.threads);
  const std::size_t all = prepared.arms.size();
  const auto proceed = [&](std::size_t done) { return !options.proceed || options.proceed(done, all); };
  const std::vector<std::string> asked = asked_criteria(prepared.selection);
  const WantedParts on_request = parts_for(asked);
  WantedParts wanted;
  wanted.reach = on_request.reach;
  wanted.cycle_time = on_request.cycle_time;
  wanted.elasticity = on_request.elasticity;
  std::vector<Candidate> candidates =
      evaluate_all(std::move(prepared.arms), prepared.selection.task, wanted, options.threads, proceed);
  if (prepared.timed()) measure_cpu(candidates, [&] { return proceed(all); });
  return {compare(std::move(prepared.selection.task), std::move(candidates), prepared.selection.weights,
                  prepared.selection.require, asked),
          std::move(prepared.sweep)};
}

SelectRecord run(const Selection& selection, const SelectOptions& options) { return run(prepare(selection), options); }

}  // namespace ulna::selection

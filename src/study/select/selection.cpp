#include "ulna/study/select/selection.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/expect_threads.hpp"
#include "model/number_uses.hpp"
#include "robot_table.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::selection {

namespace {

/// The ranges of this robot; `used` marks those that some robot has.
RangeChoice choice_of(const Graph& graph, const Selection& selection, std::vector<bool>& used) {
  RangeChoice choice;
  choice.slide = selection.task.slide();
  for (std::size_t k = 0; k < selection.ranges.size(); ++k) {
    const GivenRange& range = selection.ranges[k];
    const GraphJoint* joint = find_joint(graph, range.joint);
    if (joint == nullptr || (!range.robot.empty() && range.robot != graph.name)) continue;
    const std::string where = fmt::format("range '{}'", range.joint);
    const double high = resolve(range.high, number_use(*joint), where);  // first: in 0..90deg it is the one to show
    choice.given[range.joint] = {resolve(range.low, number_use(*joint), where), high};
    used[k] = true;
  }
  return choice;
}

std::string name_of(const Graph& graph, const std::vector<SweptNumber>& swept, const std::vector<double>& values) {
  std::string name = graph.name;
  for (std::size_t k = 0; k < swept.size(); ++k) name += fmt::format(" {}={:.4g}", swept[k].path, values[k]);
  return name;
}

Graph graph_of(const Entrant& robot) {
  const auto* graph = std::get_if<Graph>(&robot);
  return graph != nullptr ? *graph : load_graph(std::get<std::string>(robot));
}

std::vector<std::string> names_to_vary(const Selection& selection) {
  std::vector<std::string> names;
  for (const Entrant& robot : selection.robots) {
    if (const auto* graph = std::get_if<Graph>(&robot))
      throw InputError(fmt::format("vary: '{}' is made in code; numbers of robot files can vary", graph->name));
    names.push_back(std::get<std::string>(robot));
  }
  return names;
}

class ArmMaker {
 public:
  explicit ArmMaker(const Selection& selection) : selection_(selection), used_(selection.ranges.size()) {}

  void add(Graph graph, const std::vector<double>& values) {
    for (const Payload& payload : selection_.payloads) add_payload(graph, payload);
    const RangeChoice choice = choice_of(graph, selection_, used_);
    arms_.push_back(make_arm(name_of(graph, selection_.vary, values), graph, choice));
  }

  std::vector<Arm> finish() {
    for (std::size_t k = 0; k < used_.size(); ++k) {
      const auto& [robot, joint, low, high] = selection_.ranges[k];
      if (!used_[k])
        throw InputError(
            fmt::format("range '{}{}{}': none of the robots has this joint", robot, robot.empty() ? "" : ".", joint));
    }
    expect_comparable(arms_);
    return std::move(arms_);
  }

 private:
  const Selection& selection_;
  std::vector<bool> used_;
  std::vector<Arm> arms_;
};

void expect_task(const Task& task) {
  if (!(std::isfinite(task.time) && task.time > 0.0 && std::isfinite(task.every) && task.every > 0.0))
    throw InputError("task: time and every must be positive");
  if (!(std::isfinite(task.payload) && task.payload >= 0.0))
    throw InputError("task: the payload must be zero or positive");
  constexpr double most_samples = 1e7;
  if (task.time / task.every > most_samples)
    throw InputError("task: more than ten million samples; take a longer every");
}

void expect_numbers(const Selection& selection, bool timed) {
  if (selection.robots.empty()) throw InputError("robots: name one at least");
  expect_task(selection.task);
  expect_weights(selection.weights, timed);
  for (const std::string& key : selection.pareto) expect_criterion("pareto", key, timed);
  for (const GivenRange& range : selection.ranges) {
    if (!std::isfinite(range.low.in_si()) || !std::isfinite(range.high.in_si()) ||
        !(range.low.in_si() <= range.high.in_si()))
      throw InputError(fmt::format("range '{}': its ends must be rising numbers, as in 0..0.5", range.joint));
  }
}

}  // namespace

GivenRange given_range(const std::string& name, WrittenNumber low, WrittenNumber high) {
  const std::size_t dot = name.rfind('.');
  const bool alone = dot == std::string::npos;
  return {alone ? "" : name.substr(0, dot), alone ? name : name.substr(dot + 1), std::move(low), std::move(high)};
}

PreparedSelection prepare(Selection selection) {
  PreparedSelection prepared{std::move(selection), {}, {}};
  const Selection& given = prepared.selection;
  expect_numbers(given, prepared.timed());
  ArmMaker maker(given);
  prepared.sweep = {given.vary, {}, given.pareto[0], given.pareto[1]};
  if (given.vary.empty()) {
    for (const Entrant& robot : given.robots) maker.add(graph_of(robot), {});
  } else {
    prepared.sweep.variants = variants(names_to_vary(given), given.vary, given.steps);
    std::optional<RobotTable> table;  // of the robot whose turn it is
    for (const Variant& variant : prepared.sweep.variants) {
      if (!table || table->robot() != variant.robot) table.emplace(variant.robot, given.vary);
      maker.add(table->varied(variant.values), variant.values);
    }
  }
  prepared.arms = maker.finish();
  return prepared;
}

SelectRecord run(PreparedSelection prepared, const SelectOptions& options) {
  expect_threads(options.threads);
  const std::size_t all = prepared.arms.size();
  const auto proceed = [&](std::size_t done) { return !options.proceed || options.proceed(done, all); };
  std::vector<Candidate> candidates =
      evaluate_all(std::move(prepared.arms), prepared.selection.task, options.threads, proceed);
  if (prepared.timed()) measure_cpu(candidates, [&] { return proceed(all); });
  return {compare(std::move(prepared.selection.task), std::move(candidates), prepared.selection.weights),
          std::move(prepared.sweep)};
}

SelectRecord run(const Selection& selection, const SelectOptions& options) { return run(prepare(selection), options); }

}  // namespace ulna::selection

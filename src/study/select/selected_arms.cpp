#include "selected_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "criterion_rows.hpp"
#include "model/number_uses.hpp"
#include "ulna/model/elastic_joint.hpp"

namespace ulna::selection {

namespace {

bool is_meant(const std::string& robot, const std::string& joint, const Graph& graph) {
  return find_joint(graph, joint) != nullptr && (robot.empty() || robot == graph.name);
}

/// The ranges of this robot.
RangeChoice choice_of(const Graph& graph, const Selection& selection) {
  RangeChoice choice;
  choice.slide = selection.task.slide();
  for (const GivenRange& range : selection.ranges) {
    if (!is_meant(range.robot, range.joint, graph)) continue;
    const NumberUse use = number_use(*find_joint(graph, range.joint));
    const std::string where = fmt::format("range '{}'", range.joint);
    const double high = resolve(range.high, use, where);  // first: in 0..90deg it is the one to show
    choice.given[range.joint] = {resolve(range.low, use, where), high};
  }
  return choice;
}

/// What is said of a joint by name counts before what is said of all, and what comes later before what came first.
StiffnessChoice stiffness_of(const Graph& graph, const Selection& selection) {
  StiffnessChoice choice;
  for (const GivenStiffness& one : selection.stiffness) {
    if (!one.robot.empty() && one.robot != graph.name) continue;
    if (one.joint.empty())
      choice.others = one.value;
    else
      choice.given[one.joint] = one.value;
  }
  return choice;
}

void expect_task(const Task& task) {
  if (!(std::isfinite(task.time) && task.time > 0.0 && std::isfinite(task.every) && task.every > 0.0))
    throw InputError("task: time and every must be positive");
  if (!(std::isfinite(task.payload) && task.payload >= 0.0))
    throw InputError("task: the payload must be zero or positive");
  constexpr double most_samples = 1e7;
  if (task.time / task.every > most_samples)
    throw InputError("task: more than ten million samples; take a longer every");
}

}  // namespace

void expect_numbers(const Selection& selection, bool timed) {
  if (selection.robots.empty()) throw InputError("robots: name one at least");
  expect_task(selection.task);
  expect_weights(selection.weights, timed);
  expect_requirements(selection.require, timed);
  for (const std::string& key : selection.pareto) expect_criterion("pareto", key, timed);
  for (const std::string& key : selection.criteria)
    if (key != "all") expect_criterion("criteria", key, timed);
  for (const GivenStiffness& one : selection.stiffness)
    if (!(one.value > 0.0) || !std::isfinite(one.value))
      throw InputError(fmt::format("stiffness {}: it must be positive, N·m/rad or N/m", one.value));
  for (const GivenRange& range : selection.ranges) {
    if (!std::isfinite(range.low.in_si()) || !std::isfinite(range.high.in_si()) ||
        !(range.low.in_si() <= range.high.in_si()))
      throw InputError(fmt::format("range '{}': its ends must be rising numbers, as in 0..0.5", range.joint));
  }
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

std::string name_of_variant(const std::string& robot, const std::vector<SweptNumber>& swept,
                            const std::vector<double>& values) {
  std::string name = robot;
  for (std::size_t k = 0; k < swept.size(); ++k) name += fmt::format(" {}={:.4g}", swept[k].path, values[k]);
  return name;
}

Arm make_arm(Graph graph, const Selection& selection, const std::vector<double>& values) {
  for (const Payload& payload : selection.payloads) add_payload(graph, payload);
  return make_arm(name_of_variant(graph.name, selection.vary, values), graph,
                  choice_of(with_rigid_joints(graph).graph, selection), stiffness_of(graph, selection));
}

void expect_known_joints(const Selection& selection, const std::vector<Arm>& arms) {
  const auto expect = [&](const char* what, const std::string& robot, const std::string& joint) {
    const auto has = [&](const Arm& arm) { return is_meant(robot, joint, arm.graph); };
    if (std::any_of(arms.begin(), arms.end(), has)) return;
    throw InputError(
        fmt::format("{} '{}{}{}': none of the robots has this joint", what, robot, robot.empty() ? "" : ".", joint));
  };
  for (const GivenRange& range : selection.ranges) expect("range", range.robot, range.joint);
  for (const GivenStiffness& one : selection.stiffness)
    if (!one.joint.empty()) expect("stiffness", one.robot, one.joint);
}

std::vector<std::string> asked_criteria(const Selection& selection) {
  std::vector<std::string> others(selection.criteria);
  // The front is that of variants; robots as they are have none.
  if (!selection.vary.empty()) others.insert(others.end(), selection.pareto.begin(), selection.pareto.end());
  return asked_criteria(selection.weights, selection.require, others);
}

}  // namespace ulna::selection

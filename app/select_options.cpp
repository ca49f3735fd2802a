#include "select_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "model/number_uses.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::app {

using namespace selection;

namespace {

/// [ROBOT.]JOINT=FROM..TO
struct GivenRange {
  std::string robot, joint, where;  // robot: empty for all that have the joint
  WrittenNumber low, high;
  bool used = false;
};

GivenRange given_range(const std::string& text) {
  const std::string where = fmt::format("--range '{}'", text);
  const std::optional<NamedRange> range = parse_named_range(text, where);
  if (!range) throw InputError(fmt::format("{} must be [ROBOT.]JOINT=FROM..TO, as in joint1=0..0.5", where));
  if (!(range->from.in_si() <= range->to.in_si()))
    throw InputError(fmt::format("{}: FROM and TO must be rising numbers, as in joint1=0..0.5", where));
  const std::string& name = range->name;
  const std::size_t dot = name.rfind('.');
  const bool alone = dot == std::string::npos;
  return {alone ? "" : name.substr(0, dot), alone ? name : name.substr(dot + 1), where, range->from, range->to};
}

RangeChoice choice_of(const Graph& graph, const Task& task, std::vector<GivenRange>& ranges) {
  RangeChoice choice;
  choice.slide = task.slide();
  for (GivenRange& range : ranges) {
    const auto joint = std::find_if(graph.joints.begin(), graph.joints.end(),
                                    [&](const GraphJoint& one) { return one.name == range.joint; });
    if (joint == graph.joints.end() || (!range.robot.empty() && range.robot != graph.name)) continue;
    const NumberUse use = number_use(*joint);
    const double high = resolve(range.high, use, range.where);  // low may have its unit from there
    choice.given[range.joint] = {resolve(range.low, use, range.where), high};
    range.used = true;
  }
  return choice;
}

std::string name_of(const Graph& graph, const std::vector<SweptNumber>& swept, const Variant& variant) {
  std::string name = graph.name;
  for (std::size_t k = 0; k < swept.size(); ++k) name += fmt::format(" {}={:.4g}", swept[k].path, variant.values[k]);
  return name;
}

}  // namespace

Weights SelectOptions::weight_list() const {
  Weights list;
  for (const std::string& item : weights.empty() ? std::vector<std::string>{} : words_of(weights)) {
    const std::size_t equals = item.find('=');
    const std::optional<double> weight =
        equals == std::string::npos ? std::nullopt : parse_number(item.substr(equals + 1));
    if (!weight) throw InputError(fmt::format("--weights '{}' must be KEY=NUMBER, as in energy=2,cpu=0", item));
    list[item.substr(0, equals)] = *weight;
  }
  return list;
}

std::pair<std::string, std::string> SelectOptions::pareto_keys() const {
  const std::vector<std::string> keys = words_of(pareto);
  if (keys.size() != 2 || keys[0] == keys[1])
    throw InputError(fmt::format("--pareto '{}' must be two criteria, as in workspace,energy", pareto));
  return {keys[0], keys[1]};
}

std::vector<SweptNumber> SelectOptions::swept() const {
  std::vector<SweptNumber> list;
  for (const std::string& text : vary) list.push_back(parse_swept_number(text));
  return list;
}

std::vector<Arm> arms_of(const SelectOptions& options, const Task& task, const std::vector<SweptNumber>& swept,
                         const std::vector<Variant>& variants) {
  std::vector<GivenRange> ranges;
  for (const std::string& text : options.ranges) ranges.push_back(given_range(text));
  std::vector<Arm> arms;
  for (const Variant& variant : variants) {
    Graph graph = swept.empty() ? load_graph(variant.robot) : varied_graph(variant.robot, swept, variant.values);
    for (const std::string& payload : options.payloads) add_payload(graph, given_payload(payload));
    if (swept.empty()) print_notices(graph, variant.robot);
    arms.push_back(make_arm(name_of(graph, swept, variant), graph, choice_of(graph, task, ranges)));
  }
  for (const GivenRange& range : ranges)
    if (!range.used) throw InputError(fmt::format("{}: none of the robots has this joint", range.where));
  return arms;
}

}  // namespace ulna::app

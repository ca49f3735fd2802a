#include "select_options.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "ulna/base/number.hpp"

namespace ulna::app {

using namespace selection;

namespace {

/// [ROBOT.]JOINT=FROM..TO
GivenRange parse_range(const std::string& text) {
  const std::string where = fmt::format("--range '{}'", text);
  const std::optional<NamedRange> range = parse_named_range(text, where);
  if (!range) throw InputError(fmt::format("{} must be [ROBOT.]JOINT=FROM..TO, as in joint1=0..0.5", where));
  return given_range(range->name, range->from, range->to);
}

Weights weights_of(const std::string& text) {
  Weights list;
  for (const std::string& item : text.empty() ? std::vector<std::string>{} : words_of(text)) {
    const std::size_t equals = item.find('=');
    const std::optional<double> weight =
        equals == std::string::npos ? std::nullopt : parse_number(item.substr(equals + 1));
    if (!weight) throw InputError(fmt::format("--weights '{}' must be KEY=NUMBER, as in energy=2,cpu=0", item));
    list[item.substr(0, equals)] = *weight;
  }
  return list;
}

/// KEY<NUMBER or KEY>NUMBER
Requirement parse_requirement(const std::string& text) {
  const std::size_t sign = text.find_first_of("<>");
  const auto trimmed = [](const std::string& word) {
    const std::size_t first = word.find_first_not_of(' '), last = word.find_last_not_of(' ');
    return first == std::string::npos ? std::string() : word.substr(first, last - first + 1);
  };
  const std::optional<double> bound =
      sign == std::string::npos ? std::nullopt : parse_number(trimmed(text.substr(sign + 1)));
  if (!bound) throw InputError(fmt::format("--require '{}' must be KEY<NUMBER or KEY>NUMBER, as in 'energy<20'", text));
  return {trimmed(text.substr(0, sign)), text[sign] == '>', *bound};
}

/// NUMBER for all joints, or [ROBOT.]JOINT=NUMBER.
GivenStiffness parse_stiffness(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::optional<double> value = parse_number(equals == std::string::npos ? text : text.substr(equals + 1));
  if (!value || equals == 0)
    throw InputError(fmt::format("--stiffness '{}' must be NUMBER or [ROBOT.]JOINT=NUMBER, as in joint2=2e4", text));
  return given_stiffness(equals == std::string::npos ? "" : text.substr(0, equals), *value);
}

std::array<std::string, 2> pareto_keys(const std::string& text) {
  const std::vector<std::string> keys = words_of(text);
  if (keys.size() != 2 || keys[0] == keys[1])
    throw InputError(fmt::format("--pareto '{}' must be two criteria, as in workspace,energy", text));
  return {keys[0], keys[1]};
}

}  // namespace

Selection SelectOptions::selection() const {
  Selection given;
  given.robots.assign(robots.begin(), robots.end());
  if (!task.empty()) given.task = load_task(task);
  for (const std::string& payload : payloads) given.payloads.push_back(given_payload(payload));
  for (const std::string& range : ranges) given.ranges.push_back(parse_range(range));
  given.weights = weights_of(weights);
  for (const std::string& text : require) given.require.push_back(parse_requirement(text));
  for (const std::string& number : vary) given.vary.push_back(parse_swept_number(number));
  for (const std::string& rule : rules) given.rules.push_back(parse_design_rule(rule));
  for (const std::string& text : stiffness) given.stiffness.push_back(parse_stiffness(text));
  given.steps = steps;
  given.pareto = pareto_keys(pareto);
  if (!criteria.empty()) given.criteria = words_of(criteria);
  if (effort > 0.0) given.effort = effort;
  return given;
}

}  // namespace ulna::app

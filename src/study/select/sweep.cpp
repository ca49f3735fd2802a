#include "ulna/study/select/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "robot_table.hpp"
#include "ulna/base/error.hpp"
#include "ulna/base/number.hpp"

namespace ulna::selection {

SweptNumber parse_swept_number(const std::string& text) {
  const std::optional<NamedRange> range = parse_named_range(text, fmt::format("vary '{}'", text));
  if (!range) throw InputError(fmt::format("vary '{}' must be NAME.KEY=FROM..TO, as in link2.a=0.3..0.6", text));
  SweptNumber swept{range->name, range->from.in_si(), range->to.in_si(), range->from.is_angle()};
  if (swept.from == swept.to)
    throw InputError(fmt::format("vary '{}': FROM and TO must be two different numbers", text));
  expect_path(swept.path, "vary");
  return swept;
}

DesignRule parse_design_rule(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format("rule '{}' must be NAME.KEY=EXPRESSION, as in link2.mass=3.5*link2.a", text));
  const std::size_t last = text.find_last_not_of(' ', equals - 1);
  DesignRule rule{last == std::string::npos ? "" : text.substr(0, last + 1), text.substr(equals + 1)};
  expect_path(rule.path, "rule");
  for (const std::string& path : Expression(rule.expression, where_of(rule)).paths()) expect_path(path, "rule");
  return rule;
}

Graph varied_graph(const std::string& robot, const std::vector<SweptNumber>& swept, const std::vector<double>& values,
                   const std::vector<DesignRule>& rules) {
  return RobotTable(robot, swept, rules).varied(values);
}

VariantGrid::VariantGrid(std::vector<std::string> robots, std::vector<SweptNumber> swept, int steps)
    : robots_(std::move(robots)), swept_(std::move(swept)), steps_(steps) {
  if (!swept_.empty() && steps < 2) throw InputError("vary: take two steps at least of each number");
  for (const SweptNumber& number : swept_) {
    if (!std::isfinite(number.from) || !std::isfinite(number.to))
      throw InputError(fmt::format("vary: the range of '{}' must be finite", number.path));
  }
  constexpr std::size_t most = 1'000'000'000;
  for (std::size_t k = 0; k < swept_.size() && combinations_ <= most; ++k)
    combinations_ *= static_cast<std::size_t>(steps);
  if (size() > most) throw InputError(fmt::format("vary: more than {} variants; take fewer steps", most));
}

std::vector<int> VariantGrid::steps_of(std::size_t variant) const {
  std::vector<int> list(swept_.size());
  std::size_t rest = variant % combinations_;
  for (std::size_t k = swept_.size(); k-- > 0; rest /= static_cast<std::size_t>(steps_))
    list[k] = static_cast<int>(rest % static_cast<std::size_t>(steps_));
  return list;
}

Variant VariantGrid::at(std::size_t variant) const {
  Variant one{robots_[robot_of(variant)], {}};
  const std::vector<int> list = steps_of(variant);
  for (std::size_t k = 0; k < swept_.size(); ++k) one.values.push_back(swept_[k].at(list[k], steps_));
  return one;
}

std::vector<Variant> variants(const VariantGrid& grid) {
  if (grid.size() > most_variants) {
    throw InputError(
        fmt::format("vary: more than {} variants to compare at once; take fewer steps, or a design sweep in chunks",
                    most_variants));
  }
  std::vector<Variant> list;
  for (std::size_t i = 0; i < grid.size(); ++i) list.push_back(grid.at(i));
  return list;
}

std::vector<std::size_t> pareto_front(const Criterion& first, const Criterion& second,
                                      std::span<const std::size_t> among) {
  const auto gain = [](const Criterion& row, std::size_t i) {
    return row.more_is_better ? row.values[i] : -row.values[i];
  };
  std::vector<std::size_t> rest;
  for (const std::size_t i : among)
    if (!std::isnan(first.values[i]) && !std::isnan(second.values[i])) rest.push_back(i);
  // From the best by the first criterion on, an arm must be better by the second than all before it.
  std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
    const double x = gain(first, a), y = gain(first, b);
    return x != y ? x > y : gain(second, a) > gain(second, b);
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : rest) {
    const auto is_as = [&](std::size_t k) {
      return first.values[k] == first.values[i] && second.values[k] == second.values[i];
    };
    if (front.empty() || gain(second, i) > gain(second, front.back()) || is_as(front.back())) front.push_back(i);
  }
  std::stable_sort(front.begin(), front.end(),
                   [&](std::size_t a, std::size_t b) { return first.values[a] < first.values[b]; });
  return front;
}

std::vector<std::size_t> front_of(const Comparison& comparison, const Sweep& sweep) {
  return pareto_front(criterion_named(comparison, sweep.first), criterion_named(comparison, sweep.second),
                      comparison.order);
}

const Criterion& criterion_named(const Comparison& comparison, const std::string& key) {
  for (const Criterion& row : comparison.criteria)
    if (row.key == key) return row;
  throw InputError("no criterion '" + key + "'");
}

}  // namespace ulna::selection

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
  expect_path(swept.path);
  return swept;
}

Graph varied_graph(const std::string& robot, const std::vector<SweptNumber>& swept, const std::vector<double>& values) {
  return RobotTable(robot, swept).varied(values);
}

std::vector<Variant> variants(const std::vector<std::string>& robots, const std::vector<SweptNumber>& swept,
                              int steps) {
  if (!swept.empty() && steps < 2) throw InputError("vary: take two steps at least of each number");
  for (const SweptNumber& number : swept) {
    if (!std::isfinite(number.from) || !std::isfinite(number.to))
      throw InputError(fmt::format("vary: the range of '{}' must be finite", number.path));
  }
  std::vector<Variant> list;
  std::size_t combinations = 1;
  constexpr std::size_t most = 500;
  for (std::size_t k = 0; k < swept.size() && combinations <= most; ++k)
    combinations *= static_cast<std::size_t>(steps);
  if (combinations * robots.size() > most)
    throw InputError(fmt::format("vary: more than {} variants; take fewer steps", most));
  for (const std::string& robot : robots) {
    for (std::size_t c = 0; c < combinations; ++c) {
      Variant variant{robot, std::vector<double>(swept.size())};
      std::size_t rest = c;
      for (std::size_t k = swept.size(); k-- > 0; rest /= static_cast<std::size_t>(steps))
        variant.values[k] = swept[k].at(static_cast<int>(rest % static_cast<std::size_t>(steps)), steps);
      list.push_back(variant);
    }
  }
  return list;
}

std::vector<std::size_t> pareto_front(const Criterion& first, const Criterion& second,
                                      std::span<const std::size_t> among) {
  const auto gain = [](const Criterion& row, std::size_t i) {
    return row.more_is_better ? row.values[i] : -row.values[i];
  };
  std::vector<std::size_t> front;
  for (const std::size_t i : among) {
    const double a = gain(first, i), b = gain(second, i);
    bool beaten = std::isnan(a) || std::isnan(b);
    for (const std::size_t k : among) {
      const double x = gain(first, k), y = gain(second, k);
      beaten = beaten || (x >= a && y >= b && (x > a || y > b));
    }
    if (!beaten) front.push_back(i);
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

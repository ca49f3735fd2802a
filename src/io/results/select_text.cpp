#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "select_files.hpp"

namespace ulna::selection {

namespace {

/// More than that of rounding; a value that is not a number has none.
bool has_error(double value, double error) { return error > 2e-9 * std::abs(value); }

/// In how many criteria that weigh anything this arm and no other is the best.
std::ptrdiff_t wins_of(const Comparison& comparison, std::size_t arm) {
  return std::count_if(comparison.criteria.begin(), comparison.criteria.end(), [&](const Criterion& row) {
    return row.weight > 0.0 && row.best[arm] && std::count(row.best.begin(), row.best.end(), true) == 1;
  });
}

/// So many digits, and zeros behind them rather than an exponent for thousands.
std::string with_digits(double value, int digits) {
  if (!(std::abs(value) >= std::pow(10.0, digits)) || std::abs(value) >= 1e6)
    return fmt::format("{:.{}g}", value, digits);
  const double last = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1.0 - digits);
  return fmt::format("{:.0f}", std::round(value / last) * last);
}

}  // namespace

std::string label_of(const Criterion& row) {
  return row.unit.empty() ? row.label : fmt::format("{}, {}", row.label, row.unit);
}

std::string rounded_text(double value, double error) {
  if (!has_error(value, error)) return with_digits(value, 4);
  const double digits = std::ceil(std::log10(std::abs(value) / error)) + 1.0;  // −∞ for a value of zero
  return with_digits(value, static_cast<int>(std::clamp(digits, 2.0, 6.0)));
}

std::string rounded_text(const Criterion& row, std::size_t arm) {
  return rounded_text(row.values[arm], row.errors[arm]);
}

std::string text_with_error(double value, double error) {
  const std::string text = rounded_text(value, error);
  return has_error(value, error) ? fmt::format("{} ± {}", text, with_digits(error, 2)) : text;
}

std::string criterion_text(const Comparison& comparison, const Criterion& row, std::size_t arm) {
  for (std::size_t k = 0; k < counted.size(); ++k) {
    const OperationCount& count = comparison.candidates[arm].operations[k];
    if (row.key == word_of(counted[k])) return fmt::format("{}M {}A", count.multiplications, count.additions);
  }
  return text_with_error(row.values[arm], row.errors[arm]);
}

std::string score_text(const Comparison& comparison, std::size_t arm) {
  const bool ranked = std::find(comparison.order.begin(), comparison.order.end(), arm) != comparison.order.end();
  return ranked ? fmt::format("{:.3f}", comparison.scores[arm]) : "not ranked";
}

std::string verdict(const Comparison& comparison) {
  constexpr std::size_t named = 8;
  std::string ranking, apart;
  for (const std::size_t i : comparison.apart) {
    const Candidate& candidate = comparison.candidates[i];
    apart += fmt::format(" {} cannot be chosen: {}.", candidate.arm.name, fmt::join(candidate.loads.broken, "; "));
  }
  if (comparison.order.empty()) return "No arm is ranked." + apart;
  if (comparison.candidates.size() == 1)
    return fmt::format("One arm: {}. Its values stand alone; name others to compare it with.",
                       comparison.candidates[0].arm.name);
  for (const std::size_t i : std::span(comparison.order).first(std::min(named, comparison.order.size()))) {
    ranking += fmt::format("{}{} (score {:.3f}, alone the best in {})", ranking.empty() ? "" : ", ",
                           comparison.candidates[i].arm.name, comparison.scores[i], wins_of(comparison, i));
  }
  if (comparison.order.size() > named) ranking += fmt::format(" and {} behind them", comparison.order.size() - named);
  const auto counted_rows = std::count_if(comparison.criteria.begin(), comparison.criteria.end(),
                                          [](const Criterion& row) { return row.weight > 0.0; });
  return fmt::format("Ranking by {} criteria: {}.{}", counted_rows, ranking, apart);
}

}  // namespace ulna::selection

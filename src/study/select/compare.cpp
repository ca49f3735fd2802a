#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "criterion_rows.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/study/select/comparison.hpp"

namespace ulna::selection {

namespace {

const std::vector<Candidate> nobody;

using Parts = WantedParts;
/// What a criterion needs of an arm, beside the task, which is done by all.
using Part = bool Parts::*;
constexpr Part the_task = nullptr;

/// All criteria with their values; a new one is a row here.
class Rows {
 public:
  Rows(const std::vector<Candidate>& candidates, bool planar, bool timed)
      : candidates_(candidates), planar_(planar), timed_(timed) {}

  std::vector<Criterion> make() {
    constexpr bool more = true, less = false;
    const std::array<const char*, counted.size()> of{"inertia matrix", "convective matrix", "inverse dynamics",
                                                     "forward dynamics"};
    for (std::size_t k = 0; k < counted.size(); ++k)
      add(&Parts::operations, std::string(word_of(counted[k])), fmt::format("operations of the {}", of[k]), "", less,
          [k](const Candidate& c) { return Estimate{static_cast<double>(c.operations[k].total())}; });
    if (timed_) {
      add(the_task, "cpu", "time of the inverse dynamics", "ns", less, [](const Candidate& c) {
        return Estimate{c.cpu->median, 0.5 * (c.cpu->high - c.cpu->low)};
      });
    }
    add(&Parts::inertia, "off_diagonal", "inertia matrix: share off the diagonal, median", "", less,
        [](const Candidate& c) { return c.survey.off_diagonal; });
    add(&Parts::inertia, "variation", "inertia matrix: variation over the poses, median", "", less,
        [](const Candidate& c) { return c.survey.variation; });
    add(&Parts::inertia, "condition", "inertia matrix: condition number, median", "", less,
        [](const Candidate& c) { return c.survey.condition; });
    add(&Parts::inertia, "dynamic", "dynamic manipulability of position, median", "", more,
        [](const Candidate& c) { return c.survey.dynamic; });
    add(&Parts::workspace, "workspace", planar_ ? "workspace area" : "workspace volume", planar_ ? "m²" : "m³", more,
        [](const Candidate& c) {
          return Estimate{c.workspace.size.value, c.workspace.size.error};
        });
    add(&Parts::dexterity, "dexterous",
        planar_ ? "area reached with every orientation" : "volume reached with every orientation",
        planar_ ? "m²" : "m³", more, [](const Candidate& c) {
          return Estimate{c.dexterity.size.value, c.dexterity.size.error};
        });
    add(&Parts::greatest, "manipulability", "manipulability of position, greatest", "", more,
        [](const Candidate& c) { return Estimate{c.survey.manipulability.value}; });
    add(&Parts::means, "mean_manipulability", "manipulability of position, mean over the workspace", "", more,
        [](const Candidate& c) { return c.survey.mean_manipulability; });
    add(&Parts::means, "isotropy", "isotropy 1/κ of position, mean over the workspace", "", more,
        [](const Candidate& c) { return c.survey.mean_isotropy; });
    add(&Parts::means, "smallest", "smallest singular value of position, mean over the workspace", "", more,
        [](const Candidate& c) { return c.survey.mean_smallest; });
    add(&Parts::means, "well_conditioned", fmt::format("share of the workspace with 1/κ ≥ {:g}", good_isotropy), "",
        more, [](const Candidate& c) { return c.survey.well_conditioned; });
    add(the_task, "power", "task: peak power, sum of the joints", "W", less,
        [](const Candidate& c) { return Estimate{c.loads.power}; });
    add(the_task, "energy", "task: energy, sum of the joints", "J", less,
        [](const Candidate& c) { return Estimate{c.loads.energy}; });
    return std::move(rows_);
  }
  /// Of the rows that make() gave, one for each.
  const std::vector<Part>& needs() const { return needs_; }

 private:
  template <class Of>
  void add(Part part, const std::string& key, const std::string& label, const std::string& unit, bool more,
           const Of& of) {
    Criterion row{key, label, unit, more, 1.0, {}, {}, {}, {}};
    for (const Candidate& candidate : candidates_) {
      const Estimate estimate = of(candidate);
      row.values.push_back(estimate.value);
      // Figures that differ only by round-off are the same.
      const double rounding = std::isfinite(estimate.value) ? 1e-9 * std::abs(estimate.value) : 0.0;
      row.errors.push_back(std::max(estimate.error, rounding));
    }
    rows_.push_back(std::move(row));
    needs_.push_back(part);
  }

  const std::vector<Candidate>& candidates_;
  bool planar_, timed_;
  std::vector<Criterion> rows_;
  std::vector<Part> needs_;
};

/// Or in the four digits that are shown.
bool are_alike(double a, double b, double errors) {
  return a == b || std::abs(a - b) <= errors || fmt::format("{:.4g}", a) == fmt::format("{:.4g}", b);
}

/// With the error where it is more than rounding.
std::string with_error(double value, double error) {
  return error > 1e-8 * std::abs(value) ? fmt::format("{:.4g} ± {:.2g}", value, error) : fmt::format("{:.4g}", value);
}

/// By the arms that are ranked.
void mark(Criterion& row, const std::vector<std::size_t>& ranked) {
  const std::size_t n = row.values.size();
  row.best.assign(n, false);
  row.shares.assign(n, 0.0);
  if (ranked.empty()) return;
  std::size_t top = ranked[0];
  for (const std::size_t i : ranked)
    if (is_better(row, row.values[i], row.values[top])) top = i;
  for (const std::size_t i : ranked) {
    const Share share = share_of(row, row.values[i], row.errors[i], row.values[top], row.errors[top]);
    row.best[i] = share.alike;
    row.shares[i] = share.part;
  }
  if (std::all_of(ranked.begin(), ranked.end(), [&](std::size_t i) { return row.best[i]; })) row.best.assign(n, false);
}

}  // namespace

std::vector<Criterion> criterion_rows(const std::vector<Candidate>& candidates, bool planar, bool timed) {
  return Rows(candidates, planar, timed).make();
}

std::vector<std::string> criterion_keys(bool timed) {
  std::vector<std::string> keys;
  for (const Criterion& row : criterion_rows(nobody, false, timed)) keys.push_back(row.key);
  return keys;
}

void set_weights(std::vector<Criterion>& rows, const Weights& weights) {
  for (Criterion& row : rows)
    if (const auto weight = weights.find(row.key); weight != weights.end()) row.weight = weight->second;
}

std::vector<std::string> unmet(const std::vector<Criterion>& rows, const std::vector<Requirement>& require,
                               std::size_t arm) {
  std::vector<std::string> reasons;
  for (const Requirement& one : require) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Criterion& r) { return r.key == one.key; });
    const double value = row->values[arm], error = row->errors[arm];
    if (one.above ? value - error > one.bound : value + error < one.bound) continue;
    const std::string unit = row->unit.empty() ? "" : " " + row->unit;
    reasons.push_back(fmt::format("{} is {}{} and must be {} {:g}{}", one.key, with_error(value, error), unit,
                                  one.above ? "above" : "below", one.bound, unit));
  }
  return reasons;
}

void expect_requirements(const std::vector<Requirement>& require, bool timed) {
  for (const Requirement& one : require) {
    expect_criterion("require", one.key, timed);
    if (!std::isfinite(one.bound))
      throw InputError(fmt::format("require: the bound of '{}' must be a number", one.key));
  }
}

WantedParts parts_for(std::span<const std::string> keys) {
  Rows rows(nobody, false, false);
  const std::vector<Criterion> all = rows.make();
  WantedParts parts{false, false, false, false, false, false, false};
  for (std::size_t k = 0; k < all.size(); ++k)
    if (rows.needs()[k] != the_task && std::find(keys.begin(), keys.end(), all[k].key) != keys.end())
      parts.*(rows.needs()[k]) = true;
  return parts;
}

bool is_better(const Criterion& row, double a, double b) {
  return (row.more_is_better ? a > b : a < b) || (std::isnan(b) && !std::isnan(a));
}

Share share_of(const Criterion& row, double value, double error, double best, double best_error) {
  if (are_alike(value, best, error + best_error)) return {true, 1.0};
  if (!std::isfinite(value) || !std::isfinite(best)) return {};
  const double share = row.more_is_better ? value / best : best / value;
  return {false, std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0};
}

void expect_criterion(const std::string& option, const std::string& key, bool timed) {
  const std::vector<std::string> keys = criterion_keys(timed);
  if (std::find(keys.begin(), keys.end(), key) != keys.end()) return;
  throw InputError(fmt::format("{}: '{}' is no criterion here; {}use one of: {}", option, key, guess_for(key, keys),
                               fmt::join(keys, ", ")));
}

void expect_weights(const Weights& weights, bool timed) {
  for (const auto& [key, weight] : weights) {
    expect_criterion("weights", key, timed);
    if (!(weight >= 0.0)) throw InputError(fmt::format("weights: the weight of '{}' must not be negative", key));
  }
  double sum = 0.0;
  std::vector<Criterion> rows = criterion_rows(nobody, false, timed);
  set_weights(rows, weights);
  for (const Criterion& row : rows) sum += row.weight;
  if (!(sum > 0.0)) throw InputError("weights: all weights are zero; nothing is left to choose by");
}

Comparison compare(Task task, std::vector<Candidate> candidates, const Weights& weights,
                   const std::vector<Requirement>& require) {
  Comparison result{std::move(task), std::move(candidates), {}, {}, {}, {}};
  const bool timed = result.candidates[0].cpu.has_value();
  expect_weights(weights, timed);
  expect_requirements(require, timed);
  result.criteria = criterion_rows(result.candidates, result.candidates[0].arm.dimension() == 2, timed);
  set_weights(result.criteria, weights);
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    std::vector<std::string>& broken = result.candidates[i].loads.broken;
    for (const std::string& reason : unmet(result.criteria, require, i)) broken.push_back(reason);
    (broken.empty() ? result.order : result.apart).push_back(i);
  }
  double all = 0.0;
  result.scores.assign(result.candidates.size(), 0.0);
  for (Criterion& row : result.criteria) {
    mark(row, result.order);
    all += row.weight;
    for (std::size_t i = 0; i < row.shares.size(); ++i) result.scores[i] += row.weight * row.shares[i];
  }
  for (double& score : result.scores) score /= all;
  std::stable_sort(result.order.begin(), result.order.end(),
                   [&](std::size_t a, std::size_t b) { return result.scores[a] > result.scores[b]; });
  return result;
}

}  // namespace ulna::selection

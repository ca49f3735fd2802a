#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "criterion_rows.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/base/number.hpp"
#include "ulna/study/select/comparison.hpp"

namespace ulna::selection {

namespace {

const std::vector<Candidate> nobody;

using Parts = WantedParts;
/// What a criterion needs of an arm, beside the task, which is done by all.
using Part = bool Parts::*;
constexpr Part the_task = nullptr;

/// What a task asks of one joint, as a criterion: its key is WORD.JOINT.
struct JointCriterion {
  const char *word, *label, *unit, *sliding_unit;
  double JointLoad::*load;
};
constexpr std::array<JointCriterion, 4> joint_criteria{
    {{"peak", "peak torque", "N m", "N", &JointLoad::peak},
     {"rms", "root mean square of the torque", "N m", "N", &JointLoad::rms},
     {"power", "peak power", "W", "W", &JointLoad::peak_power},
     {"energy", "energy", "J", "J", &JointLoad::energy}}};

/// Of WORD.JOINT; nothing for other keys.
struct JointKey {
  const JointCriterion* of;
  std::string joint;
};
std::optional<JointKey> joint_key(const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos || dot + 1 == key.size()) return std::nullopt;
  for (const JointCriterion& one : joint_criteria)
    if (key.compare(0, dot, one.word) == 0) return JointKey{&one, key.substr(dot + 1)};
  return std::nullopt;
}

/// By its name or, where none is called so, its number from 1.
std::optional<std::size_t> joint_of(const Arm& arm, const std::string& joint) {
  const std::span<const JointInfo> joints = arm.model.joints();
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == joint) return i;
  const std::optional<double> number = parse_number(joint);
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (number && *number == static_cast<double>(i + 1)) return i;
  return std::nullopt;
}

Estimate estimate_of(const Figure& figure) { return {figure.value}; }

/// That of a criterion's key; nothing for keys of others.
std::optional<Figure> figure_of(const TaskFigures& figures, std::string_view key) {
  if (key == "cycle_time") return figures.cycle_time;
  if (key == "stiffness") return figures.stiffness;
  if (key == "frequency") return figures.frequency;
  return std::nullopt;
}

/// All criteria with their values; a new one is a row here.
class Rows {
 public:
  /// `asked`: which of those that are there on request, in any order; others among them do not matter.
  Rows(const std::vector<Candidate>& candidates, bool planar, bool timed, std::span<const std::string> asked)
      : candidates_(candidates), planar_(planar), timed_(timed), asked_(asked) {}

  std::vector<Criterion> make() {
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
    add_on_request();
    return std::move(rows_);
  }
  /// Keys of the rows that are there on request, but for those of joints.
  static std::vector<std::string> on_request() { return {"reach", "cycle_time", "stiffness", "frequency"}; }
  /// Of the rows that make() gave, one for each.
  const std::vector<Part>& needs() const { return needs_; }

 private:
  static constexpr bool more = true, less = false;

  bool is_asked(const std::string& key) const { return std::find(asked_.begin(), asked_.end(), key) != asked_.end(); }

  void add_on_request() {
    const auto add_if_asked = [&](Part part, const char* key, const char* label, const char* unit, bool better,
                                  const auto& of) {
      if (is_asked(key)) add(part, key, label, unit, better, of);
    };
    add_if_asked(&Parts::reach, "reach", "greatest distance of the tip from the origin", "m", more,
                 [](const Candidate& c) { return Estimate{c.survey.reach.value}; });
    add_if_asked(&Parts::cycle_time, "cycle_time", "task: least time within the limits", "s", less,
                 [](const Candidate& c) { return estimate_of(c.figures.cycle_time); });
    add_if_asked(&Parts::elasticity, "stiffness", "task: least stiffness of the tip", "N/m", more,
                 [](const Candidate& c) { return estimate_of(c.figures.stiffness); });
    add_if_asked(&Parts::elasticity, "frequency", "task: lowest natural frequency", "Hz", more,
                 [](const Candidate& c) { return estimate_of(c.figures.frequency); });
    std::vector<std::string> keys;  // each once, in the order of asking
    for (const std::string& key : asked_)
      if (joint_key(key) && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    for (const std::string& key : keys) add_joint(key, *joint_key(key));
  }

  void add_joint(const std::string& key, const JointKey& of) {
    bool turns = candidates_.empty(), slides = false;
    for (const Candidate& candidate : candidates_) {
      const std::optional<std::size_t> i = joint_of(candidate.arm, of.joint);
      if (i) (ulna::slides(candidate.arm.model.joints()[*i].kind) ? slides : turns) = true;
    }
    const std::string unit = !slides || of.of->unit == std::string_view(of.of->sliding_unit) ? of.of->unit
                             : turns ? fmt::format("{} or {}", of.of->unit, of.of->sliding_unit)
                                     : of.of->sliding_unit;
    add(the_task, key, fmt::format("task: {} of joint {}", of.of->label, of.joint), unit, less,
        [&](const Candidate& c) {
          const std::optional<std::size_t> i = joint_of(c.arm, of.joint);
          return Estimate{i ? c.loads.joints[*i].*of.of->load : std::numeric_limits<double>::quiet_NaN()};
        });
  }

  template <class Of>
  void add(Part part, const std::string& key, const std::string& label, const std::string& unit, bool better,
           const Of& of) {
    Criterion row{key, label, unit, better, 1.0, {}, {}, {}, {}};
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
  std::span<const std::string> asked_;
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

std::vector<Criterion> criterion_rows(const std::vector<Candidate>& candidates, bool planar, bool timed,
                                      std::span<const std::string> asked) {
  return Rows(candidates, planar, timed, asked).make();
}

std::vector<std::string> usual_criteria(bool timed) {
  std::vector<std::string> keys;
  for (const Criterion& row : criterion_rows(nobody, false, timed, {})) keys.push_back(row.key);
  return keys;
}

std::vector<std::string> criterion_keys(bool timed) {
  std::vector<std::string> keys = usual_criteria(timed);
  for (const std::string& key : Rows::on_request()) keys.push_back(key);
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
    if (std::isnan(value) && (joint_key(one.key) || figure_of({}, one.key))) continue;  // lacking() tells
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

std::vector<std::string> lacking(const Candidate& candidate, const std::vector<Criterion>& rows, std::size_t arm) {
  std::vector<std::string> reasons;
  for (const GraphBody& body : candidate.arm.graph.bodies)
    if (body.mass.mass < 0.0)
      reasons.push_back(fmt::format("the mass of '{}' is {:g} kg, below zero", body.name, body.mass.mass));
  for (const Criterion& row : rows) {
    const std::optional<Figure> figure = figure_of(candidate.figures, row.key);
    if (figure && std::isnan(figure->value)) reasons.push_back(fmt::format("{}: {}", row.key, figure->lacks));
    const auto joint = joint_key(row.key);
    const bool has_joint = !joint || joint_of(candidate.arm, joint->joint);
    if (!has_joint) reasons.push_back(fmt::format("{}: it has no joint '{}'", row.key, joint->joint));
    if (!figure && has_joint && std::isnan(row.values[arm])) reasons.push_back(fmt::format("{}: no number", row.key));
  }
  return reasons;
}

WantedParts parts_for(std::span<const std::string> keys) {
  Rows rows(nobody, false, false, keys);
  const std::vector<Criterion> all = rows.make();
  WantedParts parts{.operations = false,
                    .workspace = false,
                    .dexterity = false,
                    .means = false,
                    .greatest = false,
                    .places = false,
                    .inertia = false};
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
  if (joint_key(key) || std::find(keys.begin(), keys.end(), key) != keys.end()) return;
  throw InputError(fmt::format(
      "{}: '{}' is no criterion here; {}use one of: {}, or of a joint peak.JOINT, rms.JOINT, power.JOINT, energy.JOINT",
      option, key, guess_for(key, keys), fmt::join(keys, ", ")));
}

void expect_weights(const Weights& weights, bool timed) {
  for (const auto& [key, weight] : weights) {
    expect_criterion("weights", key, timed);
    if (!(weight >= 0.0)) throw InputError(fmt::format("weights: the weight of '{}' must not be negative", key));
  }
  double sum = 0.0;
  for (const std::string& key : usual_criteria(timed)) sum += weights.contains(key) ? 0.0 : 1.0;
  for (const auto& [key, weight] : weights) sum += weight;
  if (!(sum > 0.0)) throw InputError("weights: all weights are zero; nothing is left to choose by");
}

std::vector<std::string> asked_criteria(const Weights& weights, const std::vector<Requirement>& require,
                                        std::span<const std::string> others) {
  std::vector<std::string> keys(others.begin(), others.end());
  for (const auto& [key, weight] : weights)
    if (weight > 0.0) keys.push_back(key);
  for (const Requirement& one : require) keys.push_back(one.key);
  return keys;
}

Comparison compare(Task task, std::vector<Candidate> candidates, const Weights& weights,
                   const std::vector<Requirement>& require, std::span<const std::string> asked) {
  Comparison result{std::move(task), std::move(candidates), {}, {}, {}, {}};
  const bool timed = result.candidates[0].cpu.has_value();
  expect_weights(weights, timed);
  expect_requirements(require, timed);
  result.criteria = criterion_rows(result.candidates, result.candidates[0].arm.dimension() == 2, timed,
                                   asked_criteria(weights, require, asked));
  set_weights(result.criteria, weights);
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    std::vector<std::string>& broken = result.candidates[i].loads.broken;
    for (const std::string& reason : lacking(result.candidates[i], result.criteria, i)) broken.push_back(reason);
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

#include "ulna/study/select/design.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>

#include "arms_over_threads.hpp"
#include "base/expect_threads.hpp"
#include "base/packed_bytes.hpp"
#include "criterion_rows.hpp"
#include "robot_table.hpp"
#include "selected_arms.hpp"
#include "ulna/batch/instruction_set.hpp"
#include "ulna/version.hpp"

namespace ulna::selection {

namespace {

/// Those that are asked for, in the order of a comparison.
std::vector<std::string> wanted_keys(const Selection& selection) {
  const std::vector<std::string> asked = asked_criteria(selection);
  const bool all = std::find(asked.begin(), asked.end(), "all") != asked.end();
  std::vector<std::string> keys;
  for (const Criterion& row : criterion_rows({}, false, false, asked))
    if (all || std::find(asked.begin(), asked.end(), row.key) != asked.end()) keys.push_back(row.key);
  return keys;
}

std::vector<Criterion> keep_only(std::vector<Criterion> rows, const std::vector<std::string>& keys) {
  std::erase_if(rows, [&](const Criterion& row) { return std::find(keys.begin(), keys.end(), row.key) == keys.end(); });
  return rows;
}

void put(Packer& packer, const WrittenNumber& number) { packer.number(number.in_si()); }

std::string packed_task(const Task& task) {
  Packer packer;
  packer.text(task.title);
  packer.number(static_cast<int>(task.profile));
  for (const double x : {task.time, task.every, task.payload}) packer.number(x);
  packer.numbers(task.from.in_si());
  packer.numbers(task.to.in_si());
  for (const Vec3<double>& p : task.points)
    for (const double x : {p.x, p.y, p.z}) packer.number(x);
  packer.number(task.is_default);
  return packer.take();
}

std::string packed_carried(const Selection& selection) {
  Packer packer;
  for (const auto& [frame, mass] : selection.payloads) {
    packer.text(frame);
    const auto& [m, com, i] = mass;
    for (const double x : {m, com.x, com.y, com.z, i.xx, i.yy, i.zz, i.xy, i.xz, i.yz}) packer.number(x);
  }
  return packer.take();
}

std::string packed_ranges(const Selection& selection) {
  Packer packer;
  for (const GivenRange& range : selection.ranges) {
    packer.text(range.robot);
    packer.text(range.joint);
    put(packer, range.low);
    put(packer, range.high);
  }
  return packer.take();
}

std::string packed_swept(const std::vector<SweptNumber>& swept) {
  Packer packer;
  for (const SweptNumber& number : swept) {
    packer.text(number.path);
    packer.number(number.from);
    packer.number(number.to);
    packer.number(number.is_angle);
  }
  return packer.take();
}

std::string packed_rules(const Selection& selection) {
  Packer packer;
  for (const DesignRule& rule : selection.rules) {
    packer.text(rule.path);
    packer.text(rule.expression);
  }
  return packer.take();
}

std::string packed_stiffness(const Selection& selection) {
  Packer packer;
  for (const GivenStiffness& one : selection.stiffness) {
    packer.text(one.robot);
    packer.text(one.joint);
    packer.number(one.value);
  }
  return packer.take();
}

std::string packed_requirements(const Selection& selection) {
  std::string text;
  for (const Requirement& one : selection.require)
    text += fmt::format("{}{}{},", one.key, one.above ? '>' : '<', one.bound);
  return text;
}

}  // namespace

struct [[gnu::visibility("hidden")]] DesignSweep::Parts {
  Selection selection;
  VariantGrid grid;
  std::vector<std::string> keys;
  std::deque<RobotTable> robots;
  std::vector<std::string> names;  // of the robots
  int dimension = 0;               // of the space that all arms move in
  std::vector<Criterion> criteria;
  WantedParts wanted;

  explicit Parts(Selection given)
      : selection(std::move(given)), grid(names_to_vary(selection), selection.vary, selection.steps) {
    keys = wanted_keys(selection);
    for (const std::string& robot : grid.robots()) robots.emplace_back(robot, selection.vary, selection.rules);
    std::vector<Arm> examples;
    for (std::size_t robot = 0; robot < robots.size(); ++robot) examples.push_back(example_of(robot));
    expect_known_joints(selection, examples);
    expect_comparable(examples);
    for (const Arm& arm : examples) names.push_back(arm.graph.name);
    dimension = examples[0].dimension();
    criteria = rows_for(std::move(examples));
    set_weights(criteria, selection.weights);
    if (std::all_of(criteria.begin(), criteria.end(), [](const Criterion& row) { return row.weight == 0.0; }))
      throw InputError("weights: all weights are zero; nothing is left to choose by");
    wanted = parts_for(keys);
    constexpr double effort_of_many = 0.02;
    if (selection.effort == 0.0) selection.effort = grid.size() <= most_variants ? 1.0 : effort_of_many;
    wanted.effort = selection.effort;
  }

  Arm arm(std::size_t index) const {
    const Variant variant = grid.at(index);
    return make_arm(robots[grid.robot_of(index)].varied(variant.values), selection, variant.values);
  }

  /// Without values; the units are those of these arms' joints.
  std::vector<Criterion> rows_for(std::vector<Arm> examples) const {
    std::vector<Candidate> blank;
    for (Arm& arm : examples) {
      Candidate& candidate = blank.emplace_back(Candidate{.arm = std::move(arm)});
      candidate.loads.joints.resize(candidate.arm.ranges.size());
    }
    std::vector<Criterion> rows = keep_only(criterion_rows(blank, dimension == 2, false, keys), keys);
    for (Criterion& row : rows) {
      row.values.clear();
      row.errors.clear();
    }
    return rows;
  }

  /// An arm of this robot from the ends or the middle of the ranges. Throws the error of the first where none can be.
  Arm example_of(std::size_t robot) const {
    const std::size_t each = grid.size() / robots.size(), first = robot * each;
    std::optional<InputError> why;
    for (const std::size_t index : {first, first + each - 1, first + each / 2}) {
      try {
        return arm(index);
      } catch (const InputError& error) {
        if (!why) why = error;
      }
    }
    throw InputError(*why);
  }

  DesignRow evaluate(std::size_t index, const KeepGoing& keep_going) const {
    DesignRow row;
    try {
      Arm made = arm(index);
      if (made.dimension() != dimension)
        throw InputError(fmt::format("'{}' moves its tip {}, unlike the others", made.name,
                                     made.dimension() == 2 ? "in a plane" : "in space"));
      std::vector<Candidate> one;
      one.push_back(selection::evaluate(std::move(made), selection.task, wanted, keep_going));
      const std::vector<Criterion> rows = keep_only(criterion_rows(one, dimension == 2, false, keys), keys);
      for (const Criterion& criterion : rows) {
        row.values.push_back(criterion.values[0]);
        row.errors.push_back(criterion.errors[0]);
      }
      std::vector<std::string> broken = one[0].loads.broken;
      for (const std::string& reason : lacking(one[0], rows, 0)) broken.push_back(reason);
      for (const std::string& reason : unmet(rows, selection.require, 0)) broken.push_back(reason);
      if (!broken.empty()) row.outcome = DesignRow::Outcome::apart;
      row.reason = fmt::format("{}", fmt::join(broken, "; "));
    } catch (const InputError& error) {
      row.outcome = DesignRow::Outcome::refused;
      row.reason = error.findings().front().reason;
      row.values.assign(keys.size(), std::numeric_limits<double>::quiet_NaN());
      row.errors = row.values;
    }
    return row;
  }
};

DesignSweep::DesignSweep(Selection selection) {
  if (selection.vary.empty()) throw InputError("vary: name a number at least, as in link2.a=0.3..0.6");
  if (!(selection.effort >= 0.0 && selection.effort <= 1.0))
    throw InputError("effort: a part of the usual samples, above 0 and up to 1, is wanted; 0: by the number of arms");
  expect_numbers(selection, false);
  parts_ = std::make_unique<const Parts>(std::move(selection));
}
DesignSweep::~DesignSweep() = default;

const Selection& DesignSweep::selection() const { return parts_->selection; }
const VariantGrid& DesignSweep::grid() const { return parts_->grid; }
const std::vector<Criterion>& DesignSweep::criteria() const { return parts_->criteria; }

std::array<std::size_t, 2> DesignSweep::front_criteria() const {
  const auto place = [&](const std::string& key) {
    return static_cast<std::size_t>(std::find(parts_->keys.begin(), parts_->keys.end(), key) - parts_->keys.begin());
  };
  return {place(parts_->selection.pareto[0]), place(parts_->selection.pareto[1])};
}

std::string DesignSweep::name_of(std::size_t arm) const {
  return name_of_variant(parts_->names[grid().robot_of(arm)], selection().vary, grid().at(arm).values);
}

std::vector<std::pair<std::string, std::string>> DesignSweep::identity() const {
  const Selection& given = selection();
  Packer robots;
  for (const RobotTable& robot : parts_->robots) robots.text(robot.text());
  return {{"version of Ulna", version},
          {"instruction set", std::string(instruction_set())},
          {"robot", robots.take()},
          {"set of numbers that vary", packed_swept(given.vary)},
          {"number of steps", fmt::format("{}", given.steps)},
          {"set of criteria", fmt::format("{}", fmt::join(parts_->keys, ", "))},
          {"effort", fmt::format("{}", given.effort)},
          {"set of requirements", packed_requirements(given)},
          {"task", packed_task(given.task)},
          {"payload", packed_carried(given)},
          {"set of ranges", packed_ranges(given)},
          {"set of rules", packed_rules(given)},
          {"stiffness", packed_stiffness(given)}};
}

std::vector<DesignRow> DesignSweep::evaluate(std::size_t first, std::size_t count, int threads,
                                             const std::function<bool()>& proceed) const {
  expect_threads(threads);
  std::vector<DesignRow> rows(count);
  over_threads(
      count, threads, [&](std::size_t) { return !proceed || proceed(); },
      [&](std::size_t i, const KeepGoing& keep_going) { rows[i] = parts_->evaluate(first + i, keep_going); });
  return rows;
}

}  // namespace ulna::selection

#include "robot_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/robot/robot_text.hpp"
#include "io/robot/toml_robot.hpp"

namespace ulna::selection {

namespace {

/// The table that a name stands for: of the row that is called so or, where none is, linkN, bodyN … for the Nth.
toml::table* find_table(toml::table& root, const std::string& name, std::vector<std::string>& known) {
  toml::table* by_number = nullptr;
  for (const char* kind : {"link", "body", "joint", "frame"}) {
    toml::array* rows = root[kind].as_array();
    for (std::size_t i = 0; rows != nullptr && i < rows->size(); ++i) {
      toml::table* row = rows->get(i)->as_table();
      if (row == nullptr) continue;
      const std::string number = fmt::format("{}{}", kind, i + 1), called = (*row)["name"].value_or(number);
      if (called == name) return row;
      if (number == name) by_number = row;
      known.push_back(called);
    }
  }
  return by_number;
}

/// One step of a path: a key, and the index behind it, −1 without one.
struct Step {
  std::string key;
  int index = -1;
};

std::vector<Step> steps_of(const std::string& path, const char* what) {
  std::vector<Step> steps;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    Step step{path.substr(at, end - at)};
    if (const std::size_t open = step.key.find('['); open != std::string::npos) {
      const std::optional<double> index =
          step.key.back() == ']' ? parse_number(step.key.substr(open + 1, step.key.size() - open - 2)) : std::nullopt;
      if (!index || *index < 0.0 || *index > 100.0 || *index != std::floor(*index))
        throw InputError(
            fmt::format("{}: '{}' has a wrong index; write a whole number from 0, as in com[0]", what, path));
      step.index = static_cast<int>(*index);
      step.key.resize(open);
    }
    if (step.key.empty()) throw InputError(fmt::format("{}: '{}' is not NAME.KEY, as in link2.a", what, path));
    steps.push_back(step);
    at = end + 1;
  }
  if (steps.size() < 2) throw InputError(fmt::format("{}: '{}' is not NAME.KEY, as in link2.a", what, path));
  return steps;
}

/// Where a number of a robot is.
struct Place {
  toml::table* table = nullptr;
  Step last;

  bool operator==(const Place& other) const {
    return table == other.table && last.key == other.last.key && last.index == other.last.index;
  }

  const toml::node* node() const {
    const toml::node* found = table->get(last.key);
    if (last.index < 0 || found == nullptr) return found;
    const toml::array* list = found->as_array();
    return list == nullptr ? nullptr : list->get(static_cast<std::size_t>(last.index));
  }
};

/// `what` names it in errors: "vary", "rule".
Place find_place(toml::table& root, const std::string& robot, const std::string& path, const char* what) {
  const std::vector<Step> steps = steps_of(path, what);
  std::vector<std::string> known;
  toml::table* table = find_table(root, steps[0].key, known);
  if (table == nullptr)
    throw InputError(fmt::format("{}: '{}' has no '{}'; it has {}", what, robot, steps[0].key, fmt::join(known, ", ")));
  for (std::size_t k = 1; k + 1 < steps.size(); ++k) {
    table = (*table)[steps[k].key].as_table();
    if (table == nullptr || steps[k].index >= 0)
      throw InputError(fmt::format("{}: '{}' has no table '{}' on the way to '{}'", what, robot, steps[k].key, path));
  }
  return {table, steps.back()};
}

/// What is there, if anything, can be another number.
void expect_number(const toml::node* node, const std::string& robot, const std::string& path, const char* what) {
  if (node != nullptr && !node->is_number() && !node->is_string())
    throw InputError(fmt::format("{}: '{}' of '{}' is no number", what, path, robot));
}

template <class Value>
void put(toml::table& root, const std::string& robot, const std::string& path, const char* what, const Value& value) {
  const Place place = find_place(root, robot, path, what);
  if (place.last.index < 0) {
    expect_number(place.node(), robot, path, what);
    place.table->insert_or_assign(place.last.key, value);
    return;
  }
  if (place.node() == nullptr)
    throw InputError(fmt::format("{}: '{}' has no '{}'; indices start at 0", what, robot, path));
  toml::array* list = (*place.table)[place.last.key].as_array();
  list->replace(list->cbegin() + place.last.index, value);
}

/// In SI units.
double number_at(toml::table& root, const std::string& robot, const std::string& path) {
  const toml::node* node = find_place(root, robot, path, "rule").node();
  if (node != nullptr && node->is_number()) return node->value_or(0.0);
  if (node != nullptr && node->is_string())
    return parse_written(node->value_or(std::string()), fmt::format("rule: '{}' of '{}'", path, robot)).in_si();
  throw InputError(fmt::format("rule: '{}' has no number '{}'; the rule needs it in the robot's file", robot, path));
}

}  // namespace

RobotTable::RobotTable(std::string robot, std::vector<SweptNumber> swept, const std::vector<DesignRule>& rules)
    : robot_(std::move(robot)), swept_(std::move(swept)) {
  const std::optional<RobotText> found = robot_text(robot_);
  if (!found || found->format.name != "toml")
    throw InputError(fmt::format("vary: '{}' is no TOML file; convert it to one", robot_));
  text_ = found->text;
  file_ = found->file;
  name_ = found->name;
  root_ = parse_toml_text(text_, file_);
  std::vector<Place> varying;
  // A row has a name and a number: the same place may be written in two ways.
  const auto expect_other = [&](const Place& place, const std::string& path, const char* what) {
    if (std::find(varying.begin(), varying.end(), place) != varying.end())
      throw InputError(fmt::format("{}: '{}' varies already; leave it to one of the two", what, path));
  };
  for (const SweptNumber& number : swept_) {
    const Place place = find_place(root_, name_, number.path, "vary");
    expect_other(place, number.path, "vary");
    varying.push_back(place);
  }
  for (const DesignRule& rule : rules) {
    const Place place = find_place(root_, name_, rule.path, "rule");
    expect_other(place, rule.path, "rule");
    expect_number(place.node(), name_, rule.path, "rule");
    rules_.push_back({rule.path, Expression(rule.expression, where_of(rule)), {}});
    if (place.node() != nullptr) rules_.back().in_file = number_at(root_, name_, rule.path);
  }
}

Graph RobotTable::varied(const std::vector<double>& values) const {
  const std::lock_guard turn(turn_);
  // in the table itself, whose copies would not know their lines; each call puts all numbers anew
  for (const Rule& rule : rules_) restore(rule);
  for (std::size_t k = 0; k < swept_.size(); ++k) {
    if (swept_[k].is_angle)
      put(root_, name_, swept_[k].path, "vary", fmt::format("{} rad", values[k]));  // the reader knows where angles fit
    else
      put(root_, name_, swept_[k].path, "vary", values[k]);
  }
  for (const Rule& rule : rules_) {
    const double value = rule.expression.at([&](const std::string& path) { return number_at(root_, name_, path); });
    if (!std::isfinite(value))
      throw InputError(fmt::format("rule: '{}' of '{}' comes out as {}", rule.path, name_, value));
    put(root_, name_, rule.path, "rule", value);
  }
  Graph graph = read_robot(root_, file_);
  if (graph.name.empty()) graph.name = name_;
  return graph;
}

/// What a rule sets is as in the file until then, so that no rule sees what came out for another arm.
void RobotTable::restore(const Rule& rule) const {
  if (rule.in_file)
    put(root_, name_, rule.path, "rule", *rule.in_file);
  else if (const Place place = find_place(root_, name_, rule.path, "rule"); place.last.index < 0)
    place.table->erase(place.last.key);
}

std::string where_of(const DesignRule& rule) { return fmt::format("rule '{}={}'", rule.path, rule.expression); }

void expect_path(const std::string& path, const char* what) { steps_of(path, what); }

}  // namespace ulna::selection

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

std::vector<Step> steps_of(const std::string& path) {
  std::vector<Step> steps;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    Step step{path.substr(at, end - at)};
    if (const std::size_t open = step.key.find('['); open != std::string::npos) {
      const std::optional<double> index =
          step.key.back() == ']' ? parse_number(step.key.substr(open + 1, step.key.size() - open - 2)) : std::nullopt;
      if (!index || *index < 0.0 || *index > 100.0 || *index != std::floor(*index))
        throw InputError(fmt::format("vary: '{}' has a wrong index; write a whole number from 0, as in com[0]", path));
      step.index = static_cast<int>(*index);
      step.key.resize(open);
    }
    if (step.key.empty()) throw InputError(fmt::format("vary: '{}' is not NAME.KEY, as in link2.a", path));
    steps.push_back(step);
    at = end + 1;
  }
  if (steps.size() < 2) throw InputError(fmt::format("vary: '{}' is not NAME.KEY, as in link2.a", path));
  return steps;
}

template <class Value>
void put(toml::table& root, const std::string& robot, const std::string& path, const Value& value) {
  const std::vector<Step> steps = steps_of(path);
  std::vector<std::string> known;
  toml::table* table = find_table(root, steps[0].key, known);
  if (table == nullptr)
    throw InputError(fmt::format("vary: '{}' has no '{}'; it has {}", robot, steps[0].key, fmt::join(known, ", ")));
  for (std::size_t k = 1; k + 1 < steps.size(); ++k) {
    table = (*table)[steps[k].key].as_table();
    if (table == nullptr || steps[k].index >= 0)
      throw InputError(fmt::format("vary: '{}' has no table '{}' on the way to '{}'", robot, steps[k].key, path));
  }
  const Step& last = steps.back();
  if (last.index < 0) {
    toml::node* old = table->get(last.key);
    if (old != nullptr && !old->is_number() && !old->is_string())
      throw InputError(fmt::format("vary: '{}' of '{}' is no number", path, robot));
    table->insert_or_assign(last.key, value);
    return;
  }
  toml::array* list = (*table)[last.key].as_array();
  if (list == nullptr || static_cast<std::size_t>(last.index) >= list->size())
    throw InputError(fmt::format("vary: '{}' has no '{}'; indices start at 0", robot, path));
  list->replace(list->cbegin() + last.index, value);
}

}  // namespace

RobotTable::RobotTable(std::string robot, std::vector<SweptNumber> swept)
    : robot_(std::move(robot)), swept_(std::move(swept)) {
  const std::optional<RobotText> found = robot_text(robot_);
  if (!found || found->format.name != "toml")
    throw InputError(fmt::format("vary: '{}' is no TOML file; convert it to one", robot_));
  text_ = found->text;
  file_ = found->file;
  name_ = found->name;
  root_ = parse_toml_text(text_, file_);
}

Graph RobotTable::varied(const std::vector<double>& values) const {
  const std::lock_guard turn(turn_);
  // in the table itself, whose copies would not know their lines; each call puts all numbers anew
  for (std::size_t k = 0; k < swept_.size(); ++k) {
    if (swept_[k].is_angle)
      put(root_, name_, swept_[k].path, fmt::format("{} rad", values[k]));  // the reader knows where angles fit
    else
      put(root_, name_, swept_[k].path, values[k]);
  }
  Graph graph = read_robot(root_, file_);
  if (graph.name.empty()) graph.name = name_;
  return graph;
}

void expect_path(const std::string& path) { steps_of(path); }

}  // namespace ulna::selection

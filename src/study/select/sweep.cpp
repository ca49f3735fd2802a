#include "ulna/study/select/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/text_file.hpp"
#include "io/robot/bundled.hpp"
#include "io/toml/toml_table.hpp"
#include "ulna/base/error.hpp"
#include "ulna/base/number.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::selection {

namespace {

struct RobotText {
  std::string text, file, name;
};

RobotText text_of(const std::string& robot) {
  if (has_ending(robot, ".toml") || is_stream(robot)) {
    std::string text = read_text_file(robot, "robot file");
    if (!is_stream(robot) || robot_format_of_text(text).name == "toml")
      return {std::move(text), file_name(robot), stem_of(robot)};
  }
  for (const BundledFile& file : bundled_robot_files())
    if (file.name == robot) return {std::string(file.text), fmt::format("robots/{}.toml", robot), robot};
  load_graph(robot);  // says so if there is no such robot
  throw InputError(fmt::format("vary: '{}' is no TOML file; convert it to one", robot));
}

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

SweptNumber parse_swept_number(const std::string& text) {
  const std::optional<NamedRange> range = parse_named_range(text, fmt::format("vary '{}'", text));
  if (!range) throw InputError(fmt::format("vary '{}' must be NAME.KEY=FROM..TO, as in link2.a=0.3..0.6", text));
  SweptNumber swept{range->name, range->from.in_si(), range->to.in_si(), range->from.is_angle()};
  if (swept.from == swept.to)
    throw InputError(fmt::format("vary '{}': FROM and TO must be two different numbers", text));
  steps_of(swept.path);
  return swept;
}

struct VariedRobot::Source {
  std::string text, file, name;
  toml::table root;
  std::vector<SweptNumber> swept;

  toml::table with(const std::vector<double>& values) const {
    toml::table changed = root;
    for (std::size_t k = 0; k < swept.size(); ++k) {
      if (swept[k].is_angle)  // the robot's reader knows where angles fit
        put(changed, name, swept[k].path, fmt::format("{} rad", values[k]));
      else
        put(changed, name, swept[k].path, values[k]);
    }
    return changed;
  }
};

VariedRobot::VariedRobot(const std::string& robot, std::vector<SweptNumber> swept) {
  auto [text, file, name] = text_of(robot);
  toml::table root = parse_toml_text(text, file);
  Source source{std::move(text), std::move(file), std::move(name), std::move(root), std::move(swept)};
  source.with(std::vector<double>(source.swept.size()));  // are the places there?
  source_ = std::make_unique<const Source>(std::move(source));
}
VariedRobot::~VariedRobot() = default;
VariedRobot::VariedRobot(VariedRobot&&) noexcept = default;
VariedRobot& VariedRobot::operator=(VariedRobot&&) noexcept = default;

const std::string& VariedRobot::text() const { return source_->text; }

Graph VariedRobot::graph(const std::vector<double>& values) const {
  std::ostringstream text;
  text << source_->with(values);
  Graph graph = parse_toml(text.str(), source_->file);
  if (graph.name.empty()) graph.name = source_->name;
  return graph;
}

Graph varied_graph(const std::string& robot, const std::vector<SweptNumber>& swept, const std::vector<double>& values) {
  return VariedRobot(robot, swept).graph(values);
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
  if (grid.size() > most_variants)
    throw InputError(
        fmt::format("vary: more than {} variants to compare at once; take fewer steps, or a design sweep in chunks",
                    most_variants));
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

#include <cmath>
#include <numbers>

#include "base/text_file.hpp"
#include "io/toml/toml_table.hpp"
#include "ulna/study/select/task.hpp"

namespace ulna::selection {

namespace {

std::vector<Vec3<double>> read_points(TomlTable& table, const toml::table& root) {
  std::vector<Vec3<double>> points;
  const toml::array* list = root["points"].as_array();
  table.mention("points");
  if (list == nullptr || list->size() < 2) {
    table.problem("points", "'points' must be two or more points of the tip", "write [[x, y, z], [x, y, z]]");
    return points;
  }
  for (const toml::node& node : *list) {
    const toml::array* point = node.as_array();
    std::vector<double> x;
    if (point != nullptr)
      for (const toml::node& number : *point)
        if (const auto value = number.value<double>(); value && std::isfinite(*value)) x.push_back(*value);
    if (point == nullptr || point->size() != 3 || x.size() != 3) {
      table.problem("points", "each of 'points' must be three finite numbers", "write [x, y, z]");
      return {};
    }
    points.push_back({x[0], x[1], x[2]});
  }
  return points;
}

}  // namespace

Task default_task() {
  Task task;
  task.from = {0.0};
  task.to = {std::numbers::pi};
  return task;
}

Task parse_task(const std::string& text, const std::string& file) {
  const toml::table root = parse_toml_text(text, file);
  TomlProblems problems{file, {}};
  TomlTable table(root, "task", problems);
  Task task;
  task.source = {file, 0};
  task.is_default = false;
  task.title = table.text("title", file);
  switch (table.choice("profile", {"cycloid", "quintic", "trapezoid"})) {
    case 1: task.profile = PointToPoint::Profile::quintic; break;
    case 2: task.profile = PointToPoint::Profile::trapezoid; break;
    default: break;
  }
  task.time = table.positive("time", task.time);
  task.every = table.positive("every", task.every);
  constexpr double most_samples = 1e6;
  if (task.time / task.every > most_samples)
    table.problem("every", "the task has more than a million samples", "raise 'every'");
  task.payload = table.number("payload", 0.0);
  if (task.payload < 0.0) table.problem("payload", "'payload' must not be negative");
  if (table.has("to") == table.has("points"))
    table.problem("to", "needs 'to' for joints or 'points' for the tip", "write one of the two");
  task.from = table.joint_numbers("from");
  if (task.from.empty()) task.from = {0.0};
  task.to = table.joint_numbers("to");
  if (table.has("points")) task.points = read_points(table, root);
  if (table.has("points") && table.has("from"))
    table.problem("from", "'from' belongs to 'to'", "the first of 'points' is where the tip starts");
  table.finish();
  if (!problems.findings.empty()) throw InputError(std::move(problems.findings));
  return task;
}

Task load_task(const std::string& path) { return parse_task(read_text_file(path, "task file"), path); }

}  // namespace ulna::selection

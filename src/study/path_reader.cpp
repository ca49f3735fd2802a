#include <filesystem>

#include "base/text_file.hpp"
#include "path_keys.hpp"
#include "ulna/spatial/written_rotation.hpp"
#include "ulna/study/path_plan.hpp"

namespace ulna {

std::string file_beside(const std::string& file, const std::string& name) {
  return name.empty() ? name : (std::filesystem::path(file).parent_path() / name).string();
}

std::optional<Mat3<double>> read_orientation(TomlTable& table) {
  const std::vector<double> x = table.numbers("orientation", {4});
  if (x.empty()) return std::nullopt;
  const WrittenRotation turn = written_rotation(std::span(x).first<4>());
  if (turn.is_unit()) return turn.rotation;
  table.problem("orientation", "the quaternion x, y, z, w does not have length 1");
  return std::nullopt;
}

TipHold read_hold(TomlTable& table) {
  switch (table.choice("hold", {"pose", "direction", "position"})) {
    case 1: return TipHold::direction;
    case 2: return TipHold::position;
    default: return TipHold::pose;
  }
}

namespace {

std::optional<Vec3<double>> read_point(TomlTable& table, std::string_view key) {
  const std::vector<double> x = table.numbers(key, {3}, {NumberUse::Kind::length});
  return x.empty() ? std::nullopt : std::optional(Vec3<double>{x[0], x[1], x[2]});
}

PathMove read_move(const toml::table& node, TomlProblems& problems) {
  TomlTable table(node, "[[move]]", problems);
  PathMove move;
  move.source = table.source();
  int kinds = 0;
  for (const char* kind : {"joints", "through", "waypoints", "line", "arc", "poses"}) kinds += table.has(kind) ? 1 : 0;
  if (kinds != 1) {
    table.problem("joints", "needs one of 'joints', 'through', 'waypoints', 'line', 'arc' and 'poses'",
                  "give one of them; another move is another [[move]]");
  }
  move.joints = table.joint_numbers("joints");
  if (table.has("through")) move.through = table.joint_rows("through");
  move.waypoints = file_beside(problems.file, table.text("waypoints"));
  move.poses = file_beside(problems.file, table.text("poses"));
  for (const char* file : {"waypoints", "poses"})
    if (table.has(file) && node[file].value_or(std::string()).empty()) table.problem(file, "names no file");
  move.line = read_point(table, "line");
  move.arc = read_point(table, "arc");
  move.via = read_point(table, "via");
  if (table.has("via") != table.has("arc"))
    table.problem("via", "an arc goes through 'via' to 'arc'", "give both, or neither");
  move.orientation = read_orientation(table);
  if (table.has("orientation") && !move.line && !move.arc)
    table.problem("orientation", "only 'line' and 'arc' have an orientation to reach");
  move.blend = table.number("blend", 0.0);
  if (!(move.blend >= 0.0)) table.problem("blend", "'blend' must not be negative");
  if (move.blend > 0.0 && (table.has("through") || table.has("waypoints")))
    table.problem("blend", "a spline goes through all its points and has no corners", "leave 'blend' out");
  table.finish();
  return move;
}

void read_limits(const toml::table& node, TomlProblems& problems, PathPlan& plan) {
  TomlTable table(node, "[limits]", problems);
  for (const auto& [key, list] : {std::pair{"velocity", &plan.velocity},
                                  {"acceleration", &plan.acceleration},
                                  {"effort", &plan.effort},
                                  {"power", &plan.power},
                                  {"jerk", &plan.jerk},
                                  {"torque_rate", &plan.torque_rate}})
    *list = table.joint_numbers(key);
  plan.tip_speed = table.positive("tip_speed", plan.tip_speed);
  plan.tip_force = table.positive("tip_force", plan.tip_force);
  if (table.has("tip_force")) table.require("tip_mass");
  if (table.has("tip_mass")) plan.tip_mass = table.positive("tip_mass", 1.0);
  plan.tip_com = table.vec3("tip_com", plan.tip_com);
  table.finish();
}

}  // namespace

PathPlan parse_path_plan(const std::string& text, const std::string& file) {
  const toml::table root = parse_toml_text(text, file);
  TomlProblems problems{file, {}};
  TomlTable table(root, "path", problems);
  PathPlan plan;
  plan.source = {file, 0};
  plan.title = table.text("title", file);
  plan.posture = table.text("posture");
  plan.start = table.joint_numbers("start");
  if (table.has("posture") && table.has("start"))
    table.problem("posture", "has both 'posture' and 'start'", "give one of them");
  plan.frame = table.text("frame");
  plan.hold = read_hold(table);
  if (const toml::table* limits = table.table("limits")) read_limits(*limits, problems, plan);
  for (const toml::table* one : table.tables("move")) plan.moves.push_back(read_move(*one, problems));
  if (plan.moves.empty()) table.problem("move", "there is no [[move]]", "give one at least");
  table.finish();
  if (!problems.findings.empty()) throw InputError(std::move(problems.findings));
  return plan;
}

PathPlan load_path_plan(const std::string& path) { return parse_path_plan(read_text_file(path, "path file"), path); }

}  // namespace ulna

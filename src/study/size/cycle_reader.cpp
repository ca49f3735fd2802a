#include <fmt/format.h>

#include "base/text_file.hpp"
#include "io/toml/toml_table.hpp"
#include "study/path_keys.hpp"
#include "ulna/study/size/cycle.hpp"

namespace ulna::sizing {

namespace {

std::vector<Vec3<double>> read_tip_points(TomlTable& t) {
  constexpr const char* key = "points";
  const NumberUse length{NumberUse::Kind::length};
  std::vector<Vec3<double>> points;
  for (const JointNumbers& row : t.joint_rows(key)) {
    if (row.size() != 3) {
      t.problem(key, "'points' must be a list of points of the tip", "write [[x, y, z], [x, y, z]]");
      return {};
    }
    points.push_back({resolve(row[0], length, key), resolve(row[1], length, key), resolve(row[2], length, key)});
  }
  return points;
}

Segment read_segment(const toml::table& table, TomlProblems& problems) {
  TomlTable t(table, "segment", problems);
  Segment segment;
  segment.source = t.source();
  if (t.has("to") + t.has("points") + t.has("path") + t.has("dwell") != 1)
    t.problem("to", "needs one of 'to' (joints), 'points' (of the tip), 'path' (a path file) and 'dwell' (a rest)",
              "give one of them");
  segment.to = t.joint_numbers("to");
  if (t.has("to") && segment.to.empty()) t.problem("to", "'to' holds no positions", "give one for each joint");
  if (t.has("points")) segment.points = read_tip_points(t);
  if (t.has("path")) segment.path = file_beside(problems.file, t.text("path"));
  if (t.has("path") && segment.path.empty()) t.problem("path", "names no file");
  segment.orientation = read_orientation(t);
  segment.hold = read_hold(t);
  for (const char* key : {"orientation", "hold"})
    if (t.has(key) && !t.has("points")) t.problem(key, fmt::format("'{}' belongs to 'points'", key), "leave it out");
  if (t.has("dwell")) segment.dwell = t.positive("dwell", 1.0);
  if (t.has("time")) segment.time = t.positive("time", 1.0);
  if (t.has("time") && t.has("dwell")) t.problem("time", "a dwell has its own time", "leave 'time' out");
  segment.payload = t.number("payload", 0.0);
  if (segment.payload < 0.0) t.problem("payload", "'payload' must not be negative");
  segment.force = t.vec3("force", segment.force);
  if (norm(segment.force) > 0.0 && !t.has("time") && !t.has("dwell"))
    t.problem("force", "the fastest motion is found without a force on the tip", "give 'time'");
  t.finish();
  return segment;
}

}  // namespace

Cycle parse_cycle(const std::string& text, const std::string& file) {
  const toml::table root = parse_toml_text(text, file);
  TomlProblems problems{file, {}};
  TomlTable table(root, "cycle", problems);
  Cycle cycle;
  cycle.source = table.has("start") ? problems.at(root.get("start")) : Source{file, 0};
  cycle.title = table.text("title", file);
  switch (table.choice("profile", {"cycloid", "quintic", "trapezoid"})) {
    case 1: cycle.profile = PointToPoint::Profile::quintic; break;
    case 2: cycle.profile = PointToPoint::Profile::trapezoid; break;
    default: break;
  }
  cycle.every = table.positive("every", cycle.every);
  cycle.start = table.joint_numbers("start");
  for (const toml::table* one : table.tables("segment")) cycle.segments.push_back(read_segment(*one, problems));
  if (cycle.segments.empty()) table.problem("segment", "there is no [[segment]]", "give one at least");
  table.finish();
  if (!problems.findings.empty()) throw InputError(std::move(problems.findings));
  return cycle;
}

Cycle load_cycle(const std::string& path) { return parse_cycle(read_text_file(path, "task file"), path); }

}  // namespace ulna::sizing

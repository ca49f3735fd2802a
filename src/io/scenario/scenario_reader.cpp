#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text_file.hpp"
#include "io/scenario/event_words.hpp"
#include "io/scenario/path_text.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/integrate/integrator.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {

namespace {

class Reader {
 public:
  Reader(const toml::table& root, const std::string& file) : problems_{file, {}}, root_(root, "scenario", problems_) {
    scenario_.source = {file, 0};
    folder_ = std::filesystem::path(file).parent_path();
  }

  Scenario read() {
    read_head();
    if (const toml::table* run = root_.table("run")) read_run(*run);
    if (const toml::table* start = root_.table("start")) read_start(*start);
    if (const toml::table* drive = root_.table("drive")) read_drive(*drive);
    for (const toml::table* payload : root_.tables("payload")) read_payload(*payload);
    for (const toml::table* load : root_.tables("load")) read_load(*load);
    for (const toml::table* spring : root_.tables("spring")) read_spring(*spring);
    for (const toml::table* damper : root_.tables("damper")) read_damper(*damper);
    for (const toml::table* wall : root_.tables("wall")) read_wall(*wall);
    for (const toml::table* disturbance : root_.tables("disturbance")) read_disturbance(*disturbance);
    for (const toml::table* event : root_.tables("event")) read_event(*event);
    if (const toml::table* ensemble = root_.table("ensemble")) read_ensemble(*ensemble);
    root_.finish();
    if (!problems_.findings.empty()) throw InputError(std::move(problems_.findings));
    return std::move(scenario_);
  }

 private:
  /// Relative to the scenario file; a bundled or generated robot is no path.
  std::string path(const std::string& text) const {
    const std::filesystem::path given(path_of_text(text));
    return given.is_absolute() || folder_.empty() ? given.string() : (folder_ / given).lexically_normal().string();
  }

  void read_head() {
    scenario_.name = root_.text("name");
    if (scenario_.name.find('/') != std::string::npos)
      root_.problem("name", "'name' contains a slash, and the folder of results is called after it", "leave it out");
    scenario_.title = root_.text("title");
    scenario_.provenance = root_.text("source");
    root_.require("robot");
    scenario_.robot = root_.text("robot");
    if (robot_format_of_path(scenario_.robot) != nullptr) scenario_.robot = path(scenario_.robot);
    scenario_.free_base = root_.flag("free_base", false);
    const Vec3<double> gravity = root_.vec3("gravity", {0, 0, 0});
    if (root_.has("gravity")) scenario_.gravity = gravity;
    scenario_.nonphysical_reason = root_.text("allow_nonphysical");
    scenario_.method = known(root_, "method", scenario_.method, [](const std::string& name) {
      if (name != "auto" && name != name_of(LoopMethod::schur) && name != name_of(LoopMethod::independent))
        method_info(name);
    });
    read_seed(root_);
  }

  void read_seed(TomlTable& table) {
    const double seed = table.number("seed", 1.0);
    if (!table.has("seed")) return;
    if (!is_whole(seed))
      table.problem("seed", "'seed' must be a whole number from 0");
    else
      scenario_.seed = static_cast<std::uint64_t>(seed);
  }
  static bool is_whole(double x) { return x >= 0.0 && x < 9e15 && x == std::floor(x); }

  void read_run(const toml::table& node) {
    TomlTable table(node, "[run]", problems_);
    scenario_.duration = table.positive("for", scenario_.duration);
    scenario_.every = table.positive("every", scenario_.every);
    scenario_.integrator =
        known(table, "integrator", scenario_.integrator, [](const std::string& name) { integrator_info(name); });
    const double both = table.positive("tolerance", scenario_.relative);
    scenario_.relative = table.positive("relative", both);
    scenario_.absolute = table.positive("absolute", both);
    scenario_.step = table.positive("step", 0.0);
    scenario_.largest_step = table.positive("largest_step", 0.0);
    scenario_.most_steps = table.positive("most_steps", scenario_.most_steps);
    if (table.has("friction_speed")) scenario_.friction_speed = table.positive("friction_speed", 1.0);
    scenario_.baumgarte = table.positive("baumgarte", 0.0);
    scenario_.limits = action_of(table, "limits", scenario_.limits);
    table.finish();
  }

  void read_start(const toml::table& node) {
    TomlTable table(node, "[start]", problems_);
    scenario_.posture = table.text("posture");
    scenario_.q = table.joint_numbers("q");
    if (!scenario_.posture.empty() && table.has("q"))
      table.problem("posture", "has both 'posture' and 'q'", "give one of them");
    scenario_.v = table.joint_numbers("v");
    table.finish();
  }

  void read_drive(const toml::table& node) {
    TomlTable table(node, "[drive]", problems_);
    ScenarioDrive& drive = scenario_.drive;
    table.require("kind");
    drive.kind = table.text("kind", drive.kind);
    if (drive.kind != made_in_code)
      table.choice("kind",
                   {"free", "constant", "table", "playback", "pd", "computed_torque", "lqr", "impedance", "mpc"});
    drive.torque = table.number_list("torque");
    drive.kp = table.number_list("kp");
    drive.kd = table.number_list("kd");
    drive.gravity = table.flag("gravity", false);
    drive.saturate = table.flag("saturate", false);
    drive.sample = table.positive("sample", 0.0);
    drive.file = file_of(table);
    table.choice("hold", {"steps", "spline"});
    drive.hold = table.text("hold", drive.hold);
    if (const toml::table* motion = table.table("motion")) read_motion(*motion);
    if (drive.kind == "lqr" || drive.kind == "mpc") read_weights(table);
    if (drive.kind == "impedance") read_impedance(table);
    for (const auto& [kind, key] : {std::pair{"constant", "torque"},
                                    {"table", "file"},
                                    {"playback", "motion"},
                                    {"pd", "motion"},
                                    {"pd", "kp"},
                                    {"pd", "kd"},
                                    {"computed_torque", "motion"},
                                    {"computed_torque", "kp"},
                                    {"computed_torque", "kd"},
                                    {"impedance", "stiffness"},
                                    {"mpc", "to"},
                                    {"mpc", "sample"}})
      if (drive.kind == kind) table.require(key);
    table.finish();
  }

  void read_weights(TomlTable& table) {
    ScenarioDrive& drive = scenario_.drive;
    for (const auto& [key, list] : {std::pair{"position_weight", &drive.position_weight},
                                    {"velocity_weight", &drive.velocity_weight},
                                    {"effort_weight", &drive.effort_weight}})
      *list = table.number_list(key);
    if (drive.kind != "mpc") return;
    drive.to = table.joint_numbers("to");
    drive.step = table.positive("step", drive.step);
    const double knots = table.number("knots", drive.knots);
    if (!(knots >= 2.0 && knots <= 10'000.0 && knots == std::floor(knots)))
      table.problem("knots", "'knots' are the steps of the horizon", "a whole number from 2 to 10000");
    else
      drive.knots = static_cast<int>(knots);
  }

  /// A number stands for all three axes.
  static Vec3<double> along_axes(TomlTable& table, std::string_view key) {
    const std::vector<double> list = table.number_list(key);
    if (list.empty()) return {0, 0, 0};
    if ((list.size() != 1 && list.size() != 3) || std::ranges::any_of(list, [](double x) { return x < 0.0; })) {
      table.problem(key, fmt::format("'{}' has one number from 0 upwards, or three for x, y and z", key));
      return {0, 0, 0};
    }
    return list.size() == 1 ? Vec3<double>{list[0], list[0], list[0]} : Vec3<double>{list[0], list[1], list[2]};
  }

  void read_impedance(TomlTable& table) {
    ScenarioDrive& drive = scenario_.drive;
    drive.frame = table.text("frame");
    drive.stiffness = along_axes(table, "stiffness");
    drive.turning_stiffness = along_axes(table, "turning_stiffness");
    drive.damping = along_axes(table, "damping");
    drive.turning_damping = along_axes(table, "turning_damping");
  }

  void read_motion(const toml::table& node) {
    TomlTable table(node, "[drive.motion]", problems_);
    ScenarioMotion motion;
    table.require("kind");
    table.choice("kind", {"cycloid", "quintic", "trapezoid", "cosine", "spline", "path"});
    motion.kind = table.text("kind");
    if (motion.kind == "cosine") {
      table.require("amplitude");
      table.require("period");
      motion.amplitude = table.joint_numbers("amplitude");
      motion.offset = table.joint_numbers("offset");
      motion.period = table.positive("period", 1.0);
      motion.phase = table.angle("phase", 0.0);
    } else if (motion.kind == "spline" || motion.kind == "path") {
      table.require("file");
      motion.file = file_of(table);
    } else {
      table.require("to");
      table.require("time");
      motion.from = table.joint_numbers("from");
      motion.to = table.joint_numbers("to");
      motion.start = table.number("start", 0.0);
      motion.time = table.positive("time", 1.0);
      motion.blend = table.number("blend", motion.blend);
      if (!(motion.blend > 0.0 && motion.blend <= 0.5))
        table.problem("blend", "'blend' is the share of the time that the trapezoid rises", "between 0 and 0.5");
    }
    table.finish();
    scenario_.drive.motion = std::move(motion);
  }

  void read_payload(const toml::table& node) {
    TomlTable table(node, "[[payload]]", problems_);
    Payload payload;
    payload.frame = table.text("frame");
    table.require("mass");
    payload.mass.mass = table.number("mass", 0.0);
    if (payload.mass.mass < 0.0) table.problem("mass", "'mass' must not be negative");
    payload.mass.com = table.vec3("com", payload.mass.com);
    if (std::vector<double> i = table.numbers("inertia", {3, 6}); !i.empty()) {
      i.resize(6, 0.0);
      payload.mass.inertia = {i[0], i[1], i[2], i[3], i[4], i[5]};
    }
    table.finish();
    scenario_.payloads.push_back(std::move(payload));
  }

  void read_load(const toml::table& node) {
    TomlTable table(node, "[[load]]", problems_);
    ScenarioLoad load;
    table.require("link");
    load.link = table.text("link");
    load.moment = table.vec3("moment", load.moment);
    load.force = table.vec3("force", load.force);
    load.from = table.number("from", load.from);
    load.until = until(table, load.from);
    table.finish();
    scenario_.loads.push_back(load);
  }

  void read_spring(const toml::table& node) {
    TomlTable table(node, "[[spring]]", problems_);
    FrameSpring spring;
    spring.frame.name = frame_of(table);
    table.require("stiffness");
    spring.anchor = table.vec3("anchor", spring.anchor);
    spring.stiffness = not_negative(table, "stiffness");
    spring.length = not_negative(table, "length");
    spring.damping = not_negative(table, "damping");
    table.finish();
    scenario_.frame_loads.emplace_back(std::move(spring));
  }

  void read_damper(const toml::table& node) {
    TomlTable table(node, "[[damper]]", problems_);
    FrameDamper damper;
    damper.frame.name = frame_of(table);
    if (!table.has("linear") && !table.has("angular"))
      table.problem("linear", "needs 'linear' or 'angular'", "write N s/m against the velocity, N m s against turning");
    damper.linear = not_negative(table, "linear");
    damper.angular = not_negative(table, "angular");
    table.finish();
    scenario_.frame_loads.emplace_back(std::move(damper));
  }

  void read_wall(const toml::table& node) {
    TomlTable table(node, "[[wall]]", problems_);
    FrameWall wall;
    wall.frame.name = frame_of(table);
    table.require("stiffness");
    wall.point = table.vec3("point", wall.point);
    wall.normal = direction(table, "normal", wall.normal);
    wall.stiffness = not_negative(table, "stiffness");
    wall.damping = not_negative(table, "damping");
    wall.friction = not_negative(table, "friction");
    table.finish();
    scenario_.frame_loads.emplace_back(std::move(wall));
  }

  static std::string frame_of(TomlTable& table) {
    table.require("frame");
    return table.text("frame");
  }

  static double not_negative(TomlTable& table, const char* key) {
    const double x = table.number(key, 0.0);
    if (!(x >= 0.0)) table.problem(key, fmt::format("'{}' must not be negative", key));
    return x;
  }

  static Vec3<double> direction(TomlTable& table, const char* key, const Vec3<double>& fallback) {
    const Vec3<double> x = table.vec3(key, fallback);
    if (!(norm(x) > 0.0)) table.problem(key, fmt::format("'{}' must not be zero", key), "write a direction");
    return x;
  }

  void read_disturbance(const toml::table& node) {
    TomlTable table(node, "[[disturbance]]", problems_);
    ScenarioDisturbance disturbance;
    table.require("joint");
    disturbance.joint = table.text("joint");
    if (table.has("noise") == table.has("torque"))
      table.problem("torque", "needs 'torque' for a pulse or 'noise' for noise", "write one of the two");
    disturbance.torque = table.number("torque", 0.0);
    disturbance.from = table.number("from", disturbance.from);
    disturbance.until = until(table, disturbance.from);
    disturbance.noise = table.positive("noise", 0.0);
    if (table.has("noise")) table.require("every");
    if (table.has("every") && !table.has("noise")) table.problem("every", "'every' belongs to noise", "leave it out");
    disturbance.every = table.positive("every", 0.0);
    table.finish();
    scenario_.disturbances.push_back(disturbance);
  }

  void read_event(const toml::table& node) {
    TomlTable table(node, "[[event]]", problems_);
    ScenarioEvent event;
    if (table.has("joint") == table.has("frame"))
      table.problem("joint", "needs 'joint' or 'frame'", "write one of the two");
    event.joint = table.text("joint");
    event.frame = table.text("frame");
    event.text = table.text("text");
    if (table.has("axis") && !table.has("frame")) table.problem("axis", "'axis' belongs to a frame", "leave it out");
    event.axis = direction(table, "axis", event.axis);
    if (table.has("position") == table.has("velocity"))
      table.problem("position", "needs 'position' or 'velocity'", "write one of the two");
    event.position = table.joint_number("position");
    event.velocity = table.joint_number("velocity");
    event.action = action_of(table, "action", event.action);
    table.finish();
    scenario_.events.push_back(std::move(event));
  }

  void read_ensemble(const toml::table& node) {
    TomlTable table(node, "[ensemble]", problems_);
    ScenarioEnsemble& ensemble = scenario_.ensemble;
    table.require("runs");
    const double runs = table.number("runs", 1.0);
    if (!is_whole(runs) || runs < 1.0)
      table.problem("runs", "'runs' must be a whole number from 1");
    else
      ensemble.runs = static_cast<std::size_t>(runs);
    if (table.has("seed") && root_.has("seed"))
      table.problem("seed", "'seed' stands at the top of this file already", "write it once");
    read_seed(table);
    for (const auto& [text, source] : table.texts("vary")) {
      try {
        ensemble.vary.push_back(parse_variation(text, source));
      } catch (const InputError& error) {
        problems_.add(error);
      }
    }
    if (table.has("keep")) ensemble.keep.clear();
    for (const auto& [text, source] : table.texts("keep")) ensemble.keep.push_back(text);
    table.finish();
  }

  /// A name that `look_up` knows; what it says about others is told with the line.
  template <class LookUp>
  std::string known(TomlTable& table, std::string_view key, const std::string& fallback, const LookUp& look_up) {
    std::string name = table.text(key, fallback);
    try {
      look_up(name);
    } catch (const InputError& e) {
      table.problem(key, e.findings().front().reason);
    }
    return name;
  }

  static EventAction action_of(TomlTable& table, std::string_view key, EventAction fallback) {
    const int choice = table.choice(key, {event_words[0], event_words[1], event_words[2]});
    return choice < 0 ? fallback : static_cast<EventAction>(choice);
  }

  std::string file_of(TomlTable& table) {
    const std::string text = table.text("file");
    if (!table.has("file")) return "";
    if (text.empty()) table.problem("file", "'file' is empty", "write the path of a CSV file");
    return path(text);
  }

  double until(TomlTable& table, double from) {
    const double until = table.number("until", std::numeric_limits<double>::infinity());
    if (!(until > from)) table.problem("until", fmt::format("'until' is {}, not after 'from', {}", until, from));
    return until;
  }

  TomlProblems problems_;
  TomlTable root_;
  std::filesystem::path folder_;
  Scenario scenario_;
};

}  // namespace

Scenario read_scenario(const toml::table& root, const std::string& file) { return Reader(root, file).read(); }

Scenario parse_scenario(const std::string& text, const std::string& file) {
  return read_scenario(parse_toml_text(text, file), file);
}

}  // namespace ulna

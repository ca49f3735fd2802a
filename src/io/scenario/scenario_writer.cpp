#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>

#include "io/scenario/event_words.hpp"
#include "io/scenario/path_text.hpp"
#include "io/toml/toml_digits.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

/// Lines of `key = value`; what is at its default is left out.
class Lines {
 public:
  void heading(const std::string& name) { text_ += fmt::format("\n{}\n", name); }
  void text(const char* key, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("{} = {}\n", key, quoted(value));
  }
  void number(const char* key, double value, double fallback) {
    if (value != fallback) text_ += fmt::format("{} = {}\n", key, toml_digits(value));
  }
  void numbers(const char* key, const std::vector<double>& values) {
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const double x : values) texts.push_back(toml_digits(x));
    if (!values.empty()) text_ += fmt::format("{} = [{}]\n", key, fmt::join(texts, ", "));
  }
  void texts(const char* key, const std::vector<std::string>& values) {
    std::vector<std::string> all;
    all.reserve(values.size());
    for (const std::string& text : values) all.push_back(quoted(text));
    text_ += fmt::format("{} = [{}]\n", key, fmt::join(all, ", "));
  }
  void vector(const char* key, const Vec3<double>& a) { numbers(key, {a.x, a.y, a.z}); }
  void flag(const char* key, bool value) {
    if (value) text_ += fmt::format("{} = true\n", key);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// A file is found from anywhere.
std::string absolute(const std::string& path) {
  return path.empty() ? path : path_text(std::filesystem::absolute(path).lexically_normal().string());
}

std::string robot_name(const std::string& robot) {
  return std::filesystem::path(robot).has_extension() ? absolute(robot) : robot;
}

void write_run(Lines& lines, const Scenario& scenario) {
  lines.heading("[run]");
  lines.number("for", scenario.duration, NAN);
  lines.number("every", scenario.every, NAN);
  lines.text("integrator", scenario.integrator);
  if (scenario.relative == scenario.absolute) {
    lines.number("tolerance", scenario.relative, NAN);
  } else {
    lines.number("relative", scenario.relative, NAN);
    lines.number("absolute", scenario.absolute, NAN);
  }
  lines.number("step", scenario.step, 0.0);
  lines.number("largest_step", scenario.largest_step, 0.0);
  lines.number("most_steps", scenario.most_steps, Scenario{}.most_steps);
  if (scenario.friction_speed) lines.number("friction_speed", *scenario.friction_speed, NAN);
  lines.number("baumgarte", scenario.baumgarte, 0.0);
  lines.text("limits", std::string(word_of(scenario.limits)));
}

void write_motion(Lines& lines, const ScenarioMotion& motion) {
  lines.heading("[drive.motion]");
  lines.text("kind", motion.kind);
  lines.numbers("from", motion.from.in_si());
  lines.numbers("to", motion.to.in_si());
  lines.number("start", motion.start, 0.0);
  lines.number("time", motion.time, 0.0);
  if (motion.kind == "trapezoid") lines.number("blend", motion.blend, NAN);
  lines.numbers("offset", motion.offset.in_si());
  lines.numbers("amplitude", motion.amplitude.in_si());
  lines.number("period", motion.period, 0.0);
  lines.number("phase", motion.phase, 0.0);
  lines.text("file", absolute(motion.file));
}

void write_drive(Lines& lines, const ScenarioDrive& drive) {
  lines.heading("[drive]");
  lines.text("kind", drive.kind);
  lines.numbers("torque", drive.torque);
  lines.text("file", absolute(drive.file));
  if (drive.kind == "table") lines.text("hold", drive.hold);
  lines.numbers("kp", drive.kp);
  lines.numbers("kd", drive.kd);
  lines.numbers("position_weight", drive.position_weight);
  lines.numbers("velocity_weight", drive.velocity_weight);
  lines.numbers("effort_weight", drive.effort_weight);
  lines.numbers("to", drive.to.in_si());
  if (drive.kind == "mpc") {
    lines.number("knots", drive.knots, NAN);
    lines.number("step", drive.step, NAN);
  }
  if (drive.kind == "impedance") {
    lines.text("frame", drive.frame);
    for (const auto& [key, x] : {std::pair{"stiffness", &drive.stiffness},
                                 {"turning_stiffness", &drive.turning_stiffness},
                                 {"damping", &drive.damping},
                                 {"turning_damping", &drive.turning_damping}})
      lines.numbers(key, {x->x, x->y, x->z});
  }
  lines.flag("gravity", drive.gravity);
  lines.flag("saturate", drive.saturate);
  lines.number("sample", drive.sample, 0.0);
  if (drive.motion) write_motion(lines, *drive.motion);
}

constexpr double never = std::numeric_limits<double>::infinity();

void write_payload(Lines& lines, const Payload& payload) {
  const Sym3<double>& i = payload.mass.inertia;
  lines.heading("[[payload]]");
  lines.text("frame", payload.frame);
  lines.number("mass", payload.mass.mass, NAN);
  lines.vector("com", payload.mass.com);
  lines.numbers("inertia", {i.xx, i.yy, i.zz, i.xy, i.xz, i.yz});
}

void write_load(Lines& lines, const ScenarioLoad& load) {
  lines.heading("[[load]]");
  lines.text("link", load.link);
  lines.vector("moment", load.moment);
  lines.vector("force", load.force);
  lines.number("from", load.from, 0.0);
  lines.number("until", load.until, never);
}

void write_frame_load(Lines& lines, const FrameSpring& spring) {
  lines.heading("[[spring]]");
  lines.text("frame", spring.frame.name);
  lines.vector("anchor", spring.anchor);
  lines.number("stiffness", spring.stiffness, NAN);
  lines.number("length", spring.length, 0.0);
  lines.number("damping", spring.damping, 0.0);
}

void write_frame_load(Lines& lines, const FrameDamper& damper) {
  lines.heading("[[damper]]");
  lines.text("frame", damper.frame.name);
  lines.number("linear", damper.linear, NAN);
  lines.number("angular", damper.angular, 0.0);
}

void write_frame_load(Lines& lines, const FrameWall& wall) {
  lines.heading("[[wall]]");
  lines.text("frame", wall.frame.name);
  lines.vector("point", wall.point);
  lines.vector("normal", wall.normal);
  lines.number("stiffness", wall.stiffness, NAN);
  lines.number("damping", wall.damping, 0.0);
  lines.number("friction", wall.friction, 0.0);
}

void write_disturbance(Lines& lines, const ScenarioDisturbance& disturbance) {
  lines.heading("[[disturbance]]");
  lines.text("joint", disturbance.joint);
  if (disturbance.noise == 0.0) lines.number("torque", disturbance.torque, NAN);
  lines.number("from", disturbance.from, 0.0);
  lines.number("until", disturbance.until, never);
  lines.number("noise", disturbance.noise, 0.0);
  lines.number("every", disturbance.every, 0.0);
}

void write_event(Lines& lines, const ScenarioEvent& event) {
  lines.heading("[[event]]");
  lines.text("joint", event.joint);
  lines.text("frame", event.frame);
  if (!event.frame.empty()) lines.vector("axis", event.axis);
  if (event.position) lines.number("position", event.position->in_si(), NAN);
  if (event.velocity) lines.number("velocity", event.velocity->in_si(), NAN);
  lines.text("action", std::string(word_of(event.action)));
  lines.text("text", event.text);
}

void write_ensemble(Lines& lines, const ScenarioEnsemble& ensemble) {
  if (ensemble.runs == 0) return;
  lines.heading("[ensemble]");
  lines.number("runs", static_cast<double>(ensemble.runs), NAN);
  std::vector<std::string> vary;
  for (const Variation& variation : ensemble.vary) vary.push_back(variation.text);
  if (!vary.empty()) lines.texts("vary", vary);
  lines.texts("keep", ensemble.keep);
}

}  // namespace

std::string to_toml(const Scenario& scenario) {
  Lines lines;
  lines.text("name", scenario.name);
  lines.text("title", scenario.title);
  lines.text("source", scenario.provenance);
  lines.text("robot", robot_name(scenario.robot));
  lines.flag("free_base", scenario.free_base);
  if (scenario.gravity) lines.vector("gravity", *scenario.gravity);
  lines.text("allow_nonphysical", scenario.nonphysical_reason);
  lines.text("method", scenario.method);
  lines.number("seed", static_cast<double>(scenario.seed), NAN);
  write_run(lines, scenario);
  if (!scenario.q.empty() || !scenario.v.empty() || !scenario.posture.empty()) {
    lines.heading("[start]");
    lines.text("posture", scenario.posture);
    lines.numbers("q", scenario.q.in_si());
    lines.numbers("v", scenario.v.in_si());
  }
  write_drive(lines, scenario.drive);
  for (const Payload& payload : scenario.payloads) write_payload(lines, payload);
  for (const ScenarioLoad& load : scenario.loads) write_load(lines, load);
  for (const FrameLoad& load : scenario.frame_loads)
    std::visit([&](const auto& kind) { write_frame_load(lines, kind); }, load);
  for (const ScenarioDisturbance& disturbance : scenario.disturbances) write_disturbance(lines, disturbance);
  for (const ScenarioEvent& event : scenario.events) write_event(lines, event);
  write_ensemble(lines, scenario.ensemble);
  return lines.take();
}

}  // namespace ulna

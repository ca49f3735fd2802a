#include "command.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "model/number_uses.hpp"
#include "output.hpp"
#include "ulna/base/number.hpp"
#include "ulna/io/robot/mesh_file.hpp"
#include "ulna/model/cut_loops.hpp"
#include "ulna/model/limits.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/spatial/written_rotation.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna::app {

void RobotOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "robot", robot,
          "bundled name, chain:N, general:N, path of a .toml, .urdf, .sdf or .xml (MJCF) file, or - (standard input)")
      ->required()
      ->type_name("ROBOT");
  command.add_flag("--free-base", free_base, "let the robot's root float");
  add_numbers_option(command, "--gravity", gravity, "three numbers in m/s² (default: the robot's own)");
  add_payload_option(command, payloads);
  add_positive(command, "--friction-speed", friction_speed,
               "below this speed Coulomb friction fades (default: the robot's own)", "X");
  command.add_option("--allow-nonphysical", nonphysical_reason, "compute with impossible mass data; say why")
      ->type_name("REASON");
  add_packages_option(command);
  command.add_flag("--json", json, "one JSON document instead of text");
}

void add_packages_option(CLI::App& command) {
  const auto add = [](const std::string& folder) {
    const char* before = std::getenv("ULNA_PACKAGE_PATH");  // NOLINT(concurrency-mt-unsafe): before any thread
    const std::string all = before == nullptr ? folder : fmt::format("{}:{}", folder, before);
    setenv("ULNA_PACKAGE_PATH", all.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  };
  command
      .add_option_function<std::string>("--packages", add,
                                        "where the packages of meshes (package://) are, beside ROS's")
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
}

Graph RobotOptions::graph() const {
  Graph graph = cut_loops(load_graph(robot));
  print_notices(graph, robot);
  graph.free_base |= free_base;
  if (!nonphysical_reason.empty()) {
    graph.allow_nonphysical = true;
    graph.nonphysical_reason = nonphysical_reason;
  }
  for (const std::string& payload : payloads) add_payload(graph, given_payload(payload));
  if (friction_speed > 0.0) graph.friction_speed = friction_speed;
  if (!gravity.empty()) {
    const std::vector<double> g = numbers("--gravity", gravity, 3);
    graph.gravity = {g[0], g[1], g[2]};
  }
  return graph;
}

void print_notices(const Graph& graph, const std::string& robot) {
  for (const std::string& notice : graph.notices) fmt::print(stderr, "{}: note: {}\n", robot, notice);
}

void print_unreadable_meshes(const Graph& graph, const std::string& robot) {
  for (const std::string& notice : unreadable_meshes(graph)) fmt::print(stderr, "{}: note: {}\n", robot, notice);
}

JointNumbers written_numbers(const std::string& option, const std::string& text) {
  JointNumbers list;
  for (const std::string& item : words_of(text)) list.push_back(parse_written(item, option));
  return list;
}

std::vector<double> numbers(const std::string& option, const std::string& text, const std::vector<NumberUse>& uses) {
  std::vector<double> values(uses.size(), 0.0);
  if (text.empty()) return values;
  const JointNumbers written = written_numbers(option, text);
  if (written.size() != uses.size())
    throw InputError(fmt::format("{} has {} number{}; give {}", option, written.size(), written.size() == 1 ? "" : "s",
                                 uses.size()));
  for (std::size_t k = 0; k < uses.size(); ++k) values[k] = resolve(written[k], uses[k], option);
  return values;
}

std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t wanted) {
  return numbers(option, text, std::vector<NumberUse>(wanted));
}

std::vector<double> positions(const Model& model, const std::string& text, const std::string& option) {
  if (text.empty()) return model.neutral();
  if (const Posture* posture = model.find_posture(text)) return posture->q;
  std::vector<double> q = numbers(option, text, position_uses(model));
  if (const auto bad = find_bad_quaternion(model, q)) {
    throw InputError(fmt::format("{}: the quaternion x, y, z, w of joint '{}' has length {:.4g}; it must be 1", option,
                                 bad->joint->name, bad->length));
  }
  normalise(model, q);
  return q;
}

Mat3<double> given_rotation(const std::string& option, std::span<const double, 4> x) {
  const WrittenRotation turn = written_rotation(x);
  if (!turn.is_unit())
    throw InputError(fmt::format("{}: the quaternion x, y, z, w has length {:.4g}; it must be 1", option, turn.length));
  return turn.rotation;
}

GivenPose given_pose(const std::string& option, const std::string& text) {
  const std::size_t count = words_of(text).size();
  if (count != 3 && count != 7)
    throw InputError(fmt::format("{} has {} numbers; give x,y,z or x,y,z,qx,qy,qz,qw", option, count));
  const std::vector<double> x = numbers(option, text, count);
  GivenPose pose{{x[0], x[1], x[2]}, {}};
  if (count == 7) pose.orientation = given_rotation(option, std::span(x).last<4>());
  return pose;
}

const Frame& frame_named(const Model& model, const std::string& option, const std::string& name) {
  const Frame* frame = name.empty() ? &model.tip() : model.find_frame(name);
  if (frame == nullptr)
    throw InputError(fmt::format("{}: this robot has no link or frame '{}'; see `ulna show`", option, name));
  return *frame;
}

std::vector<double> velocities(const Model& model, const std::string& option, const std::string& text) {
  return numbers(option, text, rate_uses(model));
}

std::vector<double> torques(const Model& model, const std::string& text) {
  return numbers("--tau", text, static_cast<std::size_t>(model.nv()));
}

GivenWrench given_wrench(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("--wrench '{}' must be LINK=nx,ny,nz,fx,fy,fz", option));
  const std::vector<double> w = numbers("--wrench", option.substr(equals + 1), 6);
  return {option.substr(0, equals), {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}};
}

std::vector<Force<double>> wrenches(const Model& model, const std::vector<std::string>& options) {
  std::vector<Force<double>> result;
  for (const std::string& option : options) {
    result.resize(model.bodies().size(), Force<double>::zero());
    const auto [link, wrench] = given_wrench(option);
    const Frame* frame = model.find_frame(link);
    if (frame == nullptr || frame->body < 0)
      throw InputError(fmt::format("--wrench: '{}' is not a moving link of this robot; see `ulna show`", link));
    result[static_cast<std::size_t>(frame->body)] += wrench;
  }
  return result;
}

void add_payload_option(CLI::App& command, std::vector<std::string>& payloads) {
  command.add_option("--payload", payloads, "mass carried at the tip or FRAME: its centre and inertia in that frame")
      ->type_name("[FRAME=]KG[@x,y,z][:ixx,iyy,izz]")
      ->allow_extra_args(false);  // the next word may be the robot
}

Payload given_payload(const std::string& option) {
  const auto wrong = [&]() -> InputError {
    return InputError(fmt::format("--payload '{}' must be [FRAME=]KG[@x,y,z][:ixx,iyy,izz[,ixy,ixz,iyz]]", option));
  };
  Payload payload;
  const std::size_t equals = option.rfind('=');
  if (equals != std::string::npos) payload.frame = option.substr(0, equals);
  std::string rest = equals == std::string::npos ? option : option.substr(equals + 1);
  const auto tail = [&](char mark) {  // what stands behind the mark, which it is cut off with
    const std::size_t at = rest.find(mark);
    std::string behind = at == std::string::npos ? "" : rest.substr(at + 1);
    if (at != std::string::npos && behind.empty()) throw wrong();
    rest = rest.substr(0, at);
    return behind;
  };
  const std::string inertia = tail(':'), centre = tail('@');
  if (rest.empty() || (equals == 0)) throw wrong();
  payload.mass.mass = numbers("--payload", rest, 1)[0];
  const std::vector<double> c = numbers("--payload", centre, 3);
  payload.mass.com = {c[0], c[1], c[2]};
  const bool whole = std::count(inertia.begin(), inertia.end(), ',') > 2;
  std::vector<double> i = numbers("--payload", inertia, whole ? 6 : 3);
  i.resize(6, 0.0);
  payload.mass.inertia = {i[0], i[1], i[2], i[3], i[4], i[5]};
  return payload;
}

std::vector<std::string> degree_names(const Model& model) {
  std::vector<std::string> names;
  for (const JointInfo& joint : model.joints()) {
    const int n = degrees_of(joint.kind);
    for (int i = 0; i < n; ++i) names.push_back(n == 1 ? joint.name : fmt::format("{}[{}]", joint.name, i + 1));
  }
  return names;
}

void print_joint_values(const Model& model, const std::string& heading, std::span<const double> values, double scale) {
  std::vector<std::vector<std::string>> rows{{"joint", heading}};
  for (const double x : values) scale = std::max(scale, std::fabs(x));
  const std::vector<std::string> names = degree_names(model);
  for (std::size_t k = 0; k < names.size(); ++k)
    rows.push_back({names[k] + model.rate_number(static_cast<int>(k)).suffix,
                    fmt::format("{:.10g}", without_rounding(values[k], scale))});
  print_table(rows);
}

double length_scale(const Model& model) {
  double length = 0.0;
  for (const Body& body : model.bodies()) length += norm(body.placement.p);
  for (const Frame& frame : model.frames()) length = std::max(length, norm(frame.pose.p));
  return length;
}

double force_scale(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.bodies()) mass += body.inertia.mass;
  return mass * norm(model.gravity());
}

double torque_scale(const Model& model) { return force_scale(model) * length_scale(model); }

void note_limits(const Model& model, std::span<const double> q) {
  for (const JointInfo& joint : model.joints()) {
    if (!is_outside_limits(model, joint, q)) continue;
    const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    fmt::print(stderr, "note: '{}' is at {:g}, outside its limits {:g} … {:g}\n", joint.name,
               q[static_cast<std::size_t>(body.q_index)], joint.limits.lower, joint.limits.upper);
  }
}

void expect_finite(std::span<const double> result, const std::string& what) {
  for (const double x : result) {
    if (!std::isfinite(x)) {
      throw InputError(
          fmt::format("{} came out as {}; the inertia matrix is singular here or the numbers overflow; "
                      "run `ulna check` and look at the state",
                      what, x));
    }
  }
}

CLI::Validator not_empty(const char* otherwise) {
  return {[otherwise](const std::string& value) { return value.empty() ? otherwise : std::string(); }, ""};
}

CLI::Option* add_numbers_option(CLI::App& command, const std::string& name, std::string& text,
                                const std::string& help) {
  return command.add_option(name, text, help)->type_name("X1,X2,...")->check(not_empty("has no numbers"));
}

CLI::Option* add_output_option(CLI::App& command, std::string& output, const std::string& help, const char* type) {
  return command.add_option("-o,--output", output, help)->type_name(type)->check(not_empty("has no name behind it"));
}

void expect_other_file(const std::string& input, const std::string& output) {
  std::error_code none;
  if (std::filesystem::equivalent(input == "-" ? "/dev/stdin" : input, output, none))
    throw InputError(fmt::format("-o {}: this is the file that is read; choose another name", output));
}

void add_compiled_option(CLI::App& command, bool& compiled) {
  command.add_flag("--compiled", compiled, "by the robot's own code, generated, compiled and kept in a cache")
      ->excludes(command.get_option("--method"));
}

Compiled<double> compiled_method(const Model& model, Quantity what) {
  Compiled<double> compiled = compile<double>(model, what);
  if (!compiled.note.empty()) fmt::print(stderr, "note: {}\n", compiled.note);
  return compiled;
}

CLI::Option* add_positive(CLI::App& command, const char* name, double& value, const char* help, const char* unit) {
  const auto positive = [](const std::string& text) {
    const bool one_word = text.find_first_of(" \t") == std::string::npos;  // CLI11 reads no more than that
    const std::optional<double> number = parse_number(text);
    return one_word && number && *number > 0.0 ? std::string() : fmt::format("'{}' is not a positive number", text);
  };
  return command.add_option(name, value, help)->type_name(unit)->check(CLI::Validator(positive, ""));
}

void add_method_option(CLI::App& command, std::string& method) {
  std::string names = "auto";
  for (const MethodInfo& row : methods()) names += fmt::format(", {}", row.name);
  command.add_option("--method", method, fmt::format("formulation: {}", names))
      ->type_name("NAME")
      ->capture_default_str();
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](const std::string& text) {
            const bool known = std::find(words.begin(), words.end(), text) != words.end();
            return known ? std::string() : fmt::format("'{}' is none of: {}", text, fmt::join(words, ", "));
          },
          fmt::format("{{{}}}", fmt::join(words, ","))};
}

CLI::Validator thread_number() {
  return {[](const std::string& text) {
            const bool whole = text.find_first_not_of("0123456789") == std::string::npos && text.size() <= 4;
            return whole && std::atoi(text.c_str()) >= 1 && std::atoi(text.c_str()) <= 1024
                       ? std::string()
                       : fmt::format("'{}' is not a whole number from 1 to 1024", text);
          },
          ""};
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    words.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

}  // namespace ulna::app

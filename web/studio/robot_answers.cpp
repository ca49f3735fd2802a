#include "studio/session.hpp"

#include <fmt/format.h>

#include <optional>

#include "io/report/scene.hpp"
#include "io/robot/robot_text.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/check_loops.hpp"
#include "ulna/version.hpp"

namespace ulna::studio {

namespace {

Json json_of(const Vec3<double>& a) { return Json::array({a.x, a.y, a.z}); }

Json joints_of(const Robot& robot) {
  const Model& model = robot.model;
  Json joints = Json::array();
  for (const JointInfo& joint : model.joints()) {
    const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    Json numbers = Json::array(), rates = Json::array();
    for (const JointNumber& number : position_numbers(joint.kind)) numbers.push_back({{"length", number.is_length}});
    for (const JointNumber& rate : rate_numbers(joint.kind))
      rates.push_back({{"name", joint.name + rate.suffix}, {"length", rate.is_length}});
    joints.push_back({{"name", joint.name},
                      {"kind", joint.continuous ? "continuous" : name_of(joint.kind)},
                      {"parent", joint.parent},
                      {"child", joint.child},
                      {"body", joint.body + 1},
                      {"q_index", body.q_index},
                      {"v_index", body.v_index},
                      {"numbers", numbers},
                      {"rates", rates},
                      {"quaternion", has_quaternion(joint.kind)},
                      {"lower", joint.limits.lower},
                      {"upper", joint.limits.upper},
                      {"effort", joint.limits.effort}});
  }
  return joints;
}

Json formulations_of(const Robot& robot) {
  Json list = Json::array();
  for (const MethodInfo& info : methods())
    list.push_back({{"name", info.name}, {"title", info.title}, {"refusal", info.refusal(robot.tree)}});
  return list;
}

Json description_of(const Robot& robot) {
  const Model& model = robot.model;
  Json postures = Json::object();
  for (const Posture& posture : model.postures()) postures[posture.name] = posture.q;
  Json masses = Json::array();
  for (int body = 0; body < model.body_count(); ++body) {
    const Frame own{"", body, Pose<double>::identity()};
    const MassData data = model.mass_data(own);
    const Sym3<double>& i = data.inertia;
    masses.push_back({{"body", body + 1},
                      {"mass", data.mass},
                      {"com", json_of(data.com)},
                      {"inertia", {i.xx, i.yy, i.zz, i.xy, i.xz, i.yz}}});
  }
  std::vector<std::string> notices = robot.graph.notices;
  const Json scene = scene_json(robot.graph, model, notices);
  return {{"name", robot.graph.name},
          {"title", robot.graph.title},
          {"source", robot.graph.provenance},
          {"nq", model.nq()},
          {"nv", model.nv()},
          {"loops", model.loops().size()},
          {"serial", model.is_serial()},
          {"free_base", model.has_free_base()},
          {"gravity", json_of(model.gravity())},
          {"task", robot.task.name()},
          {"tip", model.tip().name},
          {"neutral", model.neutral()},
          {"postures", postures},
          {"joints", joints_of(robot)},
          {"masses", masses},
          {"formulations", formulations_of(robot)},
          {"guessed", guessed_links(robot.graph)},
          {"notices", notices},
          {"scene", scene}};
}

}  // namespace

Json Engine::Session::robots() {
  Json list = Json::array();
  for (const BundledRobot& bundled : bundled_robots())
    list.push_back({{"name", bundled.name},
                    {"title", bundled.title},
                    {"loops", bundled.loops},
                    {"in_use", bundled.is_in_use},
                    {"family", bundled.name.find(':') != std::string::npos}});
  return {{"robots", list}, {"version", version}};
}

/// By name, or from the text of a file. What was there before stays where the new one is refused.
Json Engine::Session::load(const Json& request) {
  Json answer;
  std::optional<Graph> graph;
  if (request.contains("text")) {
    const std::string file = request.value("file", "robot.toml"), text = request.at("text").get<std::string>();
    const RobotFormat* format = robot_format_of_file(file, text);
    graph = format != nullptr ? format->parse(text, file) : parse_robot(text, file);
    if (graph->name.empty()) graph->name = file.substr(0, file.rfind('.'));
  } else {
    const std::string name = request.at("robot").get<std::string>();
    graph = load_graph(name);
    if (const std::optional<RobotText> found = robot_text(name)) {
      answer["text"] = found->text;
      answer["file"] = found->file;
    }
  }
  if (request.value("free_base", false)) graph->free_base = true;
  const Json findings = json_of(check_with_loops(*graph));
  loaded = std::make_unique<Robot>(std::move(*graph));
  if (!answer.contains("text")) answer["text"] = to_toml(loaded->graph);
  answer["robot"] = description_of(*loaded);
  answer["findings"] = findings;
  return answer;
}

Json Engine::Session::text(const Json& request) {
  const std::string wanted = request.value("form", "toml");
  for (const RobotFormat& format : robot_formats()) {
    for (const RobotForm& form : format.forms) {
      if (form.name != wanted) continue;
      std::vector<std::string> notices;
      const bool drop = request.value("drop", false);
      std::string text = form.write(current().graph, {drop, drop}, notices);
      return {{"text", text}, {"ending", format.endings.front()}, {"notices", notices}};
    }
  }
  throw InputError(fmt::format("there is no form '{}'", wanted));
}

}  // namespace ulna::studio

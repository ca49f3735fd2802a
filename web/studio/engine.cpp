#include "studio/engine.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "io/report/run_head.hpp"
#include "io/report/scene.hpp"
#include "io/robot/robot_text.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/kinematics/inverse_kinematics.hpp"
#include "ulna/kinematics/tip_task.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/check_loops.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/study/count.hpp"
#include "ulna/study/run.hpp"
#include "ulna/version.hpp"

namespace ulna::studio {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

namespace {

constexpr int most_degrees = 60;  // of what is shown as matrices

Json json_of(const Vec3<double>& a) { return Json::array({a.x, a.y, a.z}); }

Json json_of(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& f : findings)
    list.push_back({{"severity", f.severity == Finding::Severity::error ? "error" : "warning"},
                    {"link", f.link},
                    {"reason", f.reason},
                    {"remedy", f.remedy},
                    {"line", f.source.line}});
  return list;
}

/// Numbers in bulk, by name.
class Arrays {
 public:
  void add(const char* name, std::span<const double> row) {
    places_[name] = {numbers.size(), 1, row.size()};
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  /// Of a matrix column by column, as the library keeps them.
  void add(const char* name, const Numbers& columns, int rows) {
    const auto height = static_cast<std::size_t>(rows), width = rows == 0 ? 0 : columns.size() / height;
    places_[name] = {numbers.size(), height, width};
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j) numbers.push_back(columns[j * height + i]);
  }
  void clear() {
    numbers.clear();
    places_.clear();
  }
  Json places() const {
    Json json = Json::object();
    for (const auto& [name, place] : places_) json[name] = {place.first, place.rows, place.columns};
    return json;
  }

  Numbers numbers;

 private:
  struct Place {
    std::size_t first, rows, columns;
  };
  std::map<std::string, Place> places_;
};

/// A robot with what is made for it once.
struct Robot {
  explicit Robot(Graph read) : graph(std::move(read)), model(build(graph)), tree(model.tree()), kinematics(tree) {
    if (model.nv() <= most_degrees) task = tip_task(tree, tree.tip());
  }
  bool has_loops() const { return !model.loops().empty(); }

  Graph graph;
  Model model, tree;
  Kinematics<double> kinematics;
  TipTask task;
  std::map<std::pair<std::string, Quantity>, std::unique_ptr<Method<double>>> methods;
  std::unique_ptr<InverseKinematics> reach_point, reach_pose;
  std::unique_ptr<ConstrainedDynamics> closed;
};

/// The way that a quantity has by itself where "auto" is asked for.
Method<double>& method_of(Robot& robot, std::string_view name, Quantity quantity) {
  auto& method = robot.methods[{std::string(name), quantity}];
  if (!method) method = make_method<double>(name, quantity, robot.tree);
  return *method;
}

Json joints_of(const Robot& robot) {
  const Model& model = robot.model;
  Json joints = Json::array();
  for (const JointInfo& joint : model.joints()) {
    const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    Json numbers = Json::array();
    for (const JointNumber& number : position_numbers(joint.kind)) numbers.push_back({{"length", number.is_length}});
    joints.push_back({{"name", joint.name},
                      {"kind", joint.continuous ? "continuous" : name_of(joint.kind)},
                      {"parent", joint.parent},
                      {"child", joint.child},
                      {"body", joint.body + 1},
                      {"q_index", body.q_index},
                      {"v_index", body.v_index},
                      {"numbers", numbers},
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
          {"notices", notices},
          {"scene", scene}};
}

/// A number of the request for each of `count`, or what stands for nothing.
Numbers numbers_in(const Json& request, const char* key, int count, const Numbers& otherwise) {
  if (!request.contains(key)) return otherwise;
  Numbers values = request.at(key).get<Numbers>();
  if (std::ssize(values) != count)
    throw InputError(fmt::format("{} has {} numbers; this robot needs {}", key, values.size(), count));
  for (const double x : values)
    if (!std::isfinite(x)) throw InputError(fmt::format("{} holds {}; give finite numbers", key, x));
  return values;
}

/// Positions, velocities, accelerations and torques of a request.
struct State {
  State(const Json& request, const Model& model)
      : q(numbers_in(request, "q", model.nq(), model.neutral())),
        v(numbers_in(request, "v", model.nv(), Numbers(static_cast<std::size_t>(model.nv())))),
        a(numbers_in(request, "a", model.nv(), Numbers(static_cast<std::size_t>(model.nv())))),
        tau(numbers_in(request, "tau", model.nv(), Numbers(static_cast<std::size_t>(model.nv())))) {}
  Numbers q, v, a, tau;
};

Numbers square(const Model& model) {
  return Numbers(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()));
}
MatrixView<double> square_view(Numbers& values, const Model& model) { return {values.data(), model.nv(), model.nv()}; }

}  // namespace

struct Engine::Session {
  Json robots();
  Json load(const Json& request);
  Json text(const Json& request);
  Json state(const Json& request);
  Json formulations(const Json& request);
  Json counts(const Json& request);
  Json reach(const Json& request);
  Json close(const Json& request);
  Json cloud(const Json& request);
  Json simulate(const Json& request);
  Json integrators_known() const;
  Json states(const Json& request);
  Json answer(const Json& request);
  Json answer_or_error(std::string_view request);

  Robot& current() {
    if (!loaded) throw InputError("no robot is loaded");
    return *loaded;
  }

  std::unique_ptr<Robot> loaded;
  Arrays arrays;
};

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

namespace {

/// px, py, pz, qx, qy, qz, qw of every body; the ground is left out.
Numbers poses_of(const Robot& robot) {
  Numbers poses;
  for (int body = 0; body < robot.tree.body_count(); ++body) {
    const Pose<double> pose = robot.kinematics.pose(Frame{"", body, Pose<double>::identity()});
    const Quaternion<double> turn = quaternion_of(pose.R);
    for (const double x : {pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w}) poses.push_back(x);
  }
  return poses;
}

/// The directions in which the tip moves with a unit of joint velocity, and how far: axes of the ellipsoid of
/// velocities.
void add_ellipsoid(const Numbers& J, Arrays& arrays) {
  const Eigen::Map<const Eigen::MatrixXd> all(J.data(), 6, static_cast<Eigen::Index>(J.size() / 6));
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(all.bottomRows(3), Eigen::ComputeFullU);
  Numbers axes(svd.matrixU().data(), svd.matrixU().data() + 9), lengths(3, 0.0);
  for (Eigen::Index k = 0; k < svd.singularValues().size(); ++k)
    lengths[static_cast<std::size_t>(k)] = svd.singularValues()[k];
  arrays.add("ellipsoid", axes, 3);
  arrays.add("ellipsoid_lengths", lengths);
}

void add_jacobian(Robot& robot, Arrays& arrays, Json& answer) {
  const Model& model = robot.tree;
  Numbers J(6 * static_cast<std::size_t>(model.nv()));
  robot.kinematics.jacobian(model.tip(), Reference::world_axes, {J.data(), 6, model.nv()});
  arrays.add("J", J, 6);
  if (model.nv() > 0) add_ellipsoid(J, arrays);
  const Numbers rows = robot.task.rows({J.data(), 6, model.nv()});
  const int height = model.nv() == 0 ? 0 : static_cast<int>(rows.size()) / model.nv();
  if (height == 0) return;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Eigen::Map<const Eigen::MatrixXd>(rows.data(), height, model.nv()));
  arrays.add("singular", {svd.singularValues().data(), static_cast<std::size_t>(svd.singularValues().size())});
  const Manipulability measure = manipulability({rows.data(), height, model.nv()}, robot.task.rank);
  answer["manipulability"] = {{"yoshikawa", measure.yoshikawa},
                              {"condition", std::isfinite(measure.condition) ? Json(measure.condition) : Json()},
                              {"smallest", measure.smallest},
                              {"rank", measure.rank},
                              {"full_rank", robot.task.rank}};
}

void add_matrices(Robot& robot, const State& s, Arrays& arrays, Json& answer) {
  const Model& model = robot.tree;
  Numbers M = square(model), C = square(model), g(s.v.size()), tau(s.v.size()), a(s.v.size());
  method_of(robot, "auto", Quantity::mass_matrix).mass_matrix(s.q, square_view(M, model));
  method_of(robot, "auto", Quantity::coriolis_matrix).coriolis_matrix(s.q, s.v, square_view(C, model));
  method_of(robot, "auto", Quantity::gravity).gravity(s.q, g);
  method_of(robot, "auto", Quantity::inverse_dynamics).inverse_dynamics(s.q, s.v, s.a, tau);
  const double condition = manipulability({M.data(), model.nv(), model.nv()}).condition;
  answer["condition"] = std::isfinite(condition) ? Json(condition) : Json();
  arrays.add("M", M, model.nv());
  arrays.add("C", C, model.nv());
  arrays.add("g", g);
  arrays.add("id", tau);
  if (robot.has_loops()) {
    if (!robot.closed) robot.closed = std::make_unique<ConstrainedDynamics>(robot.model);
    robot.closed->forward_dynamics(s.q, s.v, s.tau, a);
  } else {
    method_of(robot, "auto", Quantity::forward_dynamics).forward_dynamics(s.q, s.v, s.tau, a);
  }
  arrays.add("fd", a);
}

}  // namespace

/// Everything of one state that a page shows at once.
Json Engine::Session::state(const Json& request) {
  Robot& robot = current();
  const State s(request, robot.tree);
  Json answer = Json::object();
  robot.kinematics.update_positions(s.q);
  robot.kinematics.update_velocities(s.v);
  arrays.add("poses", poses_of(robot));
  const Pose<double> tip = robot.kinematics.pose(robot.tree.tip());
  const Quaternion<double> turn = quaternion_of(tip.R);
  arrays.add("tip", Numbers{tip.p.x, tip.p.y, tip.p.z, turn.x, turn.y, turn.z, turn.w});
  answer["kinetic"] = robot.kinematics.kinetic_energy(s.v);
  answer["potential"] = robot.kinematics.gravity_energy() + robot.kinematics.spring_energy(s.q);
  if (request.value("poses_only", false) || robot.model.nv() > most_degrees) return answer;
  add_jacobian(robot, arrays, answer);
  add_matrices(robot, s, arrays, answer);
  return answer;
}

namespace {

struct Computed {
  Quantity quantity;
  const char* key;
};
constexpr Computed computed[] = {{Quantity::inverse_dynamics, "id"},
                                 {Quantity::forward_dynamics, "fd"},
                                 {Quantity::mass_matrix, "gim"},
                                 {Quantity::gravity, "gravity"}};

/// What a formulation gives of a state.
Numbers result_of(Robot& robot, std::string_view name, Quantity quantity, const State& s) {
  Method<double>& method = method_of(robot, name, quantity);
  Numbers out(s.v.size());
  if (quantity == Quantity::inverse_dynamics) method.inverse_dynamics(s.q, s.v, s.a, out);
  if (quantity == Quantity::forward_dynamics) method.forward_dynamics(s.q, s.v, s.tau, out);
  if (quantity == Quantity::gravity) method.gravity(s.q, out);
  if (quantity == Quantity::mass_matrix) {
    out = square(robot.tree);
    method.mass_matrix(s.q, square_view(out, robot.tree));
  }
  return out;
}

/// The largest difference, in units in the last place of the largest number; infinite where it is no number, which
/// std::max would pass over.
double apart(const Numbers& a, const Numbers& b) {
  double difference = 0.0, scale = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!std::isfinite(a[k] - b[k])) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(a[k] - b[k]));
    scale = std::max(scale, std::abs(b[k]));
  }
  return difference / (std::numeric_limits<double>::epsilon() * std::max(scale, std::numeric_limits<double>::min()));
}

}  // namespace

/// The same state by every formulation that takes this robot, and how far each is from the first.
Json Engine::Session::formulations(const Json& request) {
  Robot& robot = current();
  const State s(request, robot.tree);
  Json rows = Json::array();
  for (const auto& [quantity, key] : computed) {
    std::optional<Numbers> first;
    for (const MethodInfo& info : methods()) {
      if (!info.can(quantity) || !info.refusal(robot.tree).empty()) continue;
      const Numbers values = result_of(robot, info.name, quantity, s);
      const std::string name = fmt::format("{}/{}", key, info.name);
      arrays.add(name.c_str(), values);
      if (!first) first = values;
      rows.push_back({{"of", key}, {"method", info.name}, {"array", name}, {"apart", apart(values, *first)}});
    }
  }
  return {{"rows", rows}};
}

Json Engine::Session::counts(const Json& request) {
  const Robot& robot = current();
  CountOptions options;
  options.of = quantities_named(request.value("of", "id,fd,gim,gravity"));
  options.regroup = request.value("regroup", false);
  Json rows = Json::array();
  const CountRecord record = count_operations(robot.model, options);
  for (const CountRow& row : record.rows) {
    Json json{{"of", row.of},
              {"method", row.method},
              {"mul", row.multiplications()},
              {"add", row.counts.additions},
              {"sincos", row.counts.sincos},
              {"cheapest", row.cheapest}};
    if (row.printed)
      json["printed"] = {
          {"mul", row.printed->multiplications}, {"add", row.printed->additions}, {"where", row.printed->where}};
    rows.push_back(json);
  }
  return {{"rows", rows}, {"notes", record.notes}};
}

/// The tip to a position, with its orientation where one is given, by little motion from q.
Json Engine::Session::reach(const Json& request) {
  Robot& robot = current();
  const State s(request, robot.tree);
  const Numbers p = numbers_in(request, "position", 3, {0, 0, 0});
  const bool turned = request.contains("quaternion");
  const Numbers x = numbers_in(request, "quaternion", 4, {0, 0, 0, 1});
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  if (!(length > 0.0)) throw InputError("quaternion: 0, 0, 0, 0 is no orientation");
  const Quaternion<double> turn{x[0] / length, x[1] / length, x[2] / length, x[3] / length};
  const Pose<double> pose{rotation_of(turn), {p[0], p[1], p[2]}};
  auto& solver = turned ? robot.reach_pose : robot.reach_point;
  if (!solver) {
    const Frame& tip = robot.model.tip();
    solver = std::make_unique<InverseKinematics>(
        robot.model, std::vector<IkTarget>{turned ? pose_target(tip, pose) : position_target(tip, pose.p)});
  }
  Numbers q(s.q.size());
  const Pose<double> poses[] = {pose};
  const IkResult result =
      request.value("follow", false) ? solver->solve(poses, s.q, q) : solver->solve(poses, s.q, IkPreference::near, q);
  arrays.add("q", q);
  Json answer{{"solved", result.solved},
              {"position_error", result.position_error},
              {"orientation_error", result.orientation_error}};
  if (!result.solved) answer["reason"] = solver->reason(poses, q);
  return answer;
}

/// Closes the loops from q; the velocity indices in `held` stay where they are.
Json Engine::Session::close(const Json& request) {
  Robot& robot = current();
  const State s(request, robot.tree);
  std::vector<int> held;
  if (request.contains("held")) held = request.at("held").get<std::vector<int>>();
  for (const int k : held)
    if (k < 0 || k >= robot.model.nv()) throw InputError(fmt::format("held: there is no velocity {}", k));
  const Assembly assembly = assemble(robot.model, s.q, held);
  arrays.add("q", assembly.q);
  return {{"closed", assembly.closed}, {"miss", assembly.closed ? "" : assembly.miss()}};
}

/// Places of the tip at random positions within the limits.
Json Engine::Session::cloud(const Json& request) {
  Robot& robot = current();
  const int count = std::clamp(request.value("count", 4000), 1, 100'000);
  std::mt19937 generator(1);
  Numbers points;
  for (int k = 0; k < count; ++k) {
    robot.kinematics.update_positions(random_position(robot.tree, generator));
    const Vec3<double> p = robot.kinematics.pose(robot.tree.tip()).p;
    points.insert(points.end(), {p.x, p.y, p.z});
  }
  arrays.add("points", points);
  return Json::object();
}

/// `count` random states of this robot, the same at every call: for tests of one build against another.
Json Engine::Session::states(const Json& request) {
  const Model& model = current().tree;
  std::mt19937 generator(request.value("seed", 1U));
  for (int k = 0; k < std::clamp(request.value("count", 1), 1, 1000); ++k) {
    arrays.add(fmt::format("q{}", k).c_str(), random_position(model, generator));
    for (const char* name : {"v", "a", "tau"})
      arrays.add(fmt::format("{}{}", name, k).c_str(), random_velocity(model, generator));
  }
  return Json::object();
}

Json Engine::Session::integrators_known() const {
  Json list = Json::array();
  for (const IntegratorInfo& info : integrators())
    list.push_back({{"name", info.name}, {"title", info.title}, {"needs_step", info.needs_step}});
  return {{"integrators", list}};
}

namespace {

/// A run's samples twice: as they are, and as the page of a report keeps them.
class TwoRecorders final : public Recorder {
 public:
  explicit TwoRecorders(const Model& model) : model_(model) {}
  void begin(std::span<const Column> columns) override {
    trajectory.begin(columns);
    report.emplace(model_, std::vector<Column>(columns.begin(), columns.end()));
  }
  void record(std::span<const double> row) override {
    trajectory.record(row);
    report->record(row);
  }
  void step(const RunProgress& progress) override { report->step(progress); }

  Trajectory trajectory;
  std::optional<ReportData> report;

 private:
  const Model& model_;
};

}  // namespace

/// A scenario (TOML, doc/scenario_files.md) with the robot that is loaded in the place of the one that it names.
Json Engine::Session::simulate(const Json& request) {
  const std::string text = request.at("scenario").get<std::string>();
  const PreparedRun prepared = prepare(parse_scenario(text, "run.toml"), current().graph);
  if (prepared.setup.duration / prepared.setup.every * static_cast<double>(prepared.model->nv()) > 2e6)
    throw InputError("the run has more samples than a page can hold; make it shorter, or sample it less often");
  TwoRecorders recorder(*prepared.model);
  const Record record = run(prepared, recorder, {});
  const Trajectory& samples = recorder.trajectory;
  Numbers rows;
  for (std::size_t i = 0; i < samples.size(); ++i)
    rows.insert(rows.end(), samples.row(i).begin(), samples.row(i).end());
  Json columns = Json::array();
  for (const Column& column : samples.columns()) columns.push_back(column.name);
  arrays.add("rows", rows);
  return {{"columns", columns},
          {"status", name_of(record.result.status)},
          {"wall", record.result.wall},
          {"run", recorder.report->data_json(head_of(record), *record.graph)}};
}

Json Engine::Session::answer(const Json& request) {
  const std::string what = request.at("do").get<std::string>();
  if (what == "robots") return robots();
  if (what == "load") return load(request);
  if (what == "text") return text(request);
  if (what == "state") return state(request);
  if (what == "formulations") return formulations(request);
  if (what == "counts") return counts(request);
  if (what == "reach") return reach(request);
  if (what == "close") return close(request);
  if (what == "cloud") return cloud(request);
  if (what == "states") return states(request);
  if (what == "integrators") return integrators_known();
  if (what == "simulate") return simulate(request);
  throw InputError(fmt::format("there is no request '{}'", what));
}

/// What is wrong with a request is an answer too; only the lack of memory is none.
Json Engine::Session::answer_or_error(std::string_view request) {
  try {
    Json given = answer(Json::parse(request));
    given["arrays"] = arrays.places();
    return given;
  } catch (const InputError& e) {
    return {{"error", e.what()}, {"findings", json_of(e.findings())}};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {{"error", e.what()}};
  }
}

Engine::Engine() : session_(std::make_unique<Session>()) {}
Engine::~Engine() = default;

const std::string& Engine::answer(std::string_view request) {
  // Made by the first request, while there is memory: the last answer must not need any.
  static const std::string no_memory = R"({"error":"this takes more memory than there is"})";
  session_->arrays.clear();
  try {
    answer_ = session_->answer_or_error(request).dump(-1, ' ', false, Json::error_handler_t::replace);
    return answer_;
  } catch (const std::exception&) {
    return no_memory;
  }
}

const std::vector<double>& Engine::numbers() const { return session_->arrays.numbers; }

}  // namespace ulna::studio

#ifdef __EMSCRIPTEN__
namespace {
ulna::studio::Engine& engine() {
  static ulna::studio::Engine only;
  return only;
}
}  // namespace

extern "C" {
const char* ulna_answer(const char* request) { return engine().answer(request).c_str(); }
const double* ulna_numbers() { return engine().numbers().data(); }
std::size_t ulna_number_count() { return engine().numbers().size(); }
}
#endif

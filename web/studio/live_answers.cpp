#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "studio/session.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/study/run.hpp"

namespace ulna::studio {

namespace {

/// A name of that body that a scenario knows.
std::string link_of(const Model& model, int body) {
  for (const Frame& frame : model.frames())
    if (frame.body == body) return frame.name;
  throw InputError(fmt::format("body {} has no name", body + 1));
}

/// What a force at the frame's origin has to accelerate, on average over its directions.
double felt_mass(Robot& robot, const Frame& frame, const Numbers& q) {
  const Model& model = robot.tree;
  const int n = model.nv();
  Numbers M = square(model), J(6 * static_cast<std::size_t>(n));
  method_of(robot, "auto", Quantity::mass_matrix).mass_matrix(q, square_view(M, model));
  robot.kinematics.jacobian(frame, Reference::world_axes, {J.data(), 6, n});
  const Eigen::MatrixXd linear = Eigen::Map<const Eigen::MatrixXd>(J.data(), 6, n).bottomRows(3);
  const Eigen::Map<const Eigen::MatrixXd> mass(M.data(), n, n);
  const double mobility = (linear * mass.ldlt().solve(linear.transpose())).trace() / 3.0;
  if (!(mobility > 0.0)) throw InputError("that part of the arm cannot move");
  return 1.0 / mobility;
}

/// A spring and a damper from a point of a body to a place in the world, as they pull at this state. Soft enough that
/// the force may be held for a frame of the picture: ω h is a fifth at sixty of them a second.
Force<double> pull_at(Robot& robot, const Frame& point, const Vec3<double>& anchor, const Numbers& q,
                      const Numbers& v) {
  constexpr double omega = 12.0, damping_ratio = 0.5;
  robot.kinematics.update_positions(q);
  robot.kinematics.update_velocities(v);
  const double mass = felt_mass(robot, point, q);
  const Vec3<double> p = robot.kinematics.pose(point).p;
  const Vec3<double> rate = robot.kinematics.velocity(point, Reference::world_axes).linear;
  const Vec3<double> force = mass * (omega * omega) * (anchor - p) - mass * (2.0 * damping_ratio * omega) * rate;
  const Frame centre{"", point.body, {Mat3<double>::identity(), robot.tree.com(point.body)}};
  return {cross(p - robot.kinematics.pose(centre).p, force), force};
}

}  // namespace

/// A short piece of a run, from the start of its scenario to its end, with a pull at a body held for all of it: the
/// state at the end, and the pull as a [[load]] of a scenario.
Json Engine::Session::advance(const Json& request) {
  Robot& robot = current();
  if (robot.tree.nv() > most_degrees) throw InputError("the robot has too many joints to be moved live");
  PreparedRun prepared = prepare(parse_scenario(request.at("scenario").get<std::string>(), "run.toml"), robot.graph);
  Json answer = Json::object();
  if (request.contains("pull")) {
    const Json& pull = request.at("pull");
    const int body = pull.at("body").get<int>() - 1;
    if (body < 0 || body >= robot.tree.body_count()) throw InputError("there is no such body to pull at");
    const Numbers at = numbers_in(pull, "at", 3, {0, 0, 0}), anchor = numbers_in(pull, "anchor", 3, {0, 0, 0});
    const Frame point{"", body, {Mat3<double>::identity(), {at[0], at[1], at[2]}}};
    Numbers v = prepared.setup.v0;
    v.resize(static_cast<std::size_t>(robot.tree.nv()));
    const Force<double> wrench = pull_at(robot, point, {anchor[0], anchor[1], anchor[2]}, prepared.setup.q0, v);
    prepared.setup.actions.held.loads.push_back({body, wrench});
    answer["load"] = {{"link", link_of(robot.tree, body)},
                      {"force", {wrench.force.x, wrench.force.y, wrench.force.z}},
                      {"moment", {wrench.moment.x, wrench.moment.y, wrench.moment.z}}};
  }
  Trajectory samples;
  const RunResult result = ulna::simulate(*prepared.model, prepared.setup, samples);
  answer["status"] = name_of(result.status);
  answer["reason"] = result.reason;
  arrays.add("q", result.final_q);
  arrays.add("v", result.final_v);
  return answer;
}

}  // namespace ulna::studio

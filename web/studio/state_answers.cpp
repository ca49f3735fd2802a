#include "studio/session.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "ulna/loop/mobility.hpp"
#include "ulna/loop/rates.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/study/count.hpp"

namespace ulna::studio {

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

double largest_difference(const Numbers& a, const Numbers& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

/// Torques and accelerations that keep the loops closed, with a motor in every joint. v and a are first brought to the
/// next that the loops let be.
void add_closed_dynamics(Robot& robot, const State& s, Arrays& arrays, Json& answer) {
  const Model& model = robot.model;
  if (!robot.closed) robot.closed = std::make_unique<ConstrainedDynamics>(model);
  LoopEquations equations(model);
  equations.update(s.q);
  const Numbers v = nearest_rates(equations, s.v, Numbers(static_cast<std::size_t>(equations.rows())));
  equations.update_bias(v);
  const Numbers a = nearest_rates(equations, s.a, equations.b());
  std::vector<int> all(s.v.size());
  std::iota(all.begin(), all.end(), 0);
  Numbers tau(s.v.size()), result(s.v.size());
  robot.closed->inverse_dynamics(s.q, v, a, all, tau);
  robot.closed->forward_dynamics(s.q, v, s.tau, result);
  arrays.add("id", tau);
  arrays.add("fd", result);
  answer["freedoms"] = loop_mobility(equations, model.nv()).mobility();
  answer["rates_moved"] = std::max(largest_difference(v, s.v), largest_difference(a, s.a));
}

void add_matrices(Robot& robot, const State& s, Arrays& arrays, Json& answer) {
  const Model& model = robot.tree;
  Numbers M = square(model), C = square(model), g(s.v.size());
  method_of(robot, "auto", Quantity::mass_matrix).mass_matrix(s.q, square_view(M, model));
  method_of(robot, "auto", Quantity::coriolis_matrix).coriolis_matrix(s.q, s.v, square_view(C, model));
  method_of(robot, "auto", Quantity::gravity).gravity(s.q, g);
  const double condition = manipulability({M.data(), model.nv(), model.nv()}).condition;
  answer["condition"] = std::isfinite(condition) ? Json(condition) : Json();
  arrays.add("M", M, model.nv());
  arrays.add("C", C, model.nv());
  arrays.add("g", g);
  if (robot.has_loops()) return add_closed_dynamics(robot, s, arrays, answer);
  Numbers tau(s.v.size()), a(s.v.size());
  method_of(robot, "auto", Quantity::inverse_dynamics).inverse_dynamics(s.q, s.v, s.a, tau);
  method_of(robot, "auto", Quantity::forward_dynamics).forward_dynamics(s.q, s.v, s.tau, a);
  arrays.add("id", tau);
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
      arrays.add(name, values);
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

/// Seconds that forward dynamics takes at a state, on average over `count` calls: for bench/studio.mjs.
Json Engine::Session::time(const Json& request) {
  Robot& robot = current();
  const State s(request, robot.tree);
  Method<double>& method = method_of(robot, "auto", Quantity::forward_dynamics);
  const int count = std::clamp(request.value("count", 1000), 1, 10'000'000);
  Numbers a(s.v.size());
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < count; ++k) method.forward_dynamics(s.q, s.v, s.tau, a);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  arrays.add("a", a);
  return {{"seconds", took.count() / count}};
}

/// `count` random states of this robot, the same at every call: for tests of one build against another.
Json Engine::Session::states(const Json& request) {
  const Model& model = current().tree;
  std::mt19937 generator(request.value("seed", 1U));
  for (int k = 0; k < std::clamp(request.value("count", 1), 1, 1000); ++k) {
    arrays.add(fmt::format("q{}", k), random_position(model, generator));
    for (const char* name : {"v", "a", "tau"})
      arrays.add(fmt::format("{}{}", name, k), random_velocity(model, generator));
  }
  return Json::object();
}

}  // namespace ulna::studio

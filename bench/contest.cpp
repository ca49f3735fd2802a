#include "contest.hpp"

#include <algorithm>

#include "peers/graph_tree.hpp"
#include "peers/libraries.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna_robot.hpp"

namespace ulna::bench {

namespace {

constexpr std::size_t state_count = 256;  // a power of two, so that the next index is a mask away
constexpr std::uint64_t seed = 20260002;

}  // namespace

const char* name_of(Task task) {
  switch (task) {
    case Task::forward_kinematics: return "FK";
    case Task::tip_jacobian: return "J";
    case Task::inverse_dynamics: return "ID";
    case Task::mass_matrix: return "M";
    case Task::forward_dynamics: return "FD";
    case Task::derivatives: return "∂FD";
  }
  return "";
}

Contest::Contest(const std::string& robot, Field field)
    : graph_(peers::without_fixed_joints(load_graph(robot))), model_(build(graph_)) {
  contestants_.push_back({"ulna", {make_ulna_robot(model_), {}}});
  contestants_.push_back({"ulna_composite_body", {make_ulna_composite_body_robot(model_), {}}});
  if (field == Field::all_and_compiled) contestants_.push_back({"ulna_compiled", make_ulna_compiled_robot(model_)});
  for (const peers::Library& library : field != Field::ulna_only ? peers::libraries() : std::vector<peers::Library>{})
    contestants_.push_back({library.name, library.make(graph_, model_)});
  std::mt19937_64 generator(seed);
  for (std::size_t k = 0; k < state_count; ++k)
    states_.push_back({random_position(model_, generator), random_velocity(model_, generator),
                       random_velocity(model_, generator), random_velocity(model_, generator)});
  const auto nv = static_cast<std::size_t>(model_.nv());
  result_.resize(std::max<std::size_t>(6 * nv, nv * nv));
  acceleration_.resize(nv);
  dq_.resize(nv * nv);
  dv_.resize(nv * nv);
}

bool Contest::call(peers::Peer& robot, Task task) {
  const State& s = states_[next_++ % state_count];
  const std::span<double> result = std::span(result_).first(s.v.size());
  const auto square = [&](std::vector<double>& m) { return MatrixView<double>{m.data(), model_.nv(), model_.nv()}; };
  switch (task) {
    case Task::forward_kinematics: {
      const Pose<double> pose = robot.tip_pose(s.q);
      result_[0] = pose.p.x + pose.R.xx;
      break;
    }
    case Task::tip_jacobian: return robot.tip_jacobian(s.q, {result_.data(), 6, model_.nv()});
    case Task::inverse_dynamics: robot.inverse_dynamics(s.q, s.v, s.a, result); break;
    case Task::mass_matrix: robot.mass_matrix(s.q, square(result_)); break;
    case Task::forward_dynamics: robot.forward_dynamics(s.q, s.v, s.tau, result); break;
    case Task::derivatives:
      return robot.forward_derivatives(s.q, s.v, s.tau, acceleration_, square(dq_), square(dv_), square(result_));
  }
  return true;
}

bool is_optimised() {
#ifdef __OPTIMIZE__
  return true;
#else
  return false;
#endif
}

std::string contestants_note() {
  return "One core, one state per call, double; sine and cosine included; "
         "peers as packaged by the system, Pinocchio and RBDL compiled for this machine; all with the same tree, fixed "
         "joints merged.";
}

}  // namespace ulna::bench

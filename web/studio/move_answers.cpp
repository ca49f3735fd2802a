#include "studio/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/loop/assembly.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::studio {

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

}  // namespace ulna::studio

// A satellite's arm brings its hand to a point without turning the satellite, which floats: seven joints for three
// coordinates of the hand and three of the base.
#include <cmath>
#include <cstdio>

#include "ulna/ulna.hpp"

namespace {

/// The largest angle that the base turns by on the way, and how far from its goal the hand ends.
struct Way {
  double turned, off;
};

Way way_of(const ulna::Model& model, const ulna::Vec3<double>& goal, double steadiness) {
  ulna::ControlProblem problem;
  problem.knots = 80;
  problem.step = 0.1;
  problem.lower.assign(7, -20.0);
  problem.upper.assign(7, 20.0);
  problem.running.torque_weight.assign(7, 1e-2);
  problem.running.posture_weight.assign(13, 0.0);
  for (std::size_t k = 0; k < 3; ++k) problem.running.posture_weight[k] = steadiness;  // turns of the base
  ulna::IkTarget hand = ulna::position_target(model.tip(), goal);
  hand.position = {1e4, 1e4, 1e4};
  problem.terminal.tips = {hand};
  problem.terminal.velocity_weight.assign(13, 100.0);
  ulna::OptimalControl control(model, problem);
  std::vector<double> q = model.neutral();
  for (std::size_t k = 7; k < q.size(); ++k) q[k] = 0.3;
  control.start(q, std::vector<double>(13));
  control.solve(100, 1e-6);
  Way way{0.0, 0.0};
  for (int k = 0; k <= control.knots(); ++k) {
    const double w = std::abs(control.q(k)[6]);
    way.turned = std::max(way.turned, 2.0 * std::acos(std::min(1.0, w)));
  }
  ulna::Kinematics<double> kinematics(model);
  kinematics.update_positions(control.q(control.knots()));
  way.off = norm(kinematics.pose(model.tip()).p - goal);
  return way;
}

}  // namespace

int main() {
  const ulna::Model model = ulna::load("satellite_arm");
  std::vector<double> there = model.neutral();
  const double turns[] = {0.8, 0.6, -0.2, 0.9, 0.1, 0.7, 0.3};
  for (std::size_t k = 0; k < 7; ++k) there[7 + k] = turns[k];
  ulna::Kinematics<double> kinematics(model);
  kinematics.update_positions(there);
  const ulna::Vec3<double> goal = kinematics.pose(model.tip()).p;
  const Way careless = way_of(model, goal, 0.0), steady = way_of(model, goal, 1e5);
  std::printf(
      "the base turns by %.4f rad when nobody minds, by %.5f rad when it shall not; the hand ends %.4f and %.4f m "
      "from its goal\n",
      careless.turned, steady.turned, careless.off, steady.off);
  return steady.turned < 0.1 * careless.turned && steady.off < 0.01 ? 0 : 1;
}

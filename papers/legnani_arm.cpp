#include "papers/legnani_arm.hpp"

#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::reproduction {

namespace {

constexpr const char* stanford = R"(
title = "the Stanford arm of legnani1996"
source = "position matrices of section 4.1; lengths, masses and inertias of Saha's Table II(i), mass centres of Ulna's"
gravity = [0, 0, -9.81]
dh = "standard"
link = [
  {joint = "revolute", alpha = "-90 deg", mass = 9, com = [0, 0.03, -0.01], inertia = [0.01, 0.02, 0.01]},
  {joint = "revolute", b = 0.1, alpha = "90 deg", mass = 6, com = [0, 0.02, 0.01], inertia = [0.05, 0.06, 0.01]},
  {joint = "prismatic", mass = 4, com = [0, 0, -0.25], inertia = [0.4, 0.4, 0.01]},
  {joint = "revolute", b = 0.6, alpha = "-90 deg", mass = 1, com = [0, -0.05, 0], inertia = [0.001, 0.001, 0.0005]},
  {joint = "revolute", alpha = "90 deg", mass = 0.6, com = [0, 0, 0.02], inertia = [0.0005, 0.0005, 0.0002]},
  {joint = "revolute", mass = 0.5, com = [0, 0, 0.1], inertia = [0.003, 0.001, 0.002]},
]
)";

}  // namespace

Graph legnani_stanford() { return parse_toml(stanford, "legnani_stanford"); }

Matrix joint_matrix(std::size_t joint) {
  const Vec3<double> z{0, 0, 1}, none{0, 0, 0};
  return homogeneous::velocity_matrix(joint == 3 ? Motion<double>{none, z} : Motion<double>{z, none});
}

std::vector<ArmState> random_states(const Model& model, int count) {
  std::mt19937_64 generator(1996);
  std::vector<ArmState> states(static_cast<std::size_t>(count));
  for (ArmState& state : states) {
    state.q = random_position(model, generator);
    state.v = random_velocity(model, generator, 2.0);
    state.a = random_velocity(model, generator, 5.0);
  }
  return states;
}

std::vector<Dual4> along(const std::vector<double>& q, const std::vector<double>& v) {
  std::vector<Dual4> moving(q.size());
  for (std::size_t k = 0; k < q.size(); ++k) moving[k] = Dual4(q[k]) + Dual4::variable(0.0, 0) * Dual4(v[k]);
  return moving;
}

std::vector<Dual4> varied(const std::vector<double>& q, std::size_t m) {
  std::vector<double> unit(q.size(), 0.0);
  unit[m - 1] = 1.0;
  return along(q, unit);
}

Matrix rate_of(const homogeneous::Matrix4<Dual4>& A) {
  Matrix rate = Matrix::zero();
  for (std::size_t k = 0; k < rate.e.size(); ++k) rate.e[k] = A.e[k].d[0];
  return rate;
}

}  // namespace ulna::reproduction

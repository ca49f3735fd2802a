// The numbers of the independent reference (test/golden/README.md), at the accuracy it states.
#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/tolerance.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna {
namespace {

using test::golden;
using test::list;
using Json = nlohmann::json;

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << "[" << i << "]";
}

std::vector<double> flat(const Json& rows) {
  std::vector<double> out;
  for (std::size_t j = 0; j < rows[0].size(); ++j)
    for (const Json& row : rows) out.push_back(row[j]);
  return out;
}

/// Everything the library says about one state.
struct Answers {
  std::vector<double> M, h, g, tau, a_articulated, a_composite;
};

Answers answers(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                const std::vector<double>& a, const std::vector<double>& tau) {
  const auto n = static_cast<std::size_t>(model.nv());
  Answers r{std::vector<double>(n * n), std::vector<double>(n), std::vector<double>(n),
            std::vector<double>(n),     std::vector<double>(n), std::vector<double>(n)};
  newton_euler::Workspace<double> ne(model);
  composite_body::Workspace<double> cb(model);
  articulated_body::Workspace<double> ab(model);
  composite_body::mass_matrix(model, cb, q, {r.M.data(), model.nv(), model.nv()});
  newton_euler::bias(model, ne, q, v, r.h);
  newton_euler::gravity(model, ne, q, r.g);
  newton_euler::inverse_dynamics(model, ne, q, v, a, r.tau);
  articulated_body::forward_dynamics(model, ab, q, v, tau, r.a_articulated);
  composite_body::forward_dynamics(model, cb, q, v, tau, r.a_composite);
  return r;
}

/// The reference is good to 1e-14 relative; rounding of ours by the derived tolerance.
double accuracy(const std::vector<double>& reference, double ours) { return 1e-14 * test::largest(reference) + ours; }

class Golden000 : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Golden000, States) {
  const auto [key, robot] = GetParam();
  const Json data = golden("000_states")[key];
  const Model model = load(robot);
  for (const Json& state : data["states"]) {
    const auto q = list(state["q"]), v = list(state["qd"]), a = list(state["qdd"]), tau = list(state["tau_fd"]);
    const Answers r = answers(model, q, v, a, tau);
    const test::StateScale scale = test::scale_of(model, q, v, a);
    const double torque = test::torque_tolerance(model, scale, 2.3e-16);
    expect_near(r.M, flat(state["M"]), accuracy(r.M, torque), "M");
    expect_near(r.h, list(state["h"]), accuracy(r.h, torque), "h");
    expect_near(r.g, list(state["gravity"]), accuracy(r.g, torque), "gravity");
    expect_near(r.tau, list(state["tau"]), accuracy(r.tau, torque), "tau");
    const auto qdd = list(state["qdd_fd"]);
    // For the indefinite matrix of the printed PUMA the condition is that of its eigenvalues' sizes.
    const double condition = std::isfinite(scale.condition) ? scale.condition : 1e4;
    const double acceleration = 2.3e-14 * model.nv() * condition * test::largest(qdd);
    expect_near(r.a_articulated, qdd, acceleration, "articulated_body");
    expect_near(r.a_composite, qdd, acceleration, "composite_body");
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    const Pose<double> tip = kinematics.pose(model.tip());
    expect_near({tip.p.x, tip.p.y, tip.p.z}, list(state["tip_position"]), 1e-14, "tip position");
    const Mat3<double>& R = tip.R;
    expect_near({R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz}, flat(state["tip_rotation"]), 1e-14,
                "tip rotation");
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, Golden000,
                         ::testing::Values(std::pair{"planar3", "planar3r"}, std::pair{"stanford", "stanford"},
                                           std::pair{"puma_abs", "puma560"},
                                           std::pair{"puma_printed", "puma560_printed"}),
                         [](const auto& robot) { return std::string(robot.param.second); });

Vec3<double> vec(const Json& j) { return {j[0], j[1], j[2]}; }

/// The file gives base velocities and accelerations in world axes, classical; ours are spatial, in
/// the base's own axes: u = Rᵀ v, u̇ = Rᵀ(v̇ − ω × v).
TEST(Golden001, FreeFloatingStates) {
  const Json data = golden("001_states");
  const Model model = load("satellite_arm");
  ASSERT_EQ(model.nv(), 13);
  for (const Json& state : data["states"]) {
    const Json& quaternion = state["quat_wxyz"];
    std::vector<double> q = list(state["p0"]);
    for (const int k : {1, 2, 3, 0}) q.push_back(quaternion[static_cast<std::size_t>(k)]);
    const Mat3<double> R = rotation_of(Quaternion<double>{q[3], q[4], q[5], q[6]});
    const auto own = [&](const Vec3<double>& w) { return transpose_times(R, w); };
    const Vec3<double> w0 = vec(state["w0"]), v0 = vec(state["v0"]);
    std::vector<double> v, a, tau;
    const auto append = [](std::vector<double>& out, const Vec3<double>& x) {
      for (const double component : {x.x, x.y, x.z}) out.push_back(component);
    };
    append(v, own(w0));
    append(v, own(v0));
    append(a, own(vec(state["wd0"])));
    append(a, own(vec(state["vd0"]) - cross(w0, v0)));
    append(tau, own(vec(state["n0"])));
    append(tau, own(vec(state["f0"])));
    for (const auto& [out, key] : {std::pair{&v, "qd"}, std::pair{&a, "qdd"}, std::pair{&tau, "tau"}}) {
      const auto values = list(state[key]);
      out->insert(out->end(), values.begin(), values.end());
    }
    const auto joints = list(state["q"]);
    q.insert(q.end(), joints.begin(), joints.end());
    const Answers r = answers(model, q, v, a, tau);
    const test::StateScale scale = test::scale_of(model, q, v, a);
    const double torque = 1e-13 * scale.torque;
    expect_near(r.tau, tau, torque, "inverse dynamics");
    expect_near(r.a_articulated, a, 1e-13 * scale.condition * test::largest(a), "articulated_body");
    expect_near(r.a_composite, a, 1e-13 * scale.condition * test::largest(a), "composite_body");
  }
}

TEST(Golden003, InverseDynamicsAtRandomStates) {
  const Json data = golden("003_inverse");
  const Model model = load("kuka_lwr4");
  int compared = 0;
  for (const Json& state : data["random_states"]) {
    const auto q = list(state["q"]), v = list(state["qd"]), a = list(state["qdd"]);
    const Answers r = answers(model, q, v, a, list(state["tau"]));
    const test::StateScale scale = test::scale_of(model, q, v, a);
    expect_near(r.tau, list(state["tau"]), 1e-13 * scale.torque, "tau");
    expect_near(r.a_articulated, a, 1e-13 * scale.condition * test::largest(a), "articulated_body");
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

/// Eqs (28)–(29) of the paper: the motion along which the torques were computed.
TEST(Golden003, TorquesAlongTheTrajectory) {
  const Json data = golden("003_inverse");
  const Model model = load("kuka_lwr4");
  newton_euler::Workspace<double> ws(model);
  const auto times = list(data["t_fine"]);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double w = 2.0 * M_PI / 14.0, t = times[k];
    const double amplitude = M_PI / 2.0;
    std::vector<double> q(7, amplitude * std::cos(w * t)), v(7, -amplitude * w * std::sin(w * t)),
        a(7, -amplitude * w * w * std::cos(w * t)), tau(7);
    newton_euler::inverse_dynamics(model, ws, q, v, a, tau);
    expect_near(tau, list(data["tau_fine"][k]), 1e-12, "tau");
  }
}

}  // namespace
}  // namespace ulna

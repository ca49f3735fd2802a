// homogeneous against the classical formulations, the reference numbers of the paper's Stanford arm,
// and joint actions in closed form.
#include <gtest/gtest.h>

#include <map>

#include "support/golden.hpp"
#include "support/scalar_cases.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using homogeneous::Matrix4;
using test::ScalarCase;
using Json = nlohmann::json;

constexpr std::uint64_t seed = 1999;
constexpr int states = 20;

/// The bundled robots that are serial arms of one-degree joints, and random ones with screws.
std::vector<Graph> arms() {
  const MethodInfo serial{"homogeneous", "", Scope{false, false, false}, {}};
  std::vector<Graph> result;
  for (Graph& graph : test::test_robots())
    if (serial.refusal(build(graph)).empty()) result.push_back(std::move(graph));
  for (std::uint64_t s = 41; s <= 46; ++s)
    result.push_back(test::random_robot({.bodies = 7, .only_one_degree = true, .passive = true}, s));
  return result;
}

struct State {
  std::vector<double> q, v, a;
  std::vector<Force<double>> external;

  State(const Model& model, std::mt19937_64& generator)
      : q(random_position(model, generator)),
        v(random_velocity(model, generator, 2.0)),
        a(random_velocity(model, generator, 3.0)) {
    for (int i = 0; i < model.body_count(); ++i)
      external.push_back({test::random_vector(generator, 1.0), test::random_vector(generator, 1.0)});
  }
};

template <class T>
std::vector<Force<T>> spread(const std::vector<Force<double>>& wrenches) {
  std::vector<Force<T>> out;
  for (const Force<double>& w : wrenches) out.push_back({cast<T>(w.moment), cast<T>(w.force)});
  return out;
}

/// Largest deviation over tolerance per quantity, to be printed and compared with one.
using Deviations = std::map<std::string, double>;

template <class T>
void note(Deviations& deviations, const char* cell, const std::vector<T>& got, const std::vector<double>& want,
          double tolerance) {
  double& worst = deviations[cell];
  for (std::size_t i = 0; i < want.size(); ++i)
    for (int k = 0; k < ScalarCase<T>::lanes; ++k) {
      const double off = std::fabs(ScalarCase<T>::lane(got[i], k) - want[i]) / tolerance;
      worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(worst, off);
    }
}

/// The classical answers in double, all under external wrenches.
struct Classical {
  std::vector<double> tau, g, M, C;

  Classical(const Model& model, const State& s) : tau(s.v.size()), g(tau), M(tau.size() * tau.size()), C(tau) {
    composite_body::Workspace<double> ws(model);
    newton_euler::inverse_dynamics(model, ws.bias, s.q, s.v, s.a, tau, s.external);
    newton_euler::gravity(model, ws.bias, s.q, g);
    newton_euler::bias(model, ws.bias, s.q, s.v, C, s.external);
    add_passive_forces<double>(model, s.q, s.v, -1.0, C);
    composite_body::mass_matrix(model, ws, s.q, {M.data(), model.nv(), model.nv()});
  }
};

template <class T>
void compare(const Graph& graph, const Model& model, const State& s, Deviations& deviations) {
  const double epsilon = ScalarCase<T>::epsilon;
  const Classical want(model, s);
  const test::StateScale scale = test::scale_of(model, s.q, s.v, s.a);
  const double torque = test::torque_tolerance(model, scale, epsilon);
  const auto q = test::spread<T>(s.q), v = test::spread<T>(s.v), a = test::spread<T>(s.a),
             tau = test::spread<T>(want.tau);
  const auto external = spread<T>(s.external);
  std::vector<T> out(v.size()), M(v.size() * v.size());
  homogeneous::Workspace<T> ws(model);
  homogeneous::inverse_dynamics(model, ws, q, v, a, out, external);
  note(deviations, "id", out, want.tau, torque);
  homogeneous::gravity(model, ws, q, out);
  note(deviations, "g", out, want.g, torque);
  homogeneous::velocity_and_gravity(model, ws, q, v, out, external);
  note(deviations, "C", out, want.C, torque);
  homogeneous::mass_matrix(model, ws, q, {M.data(), model.nv(), model.nv()});
  note(deviations, "M", M, want.M, 4.0 * epsilon * model.nv() * test::largest(want.M));
  if (!test::is_positive_definite(graph) || scale.condition * epsilon > 0.01) return;
  homogeneous::forward_dynamics(model, ws, q, v, tau, out, external);
  note(deviations, "fd", out, s.a, test::acceleration_tolerance(model, scale, epsilon));
}

template <class T>
class Homogeneous : public ::testing::Test {};
TYPED_TEST_SUITE(Homogeneous, test::AllScalars);

TYPED_TEST(Homogeneous, AgreesWithTheClassics) {
  std::printf("seed %llu, %d states; largest deviation as a share of its tolerance\n",
              static_cast<unsigned long long>(seed), states);
  std::map<JointKind, int> kinds;
  for (const Graph& graph : arms()) {
    const Model model = build(graph);
    for (const Body& body : model.bodies()) ++kinds[body.kind];
    std::mt19937_64 generator(seed);
    Deviations deviations;
    for (int k = 0; k < states; ++k) compare<TypeParam>(graph, model, State(model, generator), deviations);
    std::printf("  %-20s", graph.name.c_str());
    for (const auto& [cell, worst] : deviations) {
      std::printf("  %s %.1e", cell.c_str(), worst);
      EXPECT_LT(worst, 1.0) << graph.name << " " << cell;
    }
    std::printf("\n");
  }
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw}) EXPECT_GT(kinds[kind], 5);
}

TEST(HomogeneousDerivatives, AgreeWithTheClassics) {
  for (const Graph& graph : arms()) {
    const Model model = build(graph);
    std::mt19937_64 generator(seed);
    const State s(model, generator);
    auto q = test::spread<Dual4>(s.q), v = test::spread<Dual4>(s.v), a = test::spread<Dual4>(s.a);
    q[0] = Dual4::variable(s.q[0], 0);
    q.back() = Dual4::variable(s.q.back(), 1);
    v[0] = Dual4::variable(s.v[0], 2);
    a.back() = Dual4::variable(s.a.back(), 3);
    std::vector<Dual4> tau(v.size()), want(v.size());
    newton_euler::Workspace<Dual4> reference(model);
    homogeneous::Workspace<Dual4> ws(model);
    newton_euler::inverse_dynamics(model, reference, q, v, a, want);
    homogeneous::inverse_dynamics(model, ws, q, v, a, tau);
    const double tolerance = test::torque_tolerance(model, test::scale_of(model, s.q, s.v, s.a), 2.3e-16);
    for (std::size_t i = 0; i < tau.size(); ++i)
      for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(tau[i].d[k], want[i].d[k], tolerance) << graph.name;
  }
}

// The paper's Stanford arm -------------------------------------------------------------------

Vec3<double> vec(const Json& j) { return {j[0], j[1], j[2]}; }

/// Standard DH: joint i about z of frame i−1, then T = Rz(θ) Tz(b) Rx(α) to the frame at its end.
Graph stanford(const Json& data) {
  Graph graph;
  graph.name = "stanford_004";
  graph.gravity = vec(data["gravity"]);
  graph.bodies.push_back({"link0", {}, {}, {}});
  const Json& parameters = data["parameters"];
  const std::string kinds = data["kinds"];
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const double b = i == 1 ? data["d2"].get<double>() : i == 3 ? data["d4"].get<double>() : 0.0;
    const double alpha = data["alpha_deg"][i].get<double>() / 90.0;  // −1, 0 or 1 right angles
    const double c = alpha == 0.0 ? 1.0 : 0.0;
    GraphJoint joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.kind = kinds[i] == 'P' ? JointKind::prismatic : JointKind::revolute;
    joint.parent = graph.bodies.back().name;
    joint.child = "link" + std::to_string(i + 1);
    joint.in_child = inverse(Pose<double>{{1, 0, 0, 0, c, -alpha, 0, alpha, c}, {0, 0, b}});
    const Vec3<double> I = vec(parameters["I"][i]);
    graph.bodies.push_back(
        {joint.child, {parameters["m"][i], vec(parameters["com"][i]), {I.x, I.y, I.z, 0, 0, 0}}, {}, {}});
    graph.joints.push_back(joint);
  }
  return graph;
}

class Golden004 : public ::testing::Test {
 protected:
  Golden004() : data(test::golden("004_stanford")), graph(stanford(data)), model(build(graph)), ws(model) {}
  void TearDown() override {
    for (const auto& [what, off] : deviations) std::printf("  %-12s largest deviation %.1e\n", what.c_str(), off);
  }

  /// At the reference's accuracy, 1e-13 of the largest element.
  void expect(const std::vector<double>& got, const std::vector<double>& want, const std::string& what) {
    ASSERT_EQ(got.size(), want.size());
    const double size = std::max(1.0, test::largest(want));
    for (std::size_t k = 0; k < got.size(); ++k) {
      EXPECT_NEAR(got[k], want[k], 1e-13 * size) << what << "[" << k << "]";
      deviations[what] = std::max(deviations[what], std::fabs(got[k] - want[k]) / size);
    }
  }
  void expect_matrix(const Matrix4<double>& got, const Json& rows, const std::string& what) {
    std::vector<double> want;
    for (const Json& row : rows)
      for (const Json& x : row) want.push_back(x);
    expect(std::vector<double>(got.e.begin(), got.e.end()), want, what);
  }

  Json data;
  Graph graph;
  Model model;
  homogeneous::Workspace<double> ws;
  Deviations deviations;
};

TEST_F(Golden004, PseudoInertia) {
  for (std::size_t i = 0; i < 6; ++i) {
    const MassData& m = graph.bodies[i + 1].mass;
    expect_matrix(homogeneous::pseudo_inertia(RigidInertia<double>::from_centre(m.mass, m.com, m.inertia)),
                  data["J_local"][i], "J_i(i)");
  }
}

TEST_F(Golden004, MatricesOfNewtonAndEuler) {
  for (const Json& state : data["states"]) {
    const auto q = test::list(state["q"]), v = test::list(state["qd"]), a = test::list(state["qdd"]);
    std::vector<double> tau(6);
    homogeneous::inverse_dynamics(model, ws, q, v, a, tau);
    expect(tau, test::list(state["tau"]), "tau");
    double kinetic = 0.0, potential = 0.0;
    const auto Hg_0 = homogeneous::gravity_matrix(model.gravity());
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& link = ws.links[i];
      const Frame& outer_end = *model.find_frame("link" + std::to_string(i + 1));  // the paper's frame i
      ASSERT_EQ(outer_end.body, static_cast<int>(i));
      expect_matrix(link.M_0 * homogeneous::position_matrix(outer_end.pose), state["M_0i"][i], "M_0,i");
      expect_matrix(link.L_0, state["L_0"][i], "L_i(0)");
      expect_matrix(link.W_0, state["W_0i"][i], "W_0,i(0)");
      expect_matrix(link.H_0, state["H_0i"][i], "H_0,i(0)");
      expect_matrix(link.J_0, state["J_0"][i], "J_i(0)");
      expect_matrix(link.Psi_0, state["Psi"][i], "Psi_i(0)");
      kinetic += 0.5 * homogeneous::trace(link.W_0 * link.J_0 * transpose(link.W_0));  // (8)
      potential -= homogeneous::trace(Hg_0 * link.J_0);                                // (9)
    }
    expect({kinetic}, {state["kinetic"].get<double>()}, "kinetic");
    expect({potential}, {state["potential"].get<double>()}, "potential");
  }
}

TEST_F(Golden004, MatricesOfLagrange) {
  for (const Json& state : data["states"]) {
    const auto q = test::list(state["q"]), v = test::list(state["qd"]), a = test::list(state["qdd"]);
    std::vector<double> M(36), C(6), g(6), back(6), rows;
    for (const Json& row : state["massmatrix"])
      for (const Json& x : row) rows.push_back(x);
    homogeneous::mass_matrix(model, ws, q, {M.data(), 6, 6});
    expect(M, rows, "mass matrix");
    homogeneous::velocity_and_gravity(model, ws, q, v, C);
    expect(C, test::list(state["C_vector"]), "C");
    homogeneous::gravity(model, ws, q, g);
    expect(g, test::list(state["gravity"]), "gravity");
    homogeneous::forward_dynamics(model, ws, q, v, test::list(state["tau"]), back);
    const double tolerance = test::acceleration_tolerance(model, test::scale_of(model, q, v, a), 2.3e-16);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(back[k], a[k], tolerance);
  }
}

// Joint actions ------------------------------------------------------------------------------

void expect_near(const Vec3<double>& got, const Vec3<double>& want, double tolerance, const std::string& what) {
  EXPECT_NEAR(got.x, want.x, tolerance) << what;
  EXPECT_NEAR(got.y, want.y, tolerance) << what;
  EXPECT_NEAR(got.z, want.z, tolerance) << what;
}

/// A body frame in the world.
Pose<double> in_world(const Kinematics<double>& kinematics, int body) {
  return kinematics.pose(Frame{"", body, Pose<double>::identity()});
}

/// Sum of the weights outside a joint, as a wrench at its origin in world axes.
Force<double> weight_outside(const Model& model, const Kinematics<double>& kinematics, int joint) {
  Force<double> sum = Force<double>::zero();
  const Vec3<double> origin = in_world(kinematics, joint).p;
  for (int h = joint; h < model.body_count(); ++h) {
    const Vec3<double> weight = model.bodies()[static_cast<std::size_t>(h)].inertia.mass * model.gravity();
    sum += Force<double>{cross(in_world(kinematics, h) * model.com(h) - origin, weight), weight};
  }
  return sum;
}

TEST(JointActions, AtRestCarryTheWeightOutside) {
  for (const Graph& graph : arms()) {
    const Model model = build(graph);
    std::mt19937_64 generator(seed);
    const State s(model, generator);
    const std::vector<double> zero(s.v.size(), 0.0);
    homogeneous::Workspace<double> ws(model);
    std::vector<Force<double>> actions(s.v.size());
    homogeneous::joint_actions(model, ws, s.q, zero, zero, actions);
    Kinematics<double> kinematics(model);
    kinematics.update_positions(s.q);
    const double tolerance = test::torque_tolerance(model, test::scale_of(model, s.q, zero, zero), 2.3e-16);
    for (int i = 0; i < model.body_count(); ++i) {
      const Force<double> want = weight_outside(model, kinematics, i), got = actions[static_cast<std::size_t>(i)];
      const Mat3<double> R = in_world(kinematics, i).R;
      expect_near(R * got.force, -want.force, tolerance, graph.name + " force");
      expect_near(R * got.moment, -want.moment, tolerance, graph.name + " moment");
    }
  }
}

/// One link that hangs straight down: the bearing pulls up with m g and nothing else.
TEST(JointActions, OfAHangingLink) {
  Graph graph;
  graph.name = "pendulum";
  graph.bodies = {{"base", {}, {}, {}}, {"bob", {3.0, {0, 0, -0.5}, {0.1, 0.1, 0.02, 0, 0, 0}}, {}, {}}};
  GraphJoint joint;
  joint.name = "pivot";
  joint.parent = "base";
  joint.child = "bob";
  joint.axis = {0, 1, 0};
  graph.joints = {joint};
  const Model model = build(graph);
  homogeneous::Workspace<double> ws(model);
  const std::vector<double> zero(1, 0.0);
  const auto up_in_body = [&](const std::vector<double>& q) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    return transpose_times(in_world(kinematics, 0).R, Vec3<double>{0, 0, 1});
  };
  std::vector<Force<double>> action(1);
  homogeneous::joint_actions(model, ws, zero, zero, zero, action);
  expect_near(action[0].force, (3.0 * 9.81) * up_in_body(zero), 1e-14, "force");
  expect_near(action[0].moment, {0, 0, 0}, 1e-14, "moment");
  // Swinging through that position it pulls with m (g + l ω²).
  const std::vector<double> swing(1, 2.0);
  homogeneous::joint_actions(model, ws, zero, swing, zero, action);
  expect_near(action[0].force, (3.0 * (9.81 + 0.5 * 4.0)) * up_in_body(zero), 1e-14, "force");
}

TEST(JointActions, ComponentOnTheJointIsTheTorque) {
  for (const Graph& graph : arms()) {
    const Model model = build(graph);
    std::mt19937_64 generator(seed);
    const State s(model, generator);
    homogeneous::Workspace<double> ws(model);
    std::vector<Force<double>> actions(s.v.size());
    std::vector<double> tau(s.v.size());
    homogeneous::joint_actions(model, ws, s.q, s.v, s.a, actions, s.external);
    newton_euler::Workspace<double> reference(model);
    newton_euler::inverse_dynamics(model, reference, s.q, s.v, s.a, tau, s.external);
    add_passive_forces<double>(model, s.q, s.v, -1.0, tau);
    const double tolerance = test::torque_tolerance(model, test::scale_of(model, s.q, s.v, s.a), 2.3e-16);
    for (std::size_t i = 0; i < tau.size(); ++i) {
      const Body& body = model.bodies()[i];
      const double pitch = body.kind == JointKind::screw ? body.joint.pitch : 0.0;
      const double on_axis =
          body.kind == JointKind::prismatic ? actions[i].force.z : actions[i].moment.z + pitch * actions[i].force.z;
      EXPECT_NEAR(on_axis, tau[i] - model.armature()[i] * s.a[i], tolerance) << graph.name;
      // All six components: newton_euler keeps the same wrench about the body's origin.
      expect_near(actions[i].moment, reference.wrench[i].moment, tolerance, graph.name + " moment");
      expect_near(actions[i].force, reference.wrench[i].force, tolerance, graph.name + " force");
    }
  }
}

/// An action on the end effector is the same as the wrench at its body's mass centre, and is felt
/// by every joint with the opposite sign.
TEST(JointActions, CarryTheActionOnTheEndEffector) {
  const Force<double> on_tip{{0.4, -0.3, 0.7}, {5.0, -2.0, 3.0}};
  for (const Graph& graph : arms()) {
    const Model model = build(graph);
    std::mt19937_64 generator(seed);
    const State s(model, generator);
    Kinematics<double> kinematics(model);
    kinematics.update_positions(s.q);
    const int body = model.tip().body;
    ASSERT_GE(body, 0);
    const Pose<double> tip = kinematics.pose(model.tip());
    const Vec3<double> f = tip.R * on_tip.force, arm = tip.p - in_world(kinematics, body) * model.com(body);
    std::vector<Force<double>> external(s.v.size(), Force<double>::zero());
    external[static_cast<std::size_t>(body)] = {tip.R * on_tip.moment + cross(arm, f), f};

    const std::size_t n = s.v.size();
    std::vector<double> tau(n), want(n), C(n), C_want(n), a(n);
    homogeneous::Workspace<double> ws(model);
    newton_euler::Workspace<double> reference(model);
    homogeneous::inverse_dynamics(model, ws, s.q, s.v, s.a, tau, {}, on_tip);
    newton_euler::inverse_dynamics(model, reference, s.q, s.v, s.a, want, external);
    homogeneous::velocity_and_gravity(model, ws, s.q, s.v, C, {}, on_tip);
    homogeneous::velocity_and_gravity(model, ws, s.q, s.v, C_want, external);
    const test::StateScale scale = test::scale_of(model, s.q, s.v, s.a);
    const double tolerance = test::torque_tolerance(model, scale, 2.3e-16);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(tau[i], want[i], tolerance) << graph.name;
      EXPECT_NEAR(C[i], C_want[i], tolerance) << graph.name;
    }
    if (!test::is_positive_definite(graph)) continue;
    homogeneous::forward_dynamics(model, ws, s.q, s.v, tau, a, {}, on_tip);
    const double accelerations = test::acceleration_tolerance(model, scale, 2.3e-16);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(a[i], s.a[i], accelerations) << graph.name;
  }
}

// The matrices themselves --------------------------------------------------------------------

TEST(Matrix4Laws, PowerAndInverseDoNotDependOnTheFrame) {
  std::mt19937_64 generator(seed);
  for (int k = 0; k < 20; ++k) {
    const Pose<double> pose = test::random_pose(generator);
    const Motion<double> m{test::random_vector(generator, 1.0), test::random_vector(generator, 1.0)};
    const Force<double> f{test::random_vector(generator, 1.0), test::random_vector(generator, 1.0)};
    const auto M = homogeneous::position_matrix(pose);
    const auto W = homogeneous::velocity_matrix(m), Phi = homogeneous::action_matrix(f);
    EXPECT_NEAR(pseudo_product(Phi, W), dot(f, m), 1e-15);
    EXPECT_NEAR(pseudo_product(refer_action(M, Phi), refer_motion(M, W)), dot(f, m), 1e-14);
    const Force<double> outer = force_of(refer_action(M, Phi)), want = pose.to_outer(f);
    expect_near(outer.moment, want.moment, 1e-15, "moment");
    expect_near(outer.force, want.force, 1e-15, "force");
    const auto one = M * inverse_position(M);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(one.e[i], Matrix4<double>::identity().e[i], 1e-15);
  }
}

TEST(HomogeneousScope, IsRefusedInWords) {
  const auto message = [](const Model& model) -> std::string {
    try {
      homogeneous::Workspace<double> ws(model);
    } catch (const InputError& e) {
      return e.findings().front().reason;
    }
    return "accepted";
  };
  EXPECT_EQ(message(load("satellite_arm")), "homogeneous is for arms on a fixed base, and this one floats");
  EXPECT_EQ(message(build(test::random_robot({.bodies = 9, .branched = true, .only_one_degree = true}, 3))),
            "homogeneous is for serial arms, and this robot branches");
}

/// Frame (0) stands at the first joint: an arm far from the world's origin loses no digits.
TEST(HomogeneousFrames, BaseFarFromTheOriginChangesNothing) {
  Graph graph = load_graph("puma560");
  const Model near = build(graph);
  for (GraphJoint& joint : graph.joints)
    if (joint.parent == graph.bodies[0].name) joint.in_parent.p += Vec3<double>{1024.0, -2048.0, 4096.0};
  const Model far = build(graph);
  std::mt19937_64 generator(seed);
  const State s(near, generator);
  std::vector<double> here(6), there(6);
  homogeneous::Workspace<double> ws_near(near), ws_far(far);
  homogeneous::inverse_dynamics(near, ws_near, s.q, s.v, s.a, here);
  homogeneous::inverse_dynamics(far, ws_far, s.q, s.v, s.a, there);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(here[k], there[k], 1e-12 * test::largest(here));
}

}  // namespace
}  // namespace ulna

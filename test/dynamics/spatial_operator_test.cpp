// spatial_operator against the classical formulations, against the paper's explicit matrices and
// against the golden numbers of paper 003.
#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/scalar_cases.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/spatial_operator/explicit_matrices.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using test::ScalarCase;

constexpr std::uint64_t seed = 2015;
constexpr int states = 20;

/// Bundled and random serial arms of one-degree joints, with and without friction.
std::vector<Graph> serial_robots() {
  std::vector<Graph> robots;
  for (Graph& graph : test::test_robots()) {
    const Model model = build(graph);
    if (model.is_serial() && model.nv() == model.body_count()) robots.push_back(std::move(graph));
  }
  for (std::uint64_t k = 1; k <= 4; ++k)
    robots.push_back(test::random_robot({.bodies = 7, .only_one_degree = true, .passive = true}, 300 + k));
  return robots;
}

struct State {
  std::vector<double> q, v, a;
  std::vector<Force<double>> external;

  State(const Model& model, std::mt19937_64& generator)
      : q(random_position(model, generator)),
        v(random_velocity(model, generator, 2.0)),
        a(random_velocity(model, generator, 3.0)) {
    for (int k = 0; k < model.body_count(); ++k) {
      const Vec3<double> moment = test::random_vector(generator, 3.0);
      external.push_back({moment, test::random_vector(generator, 5.0)});
    }
  }
};

template <class T>
std::vector<Force<T>> spread(const std::vector<Force<double>>& wrenches) {
  std::vector<Force<T>> out;
  for (const Force<double>& w : wrenches) out.push_back({cast<T>(w.moment), cast<T>(w.force)});
  return out;
}

/// What the classical formulations say about a state.
struct Reference {
  std::vector<double> tau, M, cv, g, Q;
  double torque, acceleration;  // tolerances
  bool solvable;

  Reference(const Graph& graph, const Model& model, const State& s, double epsilon)
      : tau(s.v.size()), M(tau.size() * tau.size()), cv(tau), g(tau), Q(tau) {
    newton_euler::Workspace<double> ne(model);
    composite_body::Workspace<double> cb(model);
    newton_euler::inverse_dynamics(model, ne, s.q, s.v, s.a, tau, s.external);
    newton_euler::inverse_dynamics(model, ne, s.q, s.v, s.a, Q);
    for (std::size_t k = 0; k < tau.size(); ++k) Q[k] = tau[k] - Q[k];
    newton_euler::coriolis_force(model, ne, s.q, s.v, cv);
    newton_euler::gravity(model, ne, s.q, g);
    composite_body::mass_matrix(model, cb, s.q, {M.data(), model.nv(), model.nv()});
    test::StateScale scale = test::scale_of(model, s.q, s.v, s.a);
    scale.torque += test::largest(Q);
    torque = test::torque_tolerance(model, scale, epsilon);
    acceleration = test::acceleration_tolerance(model, scale, epsilon);
    solvable = test::is_positive_definite(graph) && scale.condition * epsilon < 0.01;
  }
};

/// The largest deviation of any lane, as a share of the tolerance.
template <class T>
double deviation(const std::vector<T>& got, const std::vector<double>& want, double tolerance) {
  double worst = 0.0;
  for (std::size_t i = 0; i < want.size(); ++i)
    for (int k = 0; k < ScalarCase<T>::lanes; ++k) {
      const double off = std::fabs(ScalarCase<T>::lane(got[i], k) - want[i]) / tolerance;
      worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(worst, off);
    }
  return worst;
}

template <class T>
std::vector<T> product(const std::vector<T>& C, const std::vector<T>& v) {
  std::vector<T> cv(v.size(), T(0.0));
  for (std::size_t k = 0; k < v.size(); ++k)
    for (std::size_t i = 0; i < v.size(); ++i) cv[i] += C[k * v.size() + i] * v[k];
  return cv;
}

template <class T>
class SpatialOperator : public ::testing::Test {};
TYPED_TEST_SUITE(SpatialOperator, test::AllScalars);

TYPED_TEST(SpatialOperator, AgreesWithTheClassics) {
  using T = TypeParam;
  std::printf("seed %llu, %d states; largest deviation as a share of its tolerance\n",
              static_cast<unsigned long long>(seed), states);
  for (const Graph& graph : serial_robots()) {
    const Model model = build(graph);
    const int n = model.nv();
    std::mt19937_64 generator(seed);
    spatial_operator::Workspace<T> ws(model);
    double id = 0.0, fd = 0.0, D = 0.0, Cv = 0.0, G = 0.0, Q = 0.0;
    for (int k = 0; k < states; ++k) {
      const State s(model, generator);
      const Reference r(graph, model, s, ScalarCase<T>::epsilon);
      const auto q = test::spread<T>(s.q), v = test::spread<T>(s.v), a = test::spread<T>(s.a);
      const auto tau = test::spread<T>(r.tau);
      const auto external = spread<T>(s.external);
      std::vector<T> out(v.size()), matrix(v.size() * v.size());
      spatial_operator::inverse_dynamics(model, ws, q, v, a, out, external);
      id = std::max(id, deviation(out, r.tau, r.torque));
      spatial_operator::gravity(model, ws, q, out);
      G = std::max(G, deviation(out, r.g, r.torque));
      spatial_operator::external_forces(model, ws, q, external, out);
      Q = std::max(Q, deviation(out, r.Q, r.torque));
      spatial_operator::coriolis_matrix(model, ws, q, v, {matrix.data(), n, n});
      Cv = std::max(Cv, deviation(product(matrix, v), r.cv, r.torque));
      spatial_operator::mass_matrix(model, ws, q, {matrix.data(), n, n});
      D = std::max(D, deviation(matrix, r.M, r.torque));
      if (!r.solvable) continue;
      spatial_operator::forward_dynamics(model, ws, q, v, tau, out, external);
      fd = std::max(fd, deviation(out, s.a, r.acceleration));
    }
    std::printf("  %-20s  id %.1e  fd %.1e  D %.1e  Cv %.1e  G %.1e  Q %.1e\n", graph.name.c_str(), id, fd, D, Cv, G,
                Q);
    EXPECT_LT(std::max({id, fd, D, Cv, G, Q}), 1.0) << graph.name;
  }
}

/// The recursions never form what the paper prints; here it is formed. D and C element by element.
TYPED_TEST(SpatialOperator, EqualsThePapersExplicitMatrices) {
  using T = TypeParam;
  for (const Graph& graph : serial_robots()) {
    const Model model = build(graph);
    const int n = model.nv();
    std::mt19937_64 generator(seed);
    const State s(model, generator);
    const double tolerance = Reference(graph, model, s, ScalarCase<T>::epsilon).torque;
    const auto q = test::spread<T>(s.q), v = test::spread<T>(s.v);
    const auto external = spread<T>(s.external);
    const auto X = spatial_operator::explicit_matrices<T>(model, q, v, external);

    spatial_operator::Workspace<T> ws(model);
    std::vector<T> D(v.size() * v.size()), C(D), G(v.size()), Q(v.size());
    spatial_operator::mass_matrix(model, ws, q, {D.data(), n, n});
    spatial_operator::coriolis_matrix(model, ws, q, v, {C.data(), n, n});
    spatial_operator::gravity(model, ws, q, G);
    spatial_operator::external_forces(model, ws, q, external, Q);

    auto of_links = X.D();
    for (int k = 0; k < n; ++k) of_links(k, k) += T(model.armature()[static_cast<std::size_t>(k)]);
    const auto one = spatial_operator::Dense<T>::identity(6 * n);
    const auto plain = [](const std::vector<T>& x) {
      std::vector<double> out;
      for (const T& element : x) out.push_back(value_of(element));
      return out;
    };
    EXPECT_LT(deviation(D, plain(of_links.data), tolerance), 1.0) << graph.name;
    EXPECT_LT(deviation(C, plain(X.C().data), tolerance), 1.0) << graph.name;
    EXPECT_LT(deviation(G, plain(X.G().data), tolerance), 1.0) << graph.name;
    EXPECT_LT(deviation(Q, plain(X.Q().data), tolerance), 1.0) << graph.name;
    const double rounding = 10.0 * n * ScalarCase<T>::epsilon;  // Φ has lengths of a few metres
    EXPECT_LT(deviation(((one - X.B) * X.Phi).data, plain(one.data), rounding), 1.0) << graph.name;
  }
}

/// Eq. (25) is not the C of Christoffel symbols, but one with which Ḋ − 2C is skew-symmetric.
TEST(SpatialOperatorMatrices, RateOfMassMatrixMinusTwiceCoriolisIsSkew) {
  for (const Graph& graph : serial_robots()) {
    const Model model = build(graph);
    const int n = model.nv();
    std::mt19937_64 generator(seed);
    const State s(model, generator);
    const double tolerance = Reference(graph, model, s, 2.3e-16).torque;
    std::vector<Dual4> q, D(s.v.size() * s.v.size());
    for (std::size_t k = 0; k < s.q.size(); ++k) q.push_back(Dual4(s.q[k]) + Dual4::variable(0.0, 0) * Dual4(s.v[k]));
    spatial_operator::Workspace<Dual4> along(model);
    spatial_operator::mass_matrix(model, along, q, {D.data(), n, n});
    spatial_operator::Workspace<double> ws(model);
    std::vector<double> C(D.size());
    spatial_operator::coriolis_matrix(model, ws, s.q, s.v, {C.data(), n, n});
    const auto N = [&](int i, int j) {
      const auto at = static_cast<std::size_t>(j * n + i);
      return D[at].d[0] - 2.0 * C[at];
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) EXPECT_NEAR(N(i, j) + N(j, i), 0.0, tolerance) << graph.name;
  }
}

std::vector<double> flat(const nlohmann::json& rows) {
  std::vector<double> out;
  for (std::size_t j = 0; j < rows[0].size(); ++j)
    for (const nlohmann::json& row : rows) out.push_back(row[j]);
  return out;
}

TEST(SpatialOperatorGolden, KukaAtRandomStates) {
  const Model model = load("kuka_lwr4");
  const int n = model.nv();
  spatial_operator::Workspace<double> ws(model);
  const auto data = test::golden("003_inverse");
  ASSERT_FALSE(data["random_states"].empty());
  for (const auto& state : data["random_states"]) {
    const auto q = test::list(state["q"]), v = test::list(state["qd"]), a = test::list(state["qdd"]);
    const std::vector<double> still(v.size());
    std::vector<double> D(v.size() * v.size()), out(v.size());
    const auto expect_near = [](const std::vector<double>& got, const std::vector<double>& want, const char* what) {
      const double off = deviation(got, want, 1e-13 * test::largest(want));
      std::printf("  %-4s %.1e of 1e-13\n", what, off);
      EXPECT_LT(off, 1.0) << what;
    };
    spatial_operator::mass_matrix(model, ws, q, {D.data(), n, n});
    expect_near(D, flat(state["M"]), "M");
    spatial_operator::inverse_dynamics(model, ws, q, v, still, out);
    expect_near(out, test::list(state["h"]), "h");
    spatial_operator::inverse_dynamics(model, ws, q, v, a, out);
    expect_near(out, test::list(state["tau"]), "tau");
    spatial_operator::gravity(model, ws, q, out);
    expect_near(out, test::list(state["g_vec"]), "g");
  }
}

/// Erratum 3.2: (22) prints MΦ(ḂΦH + Ḣ − ΩΦH). Newton–Euler says which of the two is right.
TEST(SpatialOperatorErrata, CoriolisOfEquation22IsWrongAndOf25Right) {
  const Model model = load("kuka_lwr4");
  newton_euler::Workspace<double> ne(model);
  const auto random_states = test::golden("003_inverse")["random_states"];
  for (const auto& state : random_states) {
    const auto q = test::list(state["q"]), v = test::list(state["qd"]);
    const auto X = spatial_operator::explicit_matrices(model, q, v);
    const auto& [H, H_dot, B, B_dot, Phi, M, Omega, F_G, F_Q] = X;
    const auto printed = X.project() * M * Phi * (B_dot * Phi * H + H_dot - Omega * Phi * H);
    std::vector<double> cv(v.size());
    newton_euler::coriolis_force(model, ne, q, v, cv);
    EXPECT_LT(deviation(product(X.C().data, v), cv, 1.0), 1e-12);
    EXPECT_GT(deviation(product(printed.data, v), cv, 1.0), 1e-4);
  }
}

TEST(SpatialOperatorScope, BranchesAndFloatingBasesAreRefused) {
  EXPECT_THROW(spatial_operator::Workspace<double>(load("satellite_arm")), InputError);
  const Model branched = build(test::random_robot({.bodies = 9, .branched = true, .only_one_degree = true}, 7));
  ASSERT_FALSE(branched.is_serial());
  EXPECT_THROW(spatial_operator::Workspace<double>{branched}, InputError);
}

}  // namespace
}  // namespace ulna

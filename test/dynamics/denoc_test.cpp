// What is special to DeNOC: U, D and the explicit inverse; the MCI; the planar case; the numbers of
// golden/002. Agreement with the other formulations is in agreement_test.
#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/dynamics/denoc/planar.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using test::list;
using Json = nlohmann::json;

struct Matrices {
  std::vector<double> I, C;
};

Matrices matrices(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  const auto n = static_cast<std::size_t>(model.nv());
  Matrices m{std::vector<double>(n * n), std::vector<double>(n * n)};
  denoc::Workspace<double> ws(model);
  denoc::ConvectiveWorkspace<double> convective(model);
  denoc::mass_matrix(model, ws, q, {m.I.data(), model.nv(), model.nv()});
  denoc::convective_inertia(model, convective, q, v, {m.C.data(), model.nv(), model.nv()});
  return m;
}

void expect_matrix(const std::vector<double>& got, const Json& rows, double tolerance, const char* what) {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(got[j * n + i], rows[i][j], tolerance) << what << i << "," << j;
}

TEST(Denoc, ReverseEliminationGivesUAndD) {
  for (const char* robot : {"puma560", "stanford", "kuka_lwr4", "scara", "chain:12"}) {
    const Model model = load(robot);
    std::mt19937_64 generator(4);
    const auto q = random_position(model, generator);
    const auto n = static_cast<std::size_t>(model.nv());
    const std::vector<double> I = matrices(model, q, std::vector<double>(n, 0.0)).I;
    std::vector<double> work = I, U(n * n), D(n), inverse(n * n);
    denoc::reverse_gaussian_elimination<double>({work.data(), model.nv(), model.nv()},
                                                {U.data(), model.nv(), model.nv()}, D.data());
    denoc::inverse_inertia<double>({U.data(), model.nv(), model.nv()}, D.data(),
                                   {inverse.data(), model.nv(), model.nv()});
    // The m̂_i of the O(n) path are the same diagonal.
    denoc::Workspace<double> ws(model);
    std::vector<double> a(n), zero(n, 0.0);
    denoc::forward_dynamics(model, ws, q, zero, zero, a);
    const double condition = symmetric_condition(I, model.nv());
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(ws.m_hat[i], D[i], 1e-14 * condition * D[i]);
      for (std::size_t j = 0; j < n; ++j) {
        double udu = 0.0, unit = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
          udu += U[k * n + i] * D[k] * U[k * n + j];
          unit += I[k * n + i] * inverse[j * n + k];
        }
        EXPECT_NEAR(udu, I[j * n + i], 1e-14 * test::largest(I)) << robot;
        EXPECT_NEAR(unit, i == j ? 1.0 : 0.0, 1e-14 * condition) << robot;
        if (i > j) {
          EXPECT_EQ(U[j * n + i], 0.0);
        }
      }
    }
  }
}

TEST(Denoc, GoldenSpatialArms) {
  const Json arms = test::golden("002_spatial")["arms"];
  const std::pair<const char*, const char*> robots[] = {
      {"RTX", "rtx"}, {"Stanford3_table_as_printed", "stanford3_printed"}, {"Stanford3_r_corrected", "stanford3"}};
  for (const auto& [key, robot] : robots) {
    const Model model = load(robot);
    for (const Json& state : arms[key]["states"]) {
      const auto q = list(state["q"]), v = list(state["qd"]);
      const Matrices m = matrices(model, q, v);
      const double tolerance = 1e-13 * (1.0 + test::largest(m.I));
      expect_matrix(m.I, state["GIM"], tolerance, "GIM");
      const auto h = list(state["h_velocity"]);
      for (std::size_t i = 0; i < 3; ++i) {  // C is not unique, C θ̇ is (erratum 2.17)
        double sum = 0.0;
        for (std::size_t j = 0; j < 3; ++j) sum += m.C[j * 3 + i] * v[j];
        EXPECT_NEAR(sum, h[i], tolerance);
      }
    }
    // Torques along the cycloid θ = πt/T − sin(2πt/T)/2 (bhangale2004, Figure 6).
    denoc::Workspace<double> ws(model);
    const auto times = list(arms[key]["t_fine"]);
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double w = 2.0 * M_PI / 10.0, t = times[k];
      const std::vector<double> q(3, 0.5 * (w * t - std::sin(w * t))), v(3, 0.5 * w * (1.0 - std::cos(w * t))),
          a(3, 0.5 * w * w * std::sin(w * t));
      std::vector<double> tau(3);
      denoc::inverse_dynamics(model, ws, q, v, a, tau);
      const auto want = list(arms[key]["tau_fine"][k]);
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(tau[i], want[i], 1e-12 * (1.0 + std::fabs(want[i]))) << robot << " t=" << t;
    }
  }
}

TEST(Denoc, GoldenPlanarArms) {
  const Json data = test::golden("002_planar");
  for (const auto& [key, robot] : {std::pair{"RP", "rp"}, std::pair{"PR", "pr"}}) {
    const Model model = load(robot);
    denoc::PlanarArm<double> planar(model);
    for (const Json& row : data[key]["table"]) {
      const auto q = list(row["q"]), v = list(row["qd"]), a = list(row["qdd"]);
      const Matrices m = matrices(model, q, v);
      expect_matrix(m.I, row["GIM"], 1e-13 * (1.0 + test::largest(m.I)), "GIM");
      expect_matrix(m.C, row["MCI"], 1e-13 * (1.0 + test::largest(m.C)), "MCI");
      Matrices p{std::vector<double>(4), std::vector<double>(4)};
      planar.matrices(q, v, {p.I.data(), 2, 2}, {p.C.data(), 2, 2});
      expect_matrix(p.I, row["GIM"], 1e-13 * (1.0 + test::largest(p.I)), "planar GIM");
      expect_matrix(p.C, row["MCI"], 1e-13 * (1.0 + test::largest(p.C)), "planar MCI");
      denoc::Workspace<double> ws(model);
      std::vector<double> tau(2);
      denoc::inverse_dynamics(model, ws, q, v, a, tau);
      const auto want = list(row["tau"]);
      for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(tau[i], want[i], 1e-13 * (1.0 + test::largest(want)));
    }
  }
}

TEST(Denoc, PlanarCaseIsTheSpatialOneInAPlane) {
  for (const char* robot : {"planar2r", "planar3r", "rp", "pr"}) {
    const Model model = load(robot);
    denoc::PlanarArm<double> planar(model);
    std::mt19937_64 generator(5);
    const auto n = static_cast<std::size_t>(model.nv());
    for (int k = 0; k < 20; ++k) {
      const auto q = random_position(model, generator), v = random_velocity(model, generator);
      const Matrices m = matrices(model, q, v);
      std::vector<double> I(n * n), C(n * n);
      planar.matrices(q, v, {I.data(), model.nv(), model.nv()}, {C.data(), model.nv(), model.nv()});
      for (std::size_t e = 0; e < I.size(); ++e) {
        EXPECT_NEAR(I[e], m.I[e], 1e-14 * (1.0 + test::largest(m.I))) << robot;
        EXPECT_NEAR(C[e], m.C[e], 1e-14 * (1.0 + test::largest(m.I))) << robot;
      }
    }
  }
  const Model spatial = load("puma560");
  EXPECT_THROW(denoc::PlanarArm<double>{spatial}, InputError);
}

}  // namespace
}  // namespace ulna

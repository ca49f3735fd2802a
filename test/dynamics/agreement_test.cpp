// Every formulation × robot × scalar against each other: forward dynamics must undo inverse
// dynamics, and every scalar must give what double gives. The largest deviation of each cell,
// relative to its derived tolerance, is printed.
#include <gtest/gtest.h>

#include <map>

#include "support/link_condition.hpp"
#include "support/scalar_cases.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using test::ScalarCase;

constexpr std::uint64_t seed = 1982;
constexpr int states = 200;

struct State {
  std::vector<double> q, v, a;
};

std::vector<State> random_states(const Model& model) {
  std::mt19937_64 generator(seed);
  std::vector<State> result;
  for (int k = 0; k < states; ++k) {
    State s{random_position(model, generator), random_velocity(model, generator, 2.0),
            random_velocity(model, generator, 3.0)};
    result.push_back(std::move(s));
  }
  return result;
}

/// Largest deviation over tolerance per method, to be printed and compared with one.
using Deviations = std::map<std::string, double>;

template <class T>
void note(Deviations& deviations, const std::string& cell, const std::vector<T>& got, const std::vector<double>& want,
          double tolerance) {
  double& worst = deviations[cell];
  for (std::size_t i = 0; i < want.size(); ++i)
    for (int k = 0; k < ScalarCase<T>::lanes; ++k) {
      const double off = std::fabs(ScalarCase<T>::lane(got[i], k) - want[i]) / tolerance;
      worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(worst, off);
    }
}

/// What double says about one state, by the classical formulations.
struct Reference {
  std::vector<double> tau, M, Cv, g;
  test::StateScale scale;
};

Reference reference_of(const Model& model, const State& s) {
  const auto n = static_cast<std::size_t>(model.nv());
  newton_euler::Workspace<double> ne(model);
  composite_body::Workspace<double> cb(model);
  Reference r{std::vector<double>(n), std::vector<double>(n * n), std::vector<double>(n), std::vector<double>(n),
              test::scale_of(model, s.q, s.v, s.a)};
  newton_euler::inverse_dynamics(model, ne, s.q, s.v, s.a, r.tau);
  newton_euler::coriolis_force(model, ne, s.q, s.v, r.Cv);
  newton_euler::gravity(model, ne, s.q, r.g);
  composite_body::mass_matrix(model, cb, s.q, {r.M.data(), model.nv(), model.nv()});
  return r;
}

template <class T>
void compare(const Model& model, const MethodInfo& info, bool solvable, const std::vector<State>& all,
             const std::vector<Reference>& references, Deviations& deviations) {
  const double epsilon = ScalarCase<T>::epsilon;
  const std::string name(info.name);
  const auto n = static_cast<std::size_t>(model.nv());
  const auto method = make_method<T>(info.name, info.gives.front(), model);
  const double link = info.scope.solid_links ? test::link_condition(model) : 1.0;
  std::vector<T> out(n), matrix(n * n);
  const MatrixView<T> view{matrix.data(), model.nv(), model.nv()};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const State& s = all[k];
    const Reference& r = references[k];
    const auto q = test::spread<T>(s.q), v = test::spread<T>(s.v), a = test::spread<T>(s.a),
               tau = test::spread<T>(r.tau);
    const double torque = test::torque_tolerance(model, r.scale, epsilon);
    if (info.can(Quantity::inverse_dynamics)) {
      method->inverse_dynamics(q, v, a, out);
      note(deviations, name + " id", out, r.tau, torque);
    }
    if (info.can(Quantity::mass_matrix)) {
      method->mass_matrix(q, view);
      note(deviations, name + " M", matrix, r.M, torque);
    }
    if (info.can(Quantity::inverse_mass_matrix) && solvable && r.scale.condition * epsilon < 0.01) {
      method->inverse_mass_matrix(q, view);
      for (std::size_t c = 0; c < n; ++c) {  // M M⁻¹ = 1
        std::vector<double> unit(n, 0.0);
        unit[c] = 1.0;
        for (std::size_t i = 0; i < n; ++i) {
          out[i] = T(0.0);
          for (std::size_t j = 0; j < n; ++j) out[i] += T(r.M[j * n + i]) * matrix[c * n + j];
        }
        note(deviations, name + " minv", out, unit, 16.0 * static_cast<double>(n) * epsilon * r.scale.condition);
      }
    }
    for (const Quantity quantity : {Quantity::coriolis_matrix, Quantity::convective_inertia}) {
      if (!info.can(quantity)) continue;
      const bool is_C = quantity == Quantity::coriolis_matrix;
      is_C ? method->coriolis_matrix(q, v, view) : method->convective_inertia(q, v, view);
      for (std::size_t i = 0; i < n; ++i) {  // only the product is unique
        out[i] = T(0.0);
        for (std::size_t j = 0; j < n; ++j) out[i] += matrix[j * n + i] * v[j];
      }
      note(deviations, name + (is_C ? " Cv" : " MCIv"), out, r.Cv, torque);
    }
    if (info.can(Quantity::gravity)) {
      method->gravity(q, out);
      note(deviations, name + " g", out, r.g, torque);
    }
    // Single precision cannot solve what is singular to single precision.
    if (info.can(Quantity::forward_dynamics) && solvable && r.scale.condition * link * epsilon < 0.01) {
      method->forward_dynamics(q, v, tau, out);
      note(deviations, name + " fd", out, s.a, link * test::acceleration_tolerance(model, r.scale, epsilon));
    }
  }
}

template <class T>
class Agreement : public ::testing::Test {};
TYPED_TEST_SUITE(Agreement, test::AllScalars);

TYPED_TEST(Agreement, OfAllFormulationsOnAllRobots) {
  std::printf("seed %llu, %d states; largest deviation as a share of its tolerance\n",
              static_cast<unsigned long long>(seed), states);
  for (const Graph& graph : test::test_robots()) {
    const Model model = build(graph);
    const std::vector<State> all = random_states(model);
    std::vector<Reference> references;
    for (const State& s : all) references.push_back(reference_of(model, s));
    Deviations deviations;
    for (const MethodInfo& info : methods())
      if (info.refusal(model).empty())
        compare<TypeParam>(model, info, test::is_positive_definite(graph), all, references, deviations);
    std::printf("  %-20s", graph.name.c_str());
    for (const auto& [cell, worst] : deviations) {
      std::printf("  %s %.1e", cell.c_str(), worst);
      EXPECT_LT(worst, 1.0) << graph.name << " " << cell;
    }
    std::printf("\n");
  }
}

/// M times the response to f is f again: the second sweep uses the first one's factors as they are.
TEST(ArticulatedBody, ResponseIsTheInverseOfTheMassMatrix) {
  for (const Graph& graph : test::test_robots()) {
    const Model model = build(graph);
    const auto n = static_cast<std::size_t>(model.nv());
    std::mt19937_64 generator(seed);
    articulated_body::Workspace<double> ws(model);
    composite_body::Workspace<double> cb(model);
    std::vector<double> a(n), M(n * n);
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator, 2.0);
      const std::vector<double> f = random_velocity(model, generator, 3.0);
      articulated_body::forward_dynamics(model, ws, q, v, f, a);
      articulated_body::response(model, ws, f, a);
      composite_body::mass_matrix(model, cb, q, {M.data(), model.nv(), model.nv()});
      const double tolerance = 64.0 * 2.2e-16 * static_cast<double>(n) * symmetric_condition(M, model.nv()) * 3.0;
      for (std::size_t r = 0; r < n; ++r) {
        double sum = 0.0;
        for (std::size_t c = 0; c < n; ++c) sum += M[c * n + r] * a[c];
        EXPECT_NEAR(sum, f[r], tolerance) << graph.name;
      }
    }
  }
}

/// What a formulation gives is found from its functions: a function with another list of arguments would be missing
/// here, and in all tests above.
TEST(Registry, KnowsWhatEachFormulationGives) {
  using enum Quantity;
  const std::map<std::string_view, std::vector<Quantity>> want{
      {"newton_euler", {inverse_dynamics, convective_inertia, gravity}},
      {"articulated_body", {forward_dynamics}},
      {"composite_body", {forward_dynamics, mass_matrix, inverse_mass_matrix, coriolis_matrix}},
      {"denoc", {inverse_dynamics, forward_dynamics, mass_matrix, convective_inertia}},
      {"constraint_force", {forward_dynamics}},
      {"spatial_operator", {inverse_dynamics, forward_dynamics, mass_matrix, coriolis_matrix, gravity}},
      {"homogeneous", {inverse_dynamics, forward_dynamics, mass_matrix, gravity}}};
  EXPECT_EQ(methods().size(), want.size());
  for (const MethodInfo& info : methods()) {
    EXPECT_EQ(std::vector<Quantity>(info.gives.begin(), info.gives.end()), want.at(info.name)) << info.name;
    EXPECT_FALSE(info.can(pose));
  }
}

}  // namespace
}  // namespace ulna

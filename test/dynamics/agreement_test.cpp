// Every formulation × robot × scalar against each other: forward dynamics must undo inverse
// dynamics, and every scalar must give what double gives. The largest deviation of each cell,
// relative to its derived tolerance, is printed.
#include <gtest/gtest.h>

#include <map>

#include "support/scalar_cases.hpp"
#include "support/test_robots.hpp"
#include "support/tolerance.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using test::ScalarCase;

constexpr std::uint64_t seed = 1982;
constexpr int states = 40;

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

template <class T>
void compare(const Graph& graph, const Model& model, const std::vector<State>& all, Deviations& deviations) {
  const double epsilon = ScalarCase<T>::epsilon;
  newton_euler::Workspace<double> reference(model);
  for (const State& s : all) {
    std::vector<double> tau(s.v.size());
    newton_euler::inverse_dynamics<double>(model, reference, s.q, s.v, s.a, tau);
    const test::StateScale scale = test::scale_of(model, s.q, s.v, s.a);
    const auto q = test::spread<T>(s.q), v = test::spread<T>(s.v), a = test::spread<T>(s.a), t = test::spread<T>(tau);
    std::vector<T> out(v.size());
    for (const MethodInfo& info : methods()) {
      if (!info.refusal(model).empty()) continue;
      if (info.can(Quantity::inverse_dynamics)) {
        make_method<T>(info.name, Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, out);
        note(deviations, std::string(info.name) + " id", out, tau, test::torque_tolerance(model, scale, epsilon));
      }
      // Single precision cannot solve what is singular to single precision.
      const bool solvable = test::is_positive_definite(graph) && scale.condition * epsilon < 0.01;
      if (info.can(Quantity::forward_dynamics) && solvable) {
        make_method<T>(info.name, Quantity::forward_dynamics, model)->forward_dynamics(q, v, t, out);
        // The torque of single precision is itself rounded: its error passes through M⁻¹ as well.
        const double size = test::largest(s.a) + scale.torque * epsilon;
        note(deviations, std::string(info.name) + " fd", out, s.a,
             test::acceleration_tolerance(model, scale, {size}, epsilon));
      }
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
    Deviations deviations;
    compare<TypeParam>(graph, model, random_states(model), deviations);
    std::printf("  %-20s", graph.name.c_str());
    for (const auto& [cell, worst] : deviations) {
      std::printf("  %s %.1e", cell.c_str(), worst);
      EXPECT_LT(worst, 1.0) << graph.name << " " << cell;
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace ulna

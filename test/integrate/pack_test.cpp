// Packs: every lane goes its own way, as a plain number would.
#include <gtest/gtest.h>

#include <array>

#include "integrate/explicit_tableaux.hpp"
#include "integrate/problems.hpp"
#include "ulna/integrate/paced_runge_kutta.hpp"

namespace ulna {
namespace {

using namespace test;

// Eccentricities far apart: lane 3 needs steps far smaller than lane 0.
constexpr std::array<double, 4> eccentricity{0.0, 0.3, 0.6, 0.9};
constexpr std::array<double, 4> duration{3.0, 1.0, 7.5, 6.0};

struct Lane {
  std::vector<double> y;
  double t;
  StepStatus status;
  IntegratorStatistics statistics;
};

PackDouble packed(const std::array<double, 4>& x) { return PackDouble::load(x.data()); }

std::vector<Lane> run_pack(const Tableau& tableau, const IntegratorOptions& options, int spoilt_lane = -1) {
  Kepler<PackDouble> kepler;
  PacedRungeKutta<PackDouble> driver(tableau, kepler, options);
  std::vector<PackDouble> y(4);
  for (int lane = 0; lane < 4; ++lane) {
    const auto from = ellipse(eccentricity[static_cast<std::size_t>(lane)], 0.0);
    for (std::size_t i = 0; i < 4; ++i) y[i].set(lane, lane == spoilt_lane ? std::nan("") : from[i]);
  }
  driver.start(PackDouble(0.0), y);
  int attempts = 0;
  while (driver.attempt(packed(duration)) && ++attempts < 100000) continue;
  std::vector<Lane> lanes;
  for (int lane = 0; lane < 4; ++lane) {
    std::vector<double> own;
    for (const PackDouble& x : driver.state()) own.push_back(x[lane]);
    lanes.push_back({own, driver.time()[lane], driver.status(lane), driver.statistics(lane)});
  }
  return lanes;
}

Lane run_alone(const Tableau& tableau, const IntegratorOptions& options, std::size_t lane) {
  Kepler<double> kepler;
  PacedRungeKutta<double> driver(tableau, kepler, options);
  driver.start(0.0, ellipse(eccentricity[lane], 0.0));
  while (driver.attempt(duration[lane])) continue;
  return {{driver.state().begin(), driver.state().end()}, driver.time(), driver.status(0), driver.statistics(0)};
}

class Packs : public ::testing::TestWithParam<const Tableau*> {};

/// The same to rounding and not to the bit, for two reasons: compilers fuse products and sums in packs of some widths
/// and not of others, and the norm of a plain state is summed in another order, which changes steps in their last
/// bits. So each step differs by a few roundings of its state, and these grow as on the ellipse.
void expect_same(const Lane& one, const Lane& alone, std::size_t lane) {
  EXPECT_EQ(one.status, StepStatus::ok);
  EXPECT_EQ(one.t, duration[lane]);
  EXPECT_EQ(one.statistics.steps, alone.statistics.steps) << lane;
  EXPECT_EQ(one.statistics.rejected, alone.statistics.rejected) << lane;
  const double rounding = static_cast<double>(alone.statistics.steps) * 8 * eps;
  EXPECT_LT(distance(one.y, alone.y), rounding * growth_on_ellipse(eccentricity[lane], duration[lane])) << lane;
}

TEST_P(Packs, EachLaneGoesAsAPlainNumberWould) {
  const auto fixed = run_pack(*GetParam(), steps_of(0.01));
  for (std::size_t lane = 0; lane < 4; ++lane)
    expect_same(fixed[lane], run_alone(*GetParam(), steps_of(0.01), lane), lane);
  if (GetParam()->embedded_order == 0) return;
  const auto controlled = run_pack(*GetParam(), tolerance(1e-8));
  for (std::size_t lane = 0; lane < 4; ++lane)
    expect_same(controlled[lane], run_alone(*GetParam(), tolerance(1e-8), lane), lane);
  EXPECT_GT(controlled[3].statistics.steps, 2 * controlled[0].statistics.steps);
}

/// Every lane holds the same: the same arithmetic, so the same to the bit.
TEST_P(Packs, LanesDoNotDifferFromEachOther) {
  Kepler<PackDouble> kepler;
  PacedRungeKutta<PackDouble> driver(*GetParam(), kepler, steps_of(0.01));
  std::vector<PackDouble> y;
  for (double x : ellipse(0.3, 0.0)) y.emplace_back(x);
  driver.start(PackDouble(0.0), y);
  while (driver.attempt(packed({1.0, 1.0, 1.0, 0.5}))) continue;
  for (const PackDouble& x : driver.state()) {
    EXPECT_EQ(x[0], x[1]);
    EXPECT_EQ(x[0], x[2]);
    EXPECT_NE(x[0], x[3]);
  }
}

TEST_P(Packs, ALaneThatIsNotFiniteHarmsNoOther) {
  for (const IntegratorOptions& options : {steps_of(0.01), tolerance(1e-8)}) {
    if (GetParam()->embedded_order == 0 && options.fixed_step == 0.0) continue;
    const auto good = run_pack(*GetParam(), options), spoilt = run_pack(*GetParam(), options, 2);
    for (std::size_t lane : {0u, 1u, 3u}) {
      EXPECT_EQ(good[lane].y, spoilt[lane].y);
      EXPECT_EQ(spoilt[lane].status, StepStatus::ok);
    }
    EXPECT_EQ(spoilt[2].status, StepStatus::not_finite);
    EXPECT_EQ(spoilt[2].t, 0.0);
  }
}

/// A lane that begins anew goes as from the beginning, and the others as if nothing had happened.
TEST_P(Packs, ALaneThatBeginsAnewDisturbsNoOther) {
  for (const IntegratorOptions& options : {steps_of(0.01), tolerance(1e-8)}) {
    if (GetParam()->embedded_order == 0 && options.fixed_step == 0.0) continue;
    const auto straight = run_pack(*GetParam(), options);
    Kepler<PackDouble> kepler;
    PacedRungeKutta<PackDouble> driver(*GetParam(), kepler, options);
    std::vector<PackDouble> y(4);
    for (int lane = 0; lane < 4; ++lane) {
      const auto from = ellipse(eccentricity[static_cast<std::size_t>(lane)], 0.0);
      for (std::size_t i = 0; i < 4; ++i) y[i].set(lane, from[i]);
    }
    driver.start(PackDouble(0.0), y);
    for (int attempts = 0; driver.attempt(packed(duration)); ++attempts)
      if (attempts == 3 || attempts == 20 || attempts == 21) driver.start(1, 0.0, ellipse(eccentricity[1], 0.0));
    for (int lane = 0; lane < 4; ++lane) {
      std::vector<double> own;
      for (const PackDouble& x : driver.state()) own.push_back(x[lane]);
      EXPECT_EQ(own, straight[static_cast<std::size_t>(lane)].y) << lane;
    }
  }
}

TEST_P(Packs, InterpolateInTheLanesThatAdvanced) {
  Kepler<PackDouble> kepler;
  PacedRungeKutta<PackDouble> driver(*GetParam(), kepler, steps_of(0.01));
  std::vector<PackDouble> y(4), between(4);
  for (int lane = 0; lane < 4; ++lane) {
    const auto from = ellipse(0.1 * lane, 0.0);
    for (std::size_t i = 0; i < 4; ++i) y[i].set(lane, from[i]);
  }
  driver.start(PackDouble(0.0), y);
  const PackDouble limits = packed({1.0, 0.5, 0.25, 0.105});
  while (driver.attempt(limits)) {
    const PackDouble middle = (driver.previous_time() + driver.time()) * PackDouble(0.5);
    driver.interpolate(middle, between);
    for (int lane = 0; lane < 4; ++lane) {
      if (!driver.advanced(lane)) continue;
      std::vector<double> own;
      for (const PackDouble& x : between) own.push_back(x[lane]);
      // hᵖ⁺¹ per step with derivatives of an ellipse near the sun, below 1e4.
      const double per_step = std::pow(0.01, std::min(GetParam()->order, 4) + 1) * 1e4;
      EXPECT_LT(distance(own, ellipse(0.1 * lane, middle[lane])), 100 * per_step);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tableaux, Packs, ::testing::ValuesIn(explicit_tableaux()),
                         [](const auto& tableau) { return std::string(tableau.param->name); });

/// y' = 0: every error is zero, and so is its estimate, in float as well.
class AtRest : public Ode<PackFloat> {
 public:
  std::size_t size() const override { return 1; }
  void rhs(const PackFloat&, std::span<const PackFloat>, std::span<PackFloat> dy) override { dy[0] = PackFloat(0.0); }
};

TEST(PacksOfFloat, StandStillWithoutAnError) {
  for (const Tableau* tableau : explicit_tableaux()) {
    AtRest at_rest;
    PacedRungeKutta<PackFloat> driver(*tableau, at_rest, tableau->embedded_order > 0 ? tolerance(1e-5) : steps_of(0.5));
    driver.start(PackFloat(0.0), std::vector{PackFloat(1.0)});
    int attempts = 0;
    while (driver.attempt(PackFloat(5.0)) && ++attempts < 100) continue;
    EXPECT_EQ(value_of(driver.time()), 5.0) << tableau->name;
    EXPECT_EQ(value_of(driver.state()[0]), 1.0) << tableau->name;
    EXPECT_EQ(driver.statistics(0).rejected, 0) << tableau->name;
  }
}

TEST(PacksOfFloat, ReachSinglePrecision) {
  Kepler<PackFloat> kepler;
  PacedRungeKutta<PackFloat> driver(tableaux::dp5, kepler, tolerance(1e-5));
  std::vector<PackFloat> y;
  for (double x : ellipse(0.3, 0.0)) y.emplace_back(x);
  driver.start(PackFloat(0.0), y);
  while (driver.attempt(PackFloat(5.0))) continue;
  std::vector<double> first;
  for (const PackFloat& x : driver.state()) first.push_back(value_of(x));
  const auto steps = static_cast<double>(driver.statistics(0).steps);
  EXPECT_LT(distance(first, ellipse(0.3, 5.0)), steps * 6.0 * 1e-5 * growth_on_ellipse(0.3, 5.0));
  EXPECT_EQ(driver.status(7), StepStatus::ok);
}

}  // namespace
}  // namespace ulna

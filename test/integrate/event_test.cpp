// Events: crossings whose times are known in closed form.
#include "ulna/integrate/event.hpp"

#include <gtest/gtest.h>

#include "integrate/problems.hpp"

namespace ulna {
namespace {

using namespace test;

/// A ball in the air: y'' = −g. A quadratic in t, which Runge–Kutta methods integrate without error.
class Fall final : public Ode<double> {
 public:
  static constexpr double g = 10.0;
  std::size_t size() const override { return 2; }
  void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
    dy[0] = y[1];
    dy[1] = -g;
  }
};

/// height − level for some levels.
class Levels final : public EventFunctions {
 public:
  explicit Levels(std::vector<double> levels) : levels_(std::move(levels)) {}
  std::size_t size() const override { return levels_.size(); }
  void values(double, std::span<const double> y, std::span<double> g) override {
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = y[0] - levels_[i];
  }

 private:
  std::vector<double> levels_;
};

IntegratorOptions options_of(const IntegratorInfo& info, double step) {
  return info.needs_step ? steps_of(step) : tolerance(1e-10);
}

std::vector<Crossing> crossings(Integrator& integrator, EventFunctions& functions, double limit) {
  EventLocator locator(integrator, functions, 2);
  locator.start();
  std::vector<Crossing> found;
  while (integrator.time() < limit && integrator.step(limit) == StepStatus::ok) {
    double after = integrator.previous_time();
    while (const auto crossing = locator.next(after)) {
      found.push_back(*crossing);
      after = crossing->t;
    }
  }
  return found;
}

struct Expected {
  double t;
  std::size_t index;
  bool rising;
};

void expect_crossings(const std::vector<Crossing>& found, const std::vector<Expected>& expected, double accuracy,
                      std::string_view name) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].t, expected[i].t, accuracy) << name << ' ' << i;
    EXPECT_EQ(found[i].index, expected[i].index) << name << ' ' << i;
    EXPECT_EQ(found[i].rising, expected[i].rising) << name << ' ' << i;
  }
}

/// Located to 1e-12 of t ≤ 2.5 s, plus the rounding of a height of about five over the speed at the crossing. Multistep
/// methods are not exact here: steps·tolerance over the speed.
double accuracy_of(const IntegratorInfo& info, double speed) {
  const bool multistep = info.name == "adams" || info.name == "bdf";
  return 2.5e-12 + (multistep ? 200 * 6e-10 : 64 * eps * 5.0) / speed;
}

TEST(Events, KnownTimesInOrderThroughAllMethods) {
  // y = 10 t − 5 t²: at 3.75 for t = 0.5 and 1.5, at 4.8 for 0.8 and 1.2; never at 5.1.
  for (const IntegratorInfo& info : integrators()) {
    for (double step : {2.0, 0.3, 0.01}) {
      Fall fall;
      const auto integrator = make_integrator(info.name, fall, options_of(info, step));
      integrator->start(0.0, std::vector<double>{0.0, 10.0});
      Levels levels({4.8, 3.75, 5.1});
      expect_crossings(crossings(*integrator, levels, 2.0),
                       {{0.5, 1, true}, {0.8, 0, true}, {1.2, 0, false}, {1.5, 1, false}}, accuracy_of(info, 2.0),
                       info.name);
    }
  }
}

TEST(Events, TwoCrossingsWithinOneStep) {
  Fall fall;  // one step of length one; up at 0.3, down at 0.7
  const auto integrator = make_integrator("rk4", fall, steps_of(1.0));
  integrator->start(0.0, std::vector<double>{0.0, 5.0});
  Levels levels({5.0 * 0.3 - 5.0 * 0.09});
  expect_crossings(crossings(*integrator, levels, 1.0), {{0.3, 0, true}, {0.7, 0, false}}, 1.1e-12, "rk4");
  EXPECT_EQ(integrator->statistics().steps, 1);
}

TEST(Events, ComingNearIsNoCrossing) {
  for (const IntegratorInfo& info : integrators()) {
    Fall fall;
    const auto integrator = make_integrator(info.name, fall, options_of(info, 0.25));
    integrator->start(0.0, std::vector<double>{0.0, 10.0});
    Levels levels({5.0 + 1e-6});
    EXPECT_TRUE(crossings(*integrator, levels, 2.0).empty()) << info.name;
  }
}

TEST(Events, AtTheBeginningDoesNotCount) {
  for (const IntegratorInfo& info : integrators()) {
    Fall fall;
    const auto integrator = make_integrator(info.name, fall, options_of(info, 0.125));
    integrator->start(0.0, std::vector<double>{0.0, 10.0});
    Levels levels({0.0, 1e-14, -1e-14});
    const auto found = crossings(*integrator, levels, 2.5);  // down again at 2, all three
    expect_crossings(found, {{2.0, found[0].index, false}, {2.0, found[1].index, false}, {2.0, found[2].index, false}},
                     accuracy_of(info, 10.0), info.name);
  }
}

TEST(Events, SeveralAtTheSameTimeComeAll) {
  Fall fall;
  const auto integrator = make_integrator("dp5", fall, tolerance(1e-9));
  integrator->start(0.0, std::vector<double>{0.0, 10.0});
  Levels levels({3.75, 3.75});
  const auto found = crossings(*integrator, levels, 1.0);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0].index, found[1].index);
  EXPECT_LE(found[0].t, found[1].t);
}

TEST(Events, CanBeAskedFromTheMiddle) {
  Fall fall;
  const auto integrator = make_integrator("rk4", fall, steps_of(2.0));
  integrator->start(0.0, std::vector<double>{0.0, 10.0});
  Levels levels({3.75});
  EventLocator locator(*integrator, levels, 2);
  locator.start();
  ASSERT_EQ(integrator->step(2.0), StepStatus::ok);
  ASSERT_TRUE(locator.next(1.0));
  const auto again = locator.next(0.0);
  ASSERT_TRUE(again);
  EXPECT_NEAR(again->t, 0.5, 1.1e-12);
  EXPECT_NEAR(locator.state_at(0.5)[1], 5.0, 16 * eps * 10.0);
  EXPECT_FALSE(locator.next(1.6));
}

/// Thrown up with v, the ball is back after 2v/g, and leaves with half the speed. An error of a location, up to 4e-12
/// here, delays the next flight by itself and changes it by twice itself, because the speed at the floor is wrong by g
/// times it.
TEST(Events, ABouncingBallDoesNotFireTwice) {
  for (const IntegratorInfo& info : integrators()) {
    Fall fall;
    const auto integrator = make_integrator(info.name, fall, options_of(info, 0.0625));
    Levels floor({0.0});
    EventLocator locator(*integrator, floor, 2);
    integrator->start(0.0, std::vector<double>{0.0, 10.0});
    locator.start();
    double v = 10.0, expected = 0.0;
    int bounces = 0;
    while (bounces < 8 && integrator->time() < 5.0) {
      ASSERT_EQ(integrator->step(5.0), StepStatus::ok) << info.name;
      const auto crossing = locator.next(integrator->previous_time());
      if (!crossing) continue;
      expected += 2.0 * v / Fall::g;
      EXPECT_FALSE(crossing->rising);
      ASSERT_NEAR(crossing->t, expected, (bounces + 1) * 4.0 * accuracy_of(info, v)) << info.name << ' ' << bounces;
      const auto y = locator.state_at(crossing->t);
      v *= 0.5;
      integrator->start(crossing->t, std::vector<double>{y[0], -0.5 * y[1]});
      locator.start();
      ++bounces;
    }
    EXPECT_EQ(bounces, 8) << info.name;
  }
}

/// y'' = −sin y: no polynomial, so that the cubic between steps is wrong where the state is right.
class Pendulum final : public Ode<double> {
 public:
  std::size_t size() const override { return 2; }
  void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
    dy[0] = y[1];
    dy[1] = -std::sin(y[0]);
  }
};

/// Steps far too long for the cubic: wherever a level lies in them, the state at the crossing is on it.
TEST(Events, LieOnTheirLevelWhateverTheCubicSays) {
  std::vector<double> levels;
  for (int i = 0; i < 400; ++i) levels.push_back(1.9 - 3.8 * (i + 0.5) / 400.0);
  for (const char* name : {"rkf45", "dp5", "dop853"}) {
    Pendulum pendulum;
    Levels functions(levels);
    const auto integrator = make_integrator(name, pendulum, steps_of(0.4));
    EventLocator locator(*integrator, functions, 2);
    integrator->start(0.0, std::vector{2.0, 0.0});
    locator.start();
    std::size_t found = 0;
    while (integrator->time() < 4.0 && integrator->step(4.0) == StepStatus::ok) {
      double after = integrator->previous_time();
      while (const auto crossing = locator.next(after)) {
        const auto y = locator.state_at(crossing->t);
        // located to 1e-12 in time, times a speed of at most 2
        EXPECT_NEAR(y[0], levels[crossing->index], 1e-11) << name << " t " << crossing->t;
        after = crossing->t;
        ++found;
      }
    }
    EXPECT_GE(found, levels.size());
  }
}

/// x = cos t crosses zero at (k + ½)π. Each method is as late or early as its solution is wrong.
TEST(Events, OfAnOscillator) {
  class Oscillator final : public Ode<double> {
   public:
    std::size_t size() const override { return 2; }
    void rhs(const double&, std::span<const double> y, std::span<double> dy) override {
      dy[0] = y[1];
      dy[1] = -y[0];
    }
  } oscillator;
  const auto integrator = make_integrator("dop853", oscillator, tolerance(1e-14));
  integrator->start(0.0, std::vector<double>{1.0, 0.0});
  Levels zero({0.0});
  const auto found = crossings(*integrator, zero, 40.0);
  ASSERT_EQ(found.size(), 13u);
  const auto steps = static_cast<double>(integrator->statistics().steps);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double t = (static_cast<double>(k) + 0.5) * pi;
    EXPECT_NEAR(found[k].t, t, 1e-12 * std::max(1.0, t) + steps * 2e-14);
    EXPECT_EQ(found[k].rising, k % 2 == 1);
  }
}

}  // namespace
}  // namespace ulna

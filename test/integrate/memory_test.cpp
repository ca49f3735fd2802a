// No integrator allocates after construction, and none depends on what it held before: a run on NaN
// poisons what is written, then the next run must be as the first.
#include <gtest/gtest.h>

#include "integrate/explicit_tableaux.hpp"
#include "integrate/problems.hpp"
#include "support/allocations.hpp"
#include "ulna/integrate/event.hpp"
#include "ulna/integrate/paced_runge_kutta.hpp"

namespace ulna {
namespace {

using namespace test;

class Axis final : public EventFunctions {
 public:
  std::size_t size() const override { return 1; }
  void values(double, std::span<const double> y, std::span<double> g) override { g[0] = y[1] - 0.1; }
};

TEST(Memory, IntegratorsAndEventsAllocateNothing) {
  const std::vector<double> good = ellipse(0.3, 0.0), bad(4, std::nan(""));
  for (const IntegratorInfo& info : integrators()) {
    Kepler<double> kepler;
    Axis axis;
    const auto integrator = make_integrator(info.name, kepler, info.needs_step ? steps_of(0.05) : tolerance(1e-8));
    EventLocator locator(*integrator, axis, 4);
    std::vector<double> y(4), results[3];
    for (auto& result : results) result.resize(4);
    const std::size_t before = allocations;
    for (int k = 0; k < 3; ++k) {
      integrator->start(0.0, k == 1 ? bad : good);
      locator.start();
      while (integrator->time() < 8.0 && integrator->step(8.0) == StepStatus::ok) {
        double after = integrator->previous_time();
        while (const auto crossing = locator.next(after)) after = crossing->t;
        integrator->interpolate(0.3 * integrator->previous_time() + 0.7 * integrator->time(), y);
      }
      std::copy(integrator->state().begin(), integrator->state().end(), results[k].begin());
    }
    EXPECT_EQ(allocations, before) << info.name;
    EXPECT_TRUE(std::isnan(results[1][0])) << info.name;
    EXPECT_EQ(results[0], results[2]) << info.name;
  }
}

TEST(Memory, PacksAllocateNothing) {
  for (const Tableau* tableau : explicit_tableaux()) {
    Kepler<PackDouble> kepler;
    PacedRungeKutta<PackDouble> driver(*tableau, kepler,
                                       tableau->embedded_order > 0 ? tolerance(1e-8) : steps_of(0.01));
    std::vector<PackDouble> y, between(4);
    for (double x : ellipse(0.3, 0.0)) y.emplace_back(x);
    const std::size_t before = allocations;
    driver.start(PackDouble(0.0), y);
    while (driver.attempt(PackDouble(3.0))) driver.interpolate(driver.time(), between);
    EXPECT_EQ(allocations, before) << tableau->name;
  }
}

}  // namespace
}  // namespace ulna

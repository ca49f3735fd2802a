// A batch allocates nothing once a quantity is prepared.
#include <gtest/gtest.h>

#include "batch/states.hpp"
#include "support/allocations.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

TEST(BatchMemory, NothingIsAllocatedPerCall) {
  const Model model = load("ur5_like");
  const test::States<double> states(model, 1003);
  std::vector<double> result(states.v.size());
  const auto in = [&](const std::vector<double>& m) { return MatrixView<const double>{m.data(), 6, states.n}; };
  for (const int threads : {1, 2}) {
    Batch<double> batch(model, {.compiled = false, .threads = threads});
    const auto call = [&] {
      batch.forward_dynamics(in(states.q), in(states.v), in(states.x), {result.data(), 6, states.n});
      batch.inverse_dynamics(in(states.q), in(states.v), in(states.x), {result.data(), 6, states.n});
    };
    call();
    const std::size_t before = allocations;
    for (int k = 0; k < 20; ++k) call();
    EXPECT_EQ(allocations, before) << threads;
  }
}

}  // namespace
}  // namespace ulna

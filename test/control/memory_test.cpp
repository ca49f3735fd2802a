// Optimal control allocates nothing after it is made.
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "ulna/control/optimal_control.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

TEST(OptimalControlMemory, IterationsAllocateNothing) {
  for (const char* name : {"panda_like", "satellite_arm"}) {
    const Model model = load(name);
    ControlProblem problem;
    problem.knots = 20;
    problem.compiled = false;
    problem.lower.assign(7, -5.0);
    problem.upper.assign(7, 5.0);
    problem.running.torque_weight.assign(7, 1e-3);
    problem.running.posture_weight.assign(static_cast<std::size_t>(model.nv()), 1.0);
    problem.terminal.tips = {position_target(model.tip(), {0.3, 0.2, 0.4})};
    problem.keep_out = {{model.tip(), {0.3, 0.1, 0.4}, 0.2, 10.0}};
    problem.limit_weight = 10.0;
    OptimalControl control(model, problem);
    const std::vector<double> q = model.neutral(), v(static_cast<std::size_t>(model.nv()));
    control.start(q, v);
    control.iterate();
    const std::size_t before = allocations;
    for (int k = 0; k < 5; ++k) {
      control.iterate();
      control.restart(q, v, 1);
    }
    control.solve(3);
    EXPECT_EQ(allocations, before) << name;
  }
}

}  // namespace
}  // namespace ulna

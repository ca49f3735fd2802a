// Prints which build of the library runs, and numbers that it computes, one per line and exactly; for
// levels_test.py, which compares builds.
#include <cstdio>

#include "batch/states.hpp"
#include "ulna/batch/instruction_set.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"

int main() {
  using namespace ulna;
  const Model model = load("panda_like");
  const test::States<double> states(model, 13);
  std::printf("%s\n", std::string(instruction_set()).c_str());
  for (const Quantity quantity : {Quantity::inverse_dynamics, Quantity::forward_dynamics}) {
    Batch<double> batch(model, {.compiled = false, .threads = 1});
    for (const double x : test::evaluate(batch, quantity, states, states.n)) std::printf("%a\n", x);
    const auto scalar = make_method<double>("auto", quantity, model);
    for (int k = 0; k < states.n; ++k) {
      const test::States<double> one = states.at(k);
      std::vector<double> y(one.v.size());
      if (quantity == Quantity::inverse_dynamics) {
        scalar->inverse_dynamics(one.q, one.v, one.x, y);
      } else {
        scalar->forward_dynamics(one.q, one.v, one.x, y);
      }
      for (const double x : y) std::printf("%a\n", x);
    }
  }
}

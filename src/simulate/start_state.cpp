#include "start_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/base/error.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

void expect_start_quaternions(const Model& model, std::span<const double> q) {
  const auto bad = find_bad_quaternion(model, q);
  if (bad && !(bad->length > 0.5 && bad->length < 2.0))
    throw InputError(fmt::format("the quaternion x, y, z, w of joint '{}' has length {:.4g} at the start; it must be 1",
                                 bad->joint->name, bad->length));
}

ClosedStart close_start(const Model& model, std::span<double> q, std::span<double> v) {
  const Assembly assembly = assemble(model, q);
  if (!assembly.closed) {
    throw InputError(fmt::format(
        "the loops do not close near the start: {}; give a start position closer to a closed one", assembly.miss()));
  }
  double moved = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) moved = std::max(moved, std::abs(assembly.q[k] - q[k]));
  std::copy(assembly.q.begin(), assembly.q.end(), q.begin());
  LoopEquations equations(model);
  equations.update(q);
  const LoopMobility mobility = loop_mobility(equations, model.nv());
  if (mobility.mobility() == 0)
    throw InputError("the loops leave no degree of freedom: this is a structure, and nothing in it can move");
  ConstrainedDynamics(model).project_velocity(q, v);
  return {moved, mobility.rank};
}

}  // namespace ulna

// Random states of mechanisms that keep their loops closed.
#pragma once

#include <Eigen/QR>
#include <random>
#include <stdexcept>
#include <vector>

#include "ulna/loop/assembly.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::test {

struct ClosedState {
  std::vector<double> q, v;
};

/// w less the part that the loops forbid.
inline std::vector<double> allowed_part(const LoopEquations& equations, const std::vector<double>& w) {
  const Eigen::Map<const Eigen::MatrixXd> A(equations.matrix().data, equations.rows(), std::ssize(w));
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(A);
  solver.setThreshold(1e-8);  // as in loop/mobility.cpp
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(w.data(), std::ssize(w));
  v -= solver.solve(A * v);
  return {v.data(), v.data() + v.size()};
}

/// From positions within 0.2 rad (0.2 m) of q = 0, where the bundled mechanisms are closed, in every joint.
inline ClosedState random_closed_state(const Model& model, std::mt19937_64& generator) {
  ClosedState state{model.neutral(), {}};
  const std::vector<double> reference = state.q;
  std::vector<double> x(static_cast<std::size_t>(model.nv()));
  coordinates_of_reference(model, reference, x);
  const std::vector<double> shift = random_velocity(model, generator, 0.2);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += shift[k];
  retract<double>(model, reference, x, state.q);
  Assembly assembly = assemble(model, state.q);
  if (!assembly.closed) throw std::logic_error(model.name() + " does not close at " + assembly.worst_joint);
  state.q = std::move(assembly.q);
  LoopEquations equations(model);
  equations.update(state.q);
  state.v = allowed_part(equations, random_velocity(model, generator));
  return state;
}

}  // namespace ulna::test

// Random states of a robot as the columns that batches take, and every quantity of a batch by number.
#pragma once

#include <random>
#include <vector>

#include "ulna/batch/batch.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::test {

inline constexpr Quantity batch_quantities[] = {
    Quantity::inverse_dynamics,
    Quantity::forward_dynamics,
    Quantity::mass_matrix,
    Quantity::inverse_mass_matrix,
    Quantity::coriolis_matrix,
    Quantity::gravity,
    Quantity::pose,
    Quantity::jacobian,
    Quantity::inverse_derivatives,
    Quantity::forward_derivatives,
};

inline bool is_derivative(Quantity quantity) {
  return quantity == Quantity::inverse_derivatives || quantity == Quantity::forward_derivatives;
}

template <class S>
struct States {
  States(const Model& model, int count, unsigned seed = 5) : n(count), nq(model.nq()), nv(model.nv()) {
    std::mt19937 generator(seed);
    for (int k = 0; k < count; ++k) {
      append(q, random_position(model, generator));
      append(v, random_velocity(model, generator));
      append(x, random_velocity(model, generator, 10.0));
    }
  }

  /// One state alone.
  States at(int k) const {
    States one = *this;
    const auto part = [&](const std::vector<S>& all, int rows) {
      return std::vector<S>(all.begin() + k * rows, all.begin() + (k + 1) * rows);
    };
    one.q = part(q, nq);
    one.v = part(v, nv);
    one.x = part(x, nv);
    one.n = 1;
    return one;
  }

  int n, nq, nv;
  std::vector<S> q, v, x;  // x: accelerations or torques

 private:
  static void append(std::vector<S>& all, const std::vector<double>& one) {
    for (const double number : one) all.push_back(static_cast<S>(number));
  }
};

/// All results of the quantity, the arrays one after the other, for the first n states.
template <class S>
std::vector<S> evaluate(Batch<S>& batch, Quantity quantity, const States<S>& states, int n) {
  const int nv = states.nv, square = nv * nv;
  const auto in = [&](const std::vector<S>& m, int rows) { return MatrixView<const S>{m.data(), rows, n}; };
  const auto q = in(states.q, states.nq), v = in(states.v, nv), x = in(states.x, nv);
  std::vector<S> all(static_cast<std::size_t>(nv + 3 * square + 12 + 6 * nv) * static_cast<std::size_t>(n), S(-7));
  std::size_t used = 0;
  const auto out = [&](int rows) {
    const MatrixView<S> view{all.data() + used, rows, n};
    used += static_cast<std::size_t>(rows) * static_cast<std::size_t>(n);
    return view;
  };
  switch (quantity) {
    case Quantity::inverse_dynamics: batch.inverse_dynamics(q, v, x, out(nv)); break;
    case Quantity::forward_dynamics: batch.forward_dynamics(q, v, x, out(nv)); break;
    case Quantity::mass_matrix: batch.mass_matrix(q, out(square)); break;
    case Quantity::inverse_mass_matrix: batch.inverse_mass_matrix(q, out(square)); break;
    case Quantity::coriolis_matrix: batch.coriolis_matrix(q, v, out(square)); break;
    case Quantity::gravity: batch.gravity(q, out(nv)); break;
    case Quantity::pose: {
      const auto R = out(9), p = out(3);
      batch.pose(q, R, p);
      break;
    }
    case Quantity::jacobian: batch.jacobian(q, out(6 * nv)); break;
    case Quantity::inverse_derivatives: {
      const auto dq = out(square), dv = out(square);
      batch.inverse_derivatives(q, v, x, dq, dv);
      break;
    }
    default: {
      const auto a = out(nv), dq = out(square), dv = out(square), dtau = out(square);
      batch.forward_derivatives(q, v, x, a, dq, dv, dtau);
    }
  }
  all.resize(used);
  return all;
}

}  // namespace ulna::test

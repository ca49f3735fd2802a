// The ways to the forward dynamics of a mechanism beside the Schur complement.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "support/own_cache.hpp"
#include "ulna/loop/compiled_loops.hpp"
#include "ulna/loop/loop_derivatives.hpp"

namespace ulna::test {

/// In independent coordinates, by own code and over duals; torques have an affine effect, so that differences are
/// exact.
inline void expect_other_ways_agree(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                                    const std::vector<double>& tau) {
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9 * (1.0 + std::abs(b[k]))) << k;
  };
  ConstrainedDynamics dynamics(model);
  std::vector<double> a(v.size()), other(v.size());
  dynamics.forward_dynamics(LoopMethod::schur, q, v, tau, a);
  dynamics.forward_dynamics(LoopMethod::independent, q, v, tau, other);
  near(other, a);
  const CompiledLoops compiled = compile_loops(model);
  ASSERT_TRUE(compiled.own) << compiled.note;
  compiled.make()->forward_dynamics(q, v, tau, other);
  near(other, a);

  std::vector<double> more(tau.size()), slope(tau.size());
  std::vector<Dual4> dual_q, dual_v, dual_tau, dual_a(v.size());
  for (const double x : q) dual_q.emplace_back(x);
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double step = 1.0 + static_cast<double>(k);
    more[k] = tau[k] + step;
    dual_v.emplace_back(v[k]);
    dual_tau.push_back(Dual4(tau[k], {0.0, step, 0.0, 0.0}));
  }
  make_loop_derivatives(model)->forward_dynamics(dual_q, dual_v, dual_tau, dual_a);
  dynamics.forward_dynamics(LoopMethod::schur, q, v, more, other);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(dual_a[k].x, a[k]);
    slope[k] = dual_a[k].d[1];
    other[k] -= a[k];
  }
  near(slope, other);
}

}  // namespace ulna::test

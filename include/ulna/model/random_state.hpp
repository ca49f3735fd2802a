// Random states of a model, for checks, tests and benchmarks: the same seed gives the same states.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "ulna/model/model.hpp"

namespace ulna {

/// Within the limits where there are some; else angles in ±π, slides in ±1 m, any orientation.
template <class Generator>
std::vector<double> random_position(const Model& model, Generator& generator) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::normal_distribution<double> normal;
  std::vector<double> q(static_cast<std::size_t>(model.nq()));
  for (const JointInfo& joint : model.joints()) {
    const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    double* at = &q[static_cast<std::size_t>(body.q_index)];
    if (has_quaternion(body.kind)) {
      for (int k = 0; k < quaternion_of(body.kind); ++k) *at++ = unit(generator);
      double length = 0.0;
      for (int k = 0; k < 4; ++k) length = std::hypot(length, at[k] = normal(generator));
      for (int k = 0; k < 4; ++k) at[k] /= length;
      continue;
    }
    for (const JointNumber& number : position_numbers(body.kind)) {
      const double reach = number.is_length ? 1.0 : std::numbers::pi;
      double low = joint.limits.lower, high = joint.limits.upper;
      if (!std::isfinite(low)) low = std::min(-reach, high - 2.0 * reach);
      if (!std::isfinite(high)) high = std::max(reach, low + 2.0 * reach);
      *at++ = 0.5 * (low + high) + 0.5 * (high - low) * unit(generator);
    }
  }
  return q;
}

/// nv numbers in ±scale.
template <class Generator>
std::vector<double> random_velocity(const Model& model, Generator& generator, double scale = 1.0) {
  std::uniform_real_distribution<double> unit(-scale, scale);
  std::vector<double> v(static_cast<std::size_t>(model.nv()));
  for (double& x : v) x = unit(generator);
  return v;
}

}  // namespace ulna

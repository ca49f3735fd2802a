// Tolerances derived from rounding: a recursion over n joints rounds quantities of the size of the
// largest torque that was summed; each step adds a few ε of it (4, as measured on the worst robot).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulna/dynamics/physical.hpp"
#include "ulna/ulna.hpp"

namespace ulna::test {

inline double largest(const std::vector<double>& values) {
  double m = 0.0;
  for (const double x : values) m = std::max(m, std::fabs(x));
  return m;
}

struct StateScale {
  double torque;     // size of what is summed in inverse dynamics
  double condition;  // of M
  double inverse;    // size of M⁻¹
};

/// Sizes for one state: |M| |a| + |h|, with the condition of M.
inline StateScale scale_of(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                           const std::vector<double>& a) {
  const auto n = static_cast<std::size_t>(model.nv());
  composite_body::Workspace<double> ws(model);
  std::vector<double> M(n * n), h(n);
  composite_body::mass_matrix(model, ws, q, {M.data(), model.nv(), model.nv()});
  newton_euler::bias(model, ws.bias, q, v, h);
  double total_mass = 0.0;
  for (const Body& body : model.bodies()) total_mass += body.inertia.mass;
  const double weight = total_mass * norm(model.gravity());
  const double condition = symmetric_condition(M, model.nv());
  return {static_cast<double>(n) * largest(M) * (largest(a) + largest(v) * largest(v)) + largest(h) + weight, condition,
          condition / largest(M)};
}

inline double torque_tolerance(const Model& model, const StateScale& scale, double epsilon) {
  return 4.0 * epsilon * model.nv() * scale.torque;
}

/// Accelerations: the torque's error through M⁻¹.
inline double acceleration_tolerance(const Model& model, const StateScale& scale, double epsilon) {
  return torque_tolerance(model, scale, epsilon) * scale.inverse;
}

}  // namespace ulna::test

// The promise that every C keeps: Ṁ − 2C is skew-symmetric, Ṁ by exact derivatives along v.
#pragma once

#include "support/tangent.hpp"
#include "ulna/ulna.hpp"

namespace ulna::test {

/// The largest element of Ṁ − C − Cᵀ.
inline double skew_defect(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                          const std::vector<double>& C) {
  const std::size_t n = v.size();
  std::vector<Dual4> step, M(n * n);
  for (const double x : v) step.push_back(Dual4::variable(0.0, 0) * Dual4(x));
  composite_body::Workspace<Dual4> ws(model);
  composite_body::mass_matrix(model, ws, moved<Dual4>(model, q, step), {M.data(), model.nv(), model.nv()});
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double defect = std::abs(M[j * n + i].d[0] - C[j * n + i] - C[i * n + j]);
      if (!(defect <= worst)) worst = defect;  // NaN too
    }
  return worst;
}

}  // namespace ulna::test

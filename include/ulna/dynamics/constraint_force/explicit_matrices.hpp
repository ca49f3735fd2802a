// The matrices of fijany_bejczy as they are printed, formed in full: for reading, teaching and looking at
// their condition. Allocates; O(N³).
#pragma once

#include <vector>

#include "ulna/model/model.hpp"
#include "ulna/real/vector_view.hpp"

namespace ulna::constraint_force {

/// A = Wᵗ Pᵗ I⁻¹ P W (3.14), B = Wᵗ Pᵗ I⁻¹ P H (3.15), C = Hᵗ Pᵗ I⁻¹ P H (3.16), joints from the base
/// outwards (the paper counts them inwards). A and B are block tridiagonal, not block diagonal as
/// the text after (3.15) says (erratum 1.2). With a free base A is A' of (4.13), and B and C are
/// without the base. Column by column.
struct ExplicitMatrices {
  int constraints, freedoms;     // 5N and N for joints of one degree
  std::vector<int> block_sizes;  // of A, per joint
  std::vector<double> A, B, C;
  double condition_of_A;  // infinite where it is not positive definite
};

/// Throws InputError for a robot that `constraint_force` does not take.
ExplicitMatrices explicit_matrices(const Model& model, VectorIn<double> q);

}  // namespace ulna::constraint_force

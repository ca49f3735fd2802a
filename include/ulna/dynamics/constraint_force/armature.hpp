// Armature, which the paper does not have. A rotor adds armature·q̈ to what a drive must give, so that the force on the
// joint is F_T = τ − armature·q̈ and depends on the solution. Such a joint gets F_T as a further unknown beside F_S,
// with the row Hᵗ (V̇_i − P̂_{i−1}ᵗ V̇_{i−1}) + F_T/armature = τ/armature of the same system: symmetric, and definite
// still.
#pragma once

#include "ulna/dynamics/constraint_force/constraint_force.hpp"
#include "ulna/dynamics/constraint_force/projection.hpp"

namespace ulna::constraint_force {

/// The velocity index behind row r of a joint's six.
ULNA_INLINE std::size_t velocity_of(const Body& body, std::size_t r) {
  return static_cast<std::size_t>(body.v_index) + r - locked_count(body.kind);
}

ULNA_INLINE bool has_armature(const Model& model, const Body& body) {
  return model.armature()[static_cast<std::size_t>(body.v_index)] != 0.0;
}

/// Number of unknowns of a joint: F_S, and F_T too where the joint has armature.
ULNA_INLINE std::size_t unknown_count(const Model& model, const Body& body) {
  return has_armature(model, body) ? 6 : locked_count(body.kind);
}

/// F_T/armature of the rows of F_T.
template <int n, Real T>
ULNA_INLINE void add_armature(const Model& model, const Body& body, Block<T, n>& A) {
  if (!has_armature(model, body)) return;
  for (int r = constraint_count(body.kind); r < 6; ++r)
    A(r, r) += T(1.0 / model.armature()[velocity_of(body, static_cast<std::size_t>(r))]);
}

/// (τ − F_T)/armature: what is left of these rows beside the joint's acceleration; `tau` less the bias, as F_T is.
template <std::size_t n, Real T>
ULNA_INLINE void add_armature_residual(const Model& model, const Body& body, std::span<const T> tau,
                                       const std::array<T, n>& unknown, std::array<T, n>& residual) {
  if (!has_armature(model, body)) return;
  for (std::size_t r = locked_count(body.kind); r < 6; ++r) {
    const std::size_t k = velocity_of(body, r);
    residual[r] += T(1.0 / model.armature()[k]) * (tau[k] - unknown[r]);
  }
}

}  // namespace ulna::constraint_force

// Forward dynamics by the constraint-force algorithm: fijany_bejczy (doc/papers.md). Their letters.
//
// M⁻¹ = C − Bᵗ A⁻¹ B, eq. (3.20), a Schur complement: the constraint forces F_S solve the block
// tridiagonal system A F_S = −B F_T and give the accelerations. B and C are never formed.
// Serial chains on a fixed or free-floating base; joints of one to five degrees of freedom. Every
// link must have mass and inertia in all directions, since I_i⁻¹ is used.
//
// The projections are in each body's own frame at O_i, where I_i⁻¹ is constant. A slender link has a
// huge inverse moment about its axis, which swamps the rest of A (golden/001_conditioning); the
// solution is therefore refined once with the constraints' violation, computed body by body.
//
// Armature is not in the paper. A joint that has it gets its drive force as a sixth unknown:
// F_T = τ − armature·q̈ is a spring-like row H^t ΔV̇ + F_T/armature = τ/armature of the same system.
#pragma once

#include <vector>

#include "ulna/dynamics/block.hpp"
#include "ulna/dynamics/constraint_force/mobility.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna::constraint_force {

using dense::Block;
using dense::Column;

/// A and the right-hand side, one block per joint. Blocks of fewer unknowns are filled up with the
/// unit matrix.
template <Real T, int n>
struct System {
  std::vector<Block<T, n>> diagonal;  // A_ii, then its factor
  std::vector<Block<T, n>> coupling;  // A_{i−1,i}
  std::vector<Block<T, n>> solved;    // A_{i−1,i−1}⁻¹ A_{i−1,i} after elimination
  std::vector<Column<T, n>> right;    // right-hand side, then its solution
  std::vector<Column<T, n>> unknown;  // F_S, and F_T of joints with armature

  void resize(std::size_t joints) {
    diagonal.resize(joints);
    coupling.resize(joints);
    solved.resize(joints);
    right.resize(joints);
    unknown.resize(joints);
  }
};

template <Real T>
struct Workspace {
  explicit Workspace(const Model& model);

  bool armature;                           // blocks of six
  std::size_t first;                       // the first joint with constraints: 1 with a free base
  newton_euler::Workspace<T> bias;         // holds the link poses too
  std::vector<Mobility<double>> mobility;  // I_i⁻¹ in body axes: constant
  std::vector<T> F_T;                      // applied forces less the bias, by velocity index
  std::vector<Force<T>> F;                 // interbody forces F_i
  std::vector<Motion<T>> V_dot;            // accelerations; first those under F_T alone
  System<T, 5> five;
  System<T, 6> six;
};

template <Real T>
void forward_dynamics(const Model& model, Workspace<T>& ws, VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau,
                      VectorOut<T> a, Wrenches<T> external = {});

#define ULNA_CONSTRAINT_FORCE(EXTERN, T)                                                                       \
  EXTERN template struct Workspace<T>;                                                                         \
  EXTERN template void forward_dynamics<T>(const Model&, Workspace<T>&, VectorIn<T>, VectorIn<T>, VectorIn<T>, \
                                           VectorOut<T>, Wrenches<T>);
ULNA_EXTERN_TEMPLATES(ULNA_CONSTRAINT_FORCE)

}  // namespace ulna::constraint_force

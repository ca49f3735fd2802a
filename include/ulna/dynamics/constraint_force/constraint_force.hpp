// Forward dynamics by the constraint-force algorithm: fijany_bejczy (doc/papers.md). Their letters.
//
// M⁻¹ = C − Bᵗ A⁻¹ B, eq. (3.20), a Schur complement: the constraint forces F_S solve the block
// tridiagonal system A F_S = −B F_T and give the accelerations. B and C are never formed.
// Serial chains on a fixed or free-floating base; joints of one to five degrees of freedom. Every
// link must have mass and inertia in all directions, since I_i⁻¹ is used.
//
// The projections are in each body's own frame at O_i, where I_i⁻¹ is constant. The steps of section IV.B
// are in steps.hpp; not in the paper are the refinement there and armature.hpp.
#pragma once

#include <vector>

#include "ulna/dynamics/constraint_force/block_tridiagonal.hpp"
#include "ulna/dynamics/constraint_force/mobility.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna::constraint_force {

template <Real T>
struct Workspace {
  explicit Workspace(const Model& model);

  bool armature;                           // some joint's F_T is unknown too: blocks of six
  std::size_t first;                       // the first joint with constraints: 1 with a free base
  newton_euler::Workspace<T> bias;         // holds the link poses too
  std::vector<Mobility<double>> mobility;  // I_i⁻¹ in body axes: constant
  std::vector<T> F_T;                      // applied forces less the bias, by velocity index
  std::vector<Force<T>> F;                 // interbody forces F_i
  std::vector<Motion<T>> V_dot;            // accelerations; first those under F_T alone
  std::vector<Vector<T, 5>> F_S_five;      // constraint forces
  std::vector<Vector<T, 6>> F_S_six;       // or these, with F_T of joints that have armature
  BlockTridiagonal<T, 5> five;
  BlockTridiagonal<T, 6> six;
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

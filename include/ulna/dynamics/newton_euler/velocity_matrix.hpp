// A matrix of convective inertia: times v it is the velocity part of Newton–Euler, in body axes and by
// the fewest operations known to us, 52 multiplications for each pair of revolute joints. It is not the C
// with Ṁ − 2C skew-symmetric (composite_body/coriolis.hpp): a term in the rates of two joints is
// given to the column of the outer one wherever the row is not farther out than that.
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::newton_euler {

/// Mass, first moment h and second moments P = ∫ r rᵀ dm of a body with all it carries, rigid.
template <class T>
struct Moments {
  T mass;
  Vec3<T> h;
  Sym3<T> P;
};

template <Real T>
struct VelocityWorkspace {
  explicit VelocityWorkspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<Motion<T>> carried, own;  // velocity of each body frame without and with its joint's
  std::vector<Moments<T>> composite;
};

template <Real T>
void velocity_matrix(const Model& model, VelocityWorkspace<T>& ws, std::span<const T> q, std::span<const T> v,
                     MatrixView<T> C);

#define ULNA_VELOCITY_MATRIX(EXTERN, T)                                                                                \
  EXTERN template struct VelocityWorkspace<T>;                                                                         \
  EXTERN template void velocity_matrix<T>(const Model&, VelocityWorkspace<T>&, std::span<const T>, std::span<const T>, \
                                          MatrixView<T>);
ULNA_EXTERN_TEMPLATES(ULNA_VELOCITY_MATRIX)

}  // namespace ulna::newton_euler

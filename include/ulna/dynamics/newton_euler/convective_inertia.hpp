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
struct ConvectiveWorkspace {
  explicit ConvectiveWorkspace(const Model& model);

  LinkPoses<T> poses;
  std::vector<Motion<T>> carried, own;  // velocity of each body frame without and with its joint's
  std::vector<Moments<T>> composite;
};

template <Real T>
void convective_inertia(const Model& model, ConvectiveWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C);

#define ULNA_NEWTON_EULER_CONVECTIVE(EXTERN, T)                                                               \
  EXTERN template struct ConvectiveWorkspace<T>;                                                              \
  EXTERN template void convective_inertia<T>(const Model&, ConvectiveWorkspace<T>&, VectorIn<T>, VectorIn<T>, \
                                             MatrixOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_NEWTON_EULER_CONVECTIVE)

}  // namespace ulna::newton_euler

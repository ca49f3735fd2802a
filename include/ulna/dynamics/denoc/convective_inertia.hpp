// The matrix of convective inertia (MCI) C of I θ̈ + C θ̇ = τ, element by element, by eqs (10)–(12)
// of bhangale2004. In the axes of each link, twists at O_i. Only C θ̇ is unique: another point gives another C
// (erratum 2.17), and Ṁ − 2C is not skew for this one.
#pragma once

#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/model/link_poses.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::denoc {

template <Real T>
struct ConvectiveWorkspace {
  explicit ConvectiveWorkspace(const Model& model);

  /// X of a wrench [X.aa ω; X.la ω] that depends on a twist through its angular part alone.
  struct OnRotation {
    Mat3<T> aa, la;
  };
  struct Link {
    Motion<T> twist;          // t_i at O_i
    RigidInertia<T> M_tilde;  // composite mass, eq. (13)
    OnRotation N_tilde;       // composite W M E, the other M̃ of eq. (10) (erratum 2.3), and H̃ of eq. (12)
  };
  LinkPoses<T> poses;
  std::vector<Link> links;
};

template <Real T>
void convective_inertia(const Model& model, ConvectiveWorkspace<T>& ws, VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C);

#define ULNA_CONVECTIVE(EXTERN, T)                                                                            \
  EXTERN template struct ConvectiveWorkspace<T>;                                                              \
  EXTERN template void convective_inertia<T>(const Model&, ConvectiveWorkspace<T>&, VectorIn<T>, VectorIn<T>, \
                                             MatrixOut<T>);
ULNA_EXTERN_TEMPLATES(ULNA_CONVECTIVE)

}  // namespace ulna::denoc

// legnani1996, section 4: the Stanford arm of the paper, its printed position matrices, and random states of it.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "ulna/dynamics/homogeneous/matrix4.hpp"
#include "ulna/model/model.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna::reproduction {

using Matrix = homogeneous::Matrix4<double>;

/// The paper's position matrices with numbers that it does not give (erratum 4.14): lengths and masses of the Stanford
/// arm of saha2001, mass centres of our own.
Graph legnani_stanford();
inline constexpr double stanford_d2 = 0.1, stanford_d4 = 0.6;
inline constexpr std::size_t stanford_joints = 6;

/// M_{i−1,i} as printed in section 4.1, joints counted from 1. d_3 is q_3.
template <class T>
homogeneous::Matrix4<T> printed_position(std::size_t joint, const T& q) {
  const SinCos<T> of_q = sincos(q);
  const T o(0.0), e(1.0), C = of_q.cos, S = of_q.sin;
  switch (joint) {
    case 1: return {{C, o, -S, o, S, o, C, o, o, -e, o, o, o, o, o, e}};
    case 2: return {{C, o, S, o, S, o, -C, o, o, e, o, T(stanford_d2), o, o, o, e}};
    case 3: return {{e, o, o, o, o, e, o, o, o, o, e, q, o, o, o, e}};
    case 4: return {{C, o, -S, o, S, o, C, o, o, -e, o, T(stanford_d4), o, o, o, e}};
    case 5: return {{C, o, S, o, S, o, -C, o, o, e, o, o, o, o, o, e}};
    default: return {{C, -S, o, o, S, C, o, o, o, o, e, o, o, o, o, e}};
  }
}

/// M_{i,j}, the product of those between: the identity for i = j.
template <class T>
homogeneous::Matrix4<T> printed_position(std::size_t i, std::size_t j, const std::vector<T>& q) {
  homogeneous::Matrix4<T> M = homogeneous::Matrix4<T>::identity();
  for (std::size_t k = i + 1; k <= j; ++k) M = M * printed_position(k, q[k - 1]);
  return M;
}

/// L_{i−1,i} in its own frame, eq. (1): about z, but for the prismatic joint 3.
Matrix joint_matrix(std::size_t joint);

struct ArmState {
  std::vector<double> q, v, a;
};
std::vector<ArmState> random_states(const Model& model, int count);

/// The numbers of a matrix, or of a rate of change of it.
inline std::span<const double> elements(const Matrix& A) { return A.e; }
/// q + ε v: its matrices hold their time derivatives.
std::vector<Dual4> along(const std::vector<double>& q, const std::vector<double>& v);
/// q with q_m, counted from 1, as the variable.
std::vector<Dual4> varied(const std::vector<double>& q, std::size_t m);
Matrix rate_of(const homogeneous::Matrix4<Dual4>& A);

}  // namespace ulna::reproduction

// The 4×4 matrices of legnani1996 (doc/papers.md): one kind of object for everything a rigid body does.
//
//   M position      [R p; 0 1]        W velocity      [ω× v; 0 0]      L joint (screw) [u× b; 0 0]
//   H acceleration  [α×+ω×ω× a; 0 0]  J pseudo-inertia [∫xxᵗ h; hᵗ m]  Φ action        [n× f; −fᵗ 0]
//
// v, a and n belong to the point at the origin of the frame that the matrix is written in. That
// frame stands behind an underscore in the names of the code: W_0 is the paper's W₍₀₎.
#pragma once

#include <array>

#include "ulna/spatial/pose.hpp"

namespace ulna::homogeneous {

/// Rows and columns count from 0; the paper's A[3,2] is A(2, 1).
template <class T>
struct Matrix4 {
  std::array<T, 16> e;  // row by row

  T& operator()(std::size_t row, std::size_t column) { return e[4 * row + column]; }
  const T& operator()(std::size_t row, std::size_t column) const { return e[4 * row + column]; }

  static Matrix4 zero() {
    Matrix4 r;
    r.e.fill(T(0.0));
    return r;
  }
  static Matrix4 identity() {
    Matrix4 r = zero();
    for (std::size_t i = 0; i < 4; ++i) r(i, i) = T(1.0);
    return r;
  }
  /// [A b; cᵗ d]
  static Matrix4 from_blocks(const Mat3<T>& A, const Vec3<T>& b, const Vec3<T>& c, const T& d) {
    return {{A.xx, A.xy, A.xz, b.x, A.yx, A.yy, A.yz, b.y, A.zx, A.zy, A.zz, b.z, c.x, c.y, c.z, d}};
  }
  Mat3<T> block() const {
    const Matrix4& A = *this;
    return {A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0), A(2, 1), A(2, 2)};
  }
  /// The first three rows of the last column: p of M, v of W, a of H, b of L, f of Φ.
  Vec3<T> column() const { return {e[3], e[7], e[11]}; }

  Matrix4& operator+=(const Matrix4& b) { return *this = *this + b; }

  friend Matrix4 operator+(const Matrix4& a, const Matrix4& b) {
    Matrix4 r;
    for (std::size_t k = 0; k < 16; ++k) r.e[k] = a.e[k] + b.e[k];
    return r;
  }
  friend Matrix4 operator-(const Matrix4& a, const Matrix4& b) {
    Matrix4 r;
    for (std::size_t k = 0; k < 16; ++k) r.e[k] = a.e[k] - b.e[k];
    return r;
  }
  friend Matrix4 operator*(const T& k, const Matrix4& a) {
    Matrix4 r;
    for (std::size_t i = 0; i < 16; ++i) r.e[i] = k * a.e[i];
    return r;
  }
  friend Matrix4 operator*(const Matrix4& a, const Matrix4& b) {
    Matrix4 r;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        r(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j) + a(i, 3) * b(3, j);
    return r;
  }
};

/// A robot's constant in the scalar of the computation.
template <class T>
Matrix4<T> cast(const Matrix4<double>& a) {
  Matrix4<T> r;
  for (std::size_t k = 0; k < 16; ++k) r.e[k] = T(a.e[k]);
  return r;
}

template <class T>
Matrix4<T> transpose(const Matrix4<T>& a) {
  Matrix4<T> r;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) r(i, j) = a(j, i);
  return r;
}

/// Trace[A]
template <class T>
T trace(const Matrix4<T>& a) {
  return a(0, 0) + a(1, 1) + a(2, 2) + a(3, 3);
}

/// Trace[A Bᵗ] without forming the product: the sum of products of like elements.
template <class T>
T trace_with_transpose(const Matrix4<T>& a, const Matrix4<T>& b) {
  T sum = a.e[0] * b.e[0];
  for (std::size_t k = 1; k < 16; ++k) sum += a.e[k] * b.e[k];
  return sum;
}

/// skew{X} = X − Xᵗ: skew{H J} is the action that gives inertia J the acceleration H.
template <class T>
Matrix4<T> skew(const Matrix4<T>& x) {
  return x - transpose(x);
}

/// The pseudo scalar product Φ ⊗ L of sec. 3: n·u + f·b, the action's component on the joint.
template <class T>
T pseudo_product(const Matrix4<T>& a, const Matrix4<T>& b) {
  return a(2, 1) * b(2, 1) + a(0, 2) * b(0, 2) + a(1, 0) * b(1, 0) +  //
         a(0, 3) * b(0, 3) + a(1, 3) * b(1, 3) + a(2, 3) * b(2, 3);
}

/// M⁻¹ of a position matrix: [Rᵗ −Rᵗp; 0 1].
template <class T>
Matrix4<T> inverse_position(const Matrix4<T>& M) {
  const Mat3<T> R = M.block();
  return Matrix4<T>::from_blocks(transpose(R), -transpose_times(R, M.column()), Vec3<T>::zero(), T(1.0));
}

/// W, H or L of frame (s) in frame (r), which sees (s) at M: M W M⁻¹.
template <class T>
Matrix4<T> refer_motion(const Matrix4<T>& M_rs, const Matrix4<T>& W_s) {
  return M_rs * W_s * inverse_position(M_rs);
}

/// J or Φ of frame (s) in frame (r), which sees (s) at M: M J Mᵗ.
template <class T>
Matrix4<T> refer_action(const Matrix4<T>& M_rs, const Matrix4<T>& J_s) {
  return M_rs * J_s * transpose(M_rs);
}

// From Ulna's vectors to the paper's matrices and back.

template <class T>
Matrix4<T> position_matrix(const Pose<T>& x) {
  return Matrix4<T>::from_blocks(x.R, x.p, Vec3<T>::zero(), T(1.0));
}

/// W of a velocity; L of a joint's motion at unit rate (u, b) = (angular, linear): eq. (1).
template <class T>
Matrix4<T> velocity_matrix(const Motion<T>& m) {
  return Matrix4<T>::from_blocks(skew(m.angular), m.linear, Vec3<T>::zero(), T(0.0));
}

/// H_g holds the gravity acceleration, not its opposite (erratum 4.12).
template <class T>
Matrix4<T> gravity_matrix(const Vec3<T>& g) {
  return Matrix4<T>::from_blocks(Mat3<T>::zero(), g, Vec3<T>::zero(), T(0.0));
}

/// Φ of a moment and a force, both at the frame's origin.
template <class T>
Matrix4<T> action_matrix(const Force<T>& f) {
  return Matrix4<T>::from_blocks(skew(f.moment), f.force, -f.force, T(0.0));
}

/// The moment and force of Φ.
template <class T>
Force<T> force_of(const Matrix4<T>& Phi) {
  return {{Phi(2, 1), Phi(0, 2), Phi(1, 0)}, Phi.column()};
}

/// J: its diagonal is ∫x² dm and not a moment of inertia (erratum 4.4), ∫x² = (−Ixx + Iyy + Izz)/2
/// and ∫xy = −Ixy with the tensor's elements about the frame's origin.
template <class T>
Matrix4<T> pseudo_inertia(const RigidInertia<T>& i) {
  const Sym3<T>& I = i.about_origin;
  const T half(0.5);
  return Matrix4<T>::from_blocks({half * (I.yy + I.zz - I.xx), -I.xy, -I.xz,  //
                                  -I.xy, half * (I.xx + I.zz - I.yy), -I.yz,  //
                                  -I.xz, -I.yz, half * (I.xx + I.yy - I.zz)},
                                 i.h, i.h, i.mass);
}

}  // namespace ulna::homogeneous

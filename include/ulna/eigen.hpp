// Ulna's small structs as Eigen's types and back. The one header that needs Eigen; the library itself takes Eigen's
// vectors and matrices without it (real/vector_view.hpp, real/matrix_view.hpp).
#pragma once

#include <Eigen/Geometry>

#include "ulna/real/matrix_view.hpp"
#include "ulna/spatial/pose.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna {

template <class T>
Eigen::Matrix<T, 3, 1> to_eigen(const Vec3<T>& a) {
  return {a.x, a.y, a.z};
}

template <class T>
Eigen::Matrix<T, 3, 3> to_eigen(const Mat3<T>& a) {
  Eigen::Matrix<T, 3, 3> m;
  m << a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz;
  return m;
}

template <class T>
Eigen::Matrix<T, 3, 3> to_eigen(const Sym3<T>& a) {
  return to_eigen(full(a));
}

template <class T>
Eigen::Quaternion<T> to_eigen(const Quaternion<T>& a) {
  return {a.w, a.x, a.y, a.z};
}

template <class T>
Eigen::Transform<T, 3, Eigen::Isometry> to_eigen(const Pose<T>& a) {
  Eigen::Transform<T, 3, Eigen::Isometry> x = Eigen::Transform<T, 3, Eigen::Isometry>::Identity();
  x.linear() = to_eigen(a.R);
  x.translation() = to_eigen(a.p);
  return x;
}

/// Angular part first, as everywhere.
template <class T>
Eigen::Matrix<T, 6, 1> to_eigen(const Motion<T>& a) {
  return (Eigen::Matrix<T, 6, 1>() << to_eigen(a.angular), to_eigen(a.linear)).finished();
}
template <class T>
Eigen::Matrix<T, 6, 1> to_eigen(const Force<T>& a) {
  return (Eigen::Matrix<T, 6, 1>() << to_eigen(a.moment), to_eigen(a.force)).finished();
}

/// The numbers stay where they are.
template <class T>
auto to_eigen(const MatrixView<T>& a) {
  using Plain = Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic>;
  using Matrix = std::conditional_t<std::is_const_v<T>, const Plain, Plain>;
  return Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(a.data, a.rows, a.cols, Eigen::OuterStride<>(a.stride));
}

template <class Derived>
Vec3<typename Derived::Scalar> to_vec3(const Eigen::MatrixBase<Derived>& a) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 3)
  return {a[0], a[1], a[2]};
}

template <class Derived>
Mat3<typename Derived::Scalar> to_mat3(const Eigen::MatrixBase<Derived>& a) {
  EIGEN_STATIC_ASSERT_MATRIX_SPECIFIC_SIZE(Derived, 3, 3)
  return {a(0, 0), a(0, 1), a(0, 2), a(1, 0), a(1, 1), a(1, 2), a(2, 0), a(2, 1), a(2, 2)};
}

template <class T>
Quaternion<T> to_quaternion(const Eigen::Quaternion<T>& a) {
  return {a.x(), a.y(), a.z(), a.w()};
}

template <class T>
Pose<T> to_pose(const Eigen::Transform<T, 3, Eigen::Isometry>& a) {
  return {to_mat3(a.linear()), to_vec3(a.translation())};
}

template <class Derived>
Motion<typename Derived::Scalar> to_motion(const Eigen::MatrixBase<Derived>& a) {
  return {to_vec3(a.template head<3>()), to_vec3(a.template tail<3>())};
}
template <class Derived>
Force<typename Derived::Scalar> to_force(const Eigen::MatrixBase<Derived>& a) {
  return {to_vec3(a.template head<3>()), to_vec3(a.template tail<3>())};
}

}  // namespace ulna

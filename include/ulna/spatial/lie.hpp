// exp and log on SO(3) and SE(3), accurate near zero and near half a turn.
//
// All divisions by the angle go through series where the angle is small. Both sides are always
// computed; the unused one divides by a harmless number instead of zero, so that its derivative
// (Dual) stays finite too.
#pragma once

#include "ulna/spatial/pose.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna {

namespace lie_detail {

/// Coefficients of exp and of its left Jacobian: a = sin φ/φ, b = (1 − cos φ)/φ², c = (φ − sin φ)/φ³.
template <class T>
struct Coefficients {
  T a, b, c;
};

template <Real T>
Coefficients<T> coefficients(const T& phi2) {
  // Below φ² = 1/4 the series to φ¹⁴ leaves less than 1e-17; above it c loses under two bits.
  const T small_limit(0.25), one(1.0);
  const auto small = phi2 < small_limit;
  const T safe2 = select(small, one, phi2);
  const T phi = sqrt(safe2);
  const SinCos<T> t = sincos(phi);
  const SinCos<T> h = sincos(T(0.5) * phi);
  const T x = select(small, phi2, T(0.0));
  const auto series = [&](double first) {  // Σ (−x)^k · first!/(first + 2k)!
    T sum(1.0);
    for (int k = 7; k >= 1; --k) {
      const double n = first + 2.0 * k;
      sum = one - x * sum * T(1.0 / (n * (n - 1.0)));
    }
    return sum;
  };
  return {select(small, series(1.0), t.sin / phi), select(small, T(0.5) * series(2.0), T(2.0) * h.sin * h.sin / safe2),
          select(small, T(1.0 / 6.0) * series(3.0), (phi - t.sin) / (safe2 * phi))};
}

/// e of V⁻¹ = 1 − W/2 + e W²: e = (1 − a/(2b))/φ²; near zero the Bernoulli series of
/// (1 − (φ/2) cot(φ/2))/φ², since the ones cancel.
template <Real T>
T inverse_coefficient(const T& phi2, const Coefficients<T>& k) {
  const auto small = phi2 < T(0.25);
  const T safe2 = select(small, T(1.0), phi2);
  const T direct = (T(1.0) - k.a / (T(2.0) * k.b)) / safe2;
  const T y = select(small, phi2, T(0.0));
  const T series =
      T(1.0 / 12.0) +
      y * (T(1.0 / 720.0) +
           y * (T(1.0 / 30240.0) +
                y * (T(1.0 / 1209600.0) +
                     y * (T(1.0 / 47900160.0) + y * (T(691.0 / 1307674368000.0) + y * T(1.0 / 74724249600.0))))));
  return select(small, series, direct);
}

}  // namespace lie_detail

/// The rotation by |w| about w.
template <Real T>
Mat3<T> exp_rotation(const Vec3<T>& w) {
  const auto k = lie_detail::coefficients(dot(w, w));
  const Mat3<T> W = skew(w);
  return Mat3<T>::identity() + k.a * W + k.b * (W * W);
}

/// The quaternion of the same rotation.
template <Real T>
Quaternion<T> exp_quaternion(const Vec3<T>& w) {
  const Vec3<T> half = T(0.5) * w;
  const auto k = lie_detail::coefficients(dot(half, half));
  // cos h = 1 − b h², and sin h / h = a
  return {k.a * half.x, k.a * half.y, k.a * half.z, T(1.0) - k.b * dot(half, half)};
}

/// The rotation vector w, |w| ≤ π. Through the quaternion, whose vector part stays large near π.
template <Real T>
Vec3<T> log_rotation(const Mat3<T>& r) {
  Quaternion<T> q = quaternion_of(r);
  const T flip = select(q.w < T(0.0), T(-1.0), T(1.0));
  const Vec3<T> v{flip * q.x, flip * q.y, flip * q.z};
  const T w = flip * q.w;
  const T n2 = dot(v, v);
  // 2 atan(n/w)/n; for small n/w by its series in x = (n/w)²
  const auto small = n2 < T(1e-4) * (w * w);
  const T safe_n = sqrt(select(small, T(1.0), n2));
  const T safe_w = select(small, w, T(1.0));
  const T x = n2 / (safe_w * safe_w);
  const T series = T(1.0) - x * (T(1.0 / 3.0) - x * (T(0.2) - x * (T(1.0 / 7.0) - x * T(1.0 / 9.0))));
  const T factor = select(small, T(2.0) * series / safe_w, T(2.0) * atan2(safe_n, w) / safe_n);
  return factor * v;
}

/// J of ω = J(w) ẇ: the angular velocity, in the axes of the turned body, of the rotation exp(w).
template <Real T>
Mat3<T> body_jacobian(const Vec3<T>& w) {
  const auto k = lie_detail::coefficients(dot(w, w));
  const Mat3<T> W = skew(w);
  return Mat3<T>::identity() - k.b * W + k.c * (W * W);
}

/// Its inverse: ẇ = J⁻¹(w) ω. Exists up to a whole turn.
template <Real T>
Mat3<T> inverse_body_jacobian(const Vec3<T>& w) {
  const T phi2 = dot(w, w);
  const T e = lie_detail::inverse_coefficient(phi2, lie_detail::coefficients(phi2));
  const Mat3<T> W = skew(w);
  return Mat3<T>::identity() + T(0.5) * W + e * (W * W);
}

/// The pose reached by moving with the constant velocity m for one unit of time.
template <Real T>
Pose<T> exp_pose(const Motion<T>& m) {
  const auto k = lie_detail::coefficients(dot(m.angular, m.angular));
  const Mat3<T> W = skew(m.angular);
  const Vec3<T> wv = W * m.linear;
  return {exp_rotation(m.angular), m.linear + k.b * wv + k.c * (W * wv)};
}

/// The inverse of exp_pose.
template <Real T>
Motion<T> log_pose(const Pose<T>& x) {
  const Vec3<T> w = log_rotation(x.R);
  const auto k = lie_detail::coefficients(dot(w, w));
  const T e = lie_detail::inverse_coefficient(dot(w, w), k);
  const Mat3<T> W = skew(w);
  const Vec3<T> wp = W * x.p;
  return {w, x.p - T(0.5) * wp + e * (W * wp)};
}

}  // namespace ulna

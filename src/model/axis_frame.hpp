// Rotations that put a joint axis on z, and their ZXZ form, exact for right angles.
#pragma once

#include "ulna/spatial/pose.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// A rotation R with R z = axis (a unit vector): by right angles where the axis is a coordinate
/// axis, so that no rounding enters there, else the shortest turn.
Mat3<double> rotation_to(const Vec3<double>& axis);

/// R = Rz(γ) Rx(α) Rz(θ) with cos γ ≥ 0; γ = 0 where the axes are parallel.
struct Zxz {
  Turn<double> gamma, alpha, theta;
};
Zxz zxz(const Mat3<double>& R);

inline Turn<double> operator*(const Turn<double>& a, const Turn<double>& b) {  // sum of the angles
  return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}
inline double angle(const Turn<double>& t) { return atan2(t.s, t.c); }

}  // namespace ulna
#pragma GCC visibility pop

// Moments of inertia of plain solids about their centres, in their own axes.
#pragma once

#include "ulna/spatial/mat3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Of edges x, y, z.
inline Sym3<double> inertia_of_box(double mass, double x, double y, double z) {
  const double k = mass / 12.0;
  return {k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y), 0, 0, 0};
}

/// Its axis is z.
inline Sym3<double> inertia_of_cylinder(double mass, double radius, double length) {
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  return {across, across, 0.5 * mass * radius * radius, 0, 0, 0};
}

inline Sym3<double> inertia_of_ball(double mass, double radius) {
  return Sym3<double>::diagonal(0.4 * mass * radius * radius);
}

}  // namespace ulna
#pragma GCC visibility pop

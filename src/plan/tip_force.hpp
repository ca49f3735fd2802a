// The force between a tip and the mass that it carries along a path, as rows that are linear in u = s̈ and x = ṡ².
#pragma once

#include "ulna/spatial/vec3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// |A u + B x + c| ≤ 1 is a disc in the plane that A and B span: in its axes e₁ along A and e₂ across it, the vector is
/// (a₁ u + b₁ x + c₁, b₂ x + c₂), and what c has beside the plane takes from the radius.
struct ForceDisc {
  double a1 = 0.0, b1 = 0.0, b2 = 0.0, c1 = 0.0, c2 = 0.0;
  double radius = 1.0;  // NaN: c alone is too long

  static ForceDisc of(const Vec3<double>& A, const Vec3<double>& B, const Vec3<double>& c);

  /// A polygon in the disc stands for it: so many pairs of parallel sides, which give away 0.5 % at most.
  static constexpr int pairs = 16;
  /// One pair: |of_u u + of_x x + constant| ≤ 1.
  struct Row {
    double of_u, of_x, constant;
  };
  Row row(int pair) const;
};

}  // namespace ulna
#pragma GCC visibility pop

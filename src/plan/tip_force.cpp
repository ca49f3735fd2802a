#include "tip_force.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ulna {

ForceDisc ForceDisc::of(const Vec3<double>& A, const Vec3<double>& B, const Vec3<double>& c) {
  constexpr double nothing = 1e-12;   // in parts of the limit per s̈ or ṡ²
  constexpr double rounding = 1e-10;  // of B's part across A: less has the direction of rounding, which may be A's own
  const auto unit = [](const Vec3<double>& v) { return (1.0 / norm(v)) * v; };
  const auto any_across = [&](const Vec3<double>& v) {
    const Vec3<double> axis = std::abs(v.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    return unit(cross(v, axis));
  };
  const Vec3<double> e1 = norm(A) > nothing ? unit(A) : norm(B) > nothing ? unit(B) : Vec3<double>{1, 0, 0};
  const Vec3<double> across = B - dot(B, e1) * e1;
  const Vec3<double> e2 = norm(across) > std::max(nothing, rounding * norm(B)) ? unit(across) : any_across(e1);
  const double beside = dot(c, cross(e1, e2));
  return {dot(A, e1), dot(B, e1), dot(B, e2), dot(c, e1), dot(c, e2), std::sqrt(1.0 - beside * beside)};
}

ForceDisc::Row ForceDisc::row(int pair) const {
  const double angle = std::numbers::pi * pair / pairs, reach = radius * std::cos(0.5 * std::numbers::pi / pairs);
  const double along = std::cos(angle) / reach, across = std::sin(angle) / reach;
  return {along * a1, along * b1 + across * b2, along * c1 + across * c2};
}

}  // namespace ulna

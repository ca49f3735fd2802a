// Volume, centre and second moments of what a surface encloses, by tetrahedra from one point to its triangles.
#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial/solid_inertia.hpp"
#include "ulna/io/mesh/mesh.hpp"
#include "weld.hpp"

namespace ulna {

namespace {

struct Box {
  Vec3<double> lower, upper;
};

Box box_of(const MeshPart& part) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Box box{{far, far, far}, {-far, -far, -far}};
  for (const Vec3<double>& p : part.points) {
    box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
    box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
  }
  return box;
}

MeshSolid solid_of_box(const Box& box) {
  const Vec3<double> s = box.upper - box.lower;
  const double volume = s.x * s.y * s.z;
  return {volume, 0.5 * (box.lower + box.upper), inertia_of_box(volume, s.x, s.y, s.z), false};
}

/// Each side of a triangle has one that runs the other way.
bool is_closed(const MeshPart& part) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> there, back;
  for (const auto& t : part.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      there.emplace_back(t[k], t[(k + 1) % 3]);
      back.emplace_back(t[(k + 1) % 3], t[k]);
    }
  }
  std::sort(there.begin(), there.end());
  std::sort(back.begin(), back.end());
  return there == back;
}

}  // namespace

MeshSolid solid_of(const Mesh& mesh) {
  const MeshPart whole = welded(mesh);
  if (whole.triangles.empty()) return {};
  const Box box = box_of(whole);
  const MeshSolid filled_box = solid_of_box(box);
  if (!is_closed(whole)) return filled_box;
  // ∫ x xᵀ of a tetrahedron with a corner at the origin is its volume times (Σ pᵢ pᵢᵀ + (Σ pᵢ)(Σ pᵢ)ᵀ) / 20.
  double volume = 0.0;
  Vec3<double> first{0, 0, 0};
  Sym3<double> second{0, 0, 0, 0, 0, 0};
  const auto add_square = [&](double weight, const Vec3<double>& p) {
    second += Sym3<double>{weight * p.x * p.x, weight * p.y * p.y, weight * p.z * p.z,
                           weight * p.x * p.y, weight * p.x * p.z, weight * p.y * p.z};
  };
  for (const auto& t : whole.triangles) {
    const Vec3<double> a = whole.points[t[0]] - filled_box.centre, b = whole.points[t[1]] - filled_box.centre,
                       c = whole.points[t[2]] - filled_box.centre, sum = a + b + c;
    const double v = dot(a, cross(b, c)) / 6.0;
    volume += v;
    first = first + (0.25 * v) * sum;
    for (const Vec3<double>& p : {a, b, c, sum}) add_square(v / 20.0, p);
  }
  if (volume < 0.0) {  // inside out, as a mirrored surface is
    volume = -volume;
    first = -1.0 * first;
    second = Sym3<double>::zero() - second;
  }
  if (!(volume > 1e-6 * filled_box.volume)) return filled_box;  // flat
  const Vec3<double> centre = (1.0 / volume) * first;
  add_square(-volume, centre);
  const double trace = second.xx + second.yy + second.zz;
  return {volume,
          filled_box.centre + centre,
          {trace - second.xx, trace - second.yy, trace - second.zz, -second.xy, -second.xz, -second.yz},
          true};
}

}  // namespace ulna

#include "weld.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ulna {

MeshPart welded(const MeshPart& part) {
  const auto key = [&](std::uint32_t k) { return std::tie(part.points[k].x, part.points[k].y, part.points[k].z); };
  std::vector<std::uint32_t> order(part.points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  MeshPart out;
  out.colour = part.colour;
  std::vector<std::uint32_t> index(part.points.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || key(order[k]) != key(order[k - 1])) out.points.push_back(part.points[order[k]]);
    index[order[k]] = static_cast<std::uint32_t>(out.points.size() - 1);
  }
  for (const auto& [a, b, c] : part.triangles) {
    const std::array<std::uint32_t, 3> t{index[a], index[b], index[c]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.triangles.push_back(t);
  }
  return out;
}

MeshPart welded(const Mesh& mesh) {
  MeshPart all;
  for (const MeshPart& part : mesh.parts) {
    const auto first = static_cast<std::uint32_t>(all.points.size());
    all.points.insert(all.points.end(), part.points.begin(), part.points.end());
    for (const auto& [a, b, c] : part.triangles) all.triangles.push_back({first + a, first + b, first + c});
  }
  return welded(all);
}

}  // namespace ulna

// Half of M⁻¹ by the sparse factor of M, on the columns that a loop has.
#pragma once

#include <array>

#include "tree_factor.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

namespace composite_detail {

template <std::size_t count, Real T>
void half(const Model& tree, MatrixView<const T> factored, std::span<const T> inverse, const LoopPath& path,
          const HalfColumns<T>& columns) {
  const std::span<const int> parent = tree.parent_of_v();
  for (const int degree : path.degrees) {
    const auto k = static_cast<std::size_t>(degree);
    const T* L = factored.column(degree);
    std::array<T, count> u;
    for (std::size_t c = 0; c < count; ++c) {
      u[c] = columns.U[k * columns.stride + c];
      columns.Y[k * columns.stride + c] = inverse[k] * u[c];
    }
    for (int i = parent[k]; i >= 0; i = parent[static_cast<std::size_t>(i)]) {
      T* to = columns.U + static_cast<std::size_t>(i) * columns.stride;
      for (std::size_t c = 0; c < count; ++c) to[c] -= L[i] * u[c];
    }
  }
}

}  // namespace composite_detail

/// U := H U and Y := D⁻¹ U with M = Lᵀ D L as composite_body::factor() leaves it, H = L⁻ᵀ and D⁻¹ given.
template <Real T>
void composite_half(const Model& tree, MatrixView<const T> factored, std::span<const T> inverse, const LoopPath& path,
                    const HalfColumns<T>& columns) {
  using namespace composite_detail;
  switch (columns.count) {  // as many as a joint locks: short loops want to be unrolled
    case 3: return half<3>(tree, factored, inverse, path, columns);
    case 4: return half<4>(tree, factored, inverse, path, columns);
    case 5: return half<5>(tree, factored, inverse, path, columns);
    default: return half<6>(tree, factored, inverse, path, columns);
  }
}

}  // namespace ulna
#pragma GCC visibility pop

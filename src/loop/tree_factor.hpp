// M⁻¹ = Hᵀ D⁻¹ H of a tree, for what closed loops add to it.
#pragma once

#include <memory>

#include "loop_path.hpp"
#include "ulna/dynamics/arguments.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Columns of two matrices with a row per velocity index.
template <Real T>
struct HalfColumns {
  T *U, *Y;
  std::size_t stride;  // from row to row
  int count;
};

class [[gnu::visibility("hidden")]] TreeFactor {
 public:
  virtual ~TreeFactor() = default;
  /// Without the loops; factors M at q.
  virtual void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                std::span<double> a, Wrenches<double> external) = 0;
  /// U := H U and Y := D⁻¹ U, for columns that are zero off the path.
  virtual void half(const LoopPath& path, const HalfColumns<double>& columns) = 0;
  /// x = M⁻¹ f.
  virtual void response(std::span<const double> f, std::span<double> x) = 0;
};

/// Whether the sparse factor of M is the better one: for mechanisms of a common size.
bool has_common_size(const Model& tree);
/// By the sparse factor of M for mechanisms of a common size, by articulated bodies, O(n), for long chains.
std::unique_ptr<TreeFactor> make_tree_factor(const Model& tree);

}  // namespace ulna
#pragma GCC visibility pop

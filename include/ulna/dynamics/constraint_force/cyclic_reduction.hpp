// Block cyclic reduction of a symmetric block tridiagonal system: every second unknown is
// eliminated at once, again and again, log2 N times. The unknowns of a level do not depend on each
// other, so they are done four at a time in SIMD lanes, groups of four in threads.
#pragma once

#include <iterator>
#include <vector>

#include "ulna/dynamics/block_lanes.hpp"

namespace ulna::constraint_force {

using dense::Block;
using dense::Vector;

/// Four blocks or vectors, `step` apart from `first`, side by side in the lanes of packs. A lane
/// before the beginning or beyond the end reads `filler` and is not written.
template <class Packed, class Plain>
struct SideBySide {
  static Packed gather(const std::vector<Plain>& from, std::ptrdiff_t first, std::ptrdiff_t step, const Plain& filler) {
    const auto lane = [&](std::ptrdiff_t k) -> const Plain& {
      const std::ptrdiff_t at = first + k * step;
      return at >= 0 && at < std::ssize(from) ? from[static_cast<std::size_t>(at)] : filler;
    };
    Packed out;
    dense::side_by_side(out, lane(0), lane(1), lane(2), lane(3));
    return out;
  }
  static void scatter(const Packed& in, std::vector<Plain>& to, std::ptrdiff_t first, std::ptrdiff_t step) {
    for (int k = 0; k < 4; ++k) {
      const std::ptrdiff_t at = first + k * step;
      if (at >= std::ssize(to)) return;
      dense::take_lane(in, k, to[static_cast<std::size_t>(at)]);
    }
  }
};

template <int n>
class CyclicReduction {
 public:
  using P = Pack<double, 4>;
  using PlainBlock = Block<double, n>;
  using PackBlock = Block<P, n>;
  using PlainVector = Vector<double, n>;
  using PackVector = Vector<P, n>;
  using Blocks = SideBySide<PackBlock, PlainBlock>;
  using Vectors = SideBySide<PackVector, PlainVector>;

  explicit CyclicReduction(std::size_t joints) {
    for (std::size_t m = joints; m > 0; m = m > 1 ? (m + 1) / 2 : 0) levels_.emplace_back(m);
    unit_ = PlainBlock::zero();
    for (int k = 0; k < n; ++k) unit_(k, k) = 1.0;
    none_ = PlainBlock::zero();
    nothing_.fill(0.0);
  }

  /// A_ii and A_{i−1,i}, to be filled in; and the right-hand side, which becomes the solution.
  std::vector<PlainBlock>& diagonal() { return levels_[0].diagonal; }
  std::vector<PlainBlock>& coupling() { return levels_[0].coupling; }
  std::vector<PlainVector>& right() { return levels_[0].right; }
  std::size_t level_count() const { return levels_.size(); }

  /// `parallel(count, f)` calls f(0) … f(count − 1) in any order, at once if it likes.
  template <class Parallel>
  void factor(const Parallel& parallel) {
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      parallel(groups(level.size() / 2), [&](std::ptrdiff_t g) { eliminate(level, 1 + 8 * g); });
      if (l + 1 == levels_.size()) {
        dense::factor(level.diagonal[0]);
      } else {
        parallel(groups(levels_[l + 1].size()), [&](std::ptrdiff_t g) { reduce(level, levels_[l + 1], g); });
      }
    }
  }

  template <class Parallel>
  void solve(const Parallel& parallel) {
    if (levels_.empty()) return;  // a floating body without joints
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
      Level& level = levels_[l];
      parallel(groups(level.size() / 2), [&](std::ptrdiff_t g) { solve_odd(level, 1 + 8 * g); });
      parallel(groups(levels_[l + 1].size()), [&](std::ptrdiff_t g) { reduce_right(level, levels_[l + 1], g); });
    }
    dense::solve(levels_.back().diagonal[0], levels_.back().right[0].data());
    for (std::size_t l = levels_.size() - 1; l-- > 0;) {
      Level& level = levels_[l];
      parallel(groups(levels_[l + 1].size()), [&](std::ptrdiff_t g) { copy_back(level, levels_[l + 1], g); });
      parallel(groups(level.size() / 2), [&](std::ptrdiff_t g) { substitute(level, 1 + 8 * g); });
    }
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Level& level : levels_) sum += level.size() * (4 * sizeof(PlainBlock) + sizeof(PlainVector));
    return sum;
  }

 private:
  struct Level {
    explicit Level(std::size_t m) : diagonal(m), coupling(m), left(m), next(m), right(m) {}
    std::size_t size() const { return diagonal.size(); }
    std::vector<PlainBlock> diagonal;  // A_ii; the factor at odd i
    std::vector<PlainBlock> coupling;  // A_{i−1,i}
    std::vector<PlainBlock> left;      // at odd i: A_ii⁻¹ A_{i,i−1}
    std::vector<PlainBlock> next;      // at odd i: A_ii⁻¹ A_{i,i+1}
    std::vector<PlainVector> right;
  };

  static std::ptrdiff_t groups(std::size_t count) { return static_cast<std::ptrdiff_t>((count + 3) / 4); }

  /// Odd unknowns i, i+2, i+4, i+6: their factors, and what they are of their neighbours.
  void eliminate(Level& level, std::ptrdiff_t i) const {
    PackBlock A = Blocks::gather(level.diagonal, i, 2, unit_);
    dense::factor(A);
    PackBlock left = transposed(Blocks::gather(level.coupling, i, 2, none_));
    PackBlock next = Blocks::gather(level.coupling, i + 1, 2, none_);
    for (int c = 0; c < n; ++c) {
      dense::solve(A, &left(0, c));
      dense::solve(A, &next(0, c));
    }
    Blocks::scatter(A, level.diagonal, i, 2);
    Blocks::scatter(left, level.left, i, 2);
    Blocks::scatter(next, level.next, i, 2);
  }

  /// Even unknowns i = 8g, 8g+2, …: A_ii − A_{i,i+1} A_{i+1,i+1}⁻¹ A_{i+1,i} − A_{i,i−1} A_{i−1,i−1}⁻¹ A_{i−1,i},
  /// and −A_{i−2,i−1} A_{i−1,i−1}⁻¹ A_{i−1,i} as their new coupling.
  void reduce(const Level& level, Level& coarse, std::ptrdiff_t g) const {
    const std::ptrdiff_t i = 8 * g;
    PackBlock A = Blocks::gather(level.diagonal, i, 2, unit_);
    const PackBlock outer = Blocks::gather(level.coupling, i + 1, 2, none_);
    const PackBlock outer_left = Blocks::gather(level.left, i + 1, 2, none_);
    for (int c = 0; c < n; ++c) {
      for (int r = c; r < n; ++r) {
        P sum = A(r, c);
        for (int k = 0; k < n; ++k) sum -= outer(r, k) * outer_left(k, c);
        A(r, c) = A(c, r) = sum;
      }
    }
    const PackBlock inner = Blocks::gather(level.coupling, i, 2, none_);
    const PackBlock inner_next = Blocks::gather(level.next, i - 1, 2, none_);
    subtract_symmetric_product(A, inner, inner_next);
    const PackBlock before = Blocks::gather(level.coupling, i - 1, 2, none_);
    PackBlock E;
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) {
        P sum(0.0);
        for (int k = 0; k < n; ++k) sum -= before(r, k) * inner_next(k, c);
        E(r, c) = sum;
      }
    }
    Blocks::scatter(A, coarse.diagonal, 4 * g, 1);
    Blocks::scatter(E, coarse.coupling, 4 * g, 1);
  }

  void solve_odd(Level& level, std::ptrdiff_t i) const {
    PackVector x = Vectors::gather(level.right, i, 2, nothing_);
    dense::solve(Blocks::gather(level.diagonal, i, 2, unit_), x.data());
    Vectors::scatter(x, level.right, i, 2);
  }

  void reduce_right(const Level& level, Level& coarse, std::ptrdiff_t g) const {
    const std::ptrdiff_t i = 8 * g;
    PackVector x = Vectors::gather(level.right, i, 2, nothing_);
    subtract_times(x, Blocks::gather(level.coupling, i + 1, 2, none_),
                   Vectors::gather(level.right, i + 1, 2, nothing_));
    subtract_transposed_times(x, Blocks::gather(level.coupling, i, 2, none_),
                              Vectors::gather(level.right, i - 1, 2, nothing_));
    Vectors::scatter(x, coarse.right, 4 * g, 1);
  }

  void copy_back(Level& level, const Level& coarse, std::ptrdiff_t g) const {
    Vectors::scatter(Vectors::gather(coarse.right, 4 * g, 1, nothing_), level.right, 8 * g, 2);
  }

  void substitute(Level& level, std::ptrdiff_t i) const {
    PackVector x = Vectors::gather(level.right, i, 2, nothing_);
    subtract_times(x, Blocks::gather(level.left, i, 2, none_), Vectors::gather(level.right, i - 1, 2, nothing_));
    subtract_times(x, Blocks::gather(level.next, i, 2, none_), Vectors::gather(level.right, i + 1, 2, nothing_));
    Vectors::scatter(x, level.right, i, 2);
  }

  std::vector<Level> levels_;
  PlainBlock unit_, none_;
  PlainVector nothing_;
};

}  // namespace ulna::constraint_force

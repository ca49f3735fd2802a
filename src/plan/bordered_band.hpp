// A symmetric matrix whose elements lie in a band, with one more row and column that are full: the second derivatives
// of what a motion costs, by its unknowns in the order of time and by its duration. Eigen has no banded matrices, and
// this folder is compiled for each processor, which Eigen's types must not be.
#pragma once

#include <span>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna {

class BorderedBand {
 public:
  /// `size` without the border; elements (i, j) with |i − j| ≤ `reach`.
  BorderedBand(std::size_t size, std::size_t reach);

  std::size_t size() const { return size_; }
  void clear();
  /// j ≤ i ≤ j + reach.
  double& at(std::size_t i, std::size_t j) { return band_[i * (reach_ + 1) + (reach_ - (i - j))]; }
  double& border(std::size_t i) { return border_[i]; }
  double& corner() { return corner_; }

  /// Keeps L of L Lᵀ, of the matrix with `shift` times its `scale` added on the diagonal (size + 1 of them); without
  /// the border if that is not wanted. False: it is not positive definite.
  bool factor(double shift, std::span<const double> scale, bool with_border);
  /// In place, size + 1 numbers; the last is zero without the border.
  void solve(std::span<double> x) const;

 private:
  double& lower(std::size_t i, std::size_t j) { return factor_[i * (reach_ + 1) + (reach_ - (i - j))]; }
  double lower(std::size_t i, std::size_t j) const { return factor_[i * (reach_ + 1) + (reach_ - (i - j))]; }
  std::size_t first(std::size_t i) const { return i > reach_ ? i - reach_ : 0; }
  void solve_band(std::span<double> x) const;

  std::size_t size_, reach_;
  std::vector<double> band_, border_, factor_;
  std::vector<double> answer_;  // band⁻¹ border
  double corner_ = 0.0, pivot_ = 0.0;
  bool has_border_ = false;
};

}  // namespace ulna
#pragma GCC visibility pop

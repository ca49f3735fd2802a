// The smallest ½ xᵀHx + gᵀx within a box, by Newton's method on the face of the box that x is on (Tassa 2014, section
// III).
#pragma once

#include <span>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna::control {

class BoxQp {
 public:
  explicit BoxQp(int size);

  /// H: size × size, column by column, `stride` apart; x begins where it is. False: H is not positive definite on the
  /// face.
  bool solve(const double* H, int stride, std::span<const double> g, std::span<const double> lower,
             std::span<const double> upper, std::span<double> x);
  bool is_free(int k) const { return free_[static_cast<std::size_t>(k)] != 0; }
  /// −H⁻¹ b on the free ones, zero elsewhere; after solve().
  void respond(const double* b, double* x) const;

 private:
  bool factor(const double* H, int stride);

  int size_, count_ = 0;
  std::vector<char> free_, before_;
  std::vector<int> order_;           // the free ones
  std::vector<double> L_, inverse_;  // Cholesky factor on them, and one over its diagonal
  std::vector<double> gradient_, step_, trial_;
};

}  // namespace ulna::control
#pragma GCC visibility pop

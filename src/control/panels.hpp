// Products of small matrices whose columns are padded to whole packs. Eigen's are for sizes that it knows when it is
// compiled, or large ones: with 7 × 7 and 14 × 21 of sizes known at run time it takes several times as long.
#pragma once

#include <algorithm>
#include <vector>

#include "ulna/real/pack.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::control {

using Row8 = Pack<double, 8>;

inline int padded(int rows) { return (rows + 7) / 8 * 8; }

/// Column by column, each padded(rows) long; behind the last stands room for one more pack.
class Panel {
 public:
  Panel() = default;
  Panel(int row_count, int column_count)
      : rows(row_count),
        cols(column_count),
        stride(padded(row_count)),
        numbers_(static_cast<std::size_t>(stride) * static_cast<std::size_t>(column_count) + 8) {}

  double* column(int j) { return numbers_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(stride); }
  const double* column(int j) const {
    return numbers_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(stride);
  }
  double& operator()(int i, int j) { return column(j)[i]; }
  double operator()(int i, int j) const { return column(j)[i]; }
  void clear() { std::fill(numbers_.begin(), numbers_.end(), 0.0); }

  int rows = 0, cols = 0, stride = 0;

 private:
  std::vector<double> numbers_;
};

/// Columns of C = or += A B, A of `packs` packs of rows and `inner` columns.
template <bool add>
inline void multiply(int packs, int inner, int cols, const double* A, int lda, const double* B, int ldb, double* C,
                     int ldc) {
  for (int r = 0; r < packs; ++r) {
    const double* a = A + 8 * r;
    int j = 0;
    const auto run = [&](auto width) {
      constexpr int wide = decltype(width)::value;
      double* c = C + 8 * r + j * ldc;
      Row8 sum[wide];
      for (int i = 0; i < wide; ++i) sum[i] = add ? Row8::load(c + i * ldc) : Row8(0.0);
      for (int p = 0; p < inner; ++p) {
        const Row8 x = Row8::load(a + p * lda);
        for (int i = 0; i < wide; ++i) sum[i] += x * Row8(B[p + (j + i) * ldb]);
      }
      for (int i = 0; i < wide; ++i) sum[i].store(c + i * ldc);
      j += wide;
    };
    while (j + 7 <= cols) run(std::integral_constant<int, 7>{});
    while (j < cols) run(std::integral_constant<int, 1>{});
  }
}

}  // namespace ulna::control
#pragma GCC visibility pop

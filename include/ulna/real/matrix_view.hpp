// A dense matrix in somebody else's memory, column by column as Eigen and LAPACK store it; the columns may have gaps
// between them, as those of a block of a larger matrix have. A plain view and not Eigen::Map, because Eigen's alignment
// depends on compiler flags and must not cross the library's boundary (doc/adr/0004).
#pragma once

#include <limits>
#include <stdexcept>

#include "ulna/real/vector_view.hpp"

namespace ulna {

namespace view_detail {

template <class M>
constexpr bool column_major() {
  if constexpr (requires { M::IsRowMajor; })
    return !M::IsRowMajor && side_by_side<M>();
  else
    return true;
}

/// What a view of a matrix may be made of; M is as a forwarding reference has it.
template <class M, class T>
concept MatrixOf = HoldsNumbers<M, T> && column_major<std::remove_cvref_t<M>>() && Lasting<M, T> && requires(M& m) {
  m.rows(), m.cols();
};

/// A row, a column or a stride of Eigen's, which counts further than Ulna.
template <class Number>
int count_of(Number n) {
  if (n > std::numeric_limits<int>::max()) throw std::invalid_argument("this matrix is too large for a MatrixView");
  return static_cast<int>(n);
}

template <class M>
int stride_of(const M& m) {
  if constexpr (requires { m.outerStride(); })
    return count_of(m.outerStride());
  else
    return count_of(m.rows());
}

}  // namespace view_detail

template <class T>
struct MatrixView {
  T* data;
  int rows, cols;
  int stride;  // from the top of a column to the top of the next

  MatrixView(T* first, int row_count, int column_count) : MatrixView(first, row_count, column_count, row_count) {}
  MatrixView(T* first, int row_count, int column_count, int column_stride)
      : data(first), rows(row_count), cols(column_count), stride(column_stride) {}

  /// Of anything with data(), rows() and cols(), and outerStride() where columns have gaps: an Eigen::MatrixXd, a Map,
  /// a Block. A matrix that keeps its rows together is refused.
  template <view_detail::MatrixOf<T> M>
  MatrixView(M&& m)  // NOLINT(bugprone-forwarding-reference-overload): a MatrixView has no data()
      : MatrixView(std::data(m), view_detail::count_of(m.rows()), view_detail::count_of(m.cols()),
                   view_detail::stride_of(m)) {}

  T& operator()(int i, int j) const { return column(j)[i]; }
  T* column(int j) const { return data + static_cast<std::size_t>(j) * static_cast<std::size_t>(stride); }
  /// What may be written may be read.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }
  void fill(const T& value) const {
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) (*this)(i, j) = value;
  }
};

template <class M>
MatrixView(M&&) -> MatrixView<view_detail::Element<M>>;

/// As arguments of functions over a scalar T, which is not deduced from them.
template <class T>
using MatrixIn = std::type_identity_t<MatrixView<const T>>;
template <class T>
using MatrixOut = std::type_identity_t<MatrixView<T>>;

}  // namespace ulna

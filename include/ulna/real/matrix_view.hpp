// A dense matrix in somebody else's memory, column by column as Eigen and LAPACK store it.
// A plain view and not Eigen::Map, because Eigen's alignment depends on compiler flags and must
// not cross the library's boundary (doc/adr/0004). `Eigen::Map<MatrixXd>(m.data, m.rows, m.cols)`.
#pragma once

#include <cstddef>
#include <type_traits>

namespace ulna {

template <class T>
struct MatrixView {
  T* data;
  int rows, cols;

  T& operator()(int i, int j) const {
    return data[static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i)];
  }
  /// What may be written may be read.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols}; }
  void fill(const T& value) const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); ++k) data[k] = value;
  }
};

}  // namespace ulna

// The arguments that all formulations share, and the checks at their door.
#pragma once

#include "ulna/model/expect_size.hpp"
#include "ulna/model/model.hpp"
#include "ulna/real/matrix_view.hpp"

namespace ulna {

/// External loads: for each body a wrench at its mass centre in world axes. Empty means none.
template <class T>
using Wrenches = VectorIn<Force<T>>;

template <class T>
ULNA_INLINE void expect_wrenches(const Model& model, std::span<const Force<T>> wrenches) {
  if (!wrenches.empty()) expect_size("the list of external wrenches", wrenches.size(), model.body_count());
}

template <class T>
ULNA_INLINE void expect_square(const Model& model, const MatrixView<T>& m) {
  expect_size("a column of the matrix", static_cast<std::size_t>(m.rows), model.nv());
  expect_size("a row of the matrix", static_cast<std::size_t>(m.cols), model.nv());
}

}  // namespace ulna

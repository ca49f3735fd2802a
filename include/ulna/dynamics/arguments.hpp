// The arguments that all formulations share, and the checks at their door.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "ulna/model/model.hpp"
#include "ulna/real/matrix_view.hpp"

namespace ulna {

/// External loads: for each body a wrench at its mass centre in world axes. Empty means none.
template <class T>
using Wrenches = std::span<const Force<T>>;

[[noreturn, gnu::cold]] inline void wrong_size(const char* what, std::size_t has, std::size_t wants) {
  throw std::invalid_argument(std::string(what) + " has " + std::to_string(has) + " numbers, the model wants " +
                              std::to_string(wants));
}

ULNA_INLINE void expect_size(const char* what, std::size_t has, int wants) {
  if (has != static_cast<std::size_t>(wants)) wrong_size(what, has, static_cast<std::size_t>(wants));
}

template <class T>
ULNA_INLINE void expect_wrenches(const Model& model, Wrenches<T> wrenches) {
  if (!wrenches.empty()) expect_size("the list of external wrenches", wrenches.size(), model.body_count());
}

template <class T>
ULNA_INLINE void expect_square(const Model& model, const MatrixView<T>& m) {
  expect_size("the matrix (rows)", static_cast<std::size_t>(m.rows), model.nv());
  expect_size("the matrix (columns)", static_cast<std::size_t>(m.cols), model.nv());
}

}  // namespace ulna

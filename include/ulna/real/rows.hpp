// Rows of a column that go through the same operations: four at once in a SIMD register where T is a plain number, so
// that work on the matrices of one state fills it; one by one where T is a scalar that fills registers by itself.
#pragma once

#include <algorithm>
#include <concepts>

#include "ulna/real/pack.hpp"

namespace ulna {

template <class T>
struct OneRow {
  static constexpr int count = 1;
  ULNA_INLINE static T load(const T* from) { return *from; }
  ULNA_INLINE static const T& same(const T& value) { return value; }
  ULNA_INLINE static void store(const T& value, T* to) { *to = value; }
};

template <std::floating_point T>
struct FourRows {
  static constexpr int count = 4;
  using Four = Pack<T, 4>;
  ULNA_INLINE static Four load(const T* from) { return Four::load(from); }
  ULNA_INLINE static Four same(T value) { return Four(typename Four::Vector{value, value, value, value}); }
  ULNA_INLINE static void store(const Four& value, T* to) { value.store(to); }
};

/// Calls f(rows, r) for the rows r … r + rows.count − 1 of a column of n until all of first … last − 1 were there.
/// Others may be among them, and some twice: f must be able to do any row, and a row again.
template <class T, class F>
ULNA_INLINE void for_rows(int n, int first, int last, F&& f) {
  if constexpr (std::floating_point<T>) {
    if (n >= FourRows<T>::count) {
      for (int r = first; r < last; r += FourRows<T>::count) f(FourRows<T>{}, std::min(r, n - FourRows<T>::count));
      return;
    }
  }
  for (int r = first; r < last; ++r) f(OneRow<T>{}, r);
}

}  // namespace ulna

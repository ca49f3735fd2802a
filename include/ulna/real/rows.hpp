// Rows of a column that go through the same operations: eight at once in SIMD registers where T is a plain number, so
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

/// Two packs of four rows, the second `apart` rows behind the first: all rows of a column of up to eight, some of them
/// twice.
template <std::floating_point T>
struct TwiceFourRows {
  static constexpr int count = 8;
  int apart;

  struct Number {
    Pack<T, 4> low, high;
    ULNA_INLINE Number& operator-=(const Number& b) {
      low -= b.low;
      high -= b.high;
      return *this;
    }
    friend ULNA_INLINE Number operator*(const Number& a, const Number& b) { return {a.low * b.low, a.high * b.high}; }
  };
  ULNA_INLINE Number load(const T* from) const { return {Pack<T, 4>::load(from), Pack<T, 4>::load(from + apart)}; }
  ULNA_INLINE static Number same(T value) {
    const Pack<T, 4> pack(typename Pack<T, 4>::Vector{value, value, value, value});
    return {pack, pack};
  }
  ULNA_INLINE void store(const Number& value, T* to) const {
    value.low.store(to);
    value.high.store(to + apart);
  }
};

/// Calls f(rows, r) for the rows from r on of a column of n until all of first … last − 1 were there. Others may be
/// among them, and some twice: f must be able to do any row, and a row again.
template <class T, class F>
ULNA_INLINE void for_rows(int n, int first, int last, F&& f) {
  if constexpr (std::floating_point<T>) {
    if (n >= 4) {
      const TwiceFourRows<T> rows{std::min(n, TwiceFourRows<T>::count) - 4};
      const int end = n - rows.apart - 4;  // where the last rows begin
      for (int r = first; r < last; r += rows.count) f(rows, std::min(r, end));
      return;
    }
  }
  for (int r = first; r < last; ++r) f(OneRow<T>{}, r);
}

}  // namespace ulna

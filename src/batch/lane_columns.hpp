// States to lanes and back: the columns of N states become N-lane packs, row by row.
//
// A transposition, by 16 bytes of each column at a time: these land in the places of the lanes that
// they belong to (a load that inserts), and what remains is to exchange numbers within 16 bytes.
#pragma once

#include <cstddef>
#include <utility>

#include "ulna/real/pack.hpp"

namespace ulna::batch {

namespace lane_detail {

template <class S>
inline constexpr int chunk = 16 / static_cast<int>(sizeof(S));

/// Compilers take vectors apart that are wider than the registers, number by number.
#if defined(__AVX512F__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif

template <class S, int N>
using VectorOf [[gnu::vector_size(N * sizeof(S))]] = S;

template <int... I, class V>
ULNA_INLINE auto pick(const V& a, const V& b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, I...);
}

/// Chunks `first`, `first + step`, … side by side, until the vector has Count numbers.
template <class S, int Count, class Load>
ULNA_INLINE VectorOf<S, Count> side_by_side(int first, int step, const Load& load) {
  if constexpr (Count == chunk<S>) {
    return load(first);
  } else {
    constexpr int half = Count / 2;
    const auto low = side_by_side<S, half>(first, step, load);
    const auto high = side_by_side<S, half>(first + step * (half / chunk<S>), step, load);
    return pick(low, high, std::make_integer_sequence<int, Count>{});
  }
}

// Masks that repeat in every 16 bytes: the numbers `in_chunk` of a, or of b where they are chunk or more.
template <int N, int A, int B, int... I>
constexpr auto pairs(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, (I % 2 == 0 ? I / 2 * 2 + A : I / 2 * 2 + B + N)...>{};
}
template <int N, int A, int B, int C, int D, int... I>
constexpr auto quads(std::integer_sequence<int, I...>) {
  constexpr int in_chunk[4] = {A, B, C, D};
  return std::integer_sequence<int, (I / 4 * 4 + in_chunk[I % 4] % 4 + (in_chunk[I % 4] >= 4 ? N : 0))...>{};
}

/// rows[r] lane by lane from vectors whose chunks are the lanes' rows, and, as it is its own inverse,
/// back.
template <class V>
ULNA_INLINE void exchange2(V (&x)[2]) {
  constexpr int n = sizeof(V) / 8;
  using All = std::make_integer_sequence<int, n>;
  const V low = pick(x[0], x[1], pairs<n, 0, 0>(All{})), high = pick(x[0], x[1], pairs<n, 1, 1>(All{}));
  x[0] = low;
  x[1] = high;
}
template <class V>
ULNA_INLINE void exchange4(V (&x)[4]) {
  constexpr int n = sizeof(V) / 4;
  using All = std::make_integer_sequence<int, n>;
  const V a = pick(x[0], x[1], quads<n, 0, 4, 1, 5>(All{})), b = pick(x[0], x[1], quads<n, 2, 6, 3, 7>(All{}));
  const V c = pick(x[2], x[3], quads<n, 0, 4, 1, 5>(All{})), d = pick(x[2], x[3], quads<n, 2, 6, 3, 7>(All{}));
  x[0] = pick(a, c, quads<n, 0, 1, 4, 5>(All{}));
  x[1] = pick(a, c, quads<n, 2, 3, 6, 7>(All{}));
  x[2] = pick(b, d, quads<n, 0, 1, 4, 5>(All{}));
  x[3] = pick(b, d, quads<n, 2, 3, 6, 7>(All{}));
}
template <class S, class V, std::size_t C>
ULNA_INLINE void exchange(V (&x)[C]) {
  if constexpr (C == 2) {
    exchange2(x);
  } else {
    exchange4(x);
  }
}

template <class S, int N>
ULNA_INLINE void gather_chunk(const S* from, int rows, int row, Pack<S, N>* to) {
  constexpr int c = chunk<S>;
  using Chunk = VectorOf<S, c>;
  typename Pack<S, N>::Vector x[c];
  const auto load = [&](int lane) {
    Chunk part;
    __builtin_memcpy(&part, from + lane * rows + row, sizeof(part));
    return part;
  };
  for (int j = 0; j < c; ++j) x[j] = side_by_side<S, N>(j, c, load);
  exchange<S>(x);
  for (int j = 0; j < c; ++j) to[row + j].v = x[j];
}

template <class S, int N>
ULNA_INLINE void scatter_chunk(const Pack<S, N>* from, int rows, int row, S* to) {
  constexpr int c = chunk<S>;
  typename Pack<S, N>::Vector x[c];
  for (int j = 0; j < c; ++j) x[j] = from[row + j].v;
  exchange<S>(x);
  for (int j = 0; j < c; ++j) {
    for (int g = 0; g < N / c; ++g) {
      __builtin_memcpy(to + (j + c * g) * rows + row, reinterpret_cast<const char*>(&x[j]) + 16 * g, 16);
    }
  }
}

/// Calls chunk_at(row) so that all rows are met; where they are no multiple of a chunk, the last two
/// overlap. False: there are fewer rows than a chunk has, or it would not pay.
template <class S, int N, class F>
ULNA_INLINE bool each_chunk(int rows, const F& chunk_at) {
  constexpr int c = chunk<S>;
  if (rows < c || N * sizeof(S) > register_bytes) return false;
  int row = 0;
  for (; row + c <= rows; row += c) chunk_at(row);
  if (row < rows) chunk_at(rows - c);
  return true;
}

}  // namespace lane_detail

/// Lane k takes the k-th column of `rows` numbers.
template <class S, int N>
ULNA_INLINE void gather(const S* from, int rows, Pack<S, N>* to) {
  if (lane_detail::each_chunk<S, N>(rows, [&](int row) { lane_detail::gather_chunk(from, rows, row, to); })) return;
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < N; ++lane) to[row].set(lane, from[lane * rows + row]);
}

template <class S, int N>
ULNA_INLINE void scatter(const Pack<S, N>* from, int rows, S* to) {
  if (lane_detail::each_chunk<S, N>(rows, [&](int row) { lane_detail::scatter_chunk(from, rows, row, to); })) return;
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < N; ++lane) to[lane * rows + row] = from[row][lane];
}

}  // namespace ulna::batch

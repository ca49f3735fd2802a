// States to lanes and back: the columns of N states become N-lane packs, row by row.
//
// A transposition, by chunks of 16 or 32 bytes of each column: these land in the places of the lanes
// that they belong to (a load that inserts), and what remains is to exchange numbers within chunks.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "ulna/real/pack.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::batch {

namespace lane_detail {

/// Numbers in a chunk: 16 bytes, and 32 where that leaves the same number of steps for wider ones.
template <class S, int N>
inline constexpr int chunk = (sizeof(S) == 8 && N == 8 ? 32 : 16) / static_cast<int>(sizeof(S));

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

/// Chunks of C numbers of the lanes `first`, `first + C`, … side by side, until the vector has Count.
template <class S, int C, int Count, class Load>
ULNA_INLINE VectorOf<S, Count> side_by_side(int first, const Load& load) {
  if constexpr (Count == C) {
    return load(first);
  } else {
    constexpr int half = Count / 2;
    const auto low = side_by_side<S, C, half>(first, load);
    const auto high = side_by_side<S, C, half>(first + half, load);
    return pick(low, high, std::make_integer_sequence<int, Count>{});
  }
}

// Masks that repeat in every chunk: numbers of a's chunk, and of b's where they are the chunk's size or more.
template <int N, int A, int B, int... I>
constexpr auto pairs(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, (I % 2 == 0 ? I + A : I - 1 + B - 2 + N)...>{};
}
template <int N, int A, int B, int C, int D, int... I>
constexpr auto quads(std::integer_sequence<int, I...>) {
  constexpr int in_chunk[4] = {A, B, C, D};
  return std::integer_sequence<int, (I / 4 * 4 + in_chunk[I % 4] % 4 + (in_chunk[I % 4] >= 4 ? N : 0))...>{};
}

// x[r] lane by lane from vectors whose chunks are the lanes' rows, and, being its own inverse, back.
template <class S, class V>
ULNA_INLINE void exchange(V (&x)[2]) {
  constexpr int n = sizeof(V) / sizeof(S);
  using All = std::make_integer_sequence<int, n>;
  const V low = pick(x[0], x[1], pairs<n, 0, 2>(All{})), high = pick(x[0], x[1], pairs<n, 1, 3>(All{}));
  x[0] = low;
  x[1] = high;
}
template <class S, class V>
ULNA_INLINE void exchange(V (&x)[4]) {
  constexpr int n = sizeof(V) / sizeof(S);
  using All = std::make_integer_sequence<int, n>;
  // First what stays within 16 bytes, for which there are cheap instructions.
  constexpr bool two_in_16 = sizeof(S) == 8;
  constexpr int p = two_in_16 ? 2 : 1, q = two_in_16 ? 1 : 2;
  const V a = pick(x[0], x[1], quads<n, 0, 4, p, p + 4>(All{})), b = pick(x[0], x[1], quads<n, q, q + 4, 3, 7>(All{}));
  const V c = pick(x[2], x[3], quads<n, 0, 4, p, p + 4>(All{})), d = pick(x[2], x[3], quads<n, q, q + 4, 3, 7>(All{}));
  x[0] = pick(a, c, quads<n, 0, 1, 4, 5>(All{}));
  x[p] = pick(a, c, quads<n, 2, 3, 6, 7>(All{}));
  x[q] = pick(b, d, quads<n, 0, 1, 4, 5>(All{}));
  x[3] = pick(b, d, quads<n, 2, 3, 6, 7>(All{}));
}

template <class S, int N>
ULNA_INLINE void gather_chunk(const S* from, int rows, int row, Pack<S, N>* to) {
  constexpr int c = chunk<S, N>;
  using Chunk = VectorOf<S, c>;
  typename Pack<S, N>::Vector x[c];
  const auto load = [&](int lane) {
    Chunk part;
    __builtin_memcpy(&part, from + lane * rows + row, sizeof(part));
    return part;
  };
  for (int j = 0; j < c; ++j) x[j] = side_by_side<S, c, N>(j, load);
  exchange<S>(x);
  for (int j = 0; j < c; ++j) to[row + j].v = x[j];
}

/// Chunk G of a vector and those after it, to the columns of their lanes.
template <class S, int C, int G, class V>
ULNA_INLINE void store_chunks(const V& x, S* to, int stride) {
  constexpr int first = G * C;
  if constexpr (first < static_cast<int>(sizeof(V) / sizeof(S))) {
    const auto part = [&]<int... I>(std::integer_sequence<int, I...>) {
      return __builtin_shufflevector(x, x, (first + I)...);
    }
    (std::make_integer_sequence<int, C>{});
    __builtin_memcpy(to, &part, sizeof(part));
    store_chunks<S, C, G + 1>(x, to + stride, stride);
  }
}

template <class S, int N>
ULNA_INLINE void scatter_chunk(const Pack<S, N>* from, int rows, int row, S* to) {
  constexpr int c = chunk<S, N>;
  typename Pack<S, N>::Vector x[c];
  for (int j = 0; j < c; ++j) x[j] = from[row + j].v;
  exchange<S>(x);
  for (int j = 0; j < c; ++j) store_chunks<S, c, 0>(x[j], to + j * rows + row, c * rows);
}

/// There are rows enough, and it pays.
template <class S, int N>
ULNA_INLINE bool by_chunks(int rows) {
  return rows >= chunk<S, N> && N * sizeof(S) <= register_bytes;
}

/// Where the rows are no multiple of a chunk, the last two overlap.
template <class S, int N>
ULNA_INLINE void gather(const S* from, int rows, Pack<S, N>* to) {
  constexpr int c = chunk<S, N>;
  if (by_chunks<S, N>(rows)) {
    for (int row = 0; row + c <= rows; row += c) gather_chunk(from, rows, row, to);
    if (rows % c != 0) gather_chunk(from, rows, rows - c, to);
    return;
  }
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < N; ++lane) to[row].set(lane, from[lane * rows + row]);
}

template <class S, int N>
ULNA_INLINE void scatter(const Pack<S, N>* from, int rows, S* to) {
  constexpr int c = chunk<S, N>;
  if (by_chunks<S, N>(rows)) {
    for (int row = 0; row + c <= rows; row += c) scatter_chunk(from, rows, row, to);
    if (rows % c != 0) scatter_chunk(from, rows, rows - c, to);
    return;
  }
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < N; ++lane) to[lane * rows + row] = from[row][lane];
}

/// Sizes of usual arms are constants to the compiler, which knows all addresses then.
template <class Do>
ULNA_INLINE void with_rows(int rows, const Do& act) {
  switch (rows) {
    case 2: return act(std::integral_constant<int, 2>{});
    case 3: return act(std::integral_constant<int, 3>{});
    case 4: return act(std::integral_constant<int, 4>{});
    case 5: return act(std::integral_constant<int, 5>{});
    case 6: return act(std::integral_constant<int, 6>{});
    case 7: return act(std::integral_constant<int, 7>{});
    default: return act(rows);
  }
}

}  // namespace lane_detail

/// So many packs one after the other: lane k of each takes the k-th of its N columns of `rows` numbers.
template <class S, int N>
void gather(const S* from, int rows, Pack<S, N>* to, std::size_t packs) {
  lane_detail::with_rows(rows, [&](auto size) ULNA_INLINE_LAMBDA {
    for (std::size_t k = 0; k < packs; ++k, from += N * size, to += size) lane_detail::gather(from, size, to);
  });
}

template <class S, int N>
void scatter(const Pack<S, N>* from, int rows, S* to, std::size_t packs) {
  lane_detail::with_rows(rows, [&](auto size) ULNA_INLINE_LAMBDA {
    for (std::size_t k = 0; k < packs; ++k, from += size, to += N * size) lane_detail::scatter(from, size, to);
  });
}

}  // namespace ulna::batch
#pragma GCC visibility pop

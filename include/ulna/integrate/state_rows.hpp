// Vectors of the size of the state, and the sums over them that a step consists of.
//
// Written by hand because no library's expressions run on packs. A plain number goes through the
// loops in packs too, so that they need no autovectoriser; rows are padded for that with zeros.
#pragma once

#include <memory>
#include <new>
#include <span>
#include <vector>

#include "ulna/real/lanes.hpp"

namespace ulna {

/// What one turn of a loop over a row handles: several plain numbers, or one pack.
template <class T>
struct BlockOf {
  using type = T;
  static constexpr std::size_t width = 1;
};
template <std::floating_point T>
struct BlockOf<T> {
  static constexpr std::size_t width = 64 / sizeof(T);
  using type = Pack<T, static_cast<int>(width)>;
};
template <Real T>
using Block = typename BlockOf<T>::type;

template <Real T>
ULNA_INLINE Block<T> load_block(const T* from) {
  if constexpr (std::floating_point<T>) {
    return Block<T>::load(from);
  } else {
    return *from;
  }
}
template <Real T>
ULNA_INLINE void store_block(const Block<T>& block, T* to) {
  if constexpr (std::floating_point<T>) {
    block.store(to);
  } else {
    *to = block;
  }
}
/// The same number in all places of a block.
template <Real T>
ULNA_INLINE Block<T> spread(const T& x) {
  return Block<T>(x);
}
/// The sum over the places of a block.
template <Real T>
ULNA_INLINE T gather(const Block<T>& block) {
  if constexpr (std::floating_point<T>) {
    T sum = 0;
    for (int i = 0; i < Block<T>::lanes; ++i) sum += block[i];
    return sum;
  } else {
    return block;
  }
}

/// Rows of equal length in one piece of memory, each beginning at a cache line.
template <Real T>
class StateRows {
 public:
  StateRows(std::size_t rows, std::size_t size)
      : padded_((size + per_line - 1) / per_line * per_line),
        memory_(static_cast<T*>(::operator new(rows* padded_ * sizeof(T), line))) {
    std::uninitialized_fill_n(memory_.get(), rows * padded_, T(0.0));
  }
  T* operator[](std::size_t row) const { return memory_.get() + row * padded_; }
  std::size_t padded() const { return padded_; }

 private:
  static constexpr std::align_val_t line{64};
  static constexpr std::size_t per_line = BlockOf<T>::width;
  struct Free {
    void operator()(T* memory) const { ::operator delete(memory, line); }
  };
  std::size_t padded_;
  std::unique_ptr<T[], Free> memory_;
};

/// One summand of Σ weight · slope. Rows of a tableau are kept as these, without their zeros.
struct Term {
  double weight;
  std::size_t slope;
};

inline std::vector<Term> terms_of(std::span<const double> weights) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0.0) terms.push_back({weights[j], j});
  return terms;
}

/// Σ weight · slope in the block at i.
template <Real T>
ULNA_INLINE Block<T> weighted_sum(std::span<const Term> terms, const std::vector<T*>& slopes, std::size_t i) {
  Block<T> sum(0.0);
  for (const Term& term : terms) sum += Block<T>(term.weight) * load_block(slopes[term.slope] + i);
  return sum;
}

/// out = y + h Σ weight · slope.
template <Real T>
void add_weighted(const T* y, const T& h, std::span<const Term> terms, const std::vector<T*>& slopes,
                  std::size_t padded, T* out) {
  const Block<T> step = spread(h);
  for (std::size_t i = 0; i < padded; i += BlockOf<T>::width)
    store_block(load_block(y + i) + step * weighted_sum<T>(terms, slopes, i), out + i);
}

}  // namespace ulna

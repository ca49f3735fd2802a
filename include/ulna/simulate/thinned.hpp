// A growing list that keeps every second entry whenever it gets too long: bounded memory, even
// spacing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ulna {

template <class Number>
class Thinned {
 public:
  Thinned(std::size_t width, std::size_t most) : width_(width), most_(most) {}

  void add(std::span<const Number> row) {
    if (seen_++ % stride_ != 0) return;
    if (size() >= most_) {
      halve();
      if ((seen_ - 1) % stride_ != 0) return;
    }
    rows_.insert(rows_.end(), row.begin(), row.end());
  }

  std::size_t size() const { return rows_.size() / width_; }
  std::size_t stride() const { return stride_; }
  Number at(std::size_t i, std::size_t column) const { return rows_[i * width_ + column]; }

 private:
  void halve() {
    const std::size_t kept = (size() + 1) / 2;
    for (std::size_t i = 0; i < kept; ++i)
      for (std::size_t k = 0; k < width_; ++k) rows_[i * width_ + k] = rows_[2 * i * width_ + k];
    rows_.resize(kept * width_);
    stride_ *= 2;
  }

  std::size_t width_, most_, seen_ = 0, stride_ = 1;
  std::vector<Number> rows_;
};

}  // namespace ulna

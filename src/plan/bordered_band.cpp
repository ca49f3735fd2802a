#include "bordered_band.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

BorderedBand::BorderedBand(std::size_t size, std::size_t reach)
    : size_(size),
      reach_(reach),
      band_(size * (reach + 1)),
      border_(size),
      factor_(size * (reach + 1)),
      answer_(size) {}

void BorderedBand::clear() {
  std::fill(band_.begin(), band_.end(), 0.0);
  std::fill(border_.begin(), border_.end(), 0.0);
  corner_ = 0.0;
}

bool BorderedBand::factor(double shift, std::span<const double> scale, bool with_border) {
  factor_ = band_;
  has_border_ = with_border;
  for (std::size_t i = 0; i < size_; ++i) {
    lower(i, i) += shift * scale[i];
    for (std::size_t j = first(i); j <= i; ++j) {
      double sum = lower(i, j);
      for (std::size_t k = std::max(first(i), first(j)); k < j; ++k) sum -= lower(i, k) * lower(j, k);
      if (j < i) {
        lower(i, j) = sum / lower(j, j);
        continue;
      }
      if (!(sum > 0.0) || !std::isfinite(sum)) return false;
      lower(i, i) = std::sqrt(sum);
    }
  }
  if (!with_border) return true;
  answer_ = border_;
  solve_band(answer_);
  pivot_ = corner_ + shift * scale[size_];
  for (std::size_t i = 0; i < size_; ++i) pivot_ -= border_[i] * answer_[i];
  return pivot_ > 0.0 && std::isfinite(pivot_);
}

void BorderedBand::solve_band(std::span<double> x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = first(i); k < i; ++k) x[i] -= lower(i, k) * x[k];
    x[i] /= lower(i, i);
  }
  for (std::size_t i = size_; i-- > 0;) {
    x[i] /= lower(i, i);
    for (std::size_t k = first(i); k < i; ++k) x[k] -= lower(i, k) * x[i];
  }
}

void BorderedBand::solve(std::span<double> x) const {
  double last = x[size_];
  solve_band(x.first(size_));
  x[size_] = 0.0;
  if (!has_border_) return;
  for (std::size_t i = 0; i < size_; ++i) last -= border_[i] * x[i];
  last /= pivot_;
  for (std::size_t i = 0; i < size_; ++i) x[i] -= answer_[i] * last;
  x[size_] = last;
}

}  // namespace ulna

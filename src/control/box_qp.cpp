#include "box_qp.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ulna::control {

BoxQp::BoxQp(int size)
    : size_(size),
      free_(static_cast<std::size_t>(size)),
      before_(static_cast<std::size_t>(size)),
      order_(static_cast<std::size_t>(size)),
      L_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)),
      inverse_(static_cast<std::size_t>(size)),
      gradient_(static_cast<std::size_t>(size)),
      step_(static_cast<std::size_t>(size)),
      trial_(static_cast<std::size_t>(size)) {}

bool BoxQp::factor(const double* H, int stride) {
  count_ = 0;
  for (int k = 0; k < size_; ++k)
    if (is_free(k)) order_[static_cast<std::size_t>(count_++)] = k;
  const auto l = [&](int i, int j) -> double& { return L_[static_cast<std::size_t>(i * size_ + j)]; };
  for (int i = 0; i < count_; ++i) {
    const int row = order_[static_cast<std::size_t>(i)];
    for (int j = 0; j <= i; ++j) {
      double sum = H[row + order_[static_cast<std::size_t>(j)] * stride];
      for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      if (i != j) {
        l(i, j) = sum * inverse_[static_cast<std::size_t>(j)];
        continue;
      }
      if (!(sum > 0.0)) return false;
      inverse_[static_cast<std::size_t>(i)] = 1.0 / std::sqrt(sum);
    }
  }
  return true;
}

void BoxQp::respond(const double* b, double* x) const {
  std::fill_n(x, size_, 0.0);
  const auto l = [&](int i, int j) { return L_[static_cast<std::size_t>(i * size_ + j)]; };
  const auto at = [&](int i) -> double& { return x[order_[static_cast<std::size_t>(i)]]; };
  for (int i = 0; i < count_; ++i) {
    double sum = -b[order_[static_cast<std::size_t>(i)]];
    for (int j = 0; j < i; ++j) sum -= l(i, j) * at(j);
    at(i) = sum * inverse_[static_cast<std::size_t>(i)];
  }
  for (int i = count_ - 1; i >= 0; --i) {
    double sum = at(i);
    for (int j = i + 1; j < count_; ++j) sum -= l(j, i) * at(j);
    at(i) = sum * inverse_[static_cast<std::size_t>(i)];
  }
}

bool BoxQp::solve(const double* H, int stride, std::span<const double> g, std::span<const double> lower,
                  std::span<const double> upper, std::span<double> x) {
  constexpr int most_rounds = 100;  // each changes the face or halves a step; a handful is common
  const auto n = static_cast<std::size_t>(size_);
  const auto value = [&](std::span<const double> at) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double row = g[i];
      for (std::size_t j = 0; j < n; ++j) row += 0.5 * H[i + j * static_cast<std::size_t>(stride)] * at[j];
      sum += at[i] * row;
    }
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(x[i], lower[i], upper[i]);
  for (int round = 0; round < most_rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = g[i];
      for (std::size_t j = 0; j < n; ++j) sum += H[i + j * static_cast<std::size_t>(stride)] * x[j];
      gradient_[i] = sum;
      free_[i] = (x[i] <= lower[i] && sum > 0.0) || (x[i] >= upper[i] && sum < 0.0) ? 0 : 1;
    }
    if ((round == 0 || free_ != before_) && !factor(H, stride)) return false;
    before_ = free_;
    respond(gradient_.data(), step_.data());
    double slope = 0.0;
    for (std::size_t i = 0; i < n; ++i) slope += gradient_[i] * step_[i];
    const double here = value(x);
    if (-slope <= 1e-14 * std::abs(here) || slope == 0.0) return true;
    double length = 1.0;
    bool inside = false;
    for (; length > 1e-10; length *= 0.5) {
      inside = true;
      double gained = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        const double wanted = x[i] + length * step_[i];
        trial_[i] = std::clamp(wanted, lower[i], upper[i]);
        inside = inside && trial_[i] == wanted;
        gained += gradient_[i] * (trial_[i] - x[i]);
      }
      if (value(trial_) <= here + 0.1 * gained) break;  // Armijo's rule
    }
    std::copy(trial_.begin(), trial_.end(), x.begin());
    if (inside && length == 1.0 && count_ == size_) return true;  // the smallest of all
  }
  return true;
}

}  // namespace ulna::control

// The step behind runge_kutta.hpp, for scalars that the library does not hold.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "ulna/integrate/runge_kutta.hpp"

namespace ulna {

namespace runge_kutta_detail {

/// y(t₀ + θh) = y₀ + θ(F₁ + (1−θ)(F₂ + θ(F₃ + (1−θ)(…)))): HNW II.6 and II.10. The first three F follow
/// from both ends, F₁ = y₁ − y₀, F₂ = h k₁ − F₁, F₃ = F₁ − h f(t₁, y₁) − F₂; the rest are the rows of
/// the tableau, h Σ dᵢ kᵢ.
inline constexpr std::size_t end_rows = 3;

}  // namespace runge_kutta_detail

template <Real T>
RungeKutta<T>::RungeKutta(const Tableau& tableau, Ode<T>& ode)
    : tableau_(tableau),
      ode_(ode),
      size_(ode.size()),
      rows_(4 + 2 * tableau.slopes() + runge_kutta_detail::end_rows + tableau.dense_rows(), ode.size()),
      b_(terms_of(tableau.b)),
      error_(terms_of(tableau.error)),
      second_error_(terms_of(tableau.second_error)),
      controlled_count_(static_cast<double>(std::max<std::size_t>(1, ode.controlled()))),
      t0_(0.0),
      t1_(0.0),
      h_(0.0) {
  padded_ = rows_.padded();
  std::size_t row = 0;
  for (T** vector : {&y0_, &y1_, &trial_, &controlled_}) *vector = rows_[row++];
  for (std::size_t i = 0; i < tableau.slopes(); ++i) {
    k_.push_back(rows_[row++]);
    fresh_k_.push_back(rows_[row++]);
  }
  for (std::size_t i = 0; tableau.dense_order > 0 && i < runge_kutta_detail::end_rows + tableau.dense_rows(); ++i)
    dense_.push_back(rows_[row++]);
  a_.emplace_back();
  for (std::size_t i = 1; i * (i - 1) / 2 + i <= tableau.a.size(); ++i) a_.push_back(terms_of(tableau.row(i)));
  for (std::size_t i = 0; i < tableau.dense_rows(); ++i)
    dense_terms_.push_back(terms_of(tableau.dense.subspan(i * tableau.slopes(), tableau.slopes())));
  std::fill_n(controlled_, ode.controlled(), T(1.0));
}

template <Real T>
void RungeKutta<T>::evaluate(const T& t, const T* y, T* dy) {
  ode_.rhs(t, {y, size_}, {dy, size_});
  ++right_hand_sides_;
}

template <Real T>
void RungeKutta<T>::start(const T& t, std::span<const T> y) {
  std::copy(y.begin(), y.end(), y0_);
  std::copy(y.begin(), y.end(), y1_);
  t0_ = t1_ = t;
  h_ = T(0.0);
  rolled_ = false;
  has_end_slope_ = has_dense_ = false;
}

template <Real T>
void RungeKutta<T>::start(int lane, double t, std::span<const double> y) {
  for (T* state : {y0_, y1_})
    for (std::size_t i = 0; i < size_; ++i) Lanes<T>::set(state[i], lane, y[i]);
  for (T* time : {&t0_, &t1_}) Lanes<T>::set(*time, lane, t);
  // After keep() both ends are the same in the lanes that stayed, so that going on from y₁ is right for all. This
  // lane's slope is missing; the others' come out as they were.
  rolled_ = has_end_slope_ = false;
}

template <Real T>
void RungeKutta<T>::prepare() {
  if (rolled_) return;
  std::swap(y0_, y1_);
  t0_ = t1_;
  std::swap(k_[0], k_[tableau_.end()]);
  const bool moved = ode_.recentre({y0_, size_});
  if (moved || !has_end_slope_) evaluate(t0_, y0_, k_[0]);
  has_end_slope_ = has_dense_ = false;
  rolled_ = true;
}

template <Real T>
void RungeKutta<T>::stages(const T& h, const std::vector<T*>& k, T* y1) {
  const std::size_t before_end = tableau_.fsal ? tableau_.end() : tableau_.stages;
  for (std::size_t i = 1; i < before_end; ++i) {
    add_weighted<T>(y0_, h, a_[i], k, padded_, trial_);
    evaluate(t0_ + T(tableau_.c[i]) * h, trial_, k[i]);
  }
  add_weighted<T>(y0_, h, b_, k, padded_, y1);
}

template <Real T>
void RungeKutta<T>::advance(const T& h, const T& end) {
  stages(h, k_, y1_);
  h_ = h;
  t1_ = end;
  has_end_slope_ = false;
  if (tableau_.fsal) ensure_end_slope();
}

template <Real T>
void RungeKutta<T>::keep(const T& kept, int how_many) {
  if (how_many < Lanes<T>::count) {
    const auto stays = kept < T(1.0);
    t1_ = select(stays, t0_, t1_);
    for (std::size_t i = 0; i < size_; ++i) y1_[i] = select(stays, y0_[i], y1_[i]);
    T* end = k_[tableau_.end()];
    for (std::size_t i = 0; has_end_slope_ && i < size_; ++i) end[i] = select(stays, k_[0][i], end[i]);
  }
  rolled_ = how_many == 0;
}

template <Real T>
template <class F>
T RungeKutta<T>::root_mean_square(F term) const {
  Block<T> sum(0.0);
  for (std::size_t i = 0; i < padded_; i += BlockOf<T>::width) {
    const Block<T> x = load_block(controlled_ + i) * term(i);
    sum += x * x;
  }
  return sqrt(gather<T>(sum) / T(controlled_count_));
}

namespace runge_kutta_detail {

template <class B>
ULNA_INLINE B larger(const B& a, const B& b) {
  return select(a < b, b, a);
}

/// absolute + relative·|y|.
template <Real T>
ULNA_INLINE Block<T> tolerance(const T* y, const T& relative, const T& absolute) {
  const Block<T> x = load_block(y);
  return spread(absolute) + spread(relative) * larger(x, -x);
}

}  // namespace runge_kutta_detail

template <Real T>
T RungeKutta<T>::finite() const {
  Block<T> sum(0.0);
  for (std::size_t i = 0; i < padded_; i += BlockOf<T>::width) sum += Block<T>(0.0) * load_block(y1_ + i);
  return gather<T>(sum);
}

template <Real T>
T RungeKutta<T>::error(const T& relative, const T& absolute) const {
  using namespace runge_kutta_detail;
  const Block<T> h = spread(h_);
  const auto estimate = [&](const std::vector<Term>& terms) {
    return root_mean_square([&](std::size_t i) {
      return h * weighted_sum<T>(terms, k_, i) /
             larger(tolerance(y0_ + i, relative, absolute), tolerance(y1_ + i, relative, absolute));
    });
  };
  const T fine = estimate(error_) + finite();
  if (second_error_.empty()) return fine;
  // HNW II.10, (10.17): err = err₅² / √(err₅² + 0.01 err₃²).
  const T coarse = estimate(second_error_);
  const T squares = fine * fine + T(0.01) * coarse * coarse;
  const T nothing(static_cast<double>(std::numeric_limits<typename Lanes<T>::Scalar>::min()));
  return select(squares < nothing, fine, fine * fine / sqrt(squares));
}

template <Real T>
typename RungeKutta<T>::Norms RungeKutta<T>::norms(const T& relative, const T& absolute) const {
  const auto norm = [&](const T* x) {
    return root_mean_square(
        [&](std::size_t i) { return load_block(x + i) / runge_kutta_detail::tolerance(y0_ + i, relative, absolute); });
  };
  return {.y = norm(y0_), .f = norm(k_[0])};
}

template <Real T>
T RungeKutta<T>::slope_change(const T& h, const T& relative, const T& absolute) {
  constexpr std::array<Term, 1> euler{{{1.0, 0}}};
  add_weighted<T>(y0_, h, euler, k_, padded_, trial_);
  evaluate(t0_ + h, trial_, k_[1]);
  return root_mean_square([&](std::size_t i) {
    return (load_block(k_[1] + i) - load_block(k_[0] + i)) / runge_kutta_detail::tolerance(y0_ + i, relative, absolute);
  });
}

template <Real T>
void RungeKutta<T>::ensure_end_slope() {
  if (!has_end_slope_) evaluate(t1_, y1_, k_[tableau_.end()]);
  has_end_slope_ = true;
}

template <Real T>
void RungeKutta<T>::ensure_dense() {
  if (has_dense_) return;
  ensure_end_slope();
  const long before = right_hand_sides_;
  for (std::size_t i = tableau_.end() + 1; i < tableau_.slopes(); ++i) {
    add_weighted<T>(y0_, h_, a_[i], k_, padded_, trial_);
    evaluate(t0_ + T(tableau_.c[i]) * h_, trial_, k_[i]);
  }
  output_right_hand_sides_ += right_hand_sides_ - before;
  right_hand_sides_ = before;
  const T *first = k_[0], *last = k_[tableau_.end()];
  for (std::size_t i = 0; i < size_; ++i) {
    dense_[0][i] = y1_[i] - y0_[i];
    dense_[1][i] = h_ * first[i] - dense_[0][i];
    dense_[2][i] = dense_[0][i] - h_ * last[i] - dense_[1][i];
  }
  for (std::size_t row = 0; row < dense_terms_.size(); ++row) {
    T* out = dense_[runge_kutta_detail::end_rows + row];
    for (std::size_t i = 0; i < padded_; i += BlockOf<T>::width)
      store_block(spread(h_) * weighted_sum<T>(dense_terms_[row], k_, i), out + i);
  }
  has_dense_ = true;
}

template <Real T>
void RungeKutta<T>::interpolate(const T& theta, std::span<T> y) {
  if (tableau_.dense_order == 0) return retake(theta, y);
  ensure_dense();
  const T rest = T(1.0) - theta;
  for (std::size_t i = 0; i < size_; ++i) {
    T sum(0.0);
    for (std::size_t row = dense_.size(); row-- > 0;) sum = (row % 2 == 0 ? theta : rest) * (dense_[row][i] + sum);
    y[i] = y0_[i] + sum;
  }
}

template <Real T>
void RungeKutta<T>::glimpse(const T& theta, std::span<T> y) {
  ensure_end_slope();
  const T *first = k_[0], *last = k_[tableau_.end()];
  for (std::size_t i = 0; i < size_; ++i) {  // F₁, F₂ and F₃ of the dense formula
    const T way = y1_[i] - y0_[i], f2 = h_ * first[i] - way, f3 = way - h_ * last[i] - f2;
    y[i] = y0_[i] + theta * (way + (T(1.0) - theta) * (f2 + theta * f3));
  }
}

template <Real T>
void RungeKutta<T>::retake(const T& theta, std::span<T> y) {
  const long before = right_hand_sides_;
  T* fresh = fresh_k_.back();  // a slope that no step needs
  std::copy_n(k_[0], padded_, fresh_k_[0]);
  stages(theta * h_, fresh_k_, fresh);
  std::copy_n(fresh, size_, y.begin());
  output_right_hand_sides_ += right_hand_sides_ - before;
  right_hand_sides_ = before;
}

}  // namespace ulna

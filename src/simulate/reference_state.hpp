// The reference of a drive over a scalar, and numbers that differ from lane to lane.
#pragma once

#include <array>
#include <cmath>

#include "ulna/real/lanes.hpp"
#include "ulna/simulate/drive.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// The scalar of what depends on time alone: it has no derivatives by the state.
template <Real T>
using OfTime = std::conditional_t<std::is_same_v<T, Dual4>, double, T>;
template <Real T>
OfTime<T> time_of(const T& t) {
  if constexpr (std::is_same_v<OfTime<T>, T>)
    return t;
  else
    return value_of(t);
}

/// One number in every lane, or in one of them.
template <Real T>
void set_lane(std::vector<T>& list, int lane, std::span<const double> values) {
  for (std::size_t k = 0; k < list.size(); ++k) Lanes<T>::set(list[k], lane, values[k]);
}
template <Real T>
std::vector<T> in_all_lanes(std::span<const double> values) {
  std::vector<T> list;
  for (const double x : values) list.emplace_back(x);
  return list;
}

/// A reference over a scalar: the numbers of each lane's own motion at its own time.
template <Real T>
class ReferenceState {
 public:
  ReferenceState(const ReferencePointer& motion, std::size_t n)
      : one_(3 * n), q_(n, T(0.0)), v_(n, T(0.0)), a_(n, T(0.0)) {
    motions_.fill(motion);
  }

  void set(int lane, const ReferencePointer& motion) { motions_[static_cast<std::size_t>(lane)] = motion; }
  void enter(int lane, double from, double until) {
    inside_[static_cast<std::size_t>(lane)] = std::isfinite(until) ? 0.5 * (from + until) : from + 1.0;
  }
  void update(const T& t) {
    const std::span<double> all(one_);
    const std::size_t n = q_.size();
    for (int lane = 0; lane < Lanes<T>::count; ++lane) {
      const auto own = static_cast<std::size_t>(lane);
      motions_[own]->at(Lanes<T>::get(t, lane), inside_[own], all.first(n), all.subspan(n, n), all.last(n));
      set_lane(q_, lane, all.first(n));
      set_lane(v_, lane, all.subspan(n, n));
      set_lane(a_, lane, all.last(n));
    }
  }
  std::span<const T> q() const { return q_; }
  std::span<const T> v() const { return v_; }
  std::span<const T> a() const { return a_; }

 private:
  static constexpr auto lanes = static_cast<std::size_t>(Lanes<T>::count);
  std::array<ReferencePointer, lanes> motions_;
  std::array<double, lanes> inside_{};
  std::vector<double> one_;
  std::vector<T> q_, v_, a_;
};

}  // namespace ulna
#pragma GCC visibility pop

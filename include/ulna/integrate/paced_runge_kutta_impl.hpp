// The method behind paced_runge_kutta.hpp, for scalars that the library does not hold.
#pragma once

#include <limits>

#include "ulna/integrate/paced_runge_kutta.hpp"
#include "ulna/integrate/runge_kutta_impl.hpp"

namespace ulna {

template <Real T>
template <class F>
T PacedRungeKutta<T>::each(F of_lane) {
  T x(0.0);
  for (int lane = 0; lane < lanes; ++lane) Lanes<T>::set(x, lane, of_lane(lane));
  return x;
}

template <Real T>
PacedRungeKutta<T>::PacedRungeKutta(const Tableau& tableau, Ode<T>& ode, const IntegratorOptions& options)
    : stepper_(tableau, ode),
      controls_(static_cast<std::size_t>(lanes),
                StepControl(tableau.control, options,
                            static_cast<double>(std::numeric_limits<typename Lanes<T>::Scalar>::epsilon()))),
      relative_(options.relative),
      absolute_(options.absolute) {}

template <Real T>
void PacedRungeKutta<T>::start(const T& t, std::span<const T> y) {
  stepper_.start(t, y);
  for (int lane = 0; lane < lanes; ++lane) controls_[static_cast<std::size_t>(lane)].start(Lanes<T>::get(t, lane));
  advanced_.fill(false);
}

template <Real T>
void PacedRungeKutta<T>::start(int lane, double t, std::span<const double> y) {
  stepper_.start(lane, t, y);
  controls_[static_cast<std::size_t>(lane)].start(t);
  advanced_[static_cast<std::size_t>(lane)] = false;
}

template <Real T>
void PacedRungeKutta<T>::choose_first_steps(const T& limit) {
  const auto norms = stepper_.norms(relative_, absolute_);
  const T guess = each([&](int lane) {
    return control(lane).first_guess(Lanes<T>::get(norms.y, lane), Lanes<T>::get(norms.f, lane),
                                     Lanes<T>::get(limit, lane));
  });
  const T change = stepper_.slope_change(guess, relative_, absolute_);
  for (int lane = 0; lane < lanes; ++lane) {
    StepControl& own = controls_[static_cast<std::size_t>(lane)];
    if (own.needs_first_step())
      own.first_step(Lanes<T>::get(guess, lane), Lanes<T>::get(norms.f, lane), Lanes<T>::get(change, lane));
  }
}

template <Real T>
bool PacedRungeKutta<T>::attempt(const T& limit) {
  bool some = false, first = false;
  for (int lane = 0; lane < lanes; ++lane) {
    const bool goes = status(lane) == StepStatus::ok && control(lane).time() < Lanes<T>::get(limit, lane);
    some = some || goes;
    first = first || (goes && control(lane).needs_first_step());
  }
  if (!some) return false;
  stepper_.prepare();
  if (first) choose_first_steps(limit);
  T end(0.0);
  const T h = each([&](int lane) {
    const auto trial = controls_[static_cast<std::size_t>(lane)].propose(Lanes<T>::get(limit, lane));
    Lanes<T>::set(end, lane, trial.end);
    return trial.h;
  });
  stepper_.advance(h, end);
  const T error = controls_.front().is_fixed() ? stepper_.finite() : stepper_.error(relative_, absolute_);
  int how_many = 0;
  const T kept = each([&](int lane) {
    const bool taken = controls_[static_cast<std::size_t>(lane)].judge(Lanes<T>::get(error, lane));
    advanced_[static_cast<std::size_t>(lane)] = taken;
    how_many += taken ? 1 : 0;
    return taken ? 1.0 : 0.0;
  });
  stepper_.keep(kept, how_many);
  return true;
}

template <Real T>
T PacedRungeKutta<T>::previous_time() const {
  return each([&](int lane) { return control(lane).previous_time(); });
}

template <Real T>
T PacedRungeKutta<T>::time() const {
  return each([&](int lane) { return control(lane).time(); });
}

template <Real T>
T PacedRungeKutta<T>::part_of_step(const T& t) const {
  return each([&](int lane) {
    const double from = control(lane).previous_time(), to = control(lane).time();
    return to > from ? (Lanes<T>::get(t, lane) - from) / (to - from) : 1.0;
  });
}

template <Real T>
IntegratorStatistics PacedRungeKutta<T>::statistics(int lane) const {
  IntegratorStatistics s;
  s.steps = control(lane).steps();
  s.rejected = control(lane).rejected();
  s.right_hand_sides = stepper_.right_hand_sides();
  s.output_right_hand_sides = stepper_.output_right_hand_sides();
  return s;
}

}  // namespace ulna

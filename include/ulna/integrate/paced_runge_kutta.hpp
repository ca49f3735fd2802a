// PacedRungeKutta: an explicit Runge–Kutta method with step control, each lane at its own pace.
#pragma once

#include <array>
#include <cstddef>

#include "ulna/integrate/runge_kutta.hpp"
#include "ulna/integrate/step_control.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna {

template <Real T>
class PacedRungeKutta {
 public:
  PacedRungeKutta(const Tableau& tableau, Ode<T>& ode, const IntegratorOptions& options);

  void start(const T& t, std::span<const T> y);
  /// One lane begins anew, between two attempts; the others go on to the same bits as without.
  void start(int lane, double t, std::span<const double> y);
  /// One attempt in every lane, towards the lane's own limit: a lane takes its step, turns it down
  /// for a smaller one, or rests because it is at its limit or has failed. True: some lane took one
  /// or may still.
  bool attempt(const T& limit);

  bool advanced(int lane) const { return advanced_[static_cast<std::size_t>(lane)]; }
  StepStatus status(int lane) const { return control(lane).status(); }

  T previous_time() const;
  T time() const;
  double time(int lane) const { return control(lane).time(); }
  std::span<const T> state() const { return stepper_.state(); }

  /// Between previous_time() and time(), in the lanes that advanced.
  void interpolate(const T& t, std::span<T> y) { stepper_.interpolate(part_of_step(t), y); }
  void glimpse(const T& t, std::span<T> y) { stepper_.glimpse(part_of_step(t), y); }
  void retake(const T& t, std::span<T> y) { stepper_.retake(part_of_step(t), y); }

  /// Steps are the lane's, right-hand sides those of all lanes together.
  IntegratorStatistics statistics(int lane) const;

 private:
  static constexpr int lanes = Lanes<T>::count;
  const StepControl& control(int lane) const { return controls_[static_cast<std::size_t>(lane)]; }
  void choose_first_steps(const T& limit);
  T part_of_step(const T& t) const;
  /// A T from one number per lane.
  template <class F>
  static T each(F of_lane);

  RungeKutta<T> stepper_;
  std::vector<StepControl> controls_;
  std::array<bool, static_cast<std::size_t>(lanes)> advanced_{};
  T relative_, absolute_;
};

extern template class RungeKutta<double>;
extern template class RungeKutta<PackDouble>;
extern template class RungeKutta<PackFloat>;
extern template class PacedRungeKutta<double>;
extern template class PacedRungeKutta<PackDouble>;
extern template class PacedRungeKutta<PackFloat>;

}  // namespace ulna

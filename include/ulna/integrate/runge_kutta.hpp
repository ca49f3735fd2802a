// RungeKutta: one step of an explicit Runge–Kutta method, its error and its dense output.
//
// Written by hand because no library's steppers run on packs, where every lane has its own time and
// step, and because these allocate nothing after construction.
#pragma once

#include "ulna/integrate/ode.hpp"
#include "ulna/integrate/state_rows.hpp"
#include "ulna/integrate/tableau.hpp"

namespace ulna {

/// The order of calls: start(), then per step prepare(), advance(), keep(). What a step computed
/// (its ends, its slopes) stays until the next prepare(), for interpolation.
template <Real T>
class RungeKutta {
 public:
  RungeKutta(const Tableau& tableau, Ode<T>& ode);

  void start(const T& t, std::span<const T> y);
  /// One lane begins anew between two steps, the others go on as if nothing had happened.
  void start(int lane, double t, std::span<const double> y);
  /// The end of the last step becomes the beginning of the next; k₁ is there afterwards.
  void prepare();
  /// The stages and y₁ for a step of length h, which ends at `end`.
  void advance(const T& h, const T& end);
  /// Lanes where `kept` is 0 and not 1 stay at the beginning of the step; `how_many` do not.
  void keep(const T& kept, int how_many);

  /// The root mean square of the error in units of absolute + relative·|y|, over the components under
  /// error control; NaN where y₁ is not finite.
  T error(const T& relative, const T& absolute) const;
  /// 0, or NaN where y₁ is not finite.
  T finite() const;

  /// For the starting step (HNW II.4): the root mean squares of y₀ and k₁ in units of the tolerance, and
  /// how much f changes over an Euler step of length h.
  struct Norms {
    T y, f;
  };
  Norms norms(const T& relative, const T& absolute) const;
  T slope_change(const T& h, const T& relative, const T& absolute);

  T previous_time() const { return t0_; }
  T time() const { return t1_; }
  std::span<const T> state() const { return {y1_, size_}; }

  /// y(t₀ + θh) by the dense formula, or by a fresh step where the method has none.
  void interpolate(const T& theta, std::span<T> y);
  /// Roughly, by the cubic through both ends and their slopes, which the next step needs anyway.
  void glimpse(const T& theta, std::span<T> y);
  /// The same by a fresh step.
  void retake(const T& theta, std::span<T> y);

  long right_hand_sides() const { return right_hand_sides_; }
  long output_right_hand_sides() const { return output_right_hand_sides_; }

 private:
  void evaluate(const T& t, const T* y, T* dy);
  void stages(const T& h, const std::vector<T*>& k, T* y1);
  void ensure_end_slope();
  void ensure_dense();
  /// Root mean square of the term(i), a block each, that are under error control.
  template <class F>
  T root_mean_square(F term) const;

  const Tableau& tableau_;
  Ode<T>& ode_;
  std::size_t size_, padded_;
  StateRows<T> rows_;
  std::vector<T*> k_, fresh_k_;  // the slopes of the step, and of a fresh one for output
  std::vector<T*> dense_;        // the coefficients F of the dense formula
  T *y0_, *y1_, *trial_, *controlled_;
  std::vector<std::vector<Term>> a_, dense_terms_;
  std::vector<Term> b_, error_, second_error_;
  double controlled_count_;

  T t0_, t1_, h_;
  // Whether prepare() was called for this step, and which slopes of it are known.
  bool rolled_ = false, has_end_slope_ = false, has_dense_ = false;
  long right_hand_sides_ = 0, output_right_hand_sides_ = 0;
};

}  // namespace ulna

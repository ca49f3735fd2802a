// StepControl: how far to go next, for one lane. Plain numbers: each lane of a pack has its own.
#pragma once

#include "ulna/integrate/integrator.hpp"
#include "ulna/integrate/tableau.hpp"

namespace ulna {

class StepControl {
 public:
  /// `epsilon`: the rounding unit of the scalar that is integrated.
  StepControl(const StepConstants& constants, const IntegratorOptions& options, double epsilon);

  void start(double t);
  /// Whether the first step is still to be chosen, by first_guess() and then first_step().
  bool needs_first_step() const { return fixed_ == 0.0 && h_ == 0.0 && status_ == StepStatus::ok; }
  /// HNW II.4, "starting step size", (a) to (c): |y| and |f| are root mean squares in units of the tolerance.
  double first_guess(double y_norm, double f_norm, double limit) const;
  /// (d) to (f), from the difference of f after an Euler step of that length.
  void first_step(double guess, double f_norm, double f_difference);

  struct Trial {
    double h;    // 0: no step, the lane is at its limit or has failed
    double end;  // t + h, or exactly the limit
  };
  Trial propose(double limit);
  /// Takes the proposed step or turns it down, by its error in units of the tolerance (NaN: not
  /// finite). True: taken.
  bool judge(double error);
  /// The lane stays where it is.
  void fail(StepStatus status);

  double previous_time() const { return t_previous_; }
  double time() const { return t_; }
  StepStatus status() const { return status_; }
  bool is_fixed() const { return fixed_ > 0.0; }
  long steps() const { return steps_; }
  long rejected() const { return rejected_; }

 private:
  Trial propose_fixed(double limit);
  Trial propose_adaptive(double limit);
  bool judge_fixed(double error);
  bool judge_adaptive(double error);
  void take();

  StepConstants constants_;
  double fixed_, largest_, epsilon_;
  double t_ = 0.0, t_previous_ = 0.0;
  double h_ = 0.0;            // the step that error control wants
  Trial trial_{};             // the one under way, perhaps shortened to the limit
  double error_ = 1e-4;       // of the last step taken
  bool turned_down_ = false;  // the last trial was
  bool not_finite_ = false;   // and this is why
  double origin_ = 0.0;       // fixed steps end at origin + count·h
  long count_ = 0;
  bool full_ = true;  // the fixed step under way is not shortened
  StepStatus status_ = StepStatus::ok;
  long steps_ = 0, rejected_ = 0;
};

}  // namespace ulna

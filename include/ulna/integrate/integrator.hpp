// Integrator: one step at a time through y' = f(t, y), the same for all methods.
#pragma once

#include <memory>
#include <string_view>

#include "ulna/integrate/ode.hpp"
#include "ulna/integrate/tableau.hpp"

namespace ulna {

struct IntegratorOptions {
  double relative = 1e-9, absolute = 1e-9;  // error per step: absolute + relative·|y|, root mean square
  double fixed_step = 0.0;                  // 0: chosen by error control, where the method has it
  double largest_step = 0.0;                // 0: no bound
};

struct IntegratorStatistics {
  long steps = 0, rejected = 0;
  long right_hand_sides = 0;
  long output_right_hand_sides = 0;  // spent on states between steps, where the method has no formula for them
  long jacobians = 0, factorisations = 0;
};

enum class StepStatus {
  ok,
  step_too_small,  // the tolerance cannot be met, however small the step
  not_finite,      // the right-hand side is not finite, however small the step
  not_converged,   // the equations of an implicit step could not be solved
};
std::string_view reason_of(StepStatus status);

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// At the beginning, and again after anything that makes f jump.
  virtual void start(double t, std::span<const double> y) = 0;
  /// One step forward, never beyond `limit` and exactly onto it when near. On failure time() and
  /// state() are those of the last good step.
  virtual StepStatus step(double limit) = 0;

  // After start() or step(): the last step and its end.
  virtual double previous_time() const = 0;
  virtual double time() const = 0;
  virtual std::span<const double> state() const = 0;

  /// The state within the last step, for output.
  virtual void interpolate(double t, std::span<double> y) = 0;
  /// Roughly the same, where that is cheaper, to see whether anything happens in between.
  virtual void glimpse(double t, std::span<double> y) { interpolate(t, y); }
  /// The same by the method's own step from previous_time() where that is more accurate, for events.
  virtual void retake(double t, std::span<double> y) { interpolate(t, y); }

  virtual const IntegratorStatistics& statistics() const = 0;
};

/// A row of the registry.
struct IntegratorInfo {
  std::string_view name;
  std::string_view title;
  int order = 0;                 // the highest, where it varies
  bool needs_step = false;       // takes a fixed step only
  bool takes_tolerance = false;  // has error control
  bool canonical = false;        // expects positions and momenta instead of velocities
  bool remembers = false;        // goes by earlier steps too, so that a changed state is a new start
};

std::span<const IntegratorInfo> integrators();
/// Throws InputError with the known names.
const IntegratorInfo& integrator_info(std::string_view name);

/// The tableau of an explicit Runge–Kutta method; nullptr for the others.
const Tableau* explicit_tableau(std::string_view name);

/// Throws InputError for an unknown name or options that the method cannot go by.
void expect_options(std::string_view name, const IntegratorOptions& options);

/// Throws InputError for an unknown name, or a method that needs a step and got none.
std::unique_ptr<Integrator> make_integrator(std::string_view name, Ode<double>& system,
                                            const IntegratorOptions& options);

}  // namespace ulna

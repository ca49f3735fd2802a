#include "integrate/cvode.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "integrate/newton_solver.hpp"

namespace ulna {

namespace {

/// What SUNDIALS allocated, freed by the function that SUNDIALS has for it.
struct Free {
  void operator()(SUNContext x) const { SUNContext_Free(&x); }
  void operator()(N_Vector x) const { N_VDestroy(x); }
  void operator()(SUNMatrix x) const { SUNMatDestroy(x); }
  void operator()(SUNLinearSolver x) const { SUNLinSolFree(x); }
  void operator()(SUNNonlinearSolver x) const { SUNNonlinSolFree(x); }
  void operator()(void* x) const { CVodeFree(&x); }
};
template <class Pointer>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Free>;

template <class Pointer>
Owned<Pointer> owned(Pointer x) {
  if (x == nullptr) throw std::bad_alloc();
  return Owned<Pointer>(x);
}

SUNContext new_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return context;
}

void expect_success(int flag) {
  if (flag < 0) throw std::logic_error(std::string("CVODE refuses its set-up: ") + CVodeGetReturnFlagName(flag));
}

std::span<const double> numbers(N_Vector x) {
  return {N_VGetArrayPointer(x), static_cast<std::size_t>(N_VGetLength(x))};
}

bool all_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double number) { return std::isfinite(number); });
}

void say_nothing(int, const char*, const char*, char*, void*) {}

class Cvode final : public Integrator {
 public:
  Cvode(int formula, Ode<double>& system, const IntegratorOptions& options);

  void start(double t, std::span<const double> y) override;
  StepStatus step(double limit) override;
  double previous_time() const override { return t_previous_; }
  double time() const override { return t_; }
  std::span<const double> state() const override { return y_; }
  void interpolate(double t, std::span<double> y) override;
  const IntegratorStatistics& statistics() const override { return statistics_; }

 private:
  // What CVODE calls; `self` is this object. Exceptions must not pass through C: see guarded().
  static int rhs(double t, N_Vector y, N_Vector dy, void* self);
  static int jacobian(double t, N_Vector y, N_Vector dy, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector);
  static int weights(N_Vector y, N_Vector weight, void* self);
  template <class F>
  int guarded(double t, F evaluate);

  void solve_by_newton();
  void restart();
  void choose_jacobian();
  StepStatus short_step(double limit);
  StepStatus status_of(int flag) const;
  void count();

  Ode<double>& system_;
  IntegratorOptions options_;
  bool newton_, first_ = true;
  Owned<SUNContext> context_;
  Owned<N_Vector> vector_;
  std::unique_ptr<void, Free> memory_;
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> linear_;
  Owned<SUNNonlinearSolver> nonlinear_;

  double t_ = 0.0, t_previous_ = 0.0;
  std::vector<double> y_, y_previous_;
  bool by_line_ = false;  // the last step was too short for CVODE
  // Where the right-hand side was not finite, as long as no step has passed there.
  double not_finite_at_ = -std::numeric_limits<double>::infinity();
  std::exception_ptr thrown_;
  StepStatus status_ = StepStatus::ok;
  IntegratorStatistics statistics_, counted_;  // of all, and what CVODE had counted after the last step
};

Cvode::Cvode(int formula, Ode<double>& system, const IntegratorOptions& options)
    : system_(system),
      options_(options),
      newton_(formula == CV_BDF),
      context_(owned(new_context())),
      vector_(owned(N_VNew_Serial(static_cast<sunindextype>(system.size()), context_.get()))),
      memory_(owned(CVodeCreate(formula, context_.get()))),
      y_(system.size()),
      y_previous_(system.size()) {
  void* cvode = memory_.get();
  expect_success(CVodeSetErrHandlerFn(cvode, say_nothing, nullptr));
  expect_success(CVodeInit(cvode, rhs, 0.0, vector_.get()));
  expect_success(CVodeSetUserData(cvode, this));
  expect_success(CVodeWFtolerances(cvode, weights));
  expect_success(CVodeSetMaxStep(cvode, options.largest_step));
  // At a kink or a wall the step must shrink to rounding before it counts as failed.
  expect_success(CVodeSetMaxErrTestFails(cvode, 40));
  expect_success(CVodeSetMaxConvFails(cvode, 40));
  if (newton_) {
    solve_by_newton();
  } else {
    nonlinear_ = owned(SUNNonlinSol_FixedPoint(vector_.get(), 0, context_.get()));
    expect_success(CVodeSetNonlinearSolver(cvode, nonlinear_.get()));
  }
}

void Cvode::solve_by_newton() {
  const auto n = static_cast<sunindextype>(system_.size());
  matrix_ = owned(SUNDenseMatrix(n, n, context_.get()));
  linear_ = owned(newton_solver(system_.controlled(), context_.get()));
  expect_success(CVodeSetLinearSolver(memory_.get(), linear_.get(), matrix_.get()));
}

template <class F>
int Cvode::guarded(double t, F evaluate) {
  constexpr int again_with_smaller_step = 1, give_up = -1;
  try {
    if (evaluate()) return 0;
    not_finite_at_ = t;
    return again_with_smaller_step;
  } catch (...) {
    thrown_ = std::current_exception();
    return give_up;
  }
}

int Cvode::rhs(double t, N_Vector y, N_Vector dy, void* self) {
  auto& own = *static_cast<Cvode*>(self);
  ++own.statistics_.right_hand_sides;
  return own.guarded(t, [&] {
    own.system_.rhs(t, numbers(y), {N_VGetArrayPointer(dy), own.y_.size()});
    return all_finite(numbers(dy));
  });
}

int Cvode::jacobian(double t, N_Vector y, N_Vector /*dy*/, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
  auto& own = *static_cast<Cvode*>(self);
  return own.guarded(t, [&] {
    const int n = static_cast<int>(own.y_.size());
    double* data = SUNDenseMatrix_Data(J);
    return own.system_.jacobian(t, numbers(y), {data, n, n}) && all_finite({data, own.y_.size() * own.y_.size()});
  });
}

/// CVODE's norm is √(Σ (w x)²/n) over all n components. Those that are not under error control get
/// next to no weight (not zero, by whose inverse CVODE scales increments), the others √(n/controlled).
///
/// CVODE is held to a tenth of the tolerance. It has no local extrapolation, so that the errors of
/// its steps add up where those of the Runge–Kutta methods are mostly far below what was asked for:
/// on the KUKA's PD run (test/simulate) the error was 32 times the tolerance and is 4 times.
int Cvode::weights(N_Vector y, N_Vector weight, void* self) {
  const auto& own = *static_cast<Cvode*>(self);
  const std::size_t n = own.y_.size(), controlled = std::max<std::size_t>(1, own.system_.controlled());
  constexpr double share = 0.1;
  const double scale = std::sqrt(static_cast<double>(n) / static_cast<double>(controlled)) / share;
  const std::span<const double> from = numbers(y);
  double* w = N_VGetArrayPointer(weight);
  for (std::size_t i = 0; i < n; ++i)
    w[i] = i < controlled ? scale / (own.options_.absolute + own.options_.relative * std::fabs(from[i])) : 1e-30;
  return 0;
}

void Cvode::start(double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), y_.begin());
  t_ = t_previous_ = t;
  status_ = StepStatus::ok;
  not_finite_at_ = -std::numeric_limits<double>::infinity();
  restart();
  if (newton_ && first_) choose_jacobian();
  first_ = false;
}

void Cvode::restart() {
  counted_ = {};
  std::copy(y_.begin(), y_.end(), N_VGetArrayPointer(vector_.get()));
  expect_success(CVodeReInit(memory_.get(), t_, vector_.get()));
}

/// CVODE must be told before the first step whether a Jacobian is to be had: ask for one.
void Cvode::choose_jacobian() {
  const int n = static_cast<int>(y_.size());
  const bool given = system_.jacobian(t_, y_, {SUNDenseMatrix_Data(matrix_.get()), n, n});
  expect_success(CVodeSetJacFn(memory_.get(), given ? jacobian : nullptr));
}

StepStatus Cvode::step(double limit) {
  if (status_ != StepStatus::ok || !(t_ < limit)) return status_;
  if (system_.recentre(y_)) restart();
  t_previous_ = t_;
  y_previous_ = y_;
  // CVODE refuses to begin towards a limit as near as this, and cannot tell it from where it is.
  if (limit - t_ < 200.0 * std::numeric_limits<double>::epsilon() * (std::fabs(t_) + std::fabs(limit)))
    return short_step(limit);
  by_line_ = false;
  CVodeSetStopTime(memory_.get(), limit);
  double t = t_;
  const int flag = CVode(memory_.get(), limit, vector_.get(), &t, CV_ONE_STEP);
  count();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (flag < 0) return status_ = status_of(flag);
  if (!(t > t_)) return status_ = status_of(CV_TOO_MUCH_ACC);  // CVODE itself only warns
  t_ = flag == CV_TSTOP_RETURN ? limit : t;
  const std::span<const double> y = numbers(vector_.get());
  std::copy(y.begin(), y.end(), y_.begin());
  ++statistics_.steps;
  return StepStatus::ok;
}

/// Euler's: over a few roundings of t its error h² is nothing.
StepStatus Cvode::short_step(double limit) {
  std::vector<double>& y = y_previous_;
  double* dy = N_VGetArrayPointer(vector_.get());
  system_.rhs(t_, y, {dy, y.size()});
  ++statistics_.right_hand_sides;
  if (!all_finite(numbers(vector_.get()))) return status_ = StepStatus::not_finite;
  for (std::size_t i = 0; i < y.size(); ++i) y_[i] = y[i] + (limit - t_) * dy[i];
  t_ = limit;
  ++statistics_.steps;
  restart();
  by_line_ = true;
  return StepStatus::ok;
}

void Cvode::interpolate(double t, std::span<double> y) {
  if (t == t_ || t_ == t_previous_) {
    std::copy(y_.begin(), y_.end(), y.begin());
  } else if (t == t_previous_ || by_line_) {
    const double part = (t - t_previous_) / (t_ - t_previous_);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y_previous_[i] + part * (y_[i] - y_previous_[i]);
  } else {
    expect_success(CVodeGetDky(memory_.get(), t, 0, vector_.get()));
    std::copy_n(N_VGetArrayPointer(vector_.get()), y.size(), y.begin());
  }
}

StepStatus Cvode::status_of(int flag) const {
  if (not_finite_at_ >= t_) return StepStatus::not_finite;
  switch (flag) {
    case CV_TOO_MUCH_ACC:
    case CV_ERR_FAILURE: return StepStatus::step_too_small;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return StepStatus::not_finite;
    default: return StepStatus::not_converged;
  }
}

/// CVODE counts from its last restart, but shows what its linear solver counted before until the
/// first step: so asked after steps only.
void Cvode::count() {
  IntegratorStatistics now;
  long solver_failures = 0;
  CVodeGetNumErrTestFails(memory_.get(), &now.rejected);
  CVodeGetNumStepSolveFails(memory_.get(), &solver_failures);
  now.rejected += solver_failures;
  if (newton_) {
    CVodeGetNumJacEvals(memory_.get(), &now.jacobians);
    CVodeGetNumLinSolvSetups(memory_.get(), &now.factorisations);
  }
  statistics_.rejected += now.rejected - counted_.rejected;
  statistics_.jacobians += now.jacobians - counted_.jacobians;
  statistics_.factorisations += now.factorisations - counted_.factorisations;
  counted_ = now;
}

}  // namespace

std::unique_ptr<Integrator> make_adams(Ode<double>& system, const IntegratorOptions& options) {
  return std::make_unique<Cvode>(CV_ADAMS, system, options);
}

std::unique_ptr<Integrator> make_bdf(Ode<double>& system, const IntegratorOptions& options) {
  return std::make_unique<Cvode>(CV_BDF, system, options);
}

}  // namespace ulna

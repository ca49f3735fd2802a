#include "ulna/simulate/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion_system.hpp"
#include "start_state.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

SimulationSetup setup_of(std::string_view integrator, double step, const StepperOptions& options) {
  if (!(std::isfinite(step) && step > 0.0)) throw InputError("the step of a stepper must be a positive time");
  if (!(std::isfinite(options.baumgarte) && options.baumgarte >= 0.0))
    throw InputError("baumgarte must be zero or positive");
  if (!(options.accuracy.relative > 0.0 && options.accuracy.absolute > 0.0))
    throw InputError("the tolerances of a stepper must be positive");
  SimulationSetup setup;
  setup.method = options.method;
  setup.integrator = integrator;
  setup.accuracy = options.accuracy;
  if (integrator_info(integrator).needs_step) setup.accuracy.fixed_step = step;
  setup.actions.frame_loads = options.frame_loads;
  setup.actions.user_loads = options.user_loads;
  setup.baumgarte = options.baumgarte;
  return setup;
}

void expect_finite(const char* what, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) throw InputError(fmt::format("{} {} is not a finite number", what, k + 1));
}

}  // namespace

Stepper::Stepper(const Model& model, std::string_view integrator, double step, const StepperOptions& options)
    : model_(model),
      opened_(model.loops().empty() ? nullptr : std::make_unique<const Model>(model.tree())),
      tree_(opened_ ? *opened_ : model),
      step_(step),
      q_(model.neutral()),
      v_(static_cast<std::size_t>(model.nv())),
      next_q_(q_),
      next_v_(v_) {
  const SimulationSetup setup = setup_of(integrator, step, options);
  system_ = make_system(model, tree_, setup);
  integrator_ = make_integrator(integrator, *system_, setup.accuracy);
  y_.resize(system_->size());
  set_state(std::vector<double>(q_), std::vector<double>(v_));
}

Stepper::~Stepper() = default;

void Stepper::set_state(VectorIn<double> q, VectorIn<double> v, double t) {
  expect_size("q", q.size(), tree_.nq());
  expect_size("v", v.size(), tree_.nv());
  expect_finite("position", q);
  expect_finite("velocity", v);
  if (!std::isfinite(t)) throw InputError("the time of a stepper must be a finite number");
  expect_start_quaternions(tree_, q);
  std::copy(q.begin(), q.end(), next_q_.begin());
  std::copy(v.begin(), v.end(), next_v_.begin());
  normalise(tree_, next_q_);
  if (!model_.loops().empty()) close_start(model_, next_q_, next_v_);
  q_ = next_q_;
  v_ = next_v_;
  t_ = begin_ = t;
  steps_ = 0;
  system_->set_state(q_, v_, y_);
}

void Stepper::step(VectorIn<double> tau, Wrenches<double> wrenches) {
  expect_size("tau", tau.size(), tree_.nv());
  expect_finite("torque", tau);
  expect_wrenches(tree_, wrenches);
  const double end = begin_ + static_cast<double>(steps_ + 1) * step_;
  system_->hold(tau, wrenches);
  try {
    advance(end);
  } catch (...) {  // loops that open, a user's load
    system_->set_state(q_, v_, y_);
    throw;
  }
  q_ = next_q_;  // no swap: callers may keep the spans of q() and v()
  v_ = next_v_;
  t_ = end;
  ++steps_;
}

void Stepper::advance(double end) {
  integrator_->start(t_, y_);
  while (integrator_->time() < end) {
    const StepStatus status = integrator_->step(end);
    if (status != StepStatus::ok)
      throw std::runtime_error(fmt::format("no step from t = {} s: {}", t_, failure_reason(tree_, status, q_)));
  }
  std::copy(integrator_->state().begin(), integrator_->state().end(), y_.begin());
  system_->get_state(y_, next_q_, next_v_);
  normalise(tree_, next_q_);
}

}  // namespace ulna

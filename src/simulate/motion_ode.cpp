#include <algorithm>

#include "ulna/model/local_coordinates.hpp"
#include "ulna/simulate/motion_ode.hpp"

namespace ulna {

MotionOde::MotionOde(const Model& model, std::string_view method, const Actions& actions,
                     std::unique_ptr<LoopKeeper> loops)
    : model_(model),
      nq_(static_cast<std::size_t>(model.nq())),
      nv_(static_cast<std::size_t>(model.nv())),
      loops_(std::move(loops)),
      schedule_(model, actions),
      q_(nq_),
      y_dual_(size()),
      dy_dual_(size()) {
  const Model& believed = actions.believed ? *actions.believed : model;
  auto drive = make_drive<double>(actions.drive, believed);
  auto dual = make_drive<Dual4>(actions.drive, believed);
  const bool differentiable = (dual != nullptr || schedule_.samples_drive()) &&
                              std::all_of(actions.user_loads.begin(), actions.user_loads.end(),
                                          [](const UserLoad& load) { return load.derivative; });
  if (schedule_.samples_drive()) {
    drive.reset();
    dual.reset();
  }
  equations_ = std::make_unique<Equations<double>>(
      model, loops_ ? loops_->forward_dynamics() : make_method<double>(method, Quantity::forward_dynamics, model),
      std::move(drive), actions);
  if (differentiable && (loops_ == nullptr || loops_->projects())) {
    derivatives_ = std::make_unique<Equations<Dual4>>(
        model, loops_ ? loops_->derivatives() : make_method<Dual4>(method, Quantity::forward_dynamics, model),
        std::move(dual), actions);
    if (loops_ == nullptr && !model.has_general_joints()) {
      recursion_.emplace(model);
      for (std::vector<double>* list : {&torque_, &a_, &column_}) list->resize(nv_);
      for (std::vector<double>* matrix : {&dq_, &dv_, &dtau_}) matrix->resize(nv_ * nv_);
    }
  }
}

void MotionOde::rhs(const double& t, std::span<const double> y, std::span<double> dy) {
  equations_->evaluate(t, y, dy);
}

bool MotionOde::jacobian(const double& t, std::span<const double> y, MatrixView<double> J) {
  if (!derivatives_) return false;
  constexpr std::size_t directions = 4;
  const bool torques_only = recursion_ && derivatives_->wrenches().empty();
  J.fill(0.0);
  for (std::size_t first = 0; first < 2 * nv_; first += directions) {
    const std::size_t last = std::min(first + directions, 2 * nv_);
    for (std::size_t k = 0; k < size(); ++k) y_dual_[k] = Dual4(y[k]);
    for (std::size_t k = first; k < last; ++k) y_dual_[k].d[k - first] = 1.0;
    if (torques_only) {
      derivatives_->evaluate_actions(Dual4(t), y_dual_, dy_dual_);
      std::copy_n(derivatives_->net_torque().begin(), nv_, dy_dual_.begin() + static_cast<std::ptrdiff_t>(nv_));
    } else {
      derivatives_->evaluate(Dual4(t), y_dual_, dy_dual_);
    }
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t i = 0; i < size(); ++i) J(static_cast<int>(i), static_cast<int>(k)) = dy_dual_[i].d[k - first];
  }
  if (torques_only) add_accelerations(y, J);
  return true;
}

/// From the torques' derivatives in the rows of the accelerations those of the accelerations: ∂a/∂y + M⁻¹ ∂τ/∂y.
void MotionOde::add_accelerations(std::span<const double> y, MatrixView<double> J) {
  const int n = static_cast<int>(nv_);
  for (std::size_t k = 0; k < nv_; ++k) torque_[k] = derivatives_->net_torque()[k].x;
  const MatrixView<double> dq{dq_.data(), n, n}, dv{dv_.data(), n, n}, dtau{dtau_.data(), n, n};
  articulated_body::forward_derivatives<double>(model_, *recursion_, y.first(nv_), y.subspan(nv_, nv_), torque_, a_, dq,
                                                dv, dtau);
  for (int k = 0; k < 2 * n; ++k) {
    for (int i = 0; i < n; ++i) column_[static_cast<std::size_t>(i)] = J(n + i, k);
    for (int i = 0; i < n; ++i) {
      double sum = k < n ? dq(i, k) : dv(i, k - n);
      for (int j = 0; j < n; ++j) sum += dtau(i, j) * column_[static_cast<std::size_t>(j)];
      J(n + i, k) = sum;
    }
  }
}

void MotionOde::set_reference(std::span<const double> q) {
  equations_->set_reference(q);
  if (derivatives_) derivatives_->set_reference(q);
}

bool MotionOde::recentre(std::span<double> y) {
  const bool far = is_far_from_reference(model_, y.first(nv_));
  if (!far && loops_ == nullptr) return false;
  retract<double>(model_, equations_->reference(), y.first(nv_), q_);
  if (loops_ != nullptr) {
    const std::span<double> v = y.subspan(nv_, nv_);
    if (!far && !loops_->has_drifted(q_, v)) return false;
    loops_->close(q_, v);
  }
  normalise(model_, q_);
  set_reference(q_);
  coordinates_of_reference(model_, q_, y.first(nv_));
  return true;
}

void MotionOde::set_state(std::span<const double> q, std::span<const double> v, std::span<double> y) {
  set_reference(q);
  coordinates_of_reference(model_, q, y.first(nv_));
  std::copy(v.begin(), v.end(), y.begin() + static_cast<std::ptrdiff_t>(nv_));
  std::fill(y.begin() + static_cast<std::ptrdiff_t>(2 * nv_), y.end(), 0.0);
}

void MotionOde::integrated_state(std::span<const double> y, std::span<double> q, std::span<double> v) {
  retract<double>(model_, equations_->reference(), y.first(nv_), q);
  std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(nv_), nv_, v.begin());
}

void MotionOde::get_state(std::span<const double> y, std::span<double> q, std::span<double> v) {
  integrated_state(y, q, v);
  if (loops_ != nullptr) loops_->close(q, v);
}

void MotionOde::accelerations(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                              std::span<double> tau) {
  equations_->update_actions(t, q, v);
  std::copy(equations_->torque().begin(), equations_->torque().end(), tau.begin());
  if (loops_ != nullptr)
    loops_->accelerations(q, v, equations_->net_torque(), a, equations_->wrenches());
  else
    equations_->forward_dynamics().forward_dynamics(q, v, equations_->net_torque(), a, equations_->wrenches());
}

void MotionOde::enter(double t, std::span<const double> q, std::span<const double> v) {
  schedule_.enter(t, q, v);
  enter_lane(*equations_, 0, t, schedule_);
  if (derivatives_) enter_lane(*derivatives_, 0, t, schedule_);
}

void MotionOde::hold(std::span<const double> torque, Wrenches<double> wrenches) {
  equations_->hold(0, torque, {}, wrenches);
  if (derivatives_) derivatives_->hold(0, torque, {}, wrenches);
}

}  // namespace ulna

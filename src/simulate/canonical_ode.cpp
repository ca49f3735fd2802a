#include "ulna/simulate/canonical_ode.hpp"

#include <algorithm>

#include "ulna/model/local_coordinates.hpp"

namespace ulna {

CanonicalOde::CanonicalOde(const Model& model, std::string_view method, const Actions& actions,
                           std::unique_ptr<LoopKeeper> loops)
    : MotionOde(model, method, actions, std::move(loops)),
      inverse_(make_method<double>("auto", Quantity::inverse_dynamics, model)),
      forward_(make_method<double>(loops_ ? "auto" : method, Quantity::forward_dynamics, model)),
      inverse_dual_(make_method<Dual4>("auto", Quantity::inverse_dynamics, model)),
      zero_(nv_, 0.0),
      q_(nq_),
      v_(nv_),
      a_(nv_),
      mu_(nv_),
      mu_rate_(nv_),
      static_(nv_),
      x_dual_(nv_),
      q_dual_(nq_),
      v_dual_(nv_),
      zero_dual_(nv_, Dual4(0.0)),
      moving_dual_(nv_),
      static_dual_(nv_),
      mu_dual_(nv_),
      p_dual_(nv_) {}

void CanonicalOde::update(std::span<const double> y) {
  const std::span<const double> x = y.first(nv_), p = y.subspan(nv_, nv_);
  retract<double>(model_, equations().reference(), x, q_);
  body_momenta<double>(model_, x, q_, p, mu_);
  inverse_->inverse_dynamics(q_, zero_, zero_, static_);  // weight and springs
  for (std::size_t k = 0; k < nv_; ++k) static_[k] += mu_[k];
  forward_->forward_dynamics(q_, zero_, static_, v_);
}

/// Derivatives along the motion x + ε ẋ: Ṁ v is that of id(q, 0, v) − id(q, 0, 0), and Ȧᵀμ that of
/// the momentum's way into local coordinates, p = Aᵀ μ.
void CanonicalOde::differentiate_along(std::span<const double> x, std::span<const double> dx) {
  for (std::size_t k = 0; k < nv_; ++k) {
    x_dual_[k] = Dual4(x[k]);
    x_dual_[k].d[0] = dx[k];
    v_dual_[k] = Dual4(v_[k]);
    mu_dual_[k] = Dual4(mu_[k]);
  }
  retract<Dual4>(model_, equations().reference(), x_dual_, q_dual_);
  inverse_dual_->inverse_dynamics(q_dual_, zero_dual_, v_dual_, moving_dual_);
  inverse_dual_->inverse_dynamics(q_dual_, zero_dual_, zero_dual_, static_dual_);
  local_momenta<Dual4>(model_, x_dual_, q_dual_, mu_dual_, p_dual_);
}

/// M v̇ = τ − (C v + g): no acceleration is needed, but where loops add forces of their own.
void CanonicalOde::force() {
  const auto wrenches = equations().wrenches();
  inverse_->inverse_dynamics(q_, v_, zero_, mu_rate_, wrenches);
  std::span<const double> torque = equations().net_torque();
  if (loops_ != nullptr) {
    equations().forward_dynamics().forward_dynamics(q_, v_, torque, a_, wrenches);
    inverse_->inverse_dynamics(q_, v_, a_, static_, wrenches);
    torque = static_;
  }
  for (std::size_t k = 0; k < nv_; ++k) mu_rate_[k] = torque[k] - mu_rate_[k];
}

void CanonicalOde::rhs(const double& t, std::span<const double> y, std::span<double> dy) {
  update(y);
  const std::span<const double> x = y.first(nv_);
  const std::span<double> dx = dy.first(nv_), dp = dy.subspan(nv_, nv_);
  local_rates<double>(model_, x, q_, v_, dx);
  differentiate_along(x, dx);
  equations().update_actions(t, q_, v_);
  force();
  for (std::size_t k = 0; k < nv_; ++k) mu_rate_[k] += moving_dual_[k].d[0] - static_dual_[k].d[0];  // μ̇ = M v̇ + Ṁ v
  local_momenta<double>(model_, x, q_, mu_rate_, dp);
  for (std::size_t k = 0; k < nv_; ++k) dp[k] += p_dual_[k].d[0];
  equations().works(q_, v_, dy.subspan(2 * nv_, work_count));
}

void CanonicalOde::momenta_of_velocities() {
  inverse_->inverse_dynamics(q_, zero_, v_, mu_);
  inverse_->inverse_dynamics(q_, zero_, zero_, static_);
  for (std::size_t k = 0; k < nv_; ++k) mu_[k] -= static_[k];
}

bool CanonicalOde::recentre(std::span<double> y) {
  const bool far = is_far_from_reference(model_, y.first(nv_));
  if (!far && loops_ == nullptr) return false;
  update(y);
  if (loops_ != nullptr) {
    if (!far && !loops_->has_drifted(q_, v_)) return false;
    loops_->close(q_, v_);
    momenta_of_velocities();
  }
  normalise(model_, q_);
  set_reference(q_);
  coordinates_of_reference(model_, q_, y.first(nv_));
  local_momenta<double>(model_, y.first(nv_), q_, mu_, y.subspan(nv_, nv_));
  return true;
}

void CanonicalOde::set_state(std::span<const double> q, std::span<const double> v, std::span<double> y) {
  MotionOde::set_state(q, v, y);
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  momenta_of_velocities();
  local_momenta<double>(model_, y.first(nv_), q, mu_, y.subspan(nv_, nv_));
}

void CanonicalOde::integrated_state(std::span<const double> y, std::span<double> q, std::span<double> v) {
  update(y);
  std::copy(q_.begin(), q_.end(), q.begin());
  std::copy(v_.begin(), v_.end(), v.begin());
}

}  // namespace ulna

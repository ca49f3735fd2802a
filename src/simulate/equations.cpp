#include "ulna/simulate/equations.hpp"

#include <algorithm>
#include <limits>

#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

template <Real T>
Equations<T>::Equations(const Model& model, std::unique_ptr<Method<T>> forward_dynamics,
                        std::unique_ptr<Drive<T>> drive, bool saturate, const HeldActions& held)
    : model_(model),
      forward_dynamics_(std::move(forward_dynamics)),
      drive_(std::move(drive)),
      saturate_(saturate),
      held_(held),
      kinematics_(model),
      reference_(model.neutral()),
      q_(static_cast<std::size_t>(model.nq())),
      tau_(static_cast<std::size_t>(model.nv())),
      wrenches_(held.wrenches().size()) {}

template <Real T>
void Equations<T>::torques(const T& t, std::span<const T> q, std::span<const T> v) {
  for (std::size_t k = 0; k < tau_.size(); ++k) tau_[k] = T(held_.torque()[k]);
  if (drive_) drive_->add(t, q, v, tau_);
  if (saturate_) saturate();
  for (std::size_t k = 0; k < held_.disturbance().size(); ++k) tau_[k] += T(held_.disturbance()[k]);  // no limit
}

template <Real T>
void Equations<T>::saturate() {
  for (const JointInfo& joint : model_.joints()) {
    const T most(joint.limits.effort);
    const int first = model_.bodies()[static_cast<std::size_t>(joint.body)].v_index;
    const int count = with_joint(joint.kind, [](auto kind) { return kind.nv; });
    for (int k = first; k < first + count; ++k) {
      T& tau = tau_[static_cast<std::size_t>(k)];
      tau = select(tau < -most, -most, select(most < tau, most, tau));
    }
  }
}

template <Real T>
void Equations<T>::works(std::span<const T> q, std::span<const T> v, std::span<T> dw) {
  T drives(0.0), rubbing(0.0), loads(0.0);
  for (std::size_t k = 0; k < v.size(); ++k) drives += tau_[k] * v[k];
  if (model_.has_passive())
    for (std::size_t k = 0; k < v.size(); ++k) rubbing -= friction(model_, k, v[k]) * v[k];
  if (!wrenches_.empty()) {
    kinematics_.update_positions(q);
    kinematics_.update_velocities(v);
    for (std::size_t i = 0; i < wrenches_.size(); ++i) {
      const Frame centre{"", static_cast<int>(i), {Mat3<double>::identity(), model_.com(static_cast<int>(i))}};
      const Motion<T> m = kinematics_.velocity(centre, Reference::world_axes);
      const Force<double>& load = held_.wrenches()[i];
      loads += dot(cast<T>(load.moment), m.angular) + dot(cast<T>(load.force), m.linear);
    }
  }
  dw[static_cast<std::size_t>(Work::drives)] = drives;
  dw[static_cast<std::size_t>(Work::friction)] = rubbing;
  dw[static_cast<std::size_t>(Work::loads)] = loads;
}

template <Real T>
void Equations<T>::evaluate(const T& t, std::span<const T> y, std::span<T> dy) {
  const std::size_t n = tau_.size();
  const std::span<const T> x = y.first(n), v = y.subspan(n, n);
  std::span<const T> q = x;  // where all joints have plain numbers
  if (model_.has_general_joints()) {
    retract<T>(model_, reference_, x, q_);
    q = q_;
  }
  local_rates<T>(model_, x, q, v, dy.first(n));
  torques(t, q, v);
  for (std::size_t i = 0; i < wrenches_.size(); ++i)
    wrenches_[i] = {cast<T>(held_.wrenches()[i].moment), cast<T>(held_.wrenches()[i].force)};
  forward_dynamics_->forward_dynamics(q, v, tau_, dy.subspan(n, n), wrenches_);
  works(q, v, dy.subspan(2 * n, work_count));
}

template class Equations<double>;
template class Equations<Dual4>;

}  // namespace ulna

#include "ulna/simulate/equations.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "frame_loads.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/model/effort_by_speed.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

namespace {

void expect_friction(const ExtraFriction& friction, const Model& model) {
  if (friction.viscous.empty() && friction.coulomb.empty()) return;
  expect_size("viscous friction", friction.viscous.size(), model.nv());
  expect_size("Coulomb friction", friction.coulomb.size(), model.nv());
}

}  // namespace

template <Real T>
Equations<T>::Equations(const Model& model, std::unique_ptr<Method<T>> forward_dynamics,
                        std::unique_ptr<Drive<T>> drive, const Actions& actions)
    : model_(model),
      forward_dynamics_(std::move(forward_dynamics)),
      drive_(std::move(drive)),
      saturate_(actions.saturate),
      friction_(actions.friction.viscous.size(), Friction{T(0.0), T(0.0)}),
      frame_loads_(actions.frame_loads),
      user_loads_(actions.user_loads),
      loads_follow_state_(!frame_loads_.empty() || !user_loads_.empty()),
      kinematics_(model),
      reference_(model.neutral()),
      q_(static_cast<std::size_t>(model.nq())),
      tau_(static_cast<std::size_t>(model.nv())),
      motor_(tau_.size()),
      net_(tau_.size()),
      held_torque_(tau_.size(), T(0.0)),
      wrenches_(loads_follow_state_ ? model.bodies().size() : 0) {
  expect_friction(actions.friction, model);
  for (const FrameLoad& load : frame_loads_) expect_frame_load(load, model);
  for (const UserLoad& load : user_loads_)
    if (!load.function) throw std::invalid_argument("a user's load has no function");
  for (int lane = 0; lane < Lanes<T>::count; ++lane) set_actions(lane, actions);
}

template <Real T>
void Equations<T>::set_actions(int lane, const Actions& actions) {
  if (drive_) drive_->set(lane, actions.drive);
  for (std::size_t k = 0; k < friction_.size(); ++k) {
    Lanes<T>::set(friction_[k].viscous, lane, actions.friction.viscous[k]);
    Lanes<T>::set(friction_[k].coulomb, lane, actions.friction.coulomb[k]);
  }
  rubs_ = false;
  for (const Friction& friction : friction_)
    for (int i = 0; i < Lanes<T>::count; ++i)
      rubs_ = rubs_ || Lanes<T>::get(friction.viscous, i) != 0.0 || Lanes<T>::get(friction.coulomb, i) != 0.0;
}

template <Real T>
void Equations<T>::hold(int lane, std::span<const double> torque, std::span<const double> disturbance,
                        std::span<const Force<double>> wrenches) {
  const auto copy = [lane](std::span<const double> from, std::vector<T>& to) {
    to.resize(from.size(), T(0.0));
    for (std::size_t k = 0; k < from.size(); ++k) Lanes<T>::set(to[k], lane, from[k]);
  };
  copy(torque, held_torque_);
  copy(disturbance, disturbance_);
  held_wrenches_.resize(wrenches.size(), Force<T>::zero());
  for (std::size_t i = 0; i < held_wrenches_.size(); ++i) {
    const auto set = [lane](Vec3<T>& to, const Vec3<double>& from) {
      Lanes<T>::set(to.x, lane, from.x);
      Lanes<T>::set(to.y, lane, from.y);
      Lanes<T>::set(to.z, lane, from.z);
    };
    set(held_wrenches_[i].moment, wrenches[i].moment);
    set(held_wrenches_[i].force, wrenches[i].force);
  }
}

/// Its numbers may differ from lane to lane.
template <Real T>
T Equations<T>::extra_friction(std::size_t k, const T& v) const {
  return friction(friction_[k].viscous, friction_[k].coulomb, model_.friction_speed(), v);
}

template <Real T>
void Equations<T>::update_actions(const T& t, std::span<const T> q, std::span<const T> v) {
  std::copy(held_torque_.begin(), held_torque_.end(), tau_.begin());
  if (drive_) drive_->add(t, q, v, tau_);
  if (saturate_) saturate(v);
  for (std::size_t k = 0; k < disturbance_.size(); ++k) tau_[k] += disturbance_[k];  // no limit
  for (std::size_t k = 0; rubs_ && k < friction_.size(); ++k) net_[k] = tau_[k] - extra_friction(k, v[k]);
  if (loads_follow_state_) update_loads(t, q, v);
}

template <Real T>
void Equations<T>::update_loads(const T& t, std::span<const T> q, std::span<const T> v) {
  kinematics_.update_positions(q);
  kinematics_.update_velocities(v);
  std::fill(wrenches_.begin(), wrenches_.end(), Force<T>::zero());
  std::copy(held_wrenches_.begin(), held_wrenches_.end(), wrenches_.begin());
  FrameWrenches<T> sum(model_, kinematics_, wrenches_);
  for (const FrameLoad& load : frame_loads_) add_load(load, model_, kinematics_, sum);
  for (const UserLoad& load : user_loads_) {
    if constexpr (std::is_same_v<T, double>) load.function(t, q, v, kinematics_, sum);
    if constexpr (std::is_same_v<T, Dual4>) load.derivative(t, q, v, kinematics_, sum);
  }
}

template <Real T>
void Equations<T>::saturate(std::span<const T> v) {
  for (const JointInfo& joint : model_.joints()) {
    const int first = model_.bodies()[static_cast<std::size_t>(joint.body)].v_index;
    const int count = degrees_of(joint.kind);
    for (int k = first; k < first + count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      tau_[at] = within_effort(joint.limits, v[at], tau_[at]);
    }
  }
  for (const Coupling& coupling : model_.couplings()) saturate(coupling, v);
}

/// Each motor gives its own part of the joints' torques, or as much of it as it can.
template <Real T>
void Equations<T>::saturate(const Coupling& coupling, std::span<const T> v) {
  const auto at = [&](std::size_t j) { return static_cast<std::size_t>(coupling.v[j]); };
  for (std::size_t m = 0; m < coupling.motors.size(); ++m) {
    const CoupledMotor& motor = coupling.motors[m];
    motor_[m] = T(0.0);
    for (std::size_t j = 0; j < coupling.v.size(); ++j) motor_[m] += T(motor.shares[j]) * tau_[at(j)];
    motor_[m] = within_effort(motor.limits, motor_speed(coupling, motor, v), motor_[m]);
  }
  for (std::size_t j = 0; j < coupling.v.size(); ++j) {
    tau_[at(j)] = T(0.0);
    for (std::size_t m = 0; m < coupling.motors.size(); ++m) tau_[at(j)] += T(coupling.motors[m].gears[j]) * motor_[m];
  }
}

template <Real T>
void Equations<T>::works(std::span<const T> q, std::span<const T> v, std::span<T> dw) {
  T drives(0.0), rubbing(0.0), loads(0.0);
  for (std::size_t k = 0; k < v.size(); ++k) drives += tau_[k] * v[k];
  if (model_.has_passive()) rubbing -= friction_power(model_, v);
  for (std::size_t k = 0; rubs_ && k < friction_.size(); ++k) rubbing -= extra_friction(k, v[k]) * v[k];
  if (const std::span<const Force<T>> acting = wrenches(); !acting.empty()) {
    if (!loads_follow_state_) {
      kinematics_.update_positions(q);
      kinematics_.update_velocities(v);
    }
    for (std::size_t i = 0; i < acting.size(); ++i) {
      const Frame centre{"", static_cast<int>(i), {Mat3<double>::identity(), model_.com(static_cast<int>(i))}};
      const Motion<T> m = kinematics_.velocity(centre, Reference::world_axes);
      loads += dot(acting[i].moment, m.angular) + dot(acting[i].force, m.linear);
    }
  }
  dw[static_cast<std::size_t>(Work::drives)] = drives;
  dw[static_cast<std::size_t>(Work::friction)] = rubbing;
  dw[static_cast<std::size_t>(Work::loads)] = loads;
}

template <Real T>
std::span<const T> Equations<T>::evaluate_actions(const T& t, std::span<const T> y, std::span<T> dy) {
  const std::size_t n = tau_.size();
  const std::span<const T> x = y.first(n), v = y.subspan(n, n);
  std::span<const T> q = x;  // where all joints have plain numbers
  if (model_.has_general_joints()) {
    retract<T>(model_, reference_, x, q_);
    q = q_;
  }
  local_rates<T>(model_, x, q, v, dy.first(n));
  update_actions(t, q, v);
  works(q, v, dy.subspan(2 * n, work_count));
  return q;
}

template <Real T>
void Equations<T>::evaluate(const T& t, std::span<const T> y, std::span<T> dy) {
  const std::size_t n = tau_.size();
  const std::span<const T> q = evaluate_actions(t, y, dy);
  forward_dynamics_->forward_dynamics(q, y.subspan(n, n), net_torque(), dy.subspan(n, n), wrenches());
}

template class Equations<double>;
template class Equations<Dual4>;
template class Equations<PackDouble>;

}  // namespace ulna

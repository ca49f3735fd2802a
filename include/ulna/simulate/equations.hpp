// The equations of motion as a first-order system, over a scalar.
//
// The state is y = (x, v, w): local coordinates of the position about a reference (model/
// local_coordinates.hpp), velocities, and the work done so far by drives, friction and loads.
#pragma once

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/simulate/held_actions.hpp"

namespace ulna {

/// What acts on a robot in a run.
struct Actions {
  DriveSpec drive = FreeDrive{};
  HeldSpec held;
  bool saturate = false;  // drives give no more than the joints' effort limits
};

/// Work, in the order of the state's last components.
enum class Work { drives, friction, loads };
inline constexpr std::size_t work_count = 3;

/// The right-hand side over a scalar; the reference position stays constant.
template <Real T>
class Equations {
 public:
  Equations(const Model& model, std::unique_ptr<Method<T>> forward_dynamics, std::unique_ptr<Drive<T>> drive,
            bool saturate, const HeldActions& held);

  /// Another way to the accelerations, for the same model.
  void set_forward_dynamics(std::unique_ptr<Method<T>> method) { forward_dynamics_ = std::move(method); }
  Drive<T>* drive() { return drive_.get(); }
  Method<T>& forward_dynamics() { return *forward_dynamics_; }
  void set_reference(std::span<const double> q) { reference_.assign(q.begin(), q.end()); }
  std::span<const double> reference() const { return reference_; }
  const HeldActions& held() const { return held_; }

  void evaluate(const T& t, std::span<const T> y, std::span<T> dy);

  /// τ of drives and held actions at a state, into torque().
  void torques(const T& t, std::span<const T> q, std::span<const T> v);
  std::span<const T> torque() const { return tau_; }
  /// What drives, friction and loads do per second at a state, with torque() as it is.
  void works(std::span<const T> q, std::span<const T> v, std::span<T> dw);

 private:
  void saturate();

  const Model& model_;
  std::unique_ptr<Method<T>> forward_dynamics_;
  std::unique_ptr<Drive<T>> drive_;  // null: sampled, and part of what is held
  bool saturate_;
  const HeldActions& held_;
  Kinematics<T> kinematics_;
  std::vector<double> reference_;
  std::vector<T> q_, tau_;
  std::vector<Force<T>> wrenches_;
};

}  // namespace ulna

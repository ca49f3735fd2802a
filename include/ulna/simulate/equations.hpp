// The equations of motion as a first-order system, over a scalar.
//
// The state is y = (x, v, w): local coordinates of the position about a reference (model/
// local_coordinates.hpp), velocities, and the work done so far by drives, friction and loads.
#pragma once

#include "ulna/simulate/frame_load.hpp"
#include "ulna/simulate/held_actions.hpp"

namespace ulna {

/// Friction in the joints beyond the robot's own (doc/conventions.md): one number per velocity index, or none at all.
struct ExtraFriction {
  std::vector<double> viscous{}, coulomb{};
};

/// What acts on a robot in a run.
struct Actions {
  DriveSpec drive = FreeDrive{};
  HeldSpec held{};
  bool saturate = false;  // drives give no more than the effort limits of joints and motors
  ExtraFriction friction{};
  /// What drives that compute torques take the robot for; null: for what it is.
  std::shared_ptr<const Model> believed{};
  std::vector<FrameLoad> frame_loads{};
  std::vector<UserLoad> user_loads{};
};

/// Work, in the order of the state's last components.
enum class Work { drives, friction, loads };
inline constexpr std::size_t work_count = 3;

/// The right-hand side over a scalar; the reference position stays constant. The lanes of a pack may differ in the
/// numbers of their actions.
template <Real T>
class Equations {
 public:
  /// A drive that is null is sampled, and part of what is held. A user's loads must know the scalar, which is double or
  /// a dual.
  Equations(const Model& model, std::unique_ptr<Method<T>> forward_dynamics, std::unique_ptr<Drive<T>> drive,
            const Actions& actions);

  /// From now on these act in a lane: the same kind of drive, friction as before or other.
  void set_actions(int lane, const Actions& actions);
  /// From now on these are held in a lane: torques of drives and disturbances, and wrenches on all bodies or on none.
  void hold(int lane, std::span<const double> torque, std::span<const double> disturbance,
            std::span<const Force<double>> wrenches);

  /// Another way to the accelerations, for the same model.
  void set_forward_dynamics(std::unique_ptr<Method<T>> method) { forward_dynamics_ = std::move(method); }
  Drive<T>* drive() { return drive_.get(); }
  Method<T>& forward_dynamics() { return *forward_dynamics_; }
  void set_reference(std::span<const double> q) { reference_.assign(q.begin(), q.end()); }
  std::span<const double> reference() const { return reference_; }

  void evaluate(const T& t, std::span<const T> y, std::span<T> dy);
  /// All of dy but the accelerations; what they come from is in net_torque() and wrenches(). Returns q.
  std::span<const T> evaluate_actions(const T& t, std::span<const T> y, std::span<T> dy);

  /// What acts at a state: τ of drives and held actions, into torque(); less extra friction, into net_torque(); loads,
  /// into wrenches().
  void update_actions(const T& t, std::span<const T> q, std::span<const T> v);
  std::span<const T> torque() const { return tau_; }
  std::span<const T> net_torque() const { return rubs_ ? net_ : tau_; }
  std::span<const Force<T>> wrenches() const { return loads_follow_state_ ? wrenches_ : held_wrenches_; }
  /// What drives, friction and loads do per second, after update_actions() at this state.
  void works(std::span<const T> q, std::span<const T> v, std::span<T> dw);

 private:
  /// Of one velocity index.
  struct Friction {
    T viscous, coulomb;
  };
  void saturate(std::span<const T> v);
  void saturate(const Coupling& coupling, std::span<const T> v);
  void update_loads(const T& t, std::span<const T> q, std::span<const T> v);
  T extra_friction(std::size_t k, const T& v) const;

  const Model& model_;
  std::unique_ptr<Method<T>> forward_dynamics_;
  std::unique_ptr<Drive<T>> drive_;  // null: sampled, and part of what is held
  bool saturate_;
  std::vector<Friction> friction_;  // beyond the model's
  bool rubs_ = false;               // it is not zero in every lane
  std::vector<FrameLoad> frame_loads_;
  std::vector<UserLoad> user_loads_;
  bool loads_follow_state_;
  Kinematics<T> kinematics_;
  std::vector<double> reference_;
  std::vector<T> q_, tau_, motor_, net_, held_torque_, disturbance_;
  std::vector<Force<T>> held_wrenches_, wrenches_;  // wrenches_: with loads that follow the state
};

}  // namespace ulna

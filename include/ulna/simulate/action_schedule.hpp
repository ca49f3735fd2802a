// When the actions of a run jump, and what they are from then on.
#pragma once

#include "ulna/simulate/equations.hpp"

namespace ulna {

class ActionSchedule {
 public:
  ActionSchedule(const Model& model, const Actions& actions);
  ActionSchedule(Model&&, const Actions&) = delete;

  /// Whether the drive is sampled: part of what is held, and not of the equations.
  bool samples_drive() const { return sampled_ != nullptr; }
  double next_break(double t) const;
  /// Takes what holds from t on, to the next break.
  void enter(double t, std::span<const double> q, std::span<const double> v);
  const HeldActions& held() const { return held_; }

 private:
  /// The first time after t at which the reference has a corner.
  double next_corner(double t) const;

  ReferencePointer reference_;
  std::unique_ptr<Drive<double>> sampled_;
  HeldActions held_;
};

/// The lane of the equations that the schedule belongs to takes what holds from t on; after schedule.enter(t, …).
template <Real T>
void enter_lane(Equations<T>& equations, int lane, double t, const ActionSchedule& schedule) {
  if (equations.drive() != nullptr) equations.drive()->enter(lane, t, schedule.next_break(t));
  const HeldActions& held = schedule.held();
  equations.hold(lane, held.torque(), held.disturbance(), held.wrenches());
}

}  // namespace ulna

// What acts in the joints beside their drives: friction, springs and rotors. Armature is an inertia: it is added where
// a formulation meets the joint's own.
#pragma once

#include "ulna/dynamics/arguments.hpp"

namespace ulna {

/// v in units of the friction speed s, held within −1 and 1.
template <Real T>
ULNA_INLINE T friction_ramp(double s, const T& v) {
  const T one(1.0), x = v * T(1.0 / s);
  return select(x < -one, -one, select(one < x, one, x));
}

/// The force of friction against a motion. Coulomb friction is coulomb·sign(v) from the speed s upwards and fades below
/// it by x (3 − x²)/2 with x = v/s, which meets sign(v) smoothly: a joint that is at rest but for rounding has none.
template <Real T>
ULNA_INLINE T friction(const T& viscous, const T& coulomb, double s, const T& v) {
  const T x = friction_ramp(s, v);
  return viscous * v + coulomb * (x * (T(1.5) - T(0.5) * (x * x)));
}

/// Its derivative by v.
template <Real T>
ULNA_INLINE T friction_slope(const T& viscous, const T& coulomb, double s, const T& v) {
  const T x = friction_ramp(s, v);
  return viscous + coulomb * (T(1.5 / s) * (T(1.0) - x * x));
}

/// The robot's own in velocity index k.
template <Real T>
ULNA_INLINE T friction(const Model& model, std::size_t k, const T& v) {
  return friction(T(model.viscous()[k]), T(model.coulomb()[k]), model.friction_speed(), v);
}

/// The force of friction and spring against the drive in velocity index k: friction(v) + stiffness·(q − rest).
template <Real T>
ULNA_INLINE T passive_force(const Model& model, std::size_t k, std::span<const T> q, std::span<const T> v) {
  T f = friction(model, k, v[k]);
  const int iq = model.q_of_v()[k];
  if (iq >= 0) f += T(model.stiffness()[k]) * (q[static_cast<std::size_t>(iq)] - T(model.rest()[k]));
  return f;
}

/// The speed of a motor that several joints share.
template <Real T>
T motor_speed(const Coupling& coupling, const CoupledMotor& motor, std::span<const T> v) {
  T speed(0.0);
  for (std::size_t j = 0; j < coupling.v.size(); ++j)
    speed += T(motor.gears[j]) * v[static_cast<std::size_t>(coupling.v[j])];
  return speed;
}

/// Friction of the motors that joints share, seen at the joints.
template <Real T>
void add_coupled_friction(const Model& model, std::span<const T> v, double factor, std::span<T> tau) {
  for (const Coupling& coupling : model.couplings()) {
    for (const CoupledMotor& motor : coupling.motors) {
      if (motor.viscous == 0.0 && motor.coulomb == 0.0) continue;
      const T force = T(factor) * friction(T(motor.viscous), T(motor.coulomb), motor.friction_speed,
                                           motor_speed(coupling, motor, v));
      for (std::size_t j = 0; j < coupling.v.size(); ++j)
        tau[static_cast<std::size_t>(coupling.v[j])] += T(motor.gears[j]) * force;
    }
  }
}

/// What friction takes of the power.
template <Real T>
T friction_power(const Model& model, std::span<const T> v) {
  T power(0.0);
  for (std::size_t k = 0; k < v.size(); ++k) power += friction(model, k, v[k]) * v[k];
  for (const Coupling& coupling : model.couplings()) {
    for (const CoupledMotor& motor : coupling.motors) {
      const T speed = motor_speed(coupling, motor, v);
      power += friction(T(motor.viscous), T(motor.coulomb), motor.friction_speed, speed) * speed;
    }
  }
  return power;
}

/// All of them, added to `tau` with the given sign.
template <Real T>
void add_passive_forces(const Model& model, std::span<const T> q, std::span<const T> v, double factor,
                        std::span<T> tau) {
  if (!model.has_passive()) return;
  for (std::size_t k = 0; k < v.size(); ++k) tau[k] += T(factor) * passive_force(model, k, q, v);
  if (model.has_couplings()) add_coupled_friction(model, v, factor, tau);
}

/// What turns the rotors, added to `tau`.
template <Real T>
void add_rotor_forces(const Model& model, std::span<const T> a, std::span<T> tau) {
  if (!model.has_armature()) return;
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += T(model.armature()[k]) * a[k];
  for (const CoupledArmature& rotor : model.coupled_armature()) {
    const auto i = static_cast<std::size_t>(rotor.row), j = static_cast<std::size_t>(rotor.column);
    tau[i] += T(rotor.inertia) * a[j];
    tau[j] += T(rotor.inertia) * a[i];
  }
}

/// What rotors that joints share add to M beside its diagonal.
template <Real T>
void add_coupled_armature(const Model& model, const MatrixView<T>& M) {
  for (const CoupledArmature& rotor : model.coupled_armature()) {
    M(rotor.row, rotor.column) += T(rotor.inertia);
    M(rotor.column, rotor.row) += T(rotor.inertia);
  }
}

}  // namespace ulna

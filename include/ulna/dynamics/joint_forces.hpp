// What acts in the joints beside their drives: friction and springs. Armature is an inertia and
// is added where a formulation meets the joint's inertia.
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

/// All of them, added to `tau` with the given sign.
template <Real T>
void add_passive_forces(const Model& model, std::span<const T> q, std::span<const T> v, double factor,
                        std::span<T> tau) {
  if (!model.has_passive()) return;
  for (std::size_t k = 0; k < v.size(); ++k) tau[k] += T(factor) * passive_force(model, k, q, v);
}

}  // namespace ulna

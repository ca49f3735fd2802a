// What acts in the joints beside their drives: friction and springs. Armature is an inertia and
// is added where a formulation meets the joint's inertia.
#pragma once

#include "ulna/dynamics/arguments.hpp"

namespace ulna {

/// The force of friction against a motion. Coulomb friction is coulomb·sign(v) or, where there is a speed s for it to
/// fade below, coulomb·v/√(v² + s²).
template <Real T>
ULNA_INLINE T friction(const T& viscous, const T& coulomb, double s, const T& v) {
  const T direction = s > 0.0 ? v / sqrt(v * v + T(s * s)) : sign(v);
  return viscous * v + coulomb * direction;
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

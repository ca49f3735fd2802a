// Local coordinates: nv numbers x that say where a position is, seen from a reference position.
// Integrators work on them, because a quaternion is no place for sums: every x is a position, and
// a unit quaternion stays one. For joints with a plain number x is that number.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "ulna/model/expect_size.hpp"
#include "ulna/model/model.hpp"
#include "ulna/real/vector_view.hpp"

namespace ulna {

namespace local_detail {

/// Calls f(joint, q index, v index) for every joint that has coordinates.
template <class F>
ULNA_INLINE void for_each_joint(const Model& model, F&& f) {
  for (const Body& body : model.bodies()) {
    if (body.column != body.v_index) continue;  // follows another
    with_joint(body.kind, [&](auto joint) {
      f(joint, static_cast<std::size_t>(body.q_index), static_cast<std::size_t>(body.v_index));
    });
  }
}

}  // namespace local_detail

template <Real T>
void retract(const Model& model, std::span<const double> reference, std::span<const T> x, std::span<T> q) {
  if (!model.has_general_joints()) {
    std::copy(x.begin(), x.end(), q.begin());
    return;
  }
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.retract(&reference[iq], &x[iv], &q[iq]); });
}

template <Real T>
void local_rates(const Model& model, std::span<const T> x, std::span<const T> q, std::span<const T> v,
                 std::span<T> dx) {
  if (!model.has_general_joints()) {
    std::copy(v.begin(), v.end(), dx.begin());
    return;
  }
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.local_rate(&x[iv], &q[iq], &v[iv], &dx[iv]); });
}

/// The momenta p that belong to ẋ, from the momenta μ = M v that belong to v: p·ẋ = μ·v.
template <Real T>
void local_momenta(const Model& model, std::span<const T> x, std::span<const T> q, std::span<const T> mu,
                   std::span<T> p) {
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.momentum(&x[iv], &q[iq], &mu[iv], &p[iv]); });
}

template <Real T>
void body_momenta(const Model& model, std::span<const T> x, std::span<const T> q, std::span<const T> p,
                  std::span<T> mu) {
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.body_momentum(&x[iv], &q[iq], &p[iv], &mu[iv]); });
}

/// The local coordinates of the reference position itself.
inline void coordinates_of_reference(const Model& model, std::span<const double> reference, std::span<double> x) {
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.origin(&reference[iq], &x[iv]); });
}

/// Whether a rotation has run so far from its reference that another one should be chosen: the
/// coordinates end at a whole turn.
inline bool is_far_from_reference(const Model& model, std::span<const double> x) {
  if (!model.has_general_joints()) return false;
  for (const Body& body : model.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    if (norm(Vec3<double>::load(&x[static_cast<std::size_t>(body.v_index)])) > 2.0) return true;
  }
  return false;
}

/// A joint whose quaternion is no rotation, by its length.
struct BadQuaternion {
  const JointInfo* joint;
  double length;
};

/// The first whose length is not one to a thousandth: a slip, and not rounding.
inline std::optional<BadQuaternion> find_bad_quaternion(const Model& model, std::span<const double> q) {
  for (const JointInfo& joint : model.joints()) {
    if (!has_quaternion(joint.kind)) continue;
    const int first = model.bodies()[static_cast<std::size_t>(joint.body)].q_index;
    const double* r = &q[static_cast<std::size_t>(first + quaternion_of(joint.kind))];
    const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    if (!(std::abs(length - 1.0) < 1e-3)) return BadQuaternion{&joint, length};
  }
  return std::nullopt;
}

/// Brings all quaternions to unit length: takes rounding off.
inline void normalise(const Model& model, VectorOut<double> q) {
  expect_size("q", q.size(), model.nq());
  if (!model.has_general_joints()) return;
  for (const Body& body : model.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    double* r = &q[static_cast<std::size_t>(body.q_index + quaternion_of(body.kind))];
    const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int k = 0; k < 4; ++k) r[k] /= length;
  }
}

/// The position that a step, given as joint velocities are, leads to; `to` may be q itself. Rotations turn by the step
/// as a rotation vector, a free body moves along the axes that it has at q.
template <Real T = double>
void integrate(const Model& model, VectorIn<T> q, VectorIn<T> step, VectorOut<T> to) {
  expect_size("q", q.size(), model.nq());
  expect_size("the step", step.size(), model.nv());
  expect_size("the result", to.size(), model.nq());
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.advance(&q[iq], &step[iv], &to[iq]); });
}

/// The step that leads from one position to another: integrate(from, step) is `to`. Of all turns the shortest.
inline void difference(const Model& model, VectorIn<double> from, VectorIn<double> to, VectorOut<double> step) {
  expect_size("the first position", from.size(), model.nq());
  expect_size("the second position", to.size(), model.nq());
  expect_size("the step", step.size(), model.nv());
  local_detail::for_each_joint(
      model, [&](auto joint, std::size_t iq, std::size_t iv) { joint.difference(&from[iq], &to[iq], &step[iv]); });
}

}  // namespace ulna

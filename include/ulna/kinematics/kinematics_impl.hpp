// The sweeps behind kinematics.hpp, for scalars that the library does not hold.
#pragma once

#include <array>
#include <functional>
#include <stdexcept>

#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

template <Real T>
Kinematics<T>::Kinematics(const Model& model)
    : model_(model),
      links_(model, typename LinkPoses<T>::WithLoops{}),
      state_(model.bodies().size()),
      zero_(static_cast<std::size_t>(model.nv()), T(0.0)) {}

template <Real T>
void Kinematics<T>::update_positions(VectorIn<T> q) {
  links_.update(model_, q);
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const int parent = model_.bodies()[i].parent;
    state_[i].pose = parent < 0 ? Pose<T>{links_[i].rotation(), links_[i].p}
                                : links_[i].in(state_[static_cast<std::size_t>(parent)].pose);
  }
}

template <Real T>
void Kinematics<T>::update_velocities(VectorIn<T> v) {
  expect_size("v", v.size(), model_.nv());
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const Body& body = model_.bodies()[i];
    BodyState& s = state_[i];
    Motion<T> joint = Motion<T>::zero();
    with_joint(body.kind, [&](auto kind) {
      kind.add_motion(joint_at(body, links_[i]), &v[static_cast<std::size_t>(body.v_index)], joint);
    });
    s.omega = s.pose.R * joint.angular;
    s.velocity = s.pose.R * joint.linear;
    if (body.parent < 0) continue;
    const BodyState& p = state_[static_cast<std::size_t>(body.parent)];
    s.omega += p.omega;
    s.velocity += p.velocity + cross(p.omega, s.pose.p - p.pose.p);
  }
}

template <Real T>
void Kinematics<T>::update_accelerations(VectorIn<T> v, VectorIn<T> a) {
  expect_size("v", v.size(), model_.nv());
  expect_size("a", a.size(), model_.nv());
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const Body& body = model_.bodies()[i];
    BodyState& s = state_[i];
    Rates<T> r{Vec3<T>::zero(), Vec3<T>::zero(), Vec3<T>::zero()};
    if (body.parent >= 0) {
      const BodyState& p = state_[static_cast<std::size_t>(body.parent)];
      const Vec3<T> arm = s.pose.p - p.pose.p;
      const Vec3<T> carried = p.acceleration + cross(p.alpha, arm) + cross(p.omega, cross(p.omega, arm));
      r = {transpose_times(s.pose.R, p.omega), transpose_times(s.pose.R, p.alpha), transpose_times(s.pose.R, carried)};
    }
    with_joint(body.kind, [&](auto kind) {
      const auto k = static_cast<std::size_t>(body.v_index);
      kind.add_rates(joint_at(body, links_[i]), &v[k], &a[k], r);
    });
    s.alpha = s.pose.R * r.alpha;
    s.acceleration = s.pose.R * r.a;
  }
}

template <Real T>
typename Kinematics<T>::PointRates Kinematics<T>::rates_of(const Frame& frame) const {
  model_.expect_frame(frame);
  const Pose<T> inner = cast<T>(frame.pose);
  const Vec3<T> zero = Vec3<T>::zero();
  if (frame.body < 0) return {inner, zero, zero, zero, zero};
  const BodyState& s = state_[static_cast<std::size_t>(frame.body)];
  const Vec3<T> arm = s.pose.R * inner.p;
  return {s.pose * inner, s.omega, s.velocity + cross(s.omega, arm), s.alpha,
          s.acceleration + cross(s.alpha, arm) + cross(s.omega, cross(s.omega, arm))};
}

template <Real T>
Pose<T> Kinematics<T>::pose(const Frame& frame) const {
  model_.expect_frame(frame);
  const Pose<T> inner = cast<T>(frame.pose);
  return frame.body < 0 ? inner : state_[static_cast<std::size_t>(frame.body)].pose * inner;
}

namespace kinematics_detail {

/// A velocity given as world axes at the point p with axes R, in another reference.
template <Real T>
ULNA_INLINE Motion<T> express(const Motion<T>& m, const Pose<T>& frame, Reference reference) {
  switch (reference) {
    case Reference::world_axes: break;
    case Reference::own_axes: return {transpose_times(frame.R, m.angular), transpose_times(frame.R, m.linear)};
    case Reference::world_origin: return {m.angular, m.linear + cross(frame.p, m.angular)};
  }
  return m;
}

}  // namespace kinematics_detail

template <Real T>
Motion<T> Kinematics<T>::unit_motion(const Body& body, int k, const Vec3<T>& point) const {
  const Body *first = model_.bodies().data(), *end = first + model_.bodies().size();
  const std::less<const Body*> before;  // of any two addresses, where < is for those of one array
  if (before(&body, first) || !before(&body, end)) throw std::invalid_argument("this body is another model's");
  return column(static_cast<std::size_t>(&body - first), k, point);
}

template <Real T>
Motion<T> Kinematics<T>::column(std::size_t i, int k, const Vec3<T>& point) const {
  const Body& body = model_.bodies()[i];
  const Pose<T>& x = state_[i].pose;
  return with_joint(body.kind, [&](auto kind) -> Motion<T> {
    const Motion<T> s = subspace_column<T>(kind, joint_at(body, links_[i]), static_cast<std::size_t>(k));
    if constexpr (kind.is_axial) {  // about and along z alone
      const Vec3<T> z = x.R.column_z(), w = s.angular.z * z;
      return {w, s.linear.z * z + cross(w, point - x.p)};
    } else {
      const Vec3<T> w = x.R * s.angular;
      return {w, x.R * s.linear + cross(w, point - x.p)};
    }
  });
}

template <Real T>
void Kinematics<T>::jacobian(const Frame& frame, Reference reference, MatrixOut<T> J) const {
  expect_size("the Jacobian (rows)", static_cast<std::size_t>(J.rows), 6);
  expect_size("the Jacobian (columns)", static_cast<std::size_t>(J.cols), model_.nv());
  const Pose<T> at = pose(frame);
  if (!model_.is_serial() || frame.body + 1 != model_.body_count()) J.fill(T(0.0));  // else all columns are written
  for (int i = frame.body; i >= 0; i = model_.bodies()[static_cast<std::size_t>(i)].parent) {
    const Body& body = model_.bodies()[static_cast<std::size_t>(i)];
    const int degrees = degrees_of(body.kind);
    for (int k = 0; k < degrees; ++k) {
      const auto [w, v] = kinematics_detail::express(column(static_cast<std::size_t>(i), k, at.p), at, reference);
      T* J_k = J.column(body.v_index + k);
      for (const T& x : {w.x, w.y, w.z, v.x, v.y, v.z}) put(body, *J_k++, x);
    }
  }
}

template <Real T>
Motion<T> Kinematics<T>::velocity(const Frame& frame, Reference reference) const {
  const PointRates r = rates_of(frame);
  return kinematics_detail::express(Motion<T>{r.omega, r.velocity}, r.pose, reference);
}

template <Real T>
Motion<T> Kinematics<T>::acceleration(const Frame& frame, Reference reference) const {
  const PointRates r = rates_of(frame);
  Motion<T> a{r.alpha, r.acceleration};
  // The derivative of the components: own axes turn with ω, the point at the world origin slides.
  if (reference == Reference::own_axes) a.linear -= cross(r.omega, r.velocity);
  if (reference == Reference::world_origin) a.linear += cross(r.velocity, r.omega);
  return kinematics_detail::express(a, r.pose, reference);
}

template <Real T>
Vec3<T> Kinematics<T>::com() const {
  Vec3<T> sum = Vec3<T>::zero();
  double mass = 0.0;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const RigidInertia<double>& I = model_.bodies()[i].inertia;
    sum += state_[i].pose.R * cast<T>(I.h) + T(I.mass) * state_[i].pose.p;
    mass += I.mass;
  }
  return T(1.0 / mass) * sum;
}

template <Real T>
T Kinematics<T>::gravity_energy() const {
  T energy(0.0);
  const Vec3<T> g = cast<T>(model_.gravity());
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const RigidInertia<double>& I = model_.bodies()[i].inertia;
    energy -= dot(g, state_[i].pose.R * cast<T>(I.h) + T(I.mass) * state_[i].pose.p);
  }
  return energy;
}

template <Real T>
T Kinematics<T>::spring_energy(VectorIn<T> q) const {
  expect_size("q", q.size(), model_.nq());
  T energy(0.0);
  for (std::size_t k = 0; k < model_.stiffness().size(); ++k) {
    const int iq = model_.q_of_v()[k];
    if (iq < 0) continue;
    const T stretch = q[static_cast<std::size_t>(iq)] - T(model_.rest()[k]);
    energy += T(0.5 * model_.stiffness()[k]) * stretch * stretch;
  }
  return energy;
}

template <Real T>
T Kinematics<T>::kinetic_energy(VectorIn<T> v) const {
  expect_size("v", v.size(), model_.nv());
  T twice(0.0);
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const BodyState& s = state_[i];
    const Motion<T> own{transpose_times(s.pose.R, s.omega), transpose_times(s.pose.R, s.velocity)};
    twice += dot(cast<T>(model_.bodies()[i].inertia) * own, own);
  }
  for (std::size_t k = 0; k < v.size(); ++k) twice += T(model_.armature()[k]) * v[k] * v[k];
  for (const CoupledArmature& rotor : model_.coupled_armature())
    twice +=
        T(2.0 * rotor.inertia) * v[static_cast<std::size_t>(rotor.row)] * v[static_cast<std::size_t>(rotor.column)];
  return T(0.5) * twice;
}

template <Real T>
Force<T> Kinematics<T>::momentum() const {
  const Vec3<T> centre = com();
  Force<T> sum = Force<T>::zero();
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const BodyState& s = state_[i];
    const Motion<T> own{transpose_times(s.pose.R, s.omega), transpose_times(s.pose.R, s.velocity)};
    const Force<T> h = cast<T>(model_.bodies()[i].inertia) * own;
    sum += Pose<T>{s.pose.R, s.pose.p - centre}.to_outer(h);
  }
  return sum;
}

}  // namespace ulna

// The recursions behind loop_matrix.hpp.
#pragma once

#include <algorithm>

#include "ulna/loop/loop_matrix.hpp"

namespace ulna {

template <Real T>
LoopMatrix<T>::LoopMatrix(const Model& model)
    : model_(model),
      kinematics_(model),
      rows_(model.constraint_count()),
      relative_(model.loops().size()),
      A_(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(model.nv()), T(0.0)),
      b_(static_cast<std::size_t>(rows_)) {
  screws_.resize(static_cast<std::size_t>(model.column_count()));
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    for (int k = 0; k < degrees_of(body.kind); ++k)
      screws_[static_cast<std::size_t>(body.column + k)] = {static_cast<int>(i), k, Motion<T>::zero()};
  }
  between_.reserve(model.loops().size());
  for (const LoopJoint& joint : model.loops()) {
    between_.push_back(between(model, joint));
    for (const Between& x : between_.back()) moving_.push_back(x.column);
  }
  std::sort(moving_.begin(), moving_.end());
  moving_.erase(std::unique(moving_.begin(), moving_.end()), moving_.end());
}

template <Real T>
std::vector<typename LoopMatrix<T>::Between> LoopMatrix<T>::between(const Model& tree, const LoopJoint& joint) {
  std::vector<Between> result;
  // a parent has a lower number than its children, so the higher of the two is never below both
  for (int a = joint.a.body, b = joint.b.body; a != b;) {
    int& outer = a > b ? a : b;
    const double sign = a > b ? -1.0 : 1.0;
    const Body& body = tree.bodies()[static_cast<std::size_t>(outer)];
    const int degrees = degrees_of(body.kind);
    for (int k = 0; k < degrees; ++k) result.push_back({body.v_index + k, body.column + k, sign});
    outer = body.parent;
  }
  return result;
}

/// Balls do not.
inline bool locks_turns(JointKind kind) { return locks(kind, 0) || locks(kind, 1) || locks(kind, 2); }

template <Real T>
void LoopMatrix<T>::update(VectorIn<T> q) {
  kinematics_.update_positions(q);
  for (const int k : moving_) {
    Screw& screw = screws_[static_cast<std::size_t>(k)];
    const Body& body = model_.bodies()[static_cast<std::size_t>(screw.body)];
    screw.motion = kinematics_.unit_motion(body, screw.k, Vec3<T>::zero());
  }
  if (model_.has_followers()) std::fill(A_.begin(), A_.end(), T(0.0));
  int row = 0;
  for (std::size_t i = 0; i < model_.loops().size(); ++i) {
    const LoopJoint& joint = model_.loops()[i];
    const Pose<T> a = kinematics_.pose(joint.a), b = kinematics_.pose(joint.b);
    const Mat3<T> R = transpose(a.R) * b.R;
    relative_[i] = {R, transpose_times(a.R, b.p - a.p), T(0.0)};
    const bool turns = locks_turns(joint.kind);
    for (const Between& x : between_[i]) {
      // of b's origin, as a part of a's body too: what a does to it is what it seems to do less
      const Motion<T>& m = screws_[static_cast<std::size_t>(x.column)].motion;
      const Vec3<T> omega = T(x.sign) * transpose_times(a.R, m.angular);
      const Vec3<T> u = T(x.sign) * transpose_times(a.R, m.linear + cross(m.angular, b.p));
      const Mat3<T> turning = turns ? skew(omega) * R : R;
      std::array<T, 6> rates{};
      lock<T>(joint, {turning, u, omega.z}, rates.data());
      T* A = &A_[static_cast<std::size_t>(x.v_index) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(row)];
      const Body& body = model_.bodies()[static_cast<std::size_t>(screws_[static_cast<std::size_t>(x.column)].body)];
      for (int k = 0; k < constraint_count(joint.kind); ++k) put(body, A[k], rates[static_cast<std::size_t>(k)]);
    }
    row += constraint_count(joint.kind);
  }
}

template <Real T>
void LoopMatrix<T>::update_bias(VectorIn<T> v) {
  kinematics_.update_velocities(v);
  kinematics_.update_bias_accelerations(v);
  take_rates();
}

template <Real T>
void LoopMatrix<T>::update_rest(VectorIn<T> v, VectorIn<T> a) {
  kinematics_.update_velocities(v);
  kinematics_.update_accelerations(v, a);
  take_rates();
}

/// From the velocities and accelerations that the bodies have.
template <Real T>
void LoopMatrix<T>::take_rates() {
  int row = 0;
  for (const LoopJoint& joint : model_.loops()) {
    const auto a = kinematics_.rates_of(joint.a), b = kinematics_.rates_of(joint.b);
    const Vec3<T> e = b.pose.p - a.pose.p, w = a.omega;
    const Mat3<T>& axes = a.pose.R;
    const Mat3<T> R = transpose(axes) * b.pose.R;
    // rates as seen from frame a, which turns itself
    const Vec3<T> omega = transpose_times(axes, b.omega - w);
    const Vec3<T> alpha = transpose_times(axes, b.alpha - a.alpha - cross(w, b.omega - w));
    const Vec3<T> acceleration =
        transpose_times(axes, b.acceleration - a.acceleration - cross(a.alpha, e) -
                                  T(2.0) * cross(w, b.velocity - a.velocity) + cross(w, cross(w, e)));
    std::array<T, 6> rate{};
    lock<T>(joint, {(skew(alpha) + skew(omega) * skew(omega)) * R, acceleration, alpha.z}, rate.data());
    for (int k = 0; k < constraint_count(joint.kind); ++k)
      b_[static_cast<std::size_t>(row + k)] = -rate[static_cast<std::size_t>(k)];
    row += constraint_count(joint.kind);
  }
}

}  // namespace ulna

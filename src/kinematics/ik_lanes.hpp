// Steps of inverse kinematics in the lanes of a scalar: each lane is a search of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ik_problem.hpp"
#include "ulna/kinematics/kinematics_impl.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/real/lanes.hpp"
#include "ulna/spatial/quaternion.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// L D Lᵀ x = b for a symmetric positive definite matrix, by its lower triangle, in place. Its diagonal is left with
/// the inverses of D. What stands below the diagonal is L D; its columns meet b again on the way back.
template <Real T>
void solve_symmetric(T* A, T* b, int n) {
  const auto at = [&](int r, int c) -> T& { return A[r * n + c]; };
  for (int c = 0; c < n; ++c) {
    const T inverse = T(1.0) / at(c, c);
    for (int r = c + 1; r < n; ++r) {
      const T l = at(r, c) * inverse;
      for (int k = c + 1; k <= r; ++k) at(r, k) -= l * at(k, c);
      b[r] -= l * b[c];
    }
    b[c] *= inverse;
    at(c, c) = inverse;
  }
  for (int c = n - 1; c >= 0; --c) {
    T sum(0.0);
    for (int r = c + 1; r < n; ++r) sum += at(r, c) * b[r];
    b[c] -= at(c, c) * sum;
  }
}

/// f(0), f(1) … f(N − 1) with constants, so that what they index stays in registers.
template <int N, class F>
ULNA_INLINE void for_each_constant(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) ULNA_INLINE_LAMBDA { (f(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

/// The same of N rows, all in registers.
template <int N, Real T>
struct SmallSystem {
  std::array<T, static_cast<std::size_t>(N*(N + 1) / 2)> A;
  std::array<T, static_cast<std::size_t>(N)> b;

  ULNA_INLINE T& at(int r, int c) { return A[static_cast<std::size_t>(r * (r + 1) / 2 + c)]; }
  ULNA_INLINE T& right(int r) { return b[static_cast<std::size_t>(r)]; }

  ULNA_INLINE void set_diagonal(const T& value) {
    for_each_constant<N>([&](auto r) ULNA_INLINE_LAMBDA {
      for_each_constant<r + 1>([&](auto c) ULNA_INLINE_LAMBDA { at(r, c) = r == c ? value : T(0.0); });
    });
  }
  /// A += a aᵀ
  ULNA_INLINE void add_square(const T* a) {
    for_each_constant<N>([&](auto r) ULNA_INLINE_LAMBDA {
      for_each_constant<r + 1>([&](auto c) ULNA_INLINE_LAMBDA { at(r, c) += a[r] * a[c]; });
    });
  }
  ULNA_INLINE void solve() {
    for_each_constant<N>([&](auto c) ULNA_INLINE_LAMBDA {
      const T inverse = T(1.0) / at(c, c);
      for_each_constant<N - 1 - c>([&](auto i) ULNA_INLINE_LAMBDA {
        constexpr int r = c + 1 + i;
        const T l = at(r, c) * inverse;
        for_each_constant<r - c>([&](auto k) ULNA_INLINE_LAMBDA { at(r, c + 1 + k) -= l * at(c + 1 + k, c); });
        right(r) -= l * right(c);
      });
      right(c) *= inverse;
      at(c, c) = inverse;
    });
    for_each_constant<N>([&](auto back) ULNA_INLINE_LAMBDA {
      constexpr int c = N - 1 - back;
      T sum(0.0);
      for_each_constant<N - 1 - c>([&](auto i) ULNA_INLINE_LAMBDA { sum += at(c + 1 + i, c) * right(c + 1 + i); });
      right(c) -= at(c, c) * sum;
    });
  }
};

template <Real T>
class IkLanes {
 public:
  explicit IkLanes(const IkProblem& problem)
      : problem_(problem),
        model_(problem.model),
        kinematics_(model_),
        q_(static_cast<std::size_t>(model_.nq()), T(0.0)),
        step_(static_cast<std::size_t>(model_.nv()), T(0.0)),
        target_(problem.rows.size(), Pose<T>::identity()),
        jacobian_(6 * step_.size()),
        A_(static_cast<std::size_t>(problem.row_count) * step_.size()),
        residual_(static_cast<std::size_t>(problem.row_count)),
        system_(square(std::min(residual_.size(), step_.size()))),
        solution_(std::max(residual_.size(), step_.size())) {
    const std::vector<double> neutral = model_.neutral();
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] = T(neutral[k]);
    for (std::size_t j = 0; j < step_.size(); ++j)
      is_limited_.push_back(model_.q_of_v()[j] >= 0 &&
                            (std::isfinite(problem.lower[j]) || std::isfinite(problem.upper[j])));
  }

  /// Or, where that is beyond a limit, at the limit.
  void set_position(int lane, const double* q) {
    for (std::size_t k = 0; k < q_.size(); ++k) Lanes<T>::set(q_[k], lane, q[k]);
    for (std::size_t j = 0; j < step_.size(); ++j) {
      if (!is_limited_[j]) continue;
      const int iq = model_.q_of_v()[j];
      const double x = q[iq];
      if (x < problem_.lower[j]) Lanes<T>::set(q_[size(iq)], lane, problem_.lower[j]);
      if (x > problem_.upper[j]) Lanes<T>::set(q_[size(iq)], lane, problem_.upper[j]);
    }
  }
  void get_position(int lane, double* q) const {
    for (std::size_t k = 0; k < q_.size(); ++k) q[k] = Lanes<T>::get(q_[k], lane);
  }
  void set_target(int lane, std::span<const Pose<double>> poses) {
    for (std::size_t k = 0; k < target_.size(); ++k) {
      const Mat3<double>& R = poses[k].R;
      const Vec3<double>& p = poses[k].p;
      Mat3<T>& to = target_[k].R;
      const double from[] = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz, p.x, p.y, p.z};
      T* const parts[] = {&to.xx, &to.xy, &to.xz, &to.yx,          &to.yy,          &to.yz,
                          &to.zx, &to.zy, &to.zz, &target_[k].p.x, &target_[k].p.y, &target_[k].p.z};
      for (std::size_t i = 0; i < std::size(from); ++i) Lanes<T>::set(*parts[i], lane, from[i]);
    }
  }

  /// Errors and their derivatives where the lanes stand.
  void evaluate();
  /// From there on, as evaluate() left it.
  void step();
  /// Takes out of a direction, given as velocities are, what moves the targets' parts; after evaluate().
  void project(std::span<T> direction);
  /// Aᵀ r: where the errors press the joints; after evaluate().
  void gradient(std::span<T> to) {
    for (int j = 0; j < joints(); ++j) {
      T sum(0.0);
      for (int r = 0; r < rows(); ++r) sum += entry(r, j) * residual_[size(r)];
      to[size(j)] = sum;
    }
  }
  /// Leaves a joint out of what evaluate() found.
  void hold(int joint) { std::fill_n(&entry(0, joint), rows(), T(0.0)); }
  /// Of the logarithm of det(A Aᵀ), or det(Aᵀ A) with fewer joints than rows, lane by lane; after evaluate().
  double log_determinant(int lane) {
    cost_ = T(0.0);
    solve_step();
    const int n = std::min(rows(), joints());
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum -= std::log(Lanes<T>::get(system_[size(k * n + k)], lane));
    return sum;
  }
  /// How much a step is damped, as a share of the cost: small is quick near a solution.
  void set_damping_gain(double gain) { damping_gain_ = gain; }
  void restore_damping_gain() { damping_gain_ = usual_damping_gain; }

  double cost(int lane) const { return Lanes<T>::get(cost_, lane); }  // the sum of squares of the rows
  double position_error_squared(int lane) const { return Lanes<T>::get(position_error_, lane); }
  double orientation_error_squared(int lane) const { return Lanes<T>::get(turn_error_, lane); }
  bool meets_tolerances(int lane) const {
    const double p = problem_.options.position_tolerance, o = problem_.options.orientation_tolerance;
    return position_error_squared(lane) <= p * p && orientation_error_squared(lane) <= o * o;
  }

 private:
  static std::size_t square(std::size_t n) { return n * n; }
  static ULNA_INLINE T larger(const T& a, const T& b) { return select(a < b, b, a); }

  /// Vectors whose errors become rows: twice the vector part of the quaternion of the turn that is left, which is
  /// the rotation vector but for terms of third order, and grows up to half a turn.
  ULNA_INLINE static Vec3<T> turn_left(const Mat3<T>& from, const Mat3<T>& to);
  ULNA_INLINE static Vec3<T> shortest_turn(const Mat3<T>& from, const Mat3<T>& to);
  /// One target, of which all counts, and that evenly.
  bool is_whole_pose() const {
    const IkRows& first = problem_.rows[0];
    return problem_.rows.size() == 1 && first.count == 6 && first.turn_rows == TurnRows::all &&
           first.position_scale[0] == first.position_scale[1] && first.position_scale[1] == first.position_scale[2];
  }
  void add_target(const IkRows& rows, const Pose<T>& target, int& row);
  ULNA_INLINE void leave_out_pressing(int joint, T* a) const;
  void leave_out_pressing() {
    for (int j = 0; j < joints(); ++j) leave_out_pressing(j, &entry(0, j));
  }
  void solve_step();
  void step_by_rows();
  template <int N>
  void step_by_few_rows();
  void step_by_joints();
  void move();
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  int rows() const { return problem_.row_count; }
  int joints() const { return model_.nv(); }
  T& entry(int row, int joint) { return A_[size(joint * rows() + row)]; }
  /// Never quite zero: beside a singular posture the system would be.
  ULNA_INLINE T damping() const { return T(damping_gain_) * cost_ + T(1e-12); }

  static constexpr double usual_damping_gain = 0.01;

  const IkProblem& problem_;
  const Model& model_;
  Kinematics<T> kinematics_;
  std::vector<T> q_, step_;
  std::vector<Pose<T>> target_;
  std::vector<char> is_limited_;  // by velocity
  std::vector<T> jacobian_, A_, residual_, system_, solution_;
  T cost_{0.0}, position_error_{0.0}, turn_error_{0.0};
  double damping_gain_ = usual_damping_gain;
};

template <Real T>
Vec3<T> IkLanes<T>::turn_left(const Mat3<T>& from, const Mat3<T>& to) {
  const Quaternion<T> q = quaternion_of(to * transpose(from));
  const T two = select(q.w < T(0.0), T(-2.0), T(2.0));
  return {two * q.x, two * q.y, two * q.z};
}

/// Of z, in the axes of `from`: twice the sine of half the angle, about the axis.
template <Real T>
Vec3<T> IkLanes<T>::shortest_turn(const Mat3<T>& from, const Mat3<T>& to) {
  const Vec3<T> d = transpose_times(from, to.column_z());
  const T whole = larger(T(1.0) + d.z, T(1e-6));  // opposite directions: any axis will do, the error is large
  const T factor = sqrt(T(2.0) / whole);
  return {-(factor * d.y), factor * d.x, T(0.0)};
}

template <Real T>
void IkLanes<T>::add_target(const IkRows& rows, const Pose<T>& target, int& row) {
  const Pose<T> at = kinematics_.pose(rows.frame);
  kinematics_.jacobian(rows.frame, Reference::world_axes,
                       {is_whole_pose() ? A_.data() : jacobian_.data(), 6, joints()});
  const Vec3<T> way = target.p - at.p;
  const bool own_axes = rows.turn_rows == TurnRows::direction || rows.turn_rows == TurnRows::parts;
  Vec3<T> turn = Vec3<T>::zero();
  if (rows.turn_rows == TurnRows::direction) turn = shortest_turn(at.R, target.R);
  if (rows.turn_rows == TurnRows::all) turn = turn_left(at.R, target.R);
  if (rows.turn_rows == TurnRows::parts) turn = transpose_times(at.R, turn_left(at.R, target.R));
  const T errors[] = {turn.x, turn.y, turn.z, way.x, way.y, way.z};
  std::array<double, 6> scale;
  std::copy_n(rows.turn_scale.begin(), 3, scale.begin());
  std::copy_n(rows.position_scale.begin(), 3, scale.begin() + 3);
  T turn_squared(0.0), way_squared(0.0);
  const int first = row;
  for (std::size_t k = 0; k < 6; ++k) {
    if (scale[k] == 0.0) continue;
    (k < 3 ? turn_squared : way_squared) += errors[k] * errors[k];
    residual_[size(row++)] = T(scale[k]) * errors[k];
  }
  turn_error_ = larger(turn_error_, turn_squared);
  position_error_ = larger(position_error_, way_squared);
  if (is_whole_pose()) {  // the Jacobian is in its place
    const T shift(rows.position_scale[0]), turn_gain(rows.turn_scale[0]);
    for (int j = 0; j < joints(); ++j) {
      T* const a = &A_[size(6 * j)];
      for (int k = 0; k < 3; ++k) a[k] *= turn_gain;
      for (int k = 3; k < 6; ++k) a[k] *= shift;
    }
    return;
  }
  for (int j = 0; j < joints(); ++j) {
    T* const J = &jacobian_[6 * size(j)];
    if (own_axes) transpose_times(at.R, Vec3<T>::load(J)).store(J);
    int r = first;
    for (std::size_t k = 0; k < 6; ++k)
      if (scale[k] != 0.0) entry(r++, j) = T(scale[k]) * J[k];
  }
}

template <Real T>
void IkLanes<T>::evaluate() {
  kinematics_.update_positions(q_);
  turn_error_ = position_error_ = cost_ = T(0.0);
  int row = 0;
  for (std::size_t k = 0; k < target_.size(); ++k) add_target(problem_.rows[k], target_[k], row);
  for (const T& r : residual_) cost_ += r * r;
}

/// A joint at its limit that the errors press against it takes no part in this step: its column a becomes zero.
template <Real T>
void IkLanes<T>::leave_out_pressing(int joint, T* a) const {
  if (!is_limited_[size(joint)]) return;
  const T zero(0.0), one(1.0);
  if (problem_.lower[size(joint)] == problem_.upper[size(joint)]) {  // it presses against one of them either way
    std::fill_n(a, rows(), zero);
    return;
  }
  const T at = q_[size(model_.q_of_v()[size(joint)])];
  // +1 at the upper limit, −1 at the lower one
  const T side =
      select(at < T(problem_.upper[size(joint)]), select(T(problem_.lower[size(joint)]) < at, zero, -one), one);
  T pressure(0.0);
  for (int r = 0; r < rows(); ++r) pressure += a[r] * residual_[size(r)];
  const auto stays = zero < side * pressure;
  for (int r = 0; r < rows(); ++r) a[r] = select(stays, zero, a[r]);
}

/// dq = Aᵀ (A Aᵀ + λ)⁻¹ r.
template <Real T>
void IkLanes<T>::step_by_rows() {
  const int n = rows();
  T* const S = system_.data();
  for (int r = 0; r < n; ++r)
    for (int c = 0; c <= r; ++c) S[r * n + c] = r == c ? damping() : T(0.0);
  for (int j = 0; j < joints(); ++j) {
    const T* const a = &entry(0, j);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c <= r; ++c) S[r * n + c] += a[r] * a[c];
  }
  std::copy(residual_.begin(), residual_.end(), solution_.begin());
  solve_symmetric(S, solution_.data(), n);
  for (int j = 0; j < joints(); ++j) {
    T sum(0.0);
    for (int r = 0; r < n; ++r) sum += entry(r, j) * solution_[size(r)];
    step_[size(j)] = sum;
  }
}

template <Real T>
template <int N>
void IkLanes<T>::step_by_few_rows() {
  SmallSystem<N, T> system;
  system.set_diagonal(damping());
  for (int j = 0; j < joints(); ++j) system.add_square(&A_[size(j * N)]);
  for_each_constant<N>([&](auto r) ULNA_INLINE_LAMBDA { system.right(r) = residual_[size(r)]; });
  system.solve();
  for (int j = 0; j < joints(); ++j) {
    const T* const a = &A_[size(j * N)];
    T sum(0.0);
    for_each_constant<N>([&](auto r) ULNA_INLINE_LAMBDA { sum += a[r] * system.right(r); });
    step_[size(j)] = sum;
  }
  for_each_constant<N>([&](auto r) ULNA_INLINE_LAMBDA { system_[size(r * N + r)] = system.at(r, r); });
}

/// dq = (Aᵀ A + λ)⁻¹ Aᵀ r: the same with fewer joints than rows.
template <Real T>
void IkLanes<T>::step_by_joints() {
  const int n = joints();
  T* const S = system_.data();
  for (int i = 0; i < n; ++i) {
    const T* const a = &entry(0, i);
    for (int j = 0; j <= i; ++j) {
      const T* const b = &entry(0, j);
      T sum = i == j ? damping() : T(0.0);
      for (int r = 0; r < rows(); ++r) sum += a[r] * b[r];
      S[i * n + j] = sum;
    }
    T sum(0.0);
    for (int r = 0; r < rows(); ++r) sum += a[r] * residual_[size(r)];
    step_[size(i)] = sum;
  }
  solve_symmetric(S, step_.data(), n);
}

template <Real T>
void IkLanes<T>::move() {
  integrate<T>(model_, q_, step_, q_);
  for (std::size_t j = 0; j < step_.size(); ++j) {
    if (!is_limited_[j]) continue;
    T& x = q_[size(model_.q_of_v()[j])];
    const T low(problem_.lower[j]), high(problem_.upper[j]);
    x = select(x < low, low, select(high < x, high, x));
  }
}

template <Real T>
void IkLanes<T>::solve_step() {
  if (rows() > joints())
    step_by_joints();
  else if (rows() == 6)
    step_by_few_rows<6>();
  else if (rows() == 3)
    step_by_few_rows<3>();
  else
    step_by_rows();
}

template <Real T>
void IkLanes<T>::step() {
  leave_out_pressing();
  solve_step();
  move();
}

/// The step that makes the same errors, subtracted.
template <Real T>
void IkLanes<T>::project(std::span<T> direction) {
  for (int r = 0; r < rows(); ++r) {
    T sum(0.0);
    for (int j = 0; j < joints(); ++j) sum += entry(r, j) * direction[size(j)];
    residual_[size(r)] = sum;
  }
  cost_ = T(0.0);
  solve_step();
  for (std::size_t j = 0; j < step_.size(); ++j) direction[j] -= step_[j];
}

}  // namespace ulna
#pragma GCC visibility pop

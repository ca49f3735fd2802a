// A frame that behaves as if it hung by springs and dampers (N. Hogan, "Impedance control", ASME Journal of Dynamic
// Systems 107, 1985), and what the arm does meanwhile (O. Khatib, "A unified approach for motion and force control of
// robot manipulators: the operational space formulation", IEEE Journal of Robotics and Automation 3(1), 1987).
#pragma once

#include "reference_state.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/joint_block.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/spatial/lie.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// The part of torques that leaves a frame alone: (1 − Jᵀ Λ J M⁻¹) τ, Λ = (J M⁻¹ Jᵀ)⁻¹. Near singular postures the
/// frame's directions without motion count as free, by a small number on the diagonal of Λ⁻¹.
template <Real T>
class NullSpace {
 public:
  explicit NullSpace(const Model& model)
      : model_(model), n_(static_cast<std::size_t>(model.nv())), composite_(model), M_(n_ * n_), J_(6 * n_), x_(n_) {}

  /// Jᵀ F is added to tau, and of `posture` what leaves the frame alone.
  void add(std::span<const T> q, const Kinematics<T>& kinematics, const Frame& frame, const std::array<T, 6>& force,
           std::span<const T> posture, std::span<T> tau) {
    const int n = static_cast<int>(n_);
    const MatrixView<T> M(M_.data(), n, n), J(J_.data(), 6, n);
    kinematics.jacobian(frame, Reference::world_axes, J);
    composite_body::mass_matrix<T>(model_, composite_, q, M);
    composite_body::factor<T>(model_, M);
    std::copy(posture.begin(), posture.end(), x_.begin());
    composite_body::solve<T>(model_, M, x_);
    std::array<T, 6> pressed = by_jacobian(x_.data());  // J M⁻¹ τ
    factor_inertia(M);
    inertia_.solve(pressed);
    for (std::size_t k = 0; k < n_; ++k) {
      tau[k] += posture[k];
      for (std::size_t r = 0; r < 6; ++r) tau[k] += J_[6 * k + r] * (force[r] - pressed[r]);
    }
  }

 private:
  std::array<T, 6> by_jacobian(const T* x) const {
    std::array<T, 6> y;
    y.fill(T(0.0));
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t r = 0; r < 6; ++r) y[r] += J_[6 * k + r] * x[k];
    return y;
  }

  void factor_inertia(MatrixView<T> factored) {
    constexpr double singular = 1e-9;  // of the mean: its square root is what a direction's motion is lost in
    T trace(0.0);
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t k = 0; k < n_; ++k) x_[k] = J_[6 * k + r];
      composite_body::solve<T>(model_, factored, x_);
      const std::array<T, 6> column = by_jacobian(x_.data());
      for (std::size_t i = r; i < 6; ++i) inertia_(i, r) = column[i];
      trace += column[r];
    }
    for (std::size_t r = 0; r < 6; ++r) inertia_(r, r) += T(singular / 6.0) * trace;
    inertia_.factor();
  }

  const Model& model_;
  std::size_t n_;
  composite_body::Workspace<T> composite_;
  std::vector<T> M_, J_, x_;
  JointBlock<T, 6> inertia_;
};

template <Real T>
class Impedance final : public Drive<T> {
 public:
  Impedance(const ImpedanceDrive& spec, const Model& model)
      : frame_(spec.frame),
        reference_(spec.reference, static_cast<std::size_t>(model.nv())),
        here_(model),
        there_(model),
        null_space_(model),
        springs_(in_all_lanes<T>(six(spec.turning_stiffness, spec.stiffness))),
        dampers_(in_all_lanes<T>(six(spec.turning_damping, spec.damping))),
        kp_(in_all_lanes<T>(spec.kp)),
        kd_(in_all_lanes<T>(spec.kd)),
        posture_(kp_.size(), T(0.0)),
        weight_(kp_.size(), T(0.0)) {
    if (spec.gravity) gravity_ = make_method<T>("auto", Quantity::gravity, model);
  }
  void set(int lane, const DriveSpec& spec) override {
    const auto& own = std::get<ImpedanceDrive>(spec);
    reference_.set(lane, own.reference);
    set_lane(springs_, lane, six(own.turning_stiffness, own.stiffness));
    set_lane(dampers_, lane, six(own.turning_damping, own.damping));
    set_lane(kp_, lane, own.kp);
    set_lane(kd_, lane, own.kd);
  }
  void enter(int lane, double from, double until) override { reference_.enter(lane, from, until); }
  void add(const T& t, std::span<const T> q, std::span<const T> v, std::span<T> tau) override {
    reference_.update(t);
    for (auto& [kinematics, position, rate] : {std::tuple{&here_, q, v}, {&there_, reference_.q(), reference_.v()}}) {
      kinematics->update_positions(position);
      kinematics->update_velocities(rate);
    }
    for (std::size_t k = 0; k < tau.size(); ++k)
      posture_[k] = kp_[k] * (reference_.q()[k] - q[k]) + kd_[k] * (reference_.v()[k] - v[k]);
    null_space_.add(q, here_, frame_, force(), posture_, tau);
    if (!gravity_) return;
    gravity_->gravity(q, weight_);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += weight_[k];
  }

 private:
  /// Angular part first.
  static std::vector<double> six(const Vec3<double>& turning, const Vec3<double>& going) {
    return {turning.x, turning.y, turning.z, going.x, going.y, going.z};
  }

  /// Of the springs and dampers, moment first.
  std::array<T, 6> force() const {
    const Pose<T> is = here_.pose(frame_), wanted = there_.pose(frame_);
    const Motion<T> m = here_.velocity(frame_, Reference::world_axes);
    const Motion<T> m_wanted = there_.velocity(frame_, Reference::world_axes);
    const Vec3<T> turn = log_rotation(wanted.R * transpose(is.R)), way = wanted.p - is.p;
    const Vec3<T> turning = m_wanted.angular - m.angular, going = m_wanted.linear - m.linear;
    const std::array<T, 6> off{turn.x, turn.y, turn.z, way.x, way.y, way.z};
    const std::array<T, 6> rate{turning.x, turning.y, turning.z, going.x, going.y, going.z};
    std::array<T, 6> sum;
    for (std::size_t k = 0; k < 6; ++k) sum[k] = springs_[k] * off[k] + dampers_[k] * rate[k];
    return sum;
  }

  Frame frame_;  // of all lanes
  ReferenceState<T> reference_;
  Kinematics<T> here_, there_;
  NullSpace<T> null_space_;
  std::vector<T> springs_, dampers_, kp_, kd_, posture_, weight_;
  std::unique_ptr<Method<T>> gravity_;
};

}  // namespace ulna
#pragma GCC visibility pop

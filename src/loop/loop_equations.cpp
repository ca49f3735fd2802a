#include "ulna/loop/loop_equations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ulna {

LoopEquations::LoopEquations(const ClosedModel& model)
    : model_(model),
      kinematics_(model.tree),
      rows_(model.constraint_count()),
      residual_(static_cast<std::size_t>(rows_)),
      A_(static_cast<std::size_t>(rows_ * model.tree.nv())),
      b_(static_cast<std::size_t>(rows_)),
      jacobian_a_(static_cast<std::size_t>(6 * model.tree.nv())),
      jacobian_b_(jacobian_a_) {}

double LoopEquations::largest_residual() const {
  double worst = 0.0;
  for (const double r : residual_) worst = std::max(worst, std::isfinite(r) ? std::abs(r) : HUGE_VAL);
  return worst;
}

const LoopJoint& LoopEquations::joint_of_row(int row) const {
  for (const LoopJoint& joint : model_.loops) {
    row -= constraint_count(joint.kind);
    if (row < 0) return joint;
  }
  throw std::out_of_range("no such row of the loop equations");
}

/// The locked directions as linear functions of R, d and the turn: their rates are the same functions
/// of Ṙ, ḋ and so on, so that one function makes residual, A and b. z_b = R e_z must be z; where no
/// rotation is left, the skew part of R must vanish.
void LoopEquations::lock(const LoopJoint& joint, const Relative& x, double* out) const {
  const Mat3<double>& R = x.R;
  switch (joint.kind) {
    case LoopKind::revolute: out = std::copy_n(std::array{R.xz, R.yz, x.d.x, x.d.y, x.d.z}.data(), 5, out); break;
    case LoopKind::screw:
      out = std::copy_n(std::array{R.xz, R.yz, x.d.x, x.d.y, x.d.z - joint.pitch * x.turn}.data(), 5, out);
      break;
    case LoopKind::prismatic:
    case LoopKind::fixed:
      out = std::copy_n(std::array{0.5 * (R.zy - R.yz), 0.5 * (R.xz - R.zx), 0.5 * (R.yx - R.xy), x.d.x, x.d.y}.data(),
                        5, out);
      if (joint.kind == LoopKind::fixed) *out = x.d.z;
      break;
    case LoopKind::spherical: std::copy_n(std::array{x.d.x, x.d.y, x.d.z}.data(), 3, out); break;
    case LoopKind::universal: std::copy_n(std::array{R.xy, x.d.x, x.d.y, x.d.z}.data(), 4, out); break;
    case LoopKind::planar: std::copy_n(std::array{R.xz, R.yz, x.d.z}.data(), 3, out); break;
  }
}

void LoopEquations::update(std::span<const double> q) {
  const int nv = model_.tree.nv();
  kinematics_.update_positions(q);
  std::array<double, 6> column{};
  int row = 0;
  for (const LoopJoint& joint : model_.loops) {
    const Pose<double> a = kinematics_.pose(joint.a), b = kinematics_.pose(joint.b);
    const Vec3<double> e = b.p - a.p;
    const Mat3<double> R = transpose(a.R) * b.R;
    // a screw stands at any of its turns; the one nearest to where it is
    const double angle = std::atan2(R.yx, R.xx), slide = transpose_times(a.R, e).z;
    const double whole =
        joint.kind == LoopKind::screw
            ? 2.0 * std::numbers::pi * std::round((slide / joint.pitch - angle) / (2.0 * std::numbers::pi))
            : 0.0;
    lock(joint, {R, transpose_times(a.R, e), angle + whole}, &residual_[static_cast<std::size_t>(row)]);
    const MatrixView<double> Ja{jacobian_a_.data(), 6, nv}, Jb{jacobian_b_.data(), 6, nv};
    kinematics_.jacobian(joint.a, Reference::world_axes, Ja);
    kinematics_.jacobian(joint.b, Reference::world_axes, Jb);
    for (int k = 0; k < nv; ++k) {
      const Vec3<double> turn_a{Ja(0, k), Ja(1, k), Ja(2, k)}, turn_b{Jb(0, k), Jb(1, k), Jb(2, k)};
      const Vec3<double> slide_a{Ja(3, k), Ja(4, k), Ja(5, k)}, slide_b{Jb(3, k), Jb(4, k), Jb(5, k)};
      const Vec3<double> omega = transpose_times(a.R, turn_b - turn_a);
      const Vec3<double> u = transpose_times(a.R, slide_b - slide_a - cross(turn_a, e));
      lock(joint, {skew(omega) * R, u, omega.z}, column.data());
      std::copy_n(column.data(), constraint_count(joint.kind), &A_[static_cast<std::size_t>(k * rows_ + row)]);
    }
    row += constraint_count(joint.kind);
  }
}

void LoopEquations::update_bias(std::span<const double> v) {
  kinematics_.update_velocities(v);
  kinematics_.update_bias_accelerations(v);
  int row = 0;
  for (const LoopJoint& joint : model_.loops) {
    const Pose<double> a = kinematics_.pose(joint.a), b = kinematics_.pose(joint.b);
    const Motion<double> va = kinematics_.velocity(joint.a, Reference::world_axes);
    const Motion<double> vb = kinematics_.velocity(joint.b, Reference::world_axes);
    const Motion<double> aa = kinematics_.acceleration(joint.a, Reference::world_axes);
    const Motion<double> ab = kinematics_.acceleration(joint.b, Reference::world_axes);
    const Vec3<double> e = b.p - a.p, w = va.angular;
    const Mat3<double> R = transpose(a.R) * b.R;
    // rates as seen from frame a, which turns itself
    const Vec3<double> omega = transpose_times(a.R, vb.angular - w);
    const Vec3<double> alpha = transpose_times(a.R, ab.angular - aa.angular - cross(w, vb.angular - w));
    const Vec3<double> acceleration =
        transpose_times(a.R, ab.linear - aa.linear - cross(aa.angular, e) - 2.0 * cross(w, vb.linear - va.linear) +
                                 cross(w, cross(w, e)));
    std::array<double, 6> rate{};
    lock(joint, {(skew(alpha) + skew(omega) * skew(omega)) * R, acceleration, alpha.z}, rate.data());
    for (int k = 0; k < constraint_count(joint.kind); ++k)
      b_[static_cast<std::size_t>(row + k)] = -rate[static_cast<std::size_t>(k)];
    row += constraint_count(joint.kind);
  }
}

/// Power: the reaction on b does λ·lock(Ṙ, ḋ) for every relative motion, so its components are λ·lock
/// of the unit turns and slides.
Force<double> LoopEquations::reaction(std::size_t loop, std::span<const double> lambda) const {
  std::size_t row = 0;
  for (std::size_t i = 0; i < loop; ++i) row += static_cast<std::size_t>(constraint_count(model_.loops[i].kind));
  const LoopJoint& joint = model_.loops[loop];
  const Pose<double> a = kinematics_.pose(joint.a), b = kinematics_.pose(joint.b);
  const Mat3<double> R = transpose(a.R) * b.R;
  const auto along = [&](const Vec3<double>& omega, const Vec3<double>& u) {
    std::array<double, 6> rate{};
    lock(joint, {skew(omega) * R, u, omega.z}, rate.data());
    double power = 0.0;
    for (int k = 0; k < constraint_count(joint.kind); ++k)
      power += rate[static_cast<std::size_t>(k)] * lambda[row + static_cast<std::size_t>(k)];
    return power;
  };
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, o{0, 0, 0};
  return {a.R * Vec3<double>{along(x, o), along(y, o), along(z, o)},
          a.R * Vec3<double>{along(o, x), along(o, y), along(o, z)}};
}

}  // namespace ulna

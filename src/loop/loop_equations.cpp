#include "ulna/loop/loop_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulna/base/error.hpp"

namespace ulna {

LoopEquations::LoopEquations(const Model& model)
    : model_(model),
      kinematics_(model),
      rows_(model.constraint_count()),
      residual_(static_cast<std::size_t>(rows_)),
      A_(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(model.nv())),
      b_(static_cast<std::size_t>(rows_)) {
  screws_.resize(static_cast<std::size_t>(model.column_count()));
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    for (int k = 0; k < degrees_of(body.kind); ++k)
      screws_[static_cast<std::size_t>(body.column + k)] = {static_cast<int>(i), k, Motion<double>::zero()};
  }
  between_.reserve(model.loops().size());
  for (const LoopJoint& joint : model.loops()) {
    between_.push_back(between(model, joint));
    for (const Between& x : between_.back()) moving_.push_back(x.column);
  }
  std::sort(moving_.begin(), moving_.end());
  moving_.erase(std::unique(moving_.begin(), moving_.end()), moving_.end());
}

std::vector<LoopEquations::Between> LoopEquations::between(const Model& tree, const LoopJoint& joint) {
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

double LoopEquations::largest_residual() const {
  double worst = 0.0;
  for (const double r : residual_) worst = std::max(worst, std::isfinite(r) ? std::abs(r) : HUGE_VAL);
  return worst;
}

const LoopJoint& LoopEquations::worst_joint() const {
  const auto worst = std::max_element(residual_.begin(), residual_.end(),
                                      [](double x, double y) { return std::abs(x) < std::abs(y); });
  auto row = worst - residual_.begin();
  for (const LoopJoint& joint : model_.loops()) {
    row -= constraint_count(joint.kind);
    if (row < 0) return joint;
  }
  throw std::out_of_range("there are no loops");
}

namespace {

/// The angle about z, for a screw: it stands at any of its turns, the one nearest to where it is.
double turn_of(const LoopJoint& joint, const Mat3<double>& R, const Vec3<double>& d) {
  if (!has_pitch(joint.kind)) return 0.0;
  const double angle = std::atan2(R.yx, R.xx), whole = 2.0 * std::numbers::pi;
  return angle + whole * std::round((d.z / joint.pitch - angle) / whole);
}

/// The locked directions as linear functions of R, d and the turn: their rates are the same functions
/// of Ṙ, ḋ and so on, so that one function makes residual, A and b. z_b = R e_z must be z; where no
/// rotation is left, the skew part of R must vanish.
void lock(const LoopJoint& joint, const Relative& x, double* out) {
  with_any_joint(joint.kind, [&](auto kind) { kind.lock({joint.pitch}, x, out); });
}

/// Balls do not.
bool locks_turns(JointKind kind) { return locks(kind, 0) || locks(kind, 1) || locks(kind, 2); }

}  // namespace

void LoopEquations::update(VectorIn<double> q) {
  kinematics_.update_positions(q);
  for (const int k : moving_) {
    Screw& screw = screws_[static_cast<std::size_t>(k)];
    const Body& body = model_.bodies()[static_cast<std::size_t>(screw.body)];
    screw.motion = kinematics_.unit_motion(body, screw.k, Vec3<double>::zero());
  }
  if (model_.has_followers()) std::fill(A_.begin(), A_.end(), 0.0);
  int row = 0;
  for (std::size_t i = 0; i < model_.loops().size(); ++i) {
    const LoopJoint& joint = model_.loops()[i];
    const Pose<double> a = kinematics_.pose(joint.a), b = kinematics_.pose(joint.b);
    const Mat3<double> R = transpose(a.R) * b.R;
    const Vec3<double> d = transpose_times(a.R, b.p - a.p);
    const bool turns = locks_turns(joint.kind);
    lock(joint, {R, d, turn_of(joint, R, d)}, &residual_[static_cast<std::size_t>(row)]);
    for (const Between& x : between_[i]) {
      // of b's origin, as a part of a's body too: what a does to it is what it seems to do less
      const Motion<double>& m = screws_[static_cast<std::size_t>(x.column)].motion;
      const Vec3<double> omega = x.sign * transpose_times(a.R, m.angular);
      const Vec3<double> u = x.sign * transpose_times(a.R, m.linear + cross(m.angular, b.p));
      const Mat3<double> turning = turns ? skew(omega) * R : R;
      std::array<double, 6> rates{};
      lock(joint, {turning, u, omega.z}, rates.data());
      double* A =
          &A_[static_cast<std::size_t>(x.v_index) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(row)];
      const Body& body = model_.bodies()[static_cast<std::size_t>(screws_[static_cast<std::size_t>(x.column)].body)];
      for (int k = 0; k < constraint_count(joint.kind); ++k) put(body, A[k], rates[static_cast<std::size_t>(k)]);
    }
    row += constraint_count(joint.kind);
  }
}

void LoopEquations::update_bias(VectorIn<double> v) {
  kinematics_.update_velocities(v);
  kinematics_.update_bias_accelerations(v);
  int row = 0;
  for (const LoopJoint& joint : model_.loops()) {
    const auto a = kinematics_.rates_of(joint.a), b = kinematics_.rates_of(joint.b);
    const Vec3<double> e = b.pose.p - a.pose.p, w = a.omega;
    const Mat3<double>& axes = a.pose.R;
    const Mat3<double> R = transpose(axes) * b.pose.R;
    // rates as seen from frame a, which turns itself
    const Vec3<double> omega = transpose_times(axes, b.omega - w);
    const Vec3<double> alpha = transpose_times(axes, b.alpha - a.alpha - cross(w, b.omega - w));
    const Vec3<double> acceleration =
        transpose_times(axes, b.acceleration - a.acceleration - cross(a.alpha, e) -
                                  2.0 * cross(w, b.velocity - a.velocity) + cross(w, cross(w, e)));
    std::array<double, 6> rate{};
    lock(joint, {(skew(alpha) + skew(omega) * skew(omega)) * R, acceleration, alpha.z}, rate.data());
    for (int k = 0; k < constraint_count(joint.kind); ++k)
      b_[static_cast<std::size_t>(row + k)] = -rate[static_cast<std::size_t>(k)];
    row += constraint_count(joint.kind);
  }
}

/// Power: the reaction on b does λ·lock(Ṙ, ḋ) for every relative motion, so its components are λ·lock
/// of the unit turns and slides.
Force<double> LoopEquations::reaction(std::size_t loop, VectorIn<double> lambda) const {
  std::size_t row = 0;
  for (std::size_t i = 0; i < loop; ++i) row += static_cast<std::size_t>(constraint_count(model_.loops()[i].kind));
  const LoopJoint& joint = model_.loops()[loop];
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

void expect_closed(const LoopEquations& equations, VectorIn<double> v) {
  const double residual = equations.largest_residual();
  if (!(residual <= open_residual))
    throw InputError(fmt::format("the loops are open at this position, by {:.2g} at '{}'; assemble it first", residual,
                                 equations.worst_joint().name));
  const MatrixView<const double> A = equations.matrix();
  double fastest = 1.0;
  for (const double rate : v) fastest = std::max(fastest, std::abs(rate));
  for (int i = 0; i < A.rows && !v.empty(); ++i) {
    double opening = 0.0;
    for (int j = 0; j < A.cols; ++j) opening += A(i, j) * v[static_cast<std::size_t>(j)];
    if (!(std::abs(opening) <= open_residual * fastest))
      throw InputError(fmt::format(
          "these velocities open the loops, by {:.2g} m/s or rad/s; take the closed rates next to them", opening));
  }
}

}  // namespace ulna

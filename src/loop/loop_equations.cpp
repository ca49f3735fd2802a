#include "ulna/loop/loop_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulna/base/error.hpp"

namespace ulna {

LoopEquations::LoopEquations(const Model& model)
    : model_(model), matrix_(model), residual_(static_cast<std::size_t>(model.constraint_count())) {}

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

}  // namespace

void LoopEquations::update(VectorIn<double> q) {
  matrix_.update(q);
  double* out = residual_.data();
  for (std::size_t i = 0; i < model_.loops().size(); ++i) {
    const LoopJoint& joint = model_.loops()[i];
    Relative<double> x = matrix_.relative(i);
    x.turn = turn_of(joint, x.R, x.d);
    lock(joint, x, out);
    out += constraint_count(joint.kind);
  }
}

/// Power: the reaction on b does λ·lock(Ṙ, ḋ) for every relative motion, so its components are λ·lock
/// of the unit turns and slides.
Force<double> LoopEquations::reaction(std::size_t loop, VectorIn<double> lambda) const {
  std::size_t row = 0;
  for (std::size_t i = 0; i < loop; ++i) row += static_cast<std::size_t>(constraint_count(model_.loops()[i].kind));
  const LoopJoint& joint = model_.loops()[loop];
  const Pose<double> a = matrix_.kinematics().pose(joint.a);
  const Mat3<double>& R = matrix_.relative(loop).R;
  const auto along = [&](const Vec3<double>& omega, const Vec3<double>& u) {
    std::array<double, 6> rate{};
    lock<double>(joint, {skew(omega) * R, u, omega.z}, rate.data());
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

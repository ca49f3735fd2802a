// The equations of closed loops (legnani1996, section 2.2): position (4), velocity (5) as A v = 0,
// acceleration (6) as A a = b.
#pragma once

#include "ulna/loop/loop_matrix.hpp"

namespace ulna {

/// What comes out of a file of rounded numbers or a run is closer than this; what was never closed is further off.
inline constexpr double open_residual = 1e-6;

class LoopEquations {
 public:
  explicit LoopEquations(const Model& model);
  explicit LoopEquations(Model&&) = delete;

  /// At a position: residual() and A, the matrix().
  void update(VectorIn<double> q);
  /// At a velocity of that position: b() = −Ȧ v.
  void update_bias(VectorIn<double> v) { matrix_.update_bias(v); }

  int rows() const { return matrix_.rows(); }
  /// How far each locked direction is from closed: metres, and sines of angles.
  std::span<const double> residual() const { return residual_; }
  double largest_residual() const;
  /// A: rows × nv.
  MatrixView<const double> matrix() const { return matrix_.matrix(); }
  std::span<const double> b() const { return matrix_.b(); }

  /// The joint with the largest residual.
  const LoopJoint& worst_joint() const;
  /// The wrench that frame a's body exerts on frame b's through a cut joint, at b's origin in world
  /// axes, from the multipliers λ of all rows (joint forces Aᵀλ).
  Force<double> reaction(std::size_t loop, VectorIn<double> lambda) const;

 private:
  const Model& model_;
  LoopMatrix<double> matrix_;
  std::vector<double> residual_;
};

/// Throws InputError unless the position of the last update() is closed and v keeps it so, to `open_residual`: dynamics
/// and rates elsewhere are no motion of the mechanism.
void expect_closed(const LoopEquations& equations, VectorIn<double> v = {});

}  // namespace ulna

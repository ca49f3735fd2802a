// The equations of closed loops (legnani1996, section 2.2): position (4), velocity (5) as A v = 0,
// acceleration (6) as A a = b.
//
// A loop is an open chain whose last frame coincides with its first. Only the directions that the cut
// joint locks are asked for: with a revolute one five equations of the six, and so on.
#pragma once

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"

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
  void update_bias(VectorIn<double> v);

  int rows() const { return rows_; }
  /// How far each locked direction is from closed: metres, and sines of angles.
  std::span<const double> residual() const { return residual_; }
  double largest_residual() const;
  /// A: rows × nv.
  MatrixView<const double> matrix() const { return {A_.data(), rows_, model_.nv()}; }
  std::span<const double> b() const { return b_; }

  /// The joint with the largest residual.
  const LoopJoint& worst_joint() const;
  /// The wrench that frame a's body exerts on frame b's through a cut joint, at b's origin in world
  /// axes, from the multipliers λ of all rows (joint forces Aᵀλ).
  Force<double> reaction(std::size_t loop, VectorIn<double> lambda) const;

 private:
  /// A joint velocity that moves one frame of a loop and not the other; those below both move the loop as
  /// a whole.
  struct Between {
    int v_index, column;  // see Body::column
    double sign;          // + towards frame b
  };
  /// What a unit of a joint velocity does: world axes, at the world's origin.
  struct Screw {
    int body, k;  // of its joint
    Motion<double> motion;
  };
  static std::vector<Between> between(const Model& tree, const LoopJoint& joint);

  const Model& model_;
  Kinematics<double> kinematics_;
  int rows_;
  std::vector<std::vector<Between>> between_;  // by loop
  std::vector<Screw> screws_;                  // by column
  std::vector<int> moving_;                    // columns that some loop has
  std::vector<double> residual_, A_, b_;
};

/// Throws InputError unless the position of the last update() is closed and v keeps it so, to `open_residual`: dynamics
/// and rates elsewhere are no motion of the mechanism.
void expect_closed(const LoopEquations& equations, VectorIn<double> v = {});

}  // namespace ulna

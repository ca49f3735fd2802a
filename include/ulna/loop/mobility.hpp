// How many freedoms closed loops leave a mechanism, and which joints determine the others.
#pragma once

#include <optional>

#include "ulna/loop/loop_equations.hpp"

namespace ulna {

/// Directions whose share of A is below this are no equations of their own: positions are closed to
/// 1e-12, so that a singular value of 1e-9 is rounding and a real one is far above.
inline constexpr double rank_threshold = 1e-8;

/// Where Determination::measure is below this a position is singular: at a double root a residual of 1e-12
/// leaves positions 1e-6 off.
inline constexpr double singular_measure = 1e-5;

struct LoopMobility {
  int degrees;    // of freedom of the tree
  int equations;  // of all loops
  int rank;       // of A
  int mobility() const { return degrees - rank; }
  int redundant() const { return equations - rank; }
};

/// At a closed position. The rank is that of A at this position: lower at a singular one.
LoopMobility loop_mobility(const LoopEquations& equations, int degrees);

/// At the closed position next to q; nothing where there is none.
std::optional<LoopMobility> mobility_near(const Model& model, VectorIn<double> q);

/// Largest over smallest of the first `rank` singular values of A: infinite at positions where the rank is
/// lower than that.
double loop_condition(const LoopEquations& equations, int rank);

/// Orthonormal joint velocities that keep the loops closed: nv × mobility, column by column.
std::vector<double> free_directions(const LoopEquations& equations);

/// How well chosen joints determine the others through the loops.
struct Determination {
  double measure;  // smallest over largest singular value of the other joints' columns of A; 0: singular
  int weakest;     // the velocity index that moves most where the drives stand still; −1 when all are driven
};
Determination determination(const LoopEquations& equations, std::span<const int> driven);

}  // namespace ulna

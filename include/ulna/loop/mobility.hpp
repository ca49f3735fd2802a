// Mobility, assembly and velocities of mechanisms with closed loops.
#pragma once

#include "ulna/loop/loop_equations.hpp"

namespace ulna {

/// Directions whose share of A is below this are no equations of their own: positions are closed to
/// 1e-12, so that a singular value of 1e-9 is rounding and a real one is far above.
inline constexpr double rank_threshold = 1e-8;

/// Loops are brought to this residual.
inline constexpr double closed_residual = 1e-12;

/// What is left of it is below this in any case, else loops count as open.
inline constexpr double promised_residual = 1e-10;

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

struct Assembly {
  std::vector<double> q;
  bool closed;
  double residual;  // the largest
  int iterations;
  std::string worst_joint;  // where the residual is

  /// For an error message: by how much it is not closed, and where.
  std::string miss() const;
};

/// Closes the loops from an approximate position by damped Newton steps of least length with a line
/// search. Velocity indices in `held` keep their values (the drives).
Assembly assemble(const ClosedModel& model, std::span<const double> q, std::span<const int> held = {});

/// v with A v = 0 and the given values at the independent velocity indices; b instead of 0 gives
/// accelerations. Throws InputError when they do not determine the others: too few, too many, or a
/// singular position.
std::vector<double> dependent_rates(const LoopEquations& equations, std::span<const int> independent,
                                    std::span<const double> values, std::span<const double> right_side);

/// The rates with A x = right side that differ least from the given ones.
std::vector<double> nearest_rates(const LoopEquations& equations, std::span<const double> values,
                                  std::span<const double> right_side);

}  // namespace ulna

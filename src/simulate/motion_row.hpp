// A row of numbers about one state: what every table of a motion begins with, and then more.
#pragma once

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/simulate/trajectory.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

template <Real T>
class MotionRow {
 public:
  explicit MotionRow(const Model& model) : model_(model), kinematics_(model) {}

  /// The columns from t to the tip's velocity.
  void begin(const T& t, std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<const T> tau);
  void append(const T& x) { row_.push_back(x); }
  void append(const Vec3<T>& x) { row_.insert(row_.end(), {x.x, x.y, x.z}); }
  void append(std::span<const T> x) { row_.insert(row_.end(), x.begin(), x.end()); }

  struct Energies {
    T kinetic, potential, total;
  };
  /// The columns of energies and works at the state that begin() was given.
  Energies append_energies(std::span<const T> q, std::span<const T> v, std::span<const T> work);

  /// At the state that begin() was given.
  const Kinematics<T>& kinematics() const { return kinematics_; }
  std::span<const T> get() const { return row_; }

 private:
  const Model& model_;
  Kinematics<T> kinematics_;
  std::vector<T> row_;
};

/// Residual and reactions of the loops at the state of their last dynamics.
void append_loops(MotionRow<double>& row, ConstrainedDynamics& dynamics, std::size_t loops);

}  // namespace ulna
#pragma GCC visibility pop

// A row of numbers about one state: what every table of a motion begins with, and then more.
#pragma once

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/simulate/trajectory.hpp"

namespace ulna {

class MotionRow {
 public:
  explicit MotionRow(const Model& model) : model_(model), kinematics_(model) {}

  /// The columns from t to the tip's velocity.
  void begin(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
             std::span<const double> tau);
  void append(double x) { row_.push_back(x); }
  void append(const Vec3<double>& x) { row_.insert(row_.end(), {x.x, x.y, x.z}); }
  void append(std::span<const double> x) { row_.insert(row_.end(), x.begin(), x.end()); }
  /// Residual and reactions of the loops at the state of their last dynamics.
  void append_loops(ConstrainedDynamics& dynamics, std::size_t loops);

  /// At the state that begin() was given.
  const Kinematics<double>& kinematics() const { return kinematics_; }
  std::span<const double> get() const { return row_; }

 private:
  const Model& model_;
  Kinematics<double> kinematics_;
  std::vector<double> row_;
};

}  // namespace ulna

// The limits and costs of joints that go as they like: of position, velocity and acceleration, with the whole dynamics.
#pragma once

#include "spline_program.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/plan/least_motion.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class JointMoments final : public MomentLimits {
 public:
  /// Moments have positions and derivatives up to `degree`; limits of jerk need the third.
  JointMoments(const Model& model, const TimingLimits& limits, LeastOf least, std::size_t degree);

  std::size_t rows() const override { return rows_.size(); }
  void values(std::span<const double> x, std::span<double> g, std::span<double> cost) override;
  void derivatives(std::span<const double> x, std::span<const double> weight, double cost_weight,
                   std::span<double> slopes, std::span<double> cost_slope, std::span<double> second) override;
  /// Energy counts power p as (p + √(p² + w²))/2, to be smooth, with w this part of the largest power of these moments.
  void set_width(std::span<const double> x);

 private:
  enum class What { torque, power, velocity, acceleration, jerk, tip_speed };
  struct Row {
    What what;
    std::size_t joint;
    double limit;
  };
  using Packs = std::vector<PackDouble>;
  struct Joint;

  void load(std::span<const double> x, std::size_t first);
  double value_of(const Row& row, const double* x, std::size_t lane) const;
  double cost_of(const double* x, std::size_t lane) const;
  Vec3<double> tip_velocity(const double* x);
  void set_weights(std::span<const double> x, std::span<const double> weight, double cost_weight, std::size_t first);
  void add_second(std::size_t first, std::size_t count, std::span<double> second);
  void add_products(const double* x, const double* weight, double cost_weight, std::size_t lane, double* second) const;
  void set_slopes(const double* x, std::size_t lane, double* slopes, double* cost_slope);
  void set_tip_slope(const double* x, double limit, double* slope);
  double torque_slope(std::size_t j, std::size_t i, std::size_t lane) const;
  Joint joint_at(std::size_t j, const double* x, std::size_t lane) const;
  void difference(Packs& moved, std::size_t i);

  const Model& model_;
  std::size_t n_, size_of_x_;
  LeastOf least_;
  double width_ = 0.0;
  std::vector<Row> rows_;
  newton_euler::Workspace<PackDouble> dynamics_;
  newton_euler::DerivativeWorkspace<PackDouble> derivatives_;
  Kinematics<double> kinematics_;
  Packs q_, v_, a_, tau_, weights_, zero_;
  Packs by_q_, by_v_, M_;                 // n × n, column by column
  Packs next_q_, next_v_, next_M_;        // the same a little further on
  std::vector<double> unit_, tip_slope_;  // of n
};

}  // namespace ulna
#pragma GCC visibility pop

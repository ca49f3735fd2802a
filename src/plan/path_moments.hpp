// The limits of joints that go along a path, as functions of s and its first three derivatives by time.
#pragma once

#include <optional>

#include "spline_program.hpp"
#include "ulna/plan/fastest_timing.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// A torque is a(s) s̈ + b(s) ṡ² + c(s) and friction, an acceleration is q′ s̈ + q″ ṡ². The coefficients are splines of s
/// through many points, so that no dynamics have to be computed any more. Where q‴ jumps, at the ends of the path's
/// pieces, b has a corner and jerk and torque rate jump: near such a place both sides count, so that what is limited
/// changes smoothly.
class PathMoments final : public MomentLimits {
 public:
  /// From `begin` to `end` of the path, with `cells` pieces of the splines at least.
  PathMoments(const Model& model, const Path& path, const TimingLimits& limits, double begin, double end,
              std::size_t cells);

  std::size_t rows() const override { return rows_.size(); }
  void values(std::span<const double> x, std::span<double> g, std::span<double> cost) override;
  void derivatives(std::span<const double> x, std::span<const double> weight, double cost_weight,
                   std::span<double> slopes, std::span<double> cost_slope, std::span<double> second) override;

 private:
  enum class What { velocity, acceleration, jerk, torque, torque_rate, power, tip_speed };
  enum class Side { here, before, after };  // a corner nearby: as it was before, or will be after it
  struct Row {
    What what;
    std::size_t joint;
    double limit;
    Side side = Side::here;
  };
  /// A corner of b: how much its slope jumps, by joint of q″ and of the torque.
  struct Corner {
    double s;
    std::vector<double> jumps;
  };
  /// A value, and its derivatives by s, ṡ, s̈ and s⃛.
  struct Slope {
    double value;
    std::array<double, 4> by;
  };
  struct Coefficients;

  std::vector<double> knots(const Path& path, double begin, double end, std::size_t cells) const;
  void find_corners(const Path& path, double begin, double end);
  void tabulate(const Model& model, const Path& path, std::span<const double> s);
  void look_up(double s);
  Coefficients acceleration_of(std::size_t joint, Side side) const;
  Coefficients torque_of(std::size_t joint, Side side) const;
  std::array<double, 3> b_of(std::size_t column, Side side) const;
  Slope level(const Coefficients& k, std::span<const double> x) const;
  Slope rate(const Coefficients& k, std::span<const double> x) const;
  Slope velocity(std::size_t joint, std::span<const double> x) const;
  Slope row_value(const Row& row, std::span<const double> x) const;

  const Model& model_;
  std::size_t n_;
  std::vector<Row> rows_;
  std::optional<CubicSpline> table_{};  // by joint q′, q″, a, b, c; then the square of the tip's speed at the rates q′
  std::vector<Corner> corners_;
  double reach_;  // of a corner, along s
  std::vector<double> at_, first_, second_;
  /// What is added to the slope of b to be that of a side, and its own slope.
  using Jump = std::array<double, 2>;
  std::vector<Jump> before_, after_;  // by joint: of q″ and of the torque
};

}  // namespace ulna
#pragma GCC visibility pop

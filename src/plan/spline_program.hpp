// The spline motion from rest to rest that takes least time, or costs least in a given time, within limits: by an
// interior-point method (primal-dual, as Wächter and Biegler 2006, with the limits kept from the first step to the
// last). Unknowns are the control points of a B-spline on equal intervals of time, and the logarithm of the duration.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "bordered_band.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// `width` numbers by B-splines of degree two (accelerations jump from interval to interval) or three (their rates do).
/// It rests at both ends: as many control points as the degree has are the same there.
struct BSplineMotion {
  std::size_t degree = 2, width = 0, intervals = 0;
  double duration = 0.0;
  std::vector<double> control{};  // intervals + degree rows of width

  std::size_t count() const { return intervals + degree; }
  double step() const { return duration / static_cast<double>(intervals); }
  /// Row d: the weights of control points i … i + degree in derivative d at an end of interval i, times step^d.
  static const std::array<std::array<double, 4>, 4>& weights(std::size_t degree, bool at_right);
  /// Along a way that is told as a function of a share from 0 to 1, without jerks.
  void set_way(const std::function<void(double share, std::span<double>)>& way);
  /// Values and derivatives up to the degree, width numbers each.
  void at_end(std::size_t interval, bool at_right, std::span<double> x) const;
  /// The same after a share of the interval.
  void at(std::size_t interval, double share, std::span<double> x) const;
};

/// What is asked of a motion at its moments: both ends of each interval. x are the values and the derivatives up to the
/// degree, one after the other.
class MomentLimits {
 public:
  MomentLimits() = default;
  MomentLimits(const MomentLimits&) = delete;
  MomentLimits& operator=(const MomentLimits&) = delete;
  virtual ~MomentLimits() = default;

  virtual std::size_t rows() const = 0;
  /// Of all moments: rows() numbers g, that are to stay between −1 and 1, and what a second costs.
  virtual void values(std::span<const double> x, std::span<double> g, std::span<double> cost) = 0;
  /// Of all moments: the derivatives of the g, of the cost, and the second derivatives of
  /// Σ weight·g + cost_weight·cost, each by x.
  virtual void derivatives(std::span<const double> x, std::span<const double> weight, double cost_weight,
                           std::span<double> slopes, std::span<double> cost_slope, std::span<double> second) = 0;
};

class SplineProgram {
 public:
  /// `lower` and `upper`: of the control points, by number of the width; infinite where there is none.
  SplineProgram(MomentLimits& limits, const BSplineMotion& shape, std::vector<double> lower, std::vector<double> upper);

  /// Whether the motion is within all limits, and by this part of them within those at its moments.
  bool is_inside(const BSplineMotion& motion, double room);
  /// Looks for a duration, from a first guess upwards, in which the motion is inside.
  bool slow_down(BSplineMotion& motion, double duration);
  static constexpr double beyond = 1e-3;  // part by which a limit may be passed between the moments
  /// The largest part of a limit that is taken there.
  double most_between(const BSplineMotion& motion);
  /// Slows the motion down until no limit is passed by more.
  void keep_between(BSplineMotion& motion);
  /// Improves a motion that is inside. Least duration, or least cost in the duration that it has.
  void minimise(BSplineMotion& motion, bool least_duration);

 private:
  struct Trial {
    BSplineMotion motion{};
    std::vector<double> x{}, g{}, cost{};
    double value = 0.0;  // what is to be least, in parts of the start's
  };
  void evaluate(Trial& trial);
  double barrier(const Trial& trial) const;
  void set_box_rows(Trial& trial) const;
  void differentiate();
  void set_local(std::size_t moment);
  void add_duration(std::size_t moment);
  void add_control(std::size_t moment);
  void add_boxes();
  bool set_step();
  void set_rates();
  bool take_step();
  void center();
  /// Which derivative of the motion an element of x is.
  double order_of(std::size_t element) const {
    const std::size_t order = element / width_;
    return static_cast<double>(order);
  }
  std::size_t moments() const { return 2 * now_.motion.intervals; }
  /// Of one moment, by the trapezoidal rule over its interval.
  double cost_weight() const { return least_duration_ ? 0.0 : 0.5 * scale_ * now_.motion.step(); }
  std::size_t free_rows() const { return now_.motion.intervals - degree_; }

  MomentLimits& limits_;
  std::size_t degree_, width_, size_of_x_, rows_;
  std::vector<double> lower_, upper_;
  bool least_duration_ = true;
  double scale_ = 1.0, start_duration_ = 1.0, mu_ = 0.0, shift_ = 0.0, decrement_ = 0.0;
  Trial now_, next_;
  std::vector<double> up_, down_;                              // multipliers of g ≤ 1 and of −1 ≤ g
  std::vector<double> weight_, slopes_, cost_slope_, second_;  // of moments
  std::vector<double> gradient_, diagonal_, step_, rates_;
  std::vector<double> local_gradient_, local_multiplied_, local_second_, by_duration_, half_;
  BorderedBand matrix_;
};

}  // namespace ulna
#pragma GCC visibility pop

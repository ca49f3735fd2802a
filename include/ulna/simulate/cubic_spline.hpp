// A cubic spline through a table of rows: twice continuously differentiable.
#pragma once

#include <span>
#include <vector>

namespace ulna {

class CubicSpline {
 public:
  /// How it ends: with no curvature, or at rest (motions that start and stop).
  enum class Ends { natural, at_rest };

  /// `times` rises strictly and has at least two entries; `rows` holds `width` numbers per time.
  /// Throws InputError otherwise.
  CubicSpline(std::vector<double> times, std::vector<double> rows, std::size_t width, Ends ends);

  std::size_t width() const { return width_; }
  std::span<const double> times() const { return times_; }
  /// The piece that holds t: an index of times; the first or last one outside the table.
  std::size_t piece(double t) const;
  /// Value and derivatives at t of a piece; any of the spans may be empty. Outside the table the
  /// end values hold and the derivatives are zero.
  void at(double t, std::size_t piece, std::span<double> value, std::span<double> first,
          std::span<double> second) const;

 private:
  std::vector<double> times_, rows_, curvature_;  // curvature_: second derivatives at the knots
  std::size_t width_;
};

}  // namespace ulna

// Paths of the joints: positions as functions of a path length s that knows no time.
#pragma once

#include <span>
#include <vector>

#include "ulna/simulate/cubic_spline.hpp"

namespace ulna {

class Path {
 public:
  /// A cubic spline through all waypoints, one row of `width` numbers each, natural at its ends; s grows by the
  /// distance from one to the next. Throws InputError for fewer than two, for two in a row that are the same and for
  /// numbers that are not finite.
  static Path spline(std::span<const double> waypoints, std::size_t width);
  /// Straight from one to the next. Corners are cut by parabolas that stay within `error` of them and take half of a
  /// leg at most; with an error of zero a motion has to rest at each.
  static Path straight(std::span<const double> waypoints, std::size_t width, double error);
  /// The same with an error for each waypoint between the first and the last.
  static Path straight(std::span<const double> waypoints, std::size_t width, std::span<const double> errors);
  /// One after the other, with a rest at each seam; of the same width, and one at least.
  static Path joined(std::span<const Path> parts);

  /// Cubic pieces: of each and of each number c0, c1, c2 and c3 of q = c0 + c1 u + c2 u² + c3 u³ with u from its
  /// beginning; `ends` rise from 0, one more than pieces. Positions and directions must go on at the ends. Throws
  /// InputError for other sizes and numbers that are not finite.
  static Path of_pieces(std::vector<double> ends, std::vector<double> coefficients, std::size_t width);

  std::size_t width() const { return width_; }
  double length() const { return ends_.back(); }
  /// The ends of its smooth pieces, 0 and the length among them. At the others the second derivative jumps.
  std::span<const double> ends() const { return ends_; }
  /// Whether a motion has to rest at this one of ends(): the direction jumps.
  bool rests(std::size_t end) const { return rests_[end]; }

  /// Position, first and second derivative by s, on a piece (which matters at its ends); spans of width().
  void at(double s, std::size_t piece, std::span<double> q, std::span<double> first, std::span<double> second) const;
  std::size_t piece_count() const { return ends_.size() - 1; }

 private:
  Path(std::size_t width) : width_(width) {}

  std::size_t width_;
  std::vector<double> ends_;
  std::vector<bool> rests_;
  // Of each piece and joint q = c0 + c1 u + c2 u² + c3 u³, u from its beginning.
  std::vector<double> coefficients_;
};

}  // namespace ulna

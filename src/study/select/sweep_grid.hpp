// Cells of a workspace across the sweep of the first joint, each with the stretches of the sweep that are
// reached there.
//
// First joint turns: cells in (r, z) of its cylinder coordinates, or in r alone for a planar arm; the
// sweep is along the angle. First joint slides: cells in the plane across, or along the line across in a
// planar arm; the sweep is along the slide.
#pragma once

#include <array>
#include <cstdint>

#include "ulna/study/select/arm.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

class SweepGrid {
 public:
  /// Every point to come is within `reach` of the first joint; `cells` of them along 2·reach.
  SweepGrid(const Arm& arm, double reach, int cells);

  double cell() const { return edge_; }
  std::size_t bins() const { return cells_.size(); }
  void mark(const Vec3<double>& p);  // in the frame of the first body
  /// After all are marked: moves them through the first joint's range. `step`: how far apart neighbours
  /// of the sample are.
  void sweep(double step);

  // ---- after sweep
  double outer() const;     // all that is in a cell with a point
  double inner() const;     // what the neighbouring cells have too
  double rounding() const;  // half a bin at the ends of every stretch
  struct Holes {
    int count = 0;
    double size = 0.0;
  };
  /// Wide enough that a cell and all its neighbours are empty.
  Holes holes() const;

 private:
  std::size_t index(int i, int j, int k) const {
    return (static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(i)) *
               static_cast<std::size_t>(bins_) +
           static_cast<std::size_t>(k);
  }
  double weight(int i) const;  // of one bin of a cell
  bool reached(int i, int j, int k) const { return cells_[index(i, j, k)] != 0; }
  /// The cells beside one, (−1, …) where the grid ends.
  std::array<std::array<int, 3>, 6> beside(int i, int j, int k) const;
  bool is_outside(const std::array<int, 3>& cell) const { return cell[0] < 0; }
  void sweep_cell(int i, int j, double step);
  void plan_bins(double reach, int cells);

  bool turns_, planar_, full_;
  JointRange range_;
  Vec3<double> across_{1, 0, 0};  // planar and sliding: the direction of the cells
  double edge_ = 0.0, low_ = 0.0, bin_ = 0.0, bin_low_ = 0.0;
  int columns_ = 0, rows_ = 1, bins_ = 1, length_ = 0;  // length_: the sweep in bins
  std::vector<std::uint8_t> cells_;
};

}  // namespace ulna::selection
#pragma GCC visibility pop

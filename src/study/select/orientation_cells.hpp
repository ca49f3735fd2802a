// Cells of a workspace, each with the orientations that the tip has had in it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ulna/study/select/arm.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

class OrientationCells {
 public:
  /// The cells are in `low` … `high` of coordinates().
  struct Box {
    std::array<double, 3> low, high;
  };
  explicit OrientationCells(const Arm& arm);

  /// Where a tip is: (x, y) in the plane or (x, y, z); rings: (r) or (r, z).
  std::array<double, 3> coordinates(const Vec3<double>& tip) const;
  void plan(const Box& box);
  void mark(const Pose<double>& tip);

  /// What is dexterous if bins are taken `merged` at a time along each angle: all cells, and those whose neighbours
  /// are so too.
  struct Size {
    double all = 0.0, inner = 0.0;
  };
  Size dexterous(int merged) const;
  /// The width of a bin, rad.
  double resolution() const;
  double mean_share() const;

 private:
  static constexpr int turn_bins = 72;                              // of angles in a plane
  static constexpr int phi_bins = 8, theta_bins = 4, psi_bins = 8;  // in space
  int bin_of(const Mat3<double>& R, const Vec3<double>& from_axis) const;
  int bins() const { return planar_ ? turn_bins : phi_bins * theta_bins * psi_bins; }
  bool is_full(std::size_t cell, int merged) const;
  static bool any_in_group(const std::uint8_t* marks, int g, int merged);
  bool is_inner(std::size_t cell, const std::vector<bool>& full) const;
  double size_of(std::size_t cell) const;
  std::array<int, 3> place(std::size_t cell) const;
  std::size_t cell_at(const std::array<int, 3>& place) const;

  bool planar_, rings_;
  Mat3<double> frame_;  // rows: the axes of coordinates()
  Vec3<double> origin_;
  std::array<double, 3> low_{}, edge_{1, 1, 1};
  std::array<int, 3> count_{1, 1, 1};
  std::vector<std::uint8_t> marks_;
};

}  // namespace ulna::selection
#pragma GCC visibility pop

#include "orientation_cells.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/study/select/arm.hpp"

namespace ulna::selection {

namespace {

/// An angle as one of n bins of the full turn.
int turn_bin(double angle, int n) {
  const double part = angle / whole_turn;
  return std::min(static_cast<int>((part - std::floor(part)) * n), n - 1);
}

}  // namespace

OrientationCells::OrientationCells(const Arm& arm)
    : planar_(arm.dimension() == 2), frame_(arm.axes()), origin_{0, 0, 0} {
  const Body& first = arm.model.bodies()[0];
  rings_ = is_hinge(first.kind) && arm.ranges[0].is_full_turn();
  if (rings_) origin_ = first.placement.p;
  if (rings_ && !planar_) frame_ = transpose(first.placement.rotation);
}

std::array<double, 3> OrientationCells::coordinates(const Vec3<double>& tip) const {
  const Vec3<double> p = frame_ * (tip - origin_);
  if (!rings_) return {p.x, p.y, planar_ ? 0.0 : p.z};
  return {std::hypot(p.x, p.y), planar_ ? 0.0 : p.z, 0.0};
}

void OrientationCells::plan(const Box& box) {
  // Cells along the longest side: as many as the sample fills in all orientations.
  const int along = planar_ ? (rings_ ? 512 : 80) : (rings_ ? 28 : 12);
  double longest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, box.high[k] - box.low[k]);
  const double edge = longest / along;
  std::size_t cells = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const double width = box.high[k] - box.low[k];
    low_[k] = box.low[k];
    count_[k] = std::max(1, static_cast<int>(std::ceil(width / edge * (1.0 - 1e-12))));
    edge_[k] = width > 0.0 ? width / count_[k] : 1.0;
    cells *= static_cast<std::size_t>(count_[k]);
  }
  marks_.assign(cells * static_cast<std::size_t>(bins()), 0);
}

int OrientationCells::bin_of(const Mat3<double>& R, const Vec3<double>& from_axis) const {
  const double azimuth = rings_ ? std::atan2(from_axis.y, from_axis.x) : 0.0;
  const Mat3<double> own = frame_ * R;
  if (planar_) {
    // Of the tip's axes one at least is not along the normal.
    const Vec3<double> x = own.column_x(), y = own.column_y();
    const Vec3<double>& axis = std::hypot(x.x, x.y) > 0.5 ? x : y;
    return turn_bin(std::atan2(axis.y, axis.x) - azimuth, turn_bins);
  }
  const double phi = std::atan2(own.yz, own.xz) - azimuth, psi = std::atan2(own.zy, -own.zx);
  const int theta = std::clamp(static_cast<int>(0.5 * (own.zz + 1.0) * theta_bins), 0, theta_bins - 1);
  return (turn_bin(phi, phi_bins) * theta_bins + theta) * psi_bins + turn_bin(psi, psi_bins);
}

void OrientationCells::mark(const Pose<double>& tip) {
  const std::array<double, 3> at = coordinates(tip.p);
  std::array<int, 3> cell{};
  for (std::size_t k = 0; k < 3; ++k)  // what is beyond the box, which is from a sample, counts to its rim
    cell[k] = std::clamp(static_cast<int>(std::floor((at[k] - low_[k]) / edge_[k])), 0, count_[k] - 1);
  const int bin = bin_of(tip.R, frame_ * (tip.p - origin_));
  marks_[cell_at(cell) * static_cast<std::size_t>(bins()) + static_cast<std::size_t>(bin)] = 1;
}

std::size_t OrientationCells::cell_at(const std::array<int, 3>& place) const {
  return (static_cast<std::size_t>(place[2]) * static_cast<std::size_t>(count_[1]) +
          static_cast<std::size_t>(place[1])) *
             static_cast<std::size_t>(count_[0]) +
         static_cast<std::size_t>(place[0]);
}

std::array<int, 3> OrientationCells::place(std::size_t cell) const {
  const auto i = static_cast<int>(cell);
  return {i % count_[0], i / count_[0] % count_[1], i / (count_[0] * count_[1])};
}

bool OrientationCells::is_full(std::size_t cell, int merged) const {
  const std::uint8_t* marks = &marks_[cell * static_cast<std::size_t>(bins())];
  if (planar_) {
    for (int first = 0; first < turn_bins; first += merged)
      if (std::none_of(marks + first, marks + first + merged, [](std::uint8_t m) { return m != 0; })) return false;
    return true;
  }
  const int groups = bins() / (merged * merged * merged);
  for (int g = 0; g < groups; ++g)
    if (!any_in_group(marks, g, merged)) return false;
  return true;
}

/// Group g of bins, `merged` along each of the three angles.
bool OrientationCells::any_in_group(const std::uint8_t* marks, int g, int merged) {
  const int psi = g % (psi_bins / merged) * merged, rest = g / (psi_bins / merged);
  const int theta = rest % (theta_bins / merged) * merged, phi = rest / (theta_bins / merged) * merged;
  for (int k = 0; k < merged * merged * merged; ++k) {
    const int at_phi = phi + k % merged, at_theta = theta + k / merged % merged, at_psi = psi + k / (merged * merged);
    if (marks[(at_phi * theta_bins + at_theta) * psi_bins + at_psi] != 0) return true;
  }
  return false;
}

double OrientationCells::size_of(std::size_t cell) const {
  const double r = low_[0] + (place(cell)[0] + 0.5) * edge_[0];
  if (planar_) return rings_ ? whole_turn * r * edge_[0] : edge_[0] * edge_[1];
  return rings_ ? whole_turn * r * edge_[0] * edge_[1] : edge_[0] * edge_[1] * edge_[2];
}

/// Whether the neighbours of a cell are full too.
bool OrientationCells::is_inner(std::size_t cell, const std::vector<bool>& full) const {
  for (std::size_t k = 0; k < 3; ++k) {
    for (const int by : {-1, 1}) {
      std::array<int, 3> beside = place(cell);
      beside[k] += by;
      const bool at_axis = rings_ && k == 0 && beside[0] < 0 && low_[0] < edge_[0];
      if (count_[k] == 1 || at_axis) continue;  // there is nothing beyond
      if (beside[k] < 0 || beside[k] >= count_[k] || !full[cell_at(beside)]) return false;
    }
  }
  return true;
}

OrientationCells::Size OrientationCells::dexterous(int merged) const {
  const std::size_t cells = marks_.size() / static_cast<std::size_t>(bins());
  std::vector<bool> full(cells);
  for (std::size_t c = 0; c < cells; ++c) full[c] = is_full(c, merged);
  Size size;
  for (std::size_t c = 0; c < cells; ++c) {
    if (!full[c]) continue;
    size.all += size_of(c);
    if (is_inner(c, full)) size.inner += size_of(c);
  }
  return size;
}

double OrientationCells::resolution() const { return whole_turn / (planar_ ? turn_bins : phi_bins); }

double OrientationCells::mean_share() const {
  const auto n = static_cast<std::size_t>(bins());
  double reached = 0.0, all = 0.0;
  for (std::size_t c = 0; c < marks_.size() / n; ++c) {
    const auto begin = marks_.begin() + static_cast<std::ptrdiff_t>(c * n);
    const auto marked = std::count(begin, begin + static_cast<std::ptrdiff_t>(n), 1);
    if (marked == 0) continue;
    all += size_of(c);
    reached += size_of(c) * static_cast<double>(marked) / static_cast<double>(n);
  }
  return all > 0.0 ? reached / all : 0.0;
}

}  // namespace ulna::selection

// What an arm is like over its workspace: how well its tip moves (Jacobian) and how simple its inertia
// matrix is.
//
// The Jacobian is the tip's velocity in the space it moves in, 2 × n or 3 × n. Poses fill the joint ranges
// evenly; a mean over the workspace is one over the cells of the map, each with its best pose. Extremes
// are refined by a search within the ranges.
#pragma once

#include "ulna/select/arm.hpp"

namespace ulna::selection {

/// A picture of the workspace: of a planar arm its plane; of a spatial one a section through the axis of
/// its first joint if that turns, and the plane across it if it slides.
struct WorkspaceMap {
  std::string x_label, y_label;
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
  int columns = 0, rows = 0;
  // Of the best pose in each cell, row by row from y_low; NaN where the tip does not come.
  std::vector<double> manipulability, isotropy, smallest;
};

struct Extreme {
  double value = 0.0;
  std::vector<double> q;
};

struct Survey {
  WorkspaceMap map;
  Extreme manipulability;                                                      // greatest √det(J Jᵀ)
  Extreme isotropy;                                                            // greatest 1/κ(J): 1 is a sphere
  Extreme smallest;                                                            // greatest smallest singular value of J
  double mean_manipulability = 0.0, mean_isotropy = 0.0, mean_smallest = 0.0;  // over the map's cells
  double well_conditioned = 0.0;              // share of the map's cells with 1/κ of at least `good_isotropy`
  std::vector<std::vector<double>> singular;  // positions at which J loses rank, each from another start

  // Medians over the poses.
  double off_diagonal = 0.0;         // ‖M − diag M‖/‖M‖, Frobenius
  double variation = 0.0;            // ‖M − M̄‖/‖M̄‖, M̄ the mean
  double condition = 0.0;            // κ(M)
  double dynamic = 0.0;              // Yoshikawa's dynamic manipulability √det(J M⁻² Jᵀ)
  std::vector<double> inertia;       // M in the middle of the ranges, n × n
  std::vector<double> dynamic_axes;  // semi-axes there of the tip's accelerations by torques of norm 1
};

inline constexpr double good_isotropy = 0.1;

Survey survey(const Arm& arm, const KeepGoing& keep_going);

}  // namespace ulna::selection

// What an arm is like over its workspace: how well its tip moves (Jacobian) and how simple its inertia
// matrix is.
//
// The Jacobian is the tip's velocity in the space it moves in, 2 × n or 3 × n. Poses fill the joint ranges
// evenly; a mean over the workspace is one over the cells of a map, each with its best pose. Extremes are
// refined by a search within the ranges.
#pragma once

#include "ulna/study/select/arm.hpp"

namespace ulna::selection {

/// A picture of the workspace: of a planar arm its plane; of a spatial one a section through the axis of
/// its first joint if that turns, and the plane across it if it slides.
struct WorkspaceMap {
  std::string x_label, y_label;
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
  int columns = 0, rows = 0;
  // Of the best pose in each cell, row by row from y_low; NaN where the tip cannot be.
  std::vector<double> manipulability, isotropy, smallest;
};

struct Extreme {
  double value = 0.0;
  std::vector<double> q;
};

struct Estimate {
  double value = 0.0, error = 0.0;
};

struct Survey {
  WorkspaceMap map;
  Extreme manipulability;  // greatest √det(J Jᵀ)
  Extreme isotropy;        // greatest 1/κ(J): 1 is a sphere
  Extreme smallest;        // greatest smallest singular value of J
  Extreme reach;           // the tip's greatest distance from the origin of the world, m
  // Means over the workspace. A cell shows its best pose, so a mean is too high by an amount that falls
  // with the edge of the cells: it is extrapolated from two edges, and their difference is the error.
  Estimate mean_manipulability, mean_isotropy, mean_smallest;
  Estimate well_conditioned;                  // share with 1/κ of at least `good_isotropy`
  std::vector<std::vector<double>> singular;  // positions at which J loses rank, each from another start

  // Medians over the poses; the error is that of the median of as many random poses (95 %).
  Estimate off_diagonal;  // ‖M − diag M‖/‖M‖, Frobenius
  Estimate variation;     // ‖M − M̄‖/‖M̄‖, M̄ the mean
  Estimate condition;     // κ(M)
  Estimate dynamic;       // Yoshikawa's dynamic manipulability √det(J M⁻² Jᵀ)
  // At the pose of the greatest isotropy: M, n × n, and the semi-axes of the tip's accelerations by
  // torques of norm 1.
  std::vector<double> inertia, dynamic_axes;
};

inline constexpr double good_isotropy = 0.1;

/// What of a survey is wanted, and how many poses it takes: a part of the usual ones.
struct SurveyOptions {
  bool means = true;     // the map and the means over it
  bool greatest = true;  // manipulability
  bool places = true;    // the best places by the other measures, and singular ones
  bool inertia = true;
  bool reach = true;
  double effort = 1.0;
};

Survey survey(const Arm& arm, const SurveyOptions& options, const KeepGoing& keep_going);

}  // namespace ulna::selection

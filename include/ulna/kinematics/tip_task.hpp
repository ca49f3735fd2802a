// What the motion of a frame is there for: to place it, to turn it, or both; in space or in a plane. Found from the
// robot's structure, so that rank, manipulability and "singular" mean the same wherever they are reported.
//
// The velocities of the frame's origin over all postures span a space of 0 to 3 dimensions, its angular velocities
// another. The task is
// - position and orientation, if the joints can choose all of both at once in most postures: six joints of an arm,
//   three of a planar one, four of a SCARA;
// - otherwise position, if they can choose all of that: two joints in a plane, three to five in space;
// - otherwise orientation, if they can choose all of that: a wrist;
// - otherwise both, in part: a pan-tilt head has no posture in which all can be chosen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

struct TipTask {
  /// A space of velocities: the first `dimension` rows of `axes` span it; `rank` of its directions can be had at once
  /// in most postures. In a plane the axes are the world's as far as they lie in it, the third is its normal.
  struct Space {
    int dimension = 0, rank = 0;
    Mat3<double> axes = Mat3<double>::identity();
  };
  Space position, orientation;
  bool places = false, turns = false;  // what of the two is asked for
  int rank = 0;                        // of rows(…) in most postures: less is singular

  /// "position in a plane", "position and orientation in space", …
  std::string name() const;

  // Of a Jacobian in world axes (6 × n): the rows of these spaces, column by column.
  std::vector<double> position_rows(MatrixIn<double> jacobian) const;
  std::vector<double> orientation_rows(MatrixIn<double> jacobian) const;
  std::vector<double> rows(MatrixIn<double> jacobian) const;
};

/// From Jacobians in world axes, each 6 × n, at postures from all over the ranges.
TipTask tip_task(std::span<const std::vector<double>> jacobians);

/// At random postures within the limits (fixed seed); joints that these lock move nothing.
TipTask tip_task(const Model& model, const Frame& frame);

}  // namespace ulna

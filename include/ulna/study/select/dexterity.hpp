// The dexterous part of a workspace: the points that the tip reaches with every orientation.
//
// A planar arm needs three joints for that and a spatial one six; with fewer there is none. With enough, poses fill
// the joint ranges evenly, and each marks a cell of the workspace and a bin of orientations: angles in a plane, Euler
// angles z y z in space with bins of equal share of all rotations. A cell is dexterous where all bins are marked.
// Where the first joint makes a full turn, cells are rings about its axis and orientations are taken relative to the
// tip's direction from it. Orientations that are missing by less than two bins are not noticed, so that limits of the
// last three joints in space leave the whole size in doubt.
#pragma once

#include "ulna/study/select/arm.hpp"

namespace ulna::selection {

struct Dexterity {
  double size = 0.0, error = 0.0;  // m² or m³
  double mean_share = 0.0;         // of orientations, over the cells that are reached at all
  double resolution = 0.0;         // rad: how wide the bins of orientations are
  bool enough_joints = false;      // that move, and that turn; otherwise all of it is zero
};

Dexterity find_dexterity(const Arm& arm, const KeepGoing& keep_going);

}  // namespace ulna::selection

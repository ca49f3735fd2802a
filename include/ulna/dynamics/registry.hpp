// The registry of formulations: one row each. A new formulation is a folder with its workspaces and functions, and a
// row here; what it gives follows from the functions (formulation.hpp).
//
// ROW(folder and namespace, title, scope, workspaces…)
#pragma once

#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/composite_body/coriolis.hpp"
#include "ulna/dynamics/constraint_force/constraint_force.hpp"
#include "ulna/dynamics/denoc/convective_inertia.hpp"
#include "ulna/dynamics/denoc/denoc.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/newton_euler/convective_inertia.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator.hpp"

#define ULNA_FORMULATIONS(ROW)                                                                               \
  ROW(newton_euler, "recursive Newton–Euler, O(n)",                                                          \
      (Scope{.trees = true, .free_base = true, .many_degrees = true, .followers = true, .couplings = true}), \
      newton_euler::Workspace, newton_euler::ConvectiveWorkspace)                                            \
  ROW(articulated_body, "articulated bodies with the bias merged, O(n)",                                     \
      (Scope{.trees = true, .free_base = true, .many_degrees = true}), articulated_body::Workspace)          \
  ROW(composite_body, "composite bodies and the sparse factor of M, O(n³) with a small constant",            \
      (Scope{.trees = true, .free_base = true, .many_degrees = true, .followers = true, .couplings = true}), \
      composite_body::Workspace, composite_body::CoriolisWorkspace)                                          \
  ROW(denoc, "DeNOC matrices and the UDUᵀ decomposition (saha2001), O(n)", (Scope{}), denoc::Workspace,      \
      denoc::ConvectiveWorkspace)                                                                            \
  ROW(constraint_force, "constraint forces, M⁻¹ as a Schur complement (fijany_bejczy), O(n)",                \
      (Scope{.free_base = true, .many_degrees = true, .solid_links = true}), constraint_force::Workspace)    \
  ROW(spatial_operator, "spatial operators at the mass centres (wolinski2015)",                              \
      (Scope{.couplings = true, .mass_centres = true}), spatial_operator::Workspace)                         \
  ROW(homogeneous, "4×4 homogeneous matrices (legnani1996): Newton–Euler, and Lagrange by traces",           \
      (Scope{.couplings = true}), homogeneous::Workspace)

// The registry of formulations: one row each. A new formulation is a folder with a
// `formulation.hpp` (a class Formulation<T> behind Method<T>) and a row here.
//
// ROW(folder and namespace, title, scope, quantities…)
#pragma once

#define ULNA_FORMULATIONS(ROW)                                                                                         \
  ROW(newton_euler, "recursive Newton–Euler, O(n)", (Scope{.trees = true, .free_base = true, .many_degrees = true}),   \
      inverse_dynamics, convective_inertia, gravity)                                                                   \
  ROW(articulated_body, "articulated bodies with the bias merged, O(n)",                                               \
      (Scope{.trees = true, .free_base = true, .many_degrees = true}), forward_dynamics)                               \
  ROW(composite_body, "composite bodies and the sparse factor of M, O(n³) with a small constant",                      \
      (Scope{.trees = true, .free_base = true, .many_degrees = true}), forward_dynamics, mass_matrix, coriolis_matrix) \
  ROW(denoc, "DeNOC matrices and the UDUᵀ decomposition (saha2001), O(n)", (Scope{}), inverse_dynamics,                \
      forward_dynamics, mass_matrix, convective_inertia)                                                               \
  ROW(constraint_force, "constraint forces, M⁻¹ as a Schur complement (fijany_bejczy), O(n)",                          \
      (Scope{.free_base = true, .many_degrees = true, .solid_links = true}), forward_dynamics)                         \
  ROW(spatial_operator, "spatial operators at the mass centres (wolinski2015)", (Scope{.mass_centres = true}),         \
      inverse_dynamics, forward_dynamics, mass_matrix, coriolis_matrix, gravity)                                       \
  ROW(homogeneous, "4×4 homogeneous matrices (legnani1996): Newton–Euler, and Lagrange by traces", (Scope{}),          \
      inverse_dynamics, forward_dynamics, mass_matrix, gravity)

// The registry of formulations: one row each. A new formulation is a folder with a
// `formulation.hpp` (a class Formulation<T> behind Method<T>) and a row here.
//
// ROW(folder and namespace, title, {trees, free base, joints of several degrees}, quantities…)
#pragma once

#define ULNA_FORMULATIONS(ROW)                                                                                        \
  ROW(newton_euler, "recursive Newton–Euler, O(n)", (Scope{true, true, true}), inverse_dynamics, gravity)             \
  ROW(articulated_body, "articulated bodies with the bias merged, O(n)", (Scope{true, true, true}), forward_dynamics) \
  ROW(composite_body, "composite bodies and the sparse factor of M, O(n³) with a small constant",                     \
      (Scope{true, true, true}), forward_dynamics, mass_matrix, coriolis_matrix)

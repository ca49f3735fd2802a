// Steps 2 to 5 of section IV.B, for any solver of A' F_S = −B F_T + Ṙ_T10 and any way to go over the joints: the serial
// and the parallel algorithm are these lines.
//
// B and C are never formed: (3.15) and (3.16) are the same Pᵗ I⁻¹ P between other projections, so that the
// accelerations V̇ = I⁻¹ P F of (3.11) give B F_T by Wᵗ Pᵗ V̇, and Bᵗ F_S + C F_T by Hᵗ Pᵗ V̇. Bodies after a free base
// see its acceleration in Pᵗ V̇; Ṙ_T10 of (4.10) and Hᵗ V̇_b of (4.11) are in these products then.
#pragma once

#include "ulna/dynamics/constraint_force/joint_equation.hpp"

namespace ulna::constraint_force {

/// Calls f(0) … f(count − 1) one after the other.
struct InTurn {
  template <class F>
  ULNA_INLINE void operator()(std::ptrdiff_t count, const F& f) const {
    for (std::ptrdiff_t k = 0; k < count; ++k) f(k);
  }
};

/// F_S has an entry per joint with constraints. `over_bodies` and `over_groups` call f(0) … f(count − 1) in any order,
/// at once if they like: for what a joint or body does alone, and for the pieces that the solver has.
template <Real T, std::size_t n, class System, class OverBodies, class OverGroups>
class Steps {
 public:
  Steps(const Model& model, Workspace<T>& ws, System& system, std::vector<std::array<T, n>>& F_S,
        const OverBodies& over_bodies, const OverGroups& over_groups)
      : model_(model),
        ws_(ws),
        system_(system),
        F_S_(F_S),
        over_bodies_(over_bodies),
        over_groups_(over_groups),
        bodies_(static_cast<std::ptrdiff_t>(model.bodies().size())),
        joints_(std::ssize(F_S)) {}

  void operator()(std::span<T> a) {
    // Step 2: V̇ under F_T alone, and −B F_T + Ṙ_T10.
    clear_constraint_forces();
    accelerate_bodies();
    find_residual();
    // Step 3: A' of (3.14) and (4.13), and F_S.
    form_matrix();
    system_.factor(over_groups_);
    add_solution();
    // Step 4: V̇ under F_T and F_S; Bᵗ F_S, C F_T and V̇_b are in it.
    accelerate_bodies();
    refine();  // not in the paper
    // Step 5: Q̈ of (4.7), and Q̈_0 of (4.3).
    find_accelerations(a);
  }

 private:
  static std::size_t index(std::ptrdiff_t k) { return static_cast<std::size_t>(k); }
  std::size_t body_of(std::ptrdiff_t j) const { return index(j) + ws_.first; }

  void clear_constraint_forces() {
    over_bodies_(joints_, [&](std::ptrdiff_t j) { F_S_[index(j)].fill(T(0.0)); });
  }

  /// F_i of (3.1) for all joints, then V̇_i of (2.8) for all bodies.
  void accelerate_bodies() {
    if (ws_.first > 0) ws_.F[0] = applied_force(model_, ws_, 0);  // a free base's own is given
    over_bodies_(joints_, [&](std::ptrdiff_t j) { compose(model_, ws_, body_of(j), F_S_[index(j)]); });
    over_bodies_(bodies_, [&](std::ptrdiff_t i) { accelerate(model_, ws_, index(i)); });
  }

  void find_residual() {
    over_bodies_(joints_, [&](std::ptrdiff_t j) {
      system_.fill_right(index(j), [&](auto& r) { residual(model_, ws_, body_of(j), F_S_[index(j)], r); });
    });
  }

  void form_matrix() {
    over_bodies_(joints_, [&](std::ptrdiff_t j) {
      system_.fill(index(j), [&](auto& A, auto& E) { form(model_, ws_, body_of(j), A, E); });
    });
  }

  void add_solution() {
    system_.solve(over_groups_);
    over_bodies_(joints_, [&](std::ptrdiff_t j) {
      const std::array<T, n>& s = system_.right(index(j));
      for (std::size_t r = 0; r < s.size(); ++r) F_S_[index(j)][r] += s[r];
    });
  }

  /// A slender link has a huge inverse moment about its axis, which swamps the rest of A' (golden/001_conditioning).
  /// F_S is corrected once by what is left of the constraints, computed body by body, which costs little with the
  /// factor at hand and gives those digits back.
  void refine() {
    find_residual();
    add_solution();
    accelerate_bodies();
  }

  void find_accelerations(std::span<T> a) {
    over_bodies_(bodies_, [&](std::ptrdiff_t i) { joint_acceleration(model_, ws_, index(i), a); });
  }

  const Model& model_;
  Workspace<T>& ws_;
  System& system_;
  std::vector<std::array<T, n>>& F_S_;
  const OverBodies& over_bodies_;
  const OverGroups& over_groups_;
  std::ptrdiff_t bodies_, joints_;
};

}  // namespace ulna::constraint_force

// The block tridiagonal system cut into segments: inside each, unknowns are eliminated one after the
// other; what is left, one separator per segment, goes to cyclic reduction. Four segments run side
// by side in the lanes of packs, groups of four in threads. O(N/p + log N).
//
// A segment's elimination drags the coupling to the separator before it along (its spike), which
// doubles the work per unknown; the lanes more than pay for it.
#pragma once

#include <algorithm>

#include "ulna/dynamics/constraint_force/cyclic_reduction.hpp"

namespace ulna::constraint_force {

template <int n>
class SegmentedSystem {
 public:
  using P = Pack<double, 4>;

  /// The cut depends on the number of joints alone, so that results do not depend on the threads.
  explicit SegmentedSystem(std::size_t joints)
      : length_(std::clamp<std::size_t>((joints + 63) / 64, 4, 128)),
        groups_((joints + 4 * length_ - 1) / (4 * length_)),
        diagonal_(groups_ * length_),
        coupling_(diagonal_.size()),
        next_(diagonal_.size()),
        spike_(diagonal_.size()),
        right_(diagonal_.size()),
        separators_(4 * groups_),
        joints_(joints) {}

  /// A_jj and A_{j−1,j} of joint j, as f(A, E) fills them in.
  template <class F>
  void fill(std::size_t j, const F& f) {
    Block<double, n> A, E;
    f(A, E);
    set(j, A, E);
  }
  template <class F>
  void fill_right(std::size_t j, const F& f) {
    Vector<double, n> r;
    f(r);
    set_right(j, r);
  }
  Vector<double, n> right(std::size_t j) const {
    const Place at = place(j);
    Vector<double, n> r;
    for (std::size_t e = 0; e < r.size(); ++e) r[e] = right_[at.index][e][at.lane];
    return r;
  }

  /// `parallel(count, f)` calls f(0) … f(count − 1) in any order, at once if it likes.
  template <class Parallel>
  void factor(const Parallel& parallel) {
    fill_up();
    parallel(std::ssize(ends_), [&](std::ptrdiff_t g) { eliminate(static_cast<std::size_t>(g)); });
    for (std::size_t g = 0; g < groups_; ++g) hand_over(g);
    separators_.factor(parallel);
  }

  template <class Parallel>
  void solve(const Parallel& parallel) {
    parallel(std::ssize(ends_), [&](std::ptrdiff_t g) { forward(static_cast<std::size_t>(g)); });
    for (std::size_t g = 0; g < groups_; ++g) hand_over_right(g);
    separators_.solve(parallel);
    parallel(std::ssize(ends_), [&](std::ptrdiff_t g) { backward(static_cast<std::size_t>(g)); });
  }

  std::size_t bytes() const {
    return diagonal_.size() * (4 * sizeof(Block<P, n>) + sizeof(Vector<P, n>)) + groups_ * sizeof(End) +
           separators_.bytes();
  }

 private:
  struct Place {
    std::size_t index;
    int lane;
  };
  /// Joint j is number j % L of segment j / L; segments 4g … 4g+3 are the lanes of group g.
  Place place(std::size_t j) const {
    const std::size_t segment = j / length_;
    return {segment / 4 * length_ + j % length_, static_cast<int>(segment % 4)};
  }

  void set(std::size_t j, const Block<double, n>& A, const Block<double, n>& E) {
    const Place at = place(j);
    for (std::size_t e = 0; e < A.m.size(); ++e) {
      diagonal_[at.index].m[e].set(at.lane, A.m[e]);
      coupling_[at.index].m[e].set(at.lane, E.m[e]);
    }
  }
  void set_right(std::size_t j, const Vector<double, n>& r) {
    const Place at = place(j);
    for (std::size_t e = 0; e < r.size(); ++e) right_[at.index][e].set(at.lane, r[e]);
  }

  /// The last segments beyond the chain, anew every time: a NaN that an earlier state left there would stay.
  void fill_up() {
    Block<double, n> unit = Block<double, n>::zero();
    for (int k = 0; k < n; ++k) unit(k, k) = 1.0;
    for (std::size_t j = joints_; j < 4 * diagonal_.size(); ++j) {
      set(j, unit, Block<double, n>::zero());
      set_right(j, Vector<double, n>{});
    }
  }

  /// What a group's segments leave for the separators.
  struct End {
    Block<P, n> own, before, coupling;  // A_bb; what to take off the one before; A_{before,b}
    Vector<P, n> right_before;
  };

  void eliminate(std::size_t g) {
    const std::size_t first = g * length_, last = first + length_ - 1;  // last: the separators
    End& end = ends_[g];
    end.before = Block<P, n>::zero();
    Block<P, n> F = transposed(coupling_[first]);  // A_{t,before}
    for (std::size_t t = first; t < last; ++t) {
      dense::factor(diagonal_[t]);
      next_[t] = coupling_[t + 1];
      spike_[t] = F;
      for (int c = 0; c < n; ++c) {
        dense::solve(diagonal_[t], &next_[t](0, c));
        dense::solve(diagonal_[t], &spike_[t](0, c));
      }
      subtract_symmetric_product(end.before, F, spike_[t]);
      subtract_symmetric_product(diagonal_[t + 1], coupling_[t + 1], next_[t]);
      F = minus_product(coupling_[t + 1], spike_[t]);
    }
    end.own = diagonal_[last];
    end.coupling = transposed(F);
  }

  /// The separators' system; a segment corrects the separator before it, in another lane or group.
  void hand_over(std::size_t g) {
    for (int lane = 0; lane < 4; ++lane) {
      const std::size_t s = 4 * g + static_cast<std::size_t>(lane);
      const End& end = ends_[g];
      for (std::size_t e = 0; e < end.own.m.size(); ++e) {
        separators_.diagonal()[s].m[e] = end.own.m[e][lane];
        separators_.coupling()[s].m[e] = s > 0 ? end.coupling.m[e][lane] : 0.0;
        if (s > 0) separators_.diagonal()[s - 1].m[e] += end.before.m[e][lane];
      }
    }
  }

  void forward(std::size_t g) {
    const std::size_t first = g * length_, last = first + length_ - 1;
    End& end = ends_[g];
    end.right_before.fill(P(0.0));
    for (std::size_t t = first; t < last; ++t) {
      subtract_transposed_times(end.right_before, spike_[t], right_[t]);
      subtract_transposed_times(right_[t + 1], next_[t], right_[t]);
      dense::solve(diagonal_[t], right_[t].data());
    }
  }

  void hand_over_right(std::size_t g) {
    const Vector<P, n>& own = right_[g * length_ + length_ - 1];
    for (int lane = 0; lane < 4; ++lane) {
      const std::size_t s = 4 * g + static_cast<std::size_t>(lane);
      for (std::size_t e = 0; e < own.size(); ++e) {
        separators_.right()[s][e] = own[e][lane];
        if (s > 0) separators_.right()[s - 1][e] += ends_[g].right_before[e][lane];
      }
    }
  }

  void backward(std::size_t g) {
    const std::size_t first = g * length_, last = first + length_ - 1;
    const auto solution = [&](std::ptrdiff_t s, std::size_t e) {
      return s < 0 ? 0.0 : separators_.right()[static_cast<std::size_t>(s)][e];
    };
    Vector<P, n> before;
    for (std::size_t e = 0; e < before.size(); ++e) {
      for (int lane = 0; lane < 4; ++lane) {
        const std::ptrdiff_t s = static_cast<std::ptrdiff_t>(4 * g) + lane;
        right_[last][e].set(lane, solution(s, e));
        before[e].set(lane, solution(s - 1, e));
      }
    }
    for (std::size_t t = last; t-- > first;) {
      subtract_times(right_[t], spike_[t], before);
      subtract_times(right_[t], next_[t], right_[t + 1]);
    }
  }

  std::size_t length_, groups_;
  std::vector<Block<P, n>> diagonal_, coupling_;
  std::vector<Block<P, n>> next_;   // A_tt⁻¹ A_{t,t+1}
  std::vector<Block<P, n>> spike_;  // A_tt⁻¹ A_{t,before}
  std::vector<Vector<P, n>> right_;
  std::vector<End> ends_ = std::vector<End>(groups_);
  CyclicReduction<n> separators_;
  std::size_t joints_;
};

}  // namespace ulna::constraint_force

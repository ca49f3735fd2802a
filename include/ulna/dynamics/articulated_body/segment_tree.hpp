// Segments joined two by two into one, in ⌈log2 S⌉ levels, and what is then known at the outermost
// handles handed back down: the assembly and disassembly of divide and conquer. The pairs of a level
// do not depend on each other: four of them share the lanes of packs, groups of four run in threads.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "ulna/dynamics/articulated_body/segment.hpp"
#include "ulna/dynamics/block_lanes.hpp"

namespace ulna::articulated_body {

/// What is kept of a meeting of two segments. With I of the outer one = L D Lᵗ and Λ of the inner one
/// the system at the body they share is Y = D⁻¹ + Lᵗ Λ L: positive definite, nothing is subtracted.
template <Real T>
struct Meeting {
  Block<T, 6> L;  // and 1/D on its diagonal
  Block<T, 6> Y;  // factored
};

/// Acceleration of the inner handle, force that is taken from the outer one.
template <Real T>
struct HandleState {
  Vector<T, 6> m, F;
};

namespace detail {

/// x := Lᵗ x
template <Real T>
ULNA_INLINE void lower_transposed_times(const Block<T, 6>& L, T* x) {
  for (int i = 0; i < 6; ++i)
    for (int k = i + 1; k < 6; ++k) x[i] += L(k, i) * x[k];
}
/// x := L x
template <Real T>
ULNA_INLINE void lower_times(const Block<T, 6>& L, T* x) {
  for (int i = 5; i > 0; --i)
    for (int k = 0; k < i; ++k) x[i] += L(i, k) * x[k];
}
/// x := D⁻¹ L⁻¹ x
template <Real T>
ULNA_INLINE void lower_solve(const Block<T, 6>& L, T* x) {
  for (int i = 1; i < 6; ++i)
    for (int k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
  for (int i = 0; i < 6; ++i) x[i] *= L(i, i);
}
/// x := L⁻ᵗ D⁻¹ x
template <Real T>
ULNA_INLINE void upper_solve(const Block<T, 6>& L, T* x) {
  for (int i = 0; i < 6; ++i) x[i] *= L(i, i);
  for (int i = 4; i >= 0; --i)
    for (int k = i + 1; k < 6; ++k) x[i] -= L(k, i) * x[k];
}

/// Lᵗ Λ, and Y from it.
template <Real T>
ULNA_INLINE Block<T, 6> meet(const Block<T, 6>& I, const Block<T, 6>& lambda, Meeting<T>& meeting) {
  meeting.L = I;
  factor(meeting.L);
  Block<T, 6> left = lambda;
  for (int c = 0; c < 6; ++c) lower_transposed_times(meeting.L, &left(0, c));
  meeting.Y = transposed(left);
  for (int c = 0; c < 6; ++c) {
    lower_transposed_times(meeting.L, &meeting.Y(0, c));
    meeting.Y(c, c) += meeting.L(c, c);
  }
  factor(meeting.Y);
  return left;
}

template <Real T>
ULNA_INLINE void negate(Vector<T, 6>& x) {
  for (T& e : x) e = -e;
}

}  // namespace detail

/// One segment from two: B's inner handle is A's last body.
template <Real T>
void join(const TwoHandles<T>& A, const TwoHandles<T>& B, Meeting<T>& meeting, TwoHandles<T>& out) {
  const Block<T, 6> left = detail::meet(B.I, A.lambda, meeting), right = transposed(left);
  const Block<T, 6>&L = meeting.L, &Y = meeting.Y;
  Block<T, 6> X = transposed(A.psi), V, Z = B.psi, U = minus_product(right, B.psi);
  for (int c = 0; c < 6; ++c) {
    detail::lower_transposed_times(L, &X(0, c));  // X = Lᵗ Ψ_Aᵗ
    detail::lower_solve(L, &Z(0, c));             // Z = D⁻¹ L⁻¹ Ψ_B
    for (int r = 0; r < 6; ++r) V(r, c) = -X(r, c);
    solve(Y, &V(0, c));  // −Y⁻¹ X
    solve(Y, &U(0, c));  // −Y⁻¹ Lᵗ Λ_A Ψ_B
  }
  out.I = A.I;
  subtract_symmetric_product(out.I, X, V);
  out.psi = minus_product(V, Z);
  out.lambda = B.lambda;
  subtract_symmetric_product(out.lambda, Z, U);
  // Forces and accelerations at F = 0 and m = 0.
  Vector<T, 6> b = A.b, p = B.p, w = A.b;
  detail::lower_transposed_times(L, b.data());
  detail::lower_solve(L, p.data());
  for (std::size_t k = 0; k < 6; ++k) p[k] += b[k];
  solve(Y, p.data());
  detail::negate(p);
  out.p = A.p;
  subtract_transposed_times(out.p, X, p);
  subtract_times(w, A.lambda, B.p);
  detail::lower_transposed_times(L, w.data());
  solve(Y, w.data());
  detail::negate(w);
  out.b = B.b;
  subtract_transposed_times(out.b, Z, w);
}

/// What the body that A and B share does, from the state of the handles of the two together.
template <Real T>
void part(const TwoHandles<T>& A, const TwoHandles<T>& B, const Meeting<T>& meeting, const HandleState<T>& whole,
          HandleState<T>& inner, HandleState<T>& outer) {
  Vector<T, 6> minus_m = whole.m, minus_F = whole.F, free = A.b, load = B.p;
  detail::negate(minus_m);
  detail::negate(minus_F);
  subtract_transposed_times(free, A.psi, minus_m);  // acceleration if B took nothing
  subtract_times(load, B.psi, minus_F);             // what B takes at no acceleration
  Vector<T, 6> F = load, m = free, turned = free;
  detail::lower_transposed_times(meeting.L, turned.data());
  detail::lower_solve(meeting.L, F.data());
  for (std::size_t k = 0; k < 6; ++k) F[k] += turned[k];
  solve(meeting.Y, F.data());
  detail::lower_times(meeting.L, F.data());
  subtract_times(m, A.lambda, load);
  detail::lower_transposed_times(meeting.L, m.data());
  solve(meeting.Y, m.data());
  detail::upper_solve(meeting.L, m.data());
  inner = {whole.m, F};
  outer = {m, whole.F};
}

using dense::side_by_side;
using dense::take_lane;

inline TwoHandles<Pack<double, 4>> side_by_side(const TwoHandles<double>& a, const TwoHandles<double>& b,
                                                const TwoHandles<double>& c, const TwoHandles<double>& d) {
  TwoHandles<Pack<double, 4>> out;
  side_by_side(out.I, a.I, b.I, c.I, d.I);
  side_by_side(out.psi, a.psi, b.psi, c.psi, d.psi);
  side_by_side(out.lambda, a.lambda, b.lambda, c.lambda, d.lambda);
  side_by_side(out.p, a.p, b.p, c.p, d.p);
  side_by_side(out.b, a.b, b.b, c.b, d.b);
  return out;
}
inline void take_lane(const TwoHandles<Pack<double, 4>>& in, int lane, TwoHandles<double>& out) {
  take_lane(in.I, lane, out.I);
  take_lane(in.psi, lane, out.psi);
  take_lane(in.lambda, lane, out.lambda);
  take_lane(in.p, lane, out.p);
  take_lane(in.b, lane, out.b);
}
inline HandleState<Pack<double, 4>> side_by_side(const HandleState<double>& a, const HandleState<double>& b,
                                                 const HandleState<double>& c, const HandleState<double>& d) {
  HandleState<Pack<double, 4>> out;
  side_by_side(out.m, a.m, b.m, c.m, d.m);
  side_by_side(out.F, a.F, b.F, c.F, d.F);
  return out;
}
inline void take_lane(const HandleState<Pack<double, 4>>& in, int lane, HandleState<double>& out) {
  take_lane(in.m, lane, out.m);
  take_lane(in.F, lane, out.F);
}

class SegmentTree {
 public:
  using P = Pack<double, 4>;

  explicit SegmentTree(std::size_t segments) {
    for (std::size_t m = segments; m > 0; m = m > 1 ? (m + 1) / 2 : 0) levels_.emplace_back(m);
  }

  std::vector<TwoHandles<double>>& segments() { return levels_[0].forms; }
  const std::vector<HandleState<double>>& states() const { return levels_[0].states; }
  std::size_t level_count() const { return levels_.size(); }

  /// `parallel(count, f)` calls f(0) … f(count − 1) in any order, at once if it likes.
  template <class Parallel>
  void solve(const Vector<double, 6>& base_acceleration, const Parallel& parallel) {
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
      Level &fine = levels_[l], &coarse = levels_[l + 1];
      parallel(groups(fine), [&](std::ptrdiff_t g) { join_four(fine, coarse, static_cast<std::size_t>(4 * g)); });
      if (fine.size() % 2 == 1) coarse.forms.back() = fine.forms.back();
    }
    levels_.back().states[0].m = base_acceleration;
    levels_.back().states[0].F.fill(0.0);  // beyond the tip
    for (std::size_t l = levels_.size() - 1; l-- > 0;) {
      Level &fine = levels_[l], &coarse = levels_[l + 1];
      parallel(groups(fine), [&](std::ptrdiff_t g) { part_four(fine, coarse, static_cast<std::size_t>(4 * g)); });
      if (fine.size() % 2 == 1) fine.states.back() = coarse.states.back();
    }
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Level& level : levels_)
      sum += level.size() * (sizeof(TwoHandles<double>) + sizeof(HandleState<double>)) +
             level.meetings.size() * sizeof(Meeting<P>);
    return sum;
  }

 private:
  struct Level {
    explicit Level(std::size_t m) : forms(m), states(m), meetings((m / 2 + 3) / 4) {}
    std::size_t size() const { return forms.size(); }
    std::vector<TwoHandles<double>> forms;
    std::vector<HandleState<double>> states;
    std::vector<Meeting<P>> meetings;  // of four pairs
  };

  static std::ptrdiff_t groups(const Level& level) { return std::ssize(level.meetings); }

  /// The pair that lane k of the four from `first` holds; the last one again where there are no more.
  static std::size_t pair_of(const Level& level, std::size_t first, std::size_t k) {
    return std::min(first + k, level.size() / 2 - 1);
  }
  static TwoHandles<P> gather_forms(const Level& level, std::size_t first, std::size_t side) {
    const auto form = [&](std::size_t k) -> const TwoHandles<double>& {
      return level.forms[2 * pair_of(level, first, k) + side];
    };
    return side_by_side(form(0), form(1), form(2), form(3));
  }

  static void join_four(Level& fine, Level& coarse, std::size_t first) {
    TwoHandles<P> joined;
    join(gather_forms(fine, first, 0), gather_forms(fine, first, 1), fine.meetings[first / 4], joined);
    for (std::size_t k = 0; k < 4 && first + k < fine.size() / 2; ++k)
      take_lane(joined, static_cast<int>(k), coarse.forms[first + k]);
  }

  static void part_four(Level& fine, const Level& coarse, std::size_t first) {
    const auto state = [&](std::size_t k) -> const HandleState<double>& {
      return coarse.states[pair_of(fine, first, k)];
    };
    HandleState<P> inner, outer;
    part(gather_forms(fine, first, 0), gather_forms(fine, first, 1), fine.meetings[first / 4],
         side_by_side(state(0), state(1), state(2), state(3)), inner, outer);
    for (std::size_t k = 0; k < 4 && first + k < fine.size() / 2; ++k) {
      take_lane(inner, static_cast<int>(k), fine.states[2 * (first + k)]);
      take_lane(outer, static_cast<int>(k), fine.states[2 * (first + k) + 1]);
    }
  }

  std::vector<Level> levels_;
};

}  // namespace ulna::articulated_body

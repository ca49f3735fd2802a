#include "schur_complement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ulna/loop/mobility.hpp"
#include "ulna/real/pack.hpp"

namespace ulna {

namespace {

constexpr std::size_t lanes = 4;
using Four = Pack<double, lanes>;

/// y += a x, from the pack that holds `first` on; rows are whole packs.
void add(double a, const double* x, double* y, std::size_t first, std::size_t end) {
  for (std::size_t j = first / lanes * lanes; j < end; j += lanes)
    (Four::load(y + j) + Four(a) * Four::load(x + j)).store(y + j);
}

}  // namespace

std::size_t row_stride(const Model& model) {
  return (static_cast<std::size_t>(model.constraint_count()) + lanes - 1) / lanes * lanes;
}

SchurComplement::SchurComplement(const Model& model)
    : rows_(model.constraint_count()),
      stride_(row_stride(model)),
      U_(static_cast<std::size_t>(model.nv()) * stride_),
      Y_(U_),
      S_(static_cast<std::size_t>(rows_) * stride_),
      L_(S_),
      weights_(static_cast<std::size_t>(rows_)),
      diagonal_(weights_),
      x_(stride_),
      y_(stride_) {
  chosen_.reserve(weights_.size());
  loops_.reserve(model.loops().size());
  int first = 0;
  for (const LoopJoint& joint : model.loops()) {
    loops_.push_back({first, constraint_count(joint.kind), loop_path(model, joint)});
    first += loops_.back().count;
  }
}

void SchurComplement::update(const LoopEquations& equations, TreeFactor& tree) {
  const MatrixView<const double> A = equations.matrix();
  for (const Loop& loop : loops_) {
    for (const int k : loop.path.degrees)
      for (int i = loop.row; i < loop.row + loop.count; ++i) row(U_, k)[i] = A(i, k);
    tree.half(loop.path, {U_.data() + loop.row, Y_.data() + loop.row, stride_, loop.count});
  }
  update(A);
}

void SchurComplement::update(MatrixView<const double> A) {
  multiply();
  factor(A);
}

/// The rows of one loop at once, pack by pack.
template <int count>
void SchurComplement::multiply(const Loop& loop) {
  for (std::size_t j = static_cast<std::size_t>(loop.row) / lanes * lanes; j < stride_; j += lanes) {
    std::array<Four, count> sums;
    sums.fill(Four(0.0));
    for (const int k : loop.path.degrees) {
      const double* u = row(U_, k) + loop.row;
      const Four y = Four::load(row(Y_, k) + j);
      for (std::size_t r = 0; r < count; ++r) sums[r] += Four(u[r]) * y;
    }
    for (int r = 0; r < count; ++r) sums[static_cast<std::size_t>(r)].store(row(S_, loop.row + r) + j);
  }
}

/// S = Uᵀ Y, its upper triangle and a little more.
void SchurComplement::multiply() {
  for (const Loop& loop : loops_) {
    switch (loop.count) {  // as many as a joint locks: short loops want to be unrolled
      case 3: multiply<3>(loop); break;
      case 4: multiply<4>(loop); break;
      case 5: multiply<5>(loop); break;
      default: multiply<6>(loop);
    }
  }
}

void SchurComplement::multiply_scaled_half(std::span<const double> lambda, std::span<double> x) const {
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double* y = row(Y_, static_cast<int>(k));
    Four sum(0.0);
    for (std::size_t j = 0; j < stride_; j += lanes) sum += Four::load(y + j) * Four::load(&lambda[j]);
    x[k] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

/// S = L D Lᵀ, equation by equation; those that are redundant are left out. Any largest set of independent ones
/// gives the same motion.
void SchurComplement::factor(MatrixView<const double> A) {
  chosen_.clear();
  largest_ = 0.0;
  for (int i = 0; i < rows_; ++i) {
    diagonal_[static_cast<std::size_t>(i)] = row(S_, i)[i];
    largest_ = std::max(largest_, row(S_, i)[i]);
  }
  for (int k = 0; k < rows_; ++k) {
    const double pivot = row(S_, k)[k];
    if (is_redundant(A, k, pivot, diagonal_[static_cast<std::size_t>(k)]))
      for (int i = k + 1; i < rows_; ++i) row(L_, i)[k] = 0.0;
    else
      eliminate(k);
  }
}

/// Row k of D Lᵀ stays as it is; what it leaves of the rows after it.
void SchurComplement::eliminate(int k) {
  double* r = row(S_, k);
  const double inverse = 1.0 / r[k];
  for (int i = k + 1; i < rows_; ++i) {
    const double l = r[i] * inverse;
    row(L_, i)[k] = l;
    add(-l, r, row(S_, i), static_cast<std::size_t>(i), stride_);
  }
  r[k] = inverse;
  chosen_.push_back(k);
}

/// The rank is A's own affair: S has the square of its condition. Where little is left of an equation's pivot
/// it is written as a sum of the ones before it, and what that misses of its row of A decides.
bool SchurComplement::is_redundant(MatrixView<const double> A, int k, double pivot, double whole) {
  constexpr double clearly_independent = 1e-6;
  const double rounding = rank_threshold * rank_threshold;
  if (!(whole > rounding * largest_ && pivot > rounding * whole)) return true;  // also what is not a number
  if (pivot > clearly_independent * whole) return false;
  for (std::size_t j = chosen_.size(); j-- > 0;) {  // weights = L⁻ᵀ l, l the row of k
    const double* r = row(S_, chosen_[j]);
    double sum = r[k];
    for (std::size_t i = j + 1; i < chosen_.size(); ++i) sum -= r[chosen_[i]] * weights_[i];
    weights_[j] = sum * r[chosen_[j]];
  }
  double missing = 0.0, length = 0.0;
  for (int c = 0; c < A.cols; ++c) {
    double rest = A(k, c);
    length += rest * rest;
    for (std::size_t j = 0; j < chosen_.size(); ++j) rest -= weights_[j] * A(chosen_[j], c);
    missing += rest * rest;
  }
  return missing <= rounding * length;
}

void SchurComplement::solve(std::span<const double> r, std::span<double> lambda) {
  std::copy(r.begin(), r.end(), x_.begin());
  std::fill(y_.begin(), y_.end(), 0.0);  // redundant equations take no part
  for (const int k : chosen_) {
    const double y = x_[static_cast<std::size_t>(k)] * row(S_, k)[k];
    add(-y, row(S_, k), x_.data(), static_cast<std::size_t>(k) + 1, stride_);
    y_[static_cast<std::size_t>(k)] = y;
  }
  for (std::size_t j = chosen_.size(); j-- > 0;) {
    const auto k = static_cast<std::size_t>(chosen_[j]);
    add(-y_[k], row(L_, chosen_[j]), y_.data(), 0, k);
  }
  std::copy_n(y_.begin(), lambda.size(), lambda.begin());
}

}  // namespace ulna

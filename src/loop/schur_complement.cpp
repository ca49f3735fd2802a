#include "schur_complement.hpp"

#include <algorithm>
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

LoopPath path_of(const Model& tree, const LoopJoint& joint) {
  LoopPath path;
  for (const int end : {joint.a.body, joint.b.body})
    for (int i = end; i >= 0; i = tree.bodies()[static_cast<std::size_t>(i)].parent) path.bodies.push_back(i);
  std::sort(path.bodies.begin(), path.bodies.end(), std::greater<>());
  path.bodies.erase(std::unique(path.bodies.begin(), path.bodies.end()), path.bodies.end());
  if (tree.has_coupled_joints()) {  // with bodies elsewhere: the factor of M couples all
    for (int k = tree.nv(); k-- > 0;) path.degrees.push_back(k);
    return path;
  }
  for (const int i : path.bodies) {
    const Body& body = tree.bodies()[static_cast<std::size_t>(i)];
    for (int k = degrees_of(body.kind); k-- > 0;) path.degrees.push_back(body.v_index + k);
  }
  return path;
}

}  // namespace

SchurComplement::SchurComplement(const Model& model)
    : rows_(model.constraint_count()),
      stride_((static_cast<std::size_t>(rows_) + lanes - 1) / lanes * lanes),
      U_(static_cast<std::size_t>(model.nv()) * stride_),
      Y_(U_),
      S_(static_cast<std::size_t>(rows_) * stride_),
      weights_(static_cast<std::size_t>(rows_)),
      diagonal_(weights_),
      x_(stride_),
      y_(stride_) {
  chosen_.reserve(weights_.size());
  loops_.reserve(model.loops().size());
  int first = 0;
  for (const LoopJoint& joint : model.loops()) {
    loops_.push_back({first, constraint_count(joint.kind), path_of(model, joint)});
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
  multiply();
  factor(equations);
}

/// S = Uᵀ Y, its upper triangle and a little more, pack by pack.
void SchurComplement::multiply() {
  for (const Loop& loop : loops_) {
    for (int i = loop.row; i < loop.row + loop.count; ++i) {
      for (std::size_t j = static_cast<std::size_t>(i) / lanes * lanes; j < stride_; j += lanes) {
        Four sum(0.0);
        for (const int k : loop.path.degrees) sum += Four(row(U_, k)[i]) * Four::load(row(Y_, k) + j);
        sum.store(row(S_, i) + j);
      }
    }
  }
}

/// S = L D Lᵀ, equation by equation; those that are redundant are left out. Any largest set of independent ones
/// gives the same motion.
void SchurComplement::factor(const LoopEquations& equations) {
  chosen_.clear();
  largest_ = 0.0;
  for (int i = 0; i < rows_; ++i) {
    diagonal_[static_cast<std::size_t>(i)] = row(S_, i)[i];
    largest_ = std::max(largest_, row(S_, i)[i]);
  }
  for (int k = 0; k < rows_; ++k) {
    const double pivot = row(S_, k)[k];
    if (!is_redundant(equations, k, pivot, diagonal_[static_cast<std::size_t>(k)])) eliminate(k);
  }
}

/// Row k of D Lᵀ stays as it is; what it leaves of the rows after it.
void SchurComplement::eliminate(int k) {
  double* r = row(S_, k);
  const double inverse = 1.0 / r[k];
  for (int i = k + 1; i < rows_; ++i) add(-r[i] * inverse, r, row(S_, i), static_cast<std::size_t>(i), stride_);
  r[k] = inverse;
  chosen_.push_back(k);
}

/// The rank is A's own affair: S has the square of its condition. Where little is left of an equation's pivot
/// it is written as a sum of the ones before it, and what that misses of its row of A decides.
bool SchurComplement::is_redundant(const LoopEquations& equations, int k, double pivot, double whole) {
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
  const MatrixView<const double> A = equations.matrix();
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
  for (const int k : chosen_) {
    const double y = x_[static_cast<std::size_t>(k)] * row(S_, k)[k];
    add(-y, row(S_, k), x_.data(), static_cast<std::size_t>(k) + 1, stride_);
    y_[static_cast<std::size_t>(k)] = y;
  }
  std::fill(x_.begin(), x_.end(), 0.0);  // redundant equations take no part
  for (std::size_t j = chosen_.size(); j-- > 0;) {
    const double* next = row(S_, chosen_[j]);
    const auto k = static_cast<std::size_t>(chosen_[j]);
    double sum = 0.0;
    for (std::size_t i = k + 1; i < static_cast<std::size_t>(rows_); ++i) sum += next[i] * x_[i];
    x_[k] = y_[k] - next[k] * sum;
  }
  std::copy_n(x_.begin(), lambda.size(), lambda.begin());
}

}  // namespace ulna

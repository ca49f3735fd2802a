#include "ulna/loop/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "matrix_of.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

/// Loops with less are closed, wherever rounding or a singular position stopped the search.
constexpr double small_residual = 1e-9;

/// Closes loops by Newton's method on local coordinates.
class Newton {
 public:
  Newton(const Model& model, std::span<const double> q, std::span<const int> held)
      : model_(model), equations_(model), q_(q.begin(), q.end()) {
    for (int k = 0; k < model.nv(); ++k)
      if (std::find(held.begin(), held.end(), k) == held.end()) free_.push_back(k);
  }

  Assembly run() {
    const std::vector<double> start = q_;
    Assembly best = search();
    // a dead centre holds Newton's method up: no direction is better; one beside it may be
    std::mt19937_64 random(1);
    for (double size = 1e-3; !best.closed && size < 0.1; size *= 4.0) {
      Vector shake(static_cast<Eigen::Index>(free_.size()));
      for (double& x : shake) x = size * std::uniform_real_distribution<double>(-1.0, 1.0)(random);
      move(start, shake);
      Assembly other = search();
      if (other.closed || other.residual < best.residual) best = std::move(other);
    }
    return best;
  }

 private:
  Assembly search() {
    equations_.update(q_);
    int iteration = 0;
    for (; iteration < 100 && equations_.largest_residual() > closed_residual; ++iteration)
      if (!improve()) break;
    const double residual = equations_.largest_residual();
    const bool over = is_turned_over();
    return {q_, residual < small_residual && !over, residual, iteration,
            equations_.rows() > 0 ? equations_.worst_joint().name : ""};
  }

  double length() const {
    double sum = 0.0;
    for (const double r : equations_.residual()) sum += r * r;
    return std::sqrt(sum);
  }

  /// One step of least length, halved until the residual falls.
  bool improve() {
    if (free_.empty()) return false;
    const auto all = matrix_of(equations_);
    Matrix A(all.rows(), static_cast<Eigen::Index>(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k) A.col(static_cast<Eigen::Index>(k)) = all.col(free_[k]);
    const Vector r = Eigen::Map<const Vector>(equations_.residual().data(), all.rows());
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver(A);
    solver.setThreshold(rank_threshold);
    const Vector step = solver.solve(-r);
    const double before = length();
    const std::vector<double> start = q_;
    // turns beyond half a radian say nothing that the next step would not
    double share = std::min(1.0, 0.5 / std::max(step.cwiseAbs().maxCoeff(), 1e-300));
    for (int halving = 0; halving < 40; ++halving, share *= 0.5) {
      move(start, share * step);
      equations_.update(q_);
      if (length() < before) return true;
    }
    q_ = start;
    equations_.update(q_);
    return false;
  }

  void move(const std::vector<double>& start, const Vector& step) {
    std::vector<double> all(static_cast<std::size_t>(model_.nv()), 0.0);
    for (std::size_t k = 0; k < free_.size(); ++k)
      all[static_cast<std::size_t>(free_[k])] = step[static_cast<Eigen::Index>(k)];
    integrate(model_, start, all, q_);
  }

  /// The skew part of a rotation and the z axis' x and y vanish for half turns too.
  bool is_turned_over() const {
    Kinematics<double> kinematics(model_);
    kinematics.update_positions(q_);
    for (const LoopJoint& joint : model_.loops()) {
      if (!locks(joint.kind, 0) || !locks(joint.kind, 1)) continue;  // its axis may tilt
      const Mat3<double> R = transpose(kinematics.pose(joint.a).R) * kinematics.pose(joint.b).R;
      if (R.zz < 0.0) return true;
      if (locks(joint.kind, 2) && R.xx + R.yy + R.zz < 1.0) return true;
    }
    return false;
  }

  const Model& model_;
  LoopEquations equations_;
  std::vector<double> q_;
  std::vector<int> free_;
};

}  // namespace

std::string Assembly::miss() const {
  if (residual < small_residual) return fmt::format("'{}' closes only with its second frame turned over", worst_joint);
  return fmt::format("'{}' is off by {:.3g}", worst_joint, residual);
}

Assembly assemble(const Model& model, VectorIn<double> q, std::span<const int> held) {
  return Newton(model, q, held).run();
}

}  // namespace ulna

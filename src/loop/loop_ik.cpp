#include "ulna/loop/loop_ik.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "kinematics/ik_refine.hpp"
#include "matrix_of.hpp"
#include "model/beyond_its_limit.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {

namespace {

/// Errors of the targets and of the loops as one list of numbers, with its derivatives.
class LoopIkRows {
 public:
  LoopIkRows(const Model& model, const IkProblem& problem)
      : model_(model), problem_(problem), equations_(model), kinematics_(model) {
    const int count = equations_.rows() + 6 * static_cast<int>(problem.rows.size());
    r_.resize(count);
    A_.resize(count, model.nv());
  }

  /// What is missing, and slopes() dq ≈ missing().
  void update(std::span<const double> q) {
    // Loops come first: where a target is out of reach the sum of squares gives way at the target.
    constexpr double weight_of_loops = 1e3;
    equations_.update(q);
    const Eigen::Index loops = equations_.rows();
    A_.topRows(loops) = weight_of_loops * matrix_of(equations_);
    r_.head(loops) = -weight_of_loops * Eigen::Map<const Vector>(equations_.residual().data(), loops);
    kinematics_.update_positions(q);
    Matrix J(6, model_.nv());
    for (std::size_t k = 0; k < problem_.rows.size(); ++k) {
      kinematics_.jacobian(problem_.rows[k].frame, Reference::world_axes, J);
      const Eigen::Index first = loops + 6 * static_cast<Eigen::Index>(k);
      set_position(k, J, first);
      set_turn(k, J, first + 3);
    }
  }
  double square() const { return r_.squaredNorm(); }
  const Vector& missing() const { return r_; }
  const Matrix& slopes() const { return A_; }

 private:
  void set_row(Eigen::Index row, double scale, const Vec3<double>& along, double error, const Matrix& J, int first) {
    r_[row] = scale * error;
    A_.row(row) = scale * (along.x * J.row(first) + along.y * J.row(first + 1) + along.z * J.row(first + 2));
  }

  void set_position(std::size_t k, const Matrix& J, Eigen::Index row) {
    const IkRows& rows = problem_.rows[k];
    const Vec3<double> missing = problem_.targets[k].pose.p - kinematics_.pose(rows.frame).p;
    set_row(row, rows.position_scale[0], {1, 0, 0}, missing.x, J, 3);
    set_row(row + 1, rows.position_scale[1], {0, 1, 0}, missing.y, J, 3);
    set_row(row + 2, rows.position_scale[2], {0, 0, 1}, missing.z, J, 3);
  }

  /// About the axes of the target; free about z by the shortest turn of that axis.
  void set_turn(std::size_t k, const Matrix& J, Eigen::Index row) {
    const IkRows& rows = problem_.rows[k];
    const Mat3<double>&to = problem_.targets[k].pose.R, from = kinematics_.pose(rows.frame).R;
    Vec3<double> missing = log_rotation(to * transpose(from));
    if (rows.turn_rows == TurnRows::direction) {
      const Vec3<double> across = cross(from.column_z(), to.column_z());
      const double sine = norm(across), angle = std::atan2(sine, dot(from.column_z(), to.column_z()));
      missing = sine > 0.0 ? (angle / sine) * across : angle * to.column_x();
    }
    const Vec3<double> axes[] = {to.column_x(), to.column_y(), to.column_z()};
    for (std::size_t i = 0; i < 3; ++i)
      set_row(row + static_cast<Eigen::Index>(i), rows.turn_scale[i], axes[i], dot(axes[i], missing), J, 0);
  }

  const Model& model_;
  const IkProblem& problem_;
  LoopEquations equations_;
  Kinematics<double> kinematics_;
  Vector r_;
  Matrix A_;
};

class LoopIkSearch {
 public:
  LoopIkSearch(const Model& model, const std::vector<IkTarget>& targets, const IkOptions& options)
      : model_(model),
        tree_(model.tree()),
        problem_(tree_, targets, options),
        refiner_(problem_),
        rows_(model, problem_) {
    for (const IkTarget& target : targets) poses_.push_back(target.pose);
    problem_.expect_poses(poses_);
    refiner_.set_target(poses_);
  }

  IkSolution run(VectorIn<double> start, IkPreference preference) {
    constexpr int enough = 32;  // that reach the target, to choose the nearest from
    if (!start.empty()) problem_.expect_start(start);
    centre_.assign(start.begin(), start.end());
    const std::vector<double> first = start.empty() ? model_.neutral() : std::vector(start.begin(), start.end());
    std::mt19937_64 generator(1);
    IkDistance distance(tree_);
    std::optional<IkSolution> best;
    double best_way = 0.0;
    int found = 0;
    for (int k = 0; k < problem_.options.starts && found < (preference == IkPreference::near ? enough : 1); ++k) {
      std::optional<IkSolution> next = descend(k == 0 ? first : random_position(model_, generator));
      if (!next) continue;
      next->starts = k + 1;
      const double way = distance(next->q, first);
      found += next->solved ? 1 : 0;
      if (!best || is_better(*next, way, *best, best_way)) {
        best = std::move(next);
        best_way = way;
      }
    }
    if (!best) throw InputError("no position was found at which the loops of '" + model_.name() + "' are closed");
    return *best;
  }

  void forget_limits() {
    std::fill(problem_.lower.begin(), problem_.lower.end(), -std::numeric_limits<double>::infinity());
    std::fill(problem_.upper.begin(), problem_.upper.end(), std::numeric_limits<double>::infinity());
    has_limits_ = false;
  }

 private:
  double error_of(const IkSolution& solution) const {
    return std::max(solution.position_error / problem_.length, solution.orientation_error);
  }
  bool is_better(const IkSolution& a, double way, const IkSolution& b, double other_way) const {
    if (a.solved != b.solved) return a.solved;
    return a.solved ? way < other_way : error_of(a) < error_of(b);
  }

  /// From a start to the least error, with the loops closed; none where they do not close, or beyond the limits.
  std::optional<IkSolution> descend(std::vector<double> q) {
    constexpr int most_steps = 500;      // the way along the closed positions may be curved
    constexpr double rounding = 1e-9;    // by which closing the loops may move a joint that stands at a limit
    constexpr double least_fall = 1e-8;  // of the sum of squares, which ends a way that leads nowhere
    if (has_limits_) clamp(q);
    rows_.update(q);
    double damping = 1e-3;
    for (int k = 0; k < most_steps && rows_.square() > 1e-26; ++k) {
      const double before = rows_.square();
      if (!improve(q, damping) || before - rows_.square() < least_fall * before) break;
    }
    Assembly closed = assemble(model_, q);
    bring_into_limits(tree_, centre_, closed.q);
    if (!closed.closed || (has_limits_ && !beyond_its_limit(model_, closed.q, rounding).empty())) return {};
    IkSolution solution{refiner_.errors(closed.q), closed.q, {}};
    solution.solved = solution.position_error <= problem_.options.position_tolerance &&
                      solution.orientation_error <= problem_.options.orientation_tolerance;
    return solution;
  }

  /// One damped step that makes the sum of squares less. Joints at a limit that press against it stay.
  bool improve(std::vector<double>& q, double& damping) {
    constexpr double most_damping = 1e8;
    const std::vector<double> start = q;
    const double before = rows_.square();
    Matrix A = rows_.slopes();
    const Vector push = A.transpose() * rows_.missing();
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      if (presses(q, static_cast<std::size_t>(j), push[j])) A.col(j).setZero();
    const Matrix square = A.transpose() * A;
    const Vector right = A.transpose() * rows_.missing();
    for (; damping < most_damping; damping *= 8.0) {
      Matrix damped = square;
      damped.diagonal().array() += damping;
      Vector step = Eigen::LLT<Matrix>(damped).solve(right);
      const double largest = step.cwiseAbs().maxCoeff();
      if (largest > 0.5) step *= 0.5 / largest;  // turns beyond half a radian say nothing that the next would not
      integrate(model_, start, std::span<const double>(step.data(), static_cast<std::size_t>(step.size())), q);
      if (has_limits_) clamp(q);
      rows_.update(q);
      if (rows_.square() < before) {
        damping = std::max(0.1 * damping, 1e-12);
        return true;
      }
    }
    q = start;
    rows_.update(q);
    return false;
  }

  bool presses(const std::vector<double>& q, std::size_t j, double push) const {
    const int at = model_.q_of_v()[j];
    if (!has_limits_ || at < 0) return false;
    const double x = q[static_cast<std::size_t>(at)];
    return (x <= problem_.lower[j] && push < 0.0) || (x >= problem_.upper[j] && push > 0.0);
  }
  void clamp(std::vector<double>& q) const {
    for (std::size_t j = 0; j < problem_.lower.size(); ++j) {
      const int at = model_.q_of_v()[j];
      if (at < 0) continue;
      double& x = q[static_cast<std::size_t>(at)];
      x = std::clamp(x, problem_.lower[j], problem_.upper[j]);
    }
  }

  const Model& model_;
  Model tree_;
  IkProblem problem_;
  IkRefiner refiner_;
  LoopIkRows rows_;
  std::vector<Pose<double>> poses_;
  std::vector<double> centre_;  // hinges take the turn that is nearest to it; empty: to the middle of their ranges
  bool has_limits_ = true;
};

}  // namespace

IkSolution solve_loop_ik(const Model& model, const std::vector<IkTarget>& targets, VectorIn<double> start,
                         IkPreference preference, const IkOptions& options) {
  if (preference != IkPreference::any && preference != IkPreference::near)
    throw InputError("of robots with closed loops the position is any, or the one near the start");
  LoopIkSearch search(model, targets, options);
  IkSolution solution = search.run(start, preference);
  if (solution.solved) return solution;
  search.forget_limits();
  solution.reason =
      search.run(solution.q, IkPreference::any).solved ? "the limits of the joints" : "the lengths of the links";
  return solution;
}

}  // namespace ulna

#include "ulna/kinematics/inverse_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ik_postures.hpp"
#include "ik_preference.hpp"

namespace ulna {

namespace {

Vec3<double> unit(const Vec3<double>& a, const char* what) {
  const double length = norm(a);
  if (!(length > 0.0) || !std::isfinite(length)) throw std::invalid_argument(std::string(what) + " has no length");
  return (1.0 / length) * a;
}

/// A rotation whose z is this.
Mat3<double> rotation_with_z(const Vec3<double>& z) {
  const Vec3<double> other = std::abs(z.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> x = unit(cross(other, z), "an axis");
  return Mat3<double>::from_columns(x, cross(z, x), z);
}

/// Of one target several starts, each by itself.
class Candidates final : public IkJobs {
 public:
  static constexpr std::size_t count = 32;

  explicit Candidates(const IkProblem& problem)
      : problem_(problem), nq_(static_cast<std::size_t>(problem.model.nq())), positions_(nq_ * count) {}

  void set(std::span<const Pose<double>> poses, std::span<const double> start) {
    poses_ = poses;
    start_ = start;
    order_ = problem_.starts.best(poses);
  }
  IkJob at(std::size_t k) const override {
    const bool is_given = k == 0 && !start_.empty();
    const double* from = is_given ? start_.data() : problem_.starts.position(problem_.starts.index(order_, k));
    return {poses_, from, 1, &positions_[k * nq_], &results_[k]};
  }
  const IkResult& result(std::size_t k) const { return results_[k]; }
  std::span<double> position(std::size_t k) { return std::span<double>(positions_).subspan(k * nq_, nq_); }

 private:
  const IkProblem& problem_;
  std::size_t nq_;
  std::span<const Pose<double>> poses_;
  std::span<const double> start_;
  IkStarts::Order order_{};
  mutable std::vector<double> positions_;
  mutable std::array<IkResult, count> results_;
};

/// The same without the limits of hinges: a slide's are its length.
IkProblem without_turn_limits(const IkProblem& problem) {
  IkProblem open = problem;
  for (std::size_t j = 0; j < open.lower.size(); ++j) {
    if (!is_hinge(problem.model.joint_of(static_cast<int>(j)).kind)) continue;
    open.lower[j] = -std::numeric_limits<double>::infinity();
    open.upper[j] = std::numeric_limits<double>::infinity();
  }
  return open;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

}  // namespace

IkTarget pose_target(const Frame& frame, const Pose<double>& pose) { return {.frame = frame, .pose = pose}; }

IkTarget position_target(const Frame& frame, const Vec3<double>& position) {
  return {.frame = frame, .pose = {Mat3<double>::identity(), position}, .orientation = Vec3<double>::zero()};
}

IkTarget orientation_target(const Frame& frame, const Mat3<double>& orientation) {
  return {.frame = frame, .pose = {orientation, Vec3<double>::zero()}, .position = Vec3<double>::zero()};
}

IkTarget direction_target(const Frame& frame, const Vec3<double>& axis, const Vec3<double>& direction,
                          const Vec3<double>& position) {
  IkTarget target{.frame = frame, .orientation = {1.0, 1.0, 0.0}};
  target.frame.pose.R = frame.pose.R * rotation_with_z(unit(axis, "the axis of a direction target"));
  target.pose = {rotation_with_z(unit(direction, "the direction of a target")), position};
  return target;
}

IkTarget direction_target(const Frame& frame, const Vec3<double>& axis, const Vec3<double>& direction) {
  IkTarget target = direction_target(frame, axis, direction, Vec3<double>::zero());
  target.position = Vec3<double>::zero();
  return target;
}

struct [[gnu::visibility("hidden")]] InverseKinematics::Implementation {
  Implementation(const Model& model, std::vector<IkTarget> targets, const IkOptions& options)
      : problem(model, std::move(targets), options),
        search(problem),
        refiner(problem),
        judge(problem),
        candidates(problem) {}

  IkResult solve(std::span<const Pose<double>> poses, std::span<const double> start, std::span<double> q) {
    IkResult result;
    search.solve({poses, start.empty() ? nullptr : start.data(), problem.options.starts, q.data(), &result});
    if (!result.solved) {
      const int starts = result.starts;
      refiner.set_target(poses);
      result = refiner.descend(q);
      result.starts = starts;
    }
    bring_into_limits(problem.model, start, q);
    return result;
  }

  /// The best few are improved: what is cheap at first need not be in the end.
  IkResult solve_preferred(std::span<const Pose<double>> poses, std::span<const double> start, IkPreference preference,
                           std::span<double> q) {
    constexpr int improved = 4;
    judge.set(preference, start);
    refiner.set_target(poses);
    candidates.set(poses, start);
    search.solve_each(candidates, 0, Candidates::count);
    std::array<double, Candidates::count> cost;
    for (std::size_t k = 0; k < cost.size(); ++k) {
      const bool good = candidates.result(k).solved && bring_into_limits(problem.model, start, candidates.position(k));
      cost[k] = good ? judge.cost(candidates.position(k)) : std::numeric_limits<double>::infinity();
    }
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < improved; ++round) {
      const auto least = std::min_element(cost.begin(), cost.end());
      if (!(*least < std::numeric_limits<double>::infinity())) break;
      *least = std::numeric_limits<double>::infinity();
      const std::span<double> one = candidates.position(static_cast<std::size_t>(least - cost.begin()));
      judge.improve(refiner, one);
      if (!(judge.cost(one) < best)) continue;
      best = judge.cost(one);
      std::copy(one.begin(), one.end(), q.begin());
    }
    if (!(best < std::numeric_limits<double>::infinity())) return solve(poses, start, q);
    IkResult result = refiner.errors(q);
    result.starts = static_cast<int>(Candidates::count);
    return result;
  }

  IkProblem problem;
  IkSearch search;
  IkRefiner refiner;
  IkJudge judge;
  Candidates candidates;
};

InverseKinematics::InverseKinematics(const Model& model, std::vector<IkTarget> targets, const IkOptions& options)
    : implementation_(std::make_unique<Implementation>(model, std::move(targets), options)) {}
InverseKinematics::InverseKinematics(InverseKinematics&&) noexcept = default;
InverseKinematics& InverseKinematics::operator=(InverseKinematics&&) noexcept = default;
InverseKinematics::~InverseKinematics() = default;

IkResult InverseKinematics::solve(std::span<const Pose<double>> poses, VectorIn<double> start, VectorOut<double> q) {
  return solve(poses, start, IkPreference::any, q);
}

IkResult InverseKinematics::solve(std::span<const Pose<double>> poses, VectorIn<double> start, IkPreference preference,
                                  VectorOut<double> q) {
  implementation_->problem.expect_poses(poses);
  implementation_->problem.expect_start(start);
  expect_size("q", q.size(), model().nq());
  return preference == IkPreference::any ? implementation_->solve(poses, start, q)
                                         : implementation_->solve_preferred(poses, start, preference, q);
}

InverseKinematics::Postures InverseKinematics::all(std::span<const Pose<double>> poses, int samples) {
  implementation_->problem.expect_poses(poses);
  if (samples < 1) throw std::invalid_argument("a family of postures needs one sample at least");
  return find_postures(implementation_->problem, implementation_->search, implementation_->refiner, poses, samples);
}

std::string InverseKinematics::reason(std::span<const Pose<double>> poses, VectorIn<double> q) {
  implementation_->problem.expect_poses(poses);
  expect_size("q", q.size(), model().nq());
  implementation_->refiner.set_target(poses);
  const std::vector<std::string> pressing = implementation_->refiner.pressing(q);
  const IkProblem open = without_turn_limits(implementation_->problem);
  IkSearch search(open);
  IkResult result;
  std::vector<double> anywhere(q.size());
  search.solve({poses, nullptr, open.options.starts, anywhere.data(), &result});
  if (result.solved)
    return pressing.empty() ? "the limits of the joints"
                            : "the limits of the joints; here those of " + listed(pressing);
  return "the lengths of the links: no angles reach it, within limits or beyond";
}

const Model& InverseKinematics::model() const { return implementation_->problem.model; }
std::span<const IkTarget> InverseKinematics::targets() const { return implementation_->problem.targets; }

IkSolution solve_ik(const Model& model, const std::vector<IkTarget>& targets, VectorIn<double> start,
                    IkPreference preference, const IkOptions& options) {
  InverseKinematics solver(model, targets, options);
  std::vector<Pose<double>> poses;
  poses.reserve(targets.size());
  for (const IkTarget& target : targets) poses.push_back(target.pose);
  IkSolution solution;
  solution.q.resize(static_cast<std::size_t>(model.nq()));
  static_cast<IkResult&>(solution) = solver.solve(poses, start, preference, solution.q);
  if (!solution.solved) solution.reason = solver.reason(poses, solution.q);
  return solution;
}

}  // namespace ulna

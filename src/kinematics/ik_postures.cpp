#include "ik_postures.hpp"

#include <algorithm>
#include <cmath>

#include "closed_form_ik.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {

namespace {

using Position = std::vector<double>;

/// Two that are nearer are one: tolerances of 1e-6 leave a thousandth of this, but beside singular postures.
constexpr double same_posture = 1e-3;

/// Every start by itself.
class SingleStarts final : public IkJobs {
 public:
  SingleStarts(const Model& model, std::span<const Pose<double>> poses, std::size_t count) : poses_(poses) {
    std::mt19937 generator(2);
    for (std::size_t k = 0; k < count; ++k) starts_.push_back(random_position(model, generator));
    found_.assign(count, Position(static_cast<std::size_t>(model.nq())));
    results_.resize(count);
  }
  IkJob at(std::size_t k) const override { return {poses_, starts_[k].data(), 1, found_[k].data(), &results_[k]}; }
  std::size_t size() const { return starts_.size(); }
  bool solved(std::size_t k) const { return results_[k].solved; }
  Position& position(std::size_t k) { return found_[k]; }

 private:
  std::span<const Pose<double>> poses_;
  std::vector<Position> starts_;
  mutable std::vector<Position> found_;
  mutable std::vector<IkResult> results_;
};

/// How many velocities move one of the frames.
int moving_degrees(const IkProblem& problem) {
  const std::span<const Body> bodies = problem.model.bodies();
  std::vector<bool> moves(static_cast<std::size_t>(problem.model.nv()));
  for (const IkTarget& target : problem.targets) {
    for (int i = target.frame.body; i >= 0; i = bodies[static_cast<std::size_t>(i)].parent) {
      const Body& body = bodies[static_cast<std::size_t>(i)];
      for (int k = 0; k < degrees_of(body.kind); ++k) moves[static_cast<std::size_t>(body.v_index + k)] = true;
    }
  }
  return static_cast<int>(std::count(moves.begin(), moves.end(), true));
}

/// How many motions leave the targets in place at most postures: what moves a frame, less the rank of the rows' matrix.
/// Rows may say the same, or what the arm cannot change: a planar arm's height. The trace of a projection is the
/// dimension of what it leaves.
int spare_motions(const IkProblem& problem, IkRefiner& refiner) {
  constexpr int postures = 8;
  const int nv = problem.model.nv(), still = nv - moving_degrees(problem);
  std::mt19937 generator(3);
  std::vector<double> direction(static_cast<std::size_t>(nv));
  int least = nv;
  for (int k = 0; k < postures; ++k) {
    const Position q = random_position(problem.model, generator);
    double trace = 0.0;
    for (std::size_t j = 0; j < direction.size(); ++j) {
      std::fill(direction.begin(), direction.end(), 0.0);
      direction[j] = 1.0;
      refiner.project(q, direction);
      trace += direction[j];
    }
    least = std::min(least, static_cast<int>(std::lround(trace)));
  }
  return least - still;
}

bool is_full_pose(const IkProblem& problem) { return problem.rows.size() == 1 && problem.rows[0].count == 6; }

class PostureFinder {
 public:
  PostureFinder(const IkProblem& problem, IkSearch& search, IkRefiner& refiner, std::span<const Pose<double>> poses)
      : problem_(problem), search_(search), refiner_(refiner), poses_(poses), distance_(problem.model) {
    refiner_.set_target(poses);
  }

  InverseKinematics::Postures by_closed_form(const ClosedFormIk& closed) {
    InverseKinematics::Postures postures;
    postures.closed_form = true;
    for (const ClosedFormIk::Angles& angles : closed.solve(poses_[0])) {
      Position q(angles.begin(), angles.end());
      if (bring_into_limits(problem_.model, {}, q) && refiner_.arrive(q)) add_if_new(postures.q, q);
    }
    sort_apart(postures);
    return postures;
  }

  InverseKinematics::Postures by_search(std::size_t most) {
    InverseKinematics::Postures postures;
    for (const Position& q : searched(2048)) {
      add_if_new(postures.q, q);
      postures.cut = postures.q.size() > most;
      if (!postures.cut) continue;
      postures.q.pop_back();
      break;
    }
    sort_apart(postures);
    return postures;
  }

  InverseKinematics::Postures families(int samples) {
    std::vector<std::vector<Position>> curves;
    for (const Position& q : searched(256)) {
      const auto is_on = [&](const std::vector<Position>& curve) {
        return std::any_of(curve.begin(), curve.end(),
                           [&](const Position& p) { return distance_(p, q) < 1.5 * stride; });
      };
      if (std::none_of(curves.begin(), curves.end(), is_on)) curves.push_back(trace(q));
    }
    std::sort(curves.begin(), curves.end());
    InverseKinematics::Postures postures;
    for (std::size_t k = 0; k < curves.size(); ++k) {
      const std::size_t count = std::min(curves[k].size(), static_cast<std::size_t>(samples));
      for (std::size_t s = 0; s < count; ++s) {
        postures.q.push_back(curves[k][count == 1 ? 0 : s * (curves[k].size() - 1) / (count - 1)]);
        postures.family.push_back(static_cast<int>(k));
      }
    }
    return postures;
  }

 private:
  static constexpr double stride = 0.05, least_stride = 1e-3;  // along a family, in radians

  std::vector<Position> searched(std::size_t starts) {
    SingleStarts jobs(problem_.model, poses_, starts);
    search_.solve_each(jobs, 0, jobs.size());
    std::vector<Position> found;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      Position& q = jobs.position(k);
      if (jobs.solved(k) && bring_into_limits(problem_.model, {}, q) && refiner_.arrive(q)) found.push_back(q);
    }
    return found;
  }

  void add_if_new(std::vector<Position>& to, const Position& q) {
    if (std::none_of(to.begin(), to.end(), [&](const Position& p) { return distance_(p, q) < same_posture; }))
      to.push_back(q);
  }

  static void sort_apart(InverseKinematics::Postures& postures) {
    // to the tolerance: joints that are the same in two postures differ by rounding
    const auto less = [](double x, double y) { return std::nearbyint(x * 1e5) < std::nearbyint(y * 1e5); };
    std::sort(postures.q.begin(), postures.q.end(), [&](const Position& a, const Position& b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
    });
    for (std::size_t k = 0; k < postures.q.size(); ++k) postures.family.push_back(static_cast<int>(k));
  }

  /// The direction of spare motion at q that goes on from `before`; empty where there is none.
  std::vector<double> spare_direction(const Position& q, std::vector<double> before) {
    refiner_.project(q, before);
    double square = 0.0;
    for (const double x : before) square += x * x;
    if (!(square > 1e-6)) return {};
    for (double& x : before) x /= std::sqrt(square);
    return before;
  }

  /// Of all joints the one that is freest.
  std::vector<double> some_direction(const Position& q) {
    std::vector<double> best;
    double most = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(problem_.model.nv()); ++k) {
      std::vector<double> unit(static_cast<std::size_t>(problem_.model.nv()));
      unit[k] = 1.0;
      refiner_.project(q, unit);
      double square = 0.0;
      for (const double x : unit) square += x * x;
      if (square > most) {
        most = square;
        best = unit;
      }
    }
    return best;
  }

  /// Until a limit, a singular posture or, `closed`, its own beginning.
  std::vector<Position> trace_one_way(const Position& from, std::vector<double> direction, bool& closed) {
    constexpr int most = 4000;
    std::vector<Position> way;
    Position q = from, next = from;
    double length = stride;
    for (int k = 0; k < most && length > least_stride; ++k) {
      const std::vector<double> along = spare_direction(q, direction);
      if (along.empty()) break;
      std::vector<double> step = along;
      for (double& x : step) x *= length;
      integrate(problem_.model, q, step, next);
      if (!refiner_.is_within(next) || !refiner_.arrive(next) || !refiner_.is_within(next) ||
          distance_(next, q) > 2.0 * length) {
        length *= 0.5;  // beyond a limit, or off a sharp bend
        continue;
      }
      closed = way.size() > 2 && distance_(next, from) < stride;
      if (closed) break;
      way.push_back(next);
      q = next;
      direction = along;
      length = std::min(stride, 2.0 * length);
    }
    return way;
  }

  std::vector<Position> trace(const Position& from) {
    std::vector<double> direction = some_direction(from);
    bool closed = false;
    std::vector<Position> curve = trace_one_way(from, direction, closed), back;
    for (double& x : direction) x = -x;
    if (!closed) back = trace_one_way(from, direction, closed);
    std::reverse(back.begin(), back.end());
    back.push_back(from);
    back.insert(back.end(), curve.begin(), curve.end());
    if (back.back() < back.front()) std::reverse(back.begin(), back.end());
    return back;
  }

  const IkProblem& problem_;
  IkSearch& search_;
  IkRefiner& refiner_;
  std::span<const Pose<double>> poses_;
  IkDistance distance_;
};

}  // namespace

InverseKinematics::Postures find_postures(const IkProblem& problem, IkSearch& search, IkRefiner& refiner,
                                          std::span<const Pose<double>> poses, int samples) {
  PostureFinder finder(problem, search, refiner, poses);
  if (is_full_pose(problem))
    if (const auto closed = ClosedFormIk::of(problem.model, problem.targets[0].frame))
      return finder.by_closed_form(*closed);
  const int spare = spare_motions(problem, refiner);
  InverseKinematics::Postures postures =
      spare == 1 ? finder.families(samples)
                 : finder.by_search(spare > 1 ? static_cast<std::size_t>(samples) : std::size_t{64});
  postures.spare = spare;
  return postures;
}

}  // namespace ulna

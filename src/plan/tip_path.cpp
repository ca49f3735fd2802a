#include "ulna/plan/tip_path.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/base/error.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {

namespace {

Pose<double> between(const Pose<double>& from, const Pose<double>& to, double share) {
  const Vec3<double> turn = log_rotation(transpose(from.R) * to.R);
  return {from.R * exp_rotation(share * turn), from.p + share * (to.p - from.p)};
}

/// The position that goes on from the last one, by one start: the nearest posture.
class Follower {
 public:
  Follower(const Model& model, const Frame& frame, const TipPathOptions& options)
      : options_(options),
        anywhere_(model, {pose_target(frame, Pose<double>::identity())}),
        next_(model, {pose_target(frame, Pose<double>::identity())}, {.starts = 1}),
        q_(static_cast<std::size_t>(model.nq())),
        before_(q_) {}

  /// Empty, or why the first pose cannot be reached.
  std::string begin(const Pose<double>& pose, VectorIn<double> start) {
    if (!start.empty() && next_.solve({&pose, 1}, start, q_).solved) return {};
    return anywhere_.solve({&pose, 1}, start, q_).solved ? "" : anywhere_.reason({&pose, 1}, q_);
  }

  std::string go_on(const Pose<double>& pose) {
    before_ = q_;
    const bool solved = next_.solve({&pose, 1}, before_, q_).solved;
    double most = 0.0;
    for (std::size_t k = 0; k < q_.size(); ++k) most = std::max(most, std::abs(q_[k] - before_[k]));
    if (solved && most <= options_.most_step) return {};
    const bool reachable = solved || anywhere_.solve({&pose, 1}, {}, q_).solved;
    return reachable ? "the posture cannot go on: it is singular, or at a limit, and others lie apart from it"
                     : anywhere_.reason({&pose, 1}, q_);
  }

  const std::vector<double>& position() const { return q_; }

 private:
  TipPathOptions options_;
  InverseKinematics anywhere_, next_;
  std::vector<double> q_, before_;
};

void expect_poses(std::span<const Pose<double>> poses) {
  if (poses.size() < 2) throw InputError("a path needs two poses at least");
  for (std::size_t k = 1; k < poses.size(); ++k) {
    const double turn = norm(log_rotation(transpose(poses[k - 1].R) * poses[k].R));
    if (!(norm(poses[k].p - poses[k - 1].p) + turn > 0.0))
      throw InputError("poses " + std::to_string(k) + " and " + std::to_string(k + 1) +
                       " of the path are the same or not finite");
  }
}

}  // namespace

TipPath straight_tip_path(const Model& model, const Frame& frame, std::span<const Pose<double>> poses,
                          VectorIn<double> start, const TipPathOptions& options) {
  expect_poses(poses);
  if (options.samples < 2) throw InputError("a leg of a path needs two samples at least");
  if (model.nq() != model.nv())
    throw InputError("paths are for robots whose joints have plain numbers, no quaternions");
  Follower follower(model, frame, options);
  TipPath result;
  result.reason = follower.begin(poses[0], start);
  if (!result.reason.empty()) return result;
  std::vector<Path> legs;
  for (std::size_t leg = 0; leg + 1 < poses.size(); ++leg) {
    std::vector<double> waypoints = follower.position();
    for (int k = 1; k <= options.samples; ++k) {
      const double share = static_cast<double>(k) / options.samples;
      result.reason = follower.go_on(between(poses[leg], poses[leg + 1], share));
      if (!result.reason.empty()) {
        result.leg = static_cast<int>(leg);
        result.share = static_cast<double>(k - 1) / options.samples;
        return result;
      }
      waypoints.insert(waypoints.end(), follower.position().begin(), follower.position().end());
    }
    legs.push_back(Path::spline(waypoints, static_cast<std::size_t>(model.nq())));
  }
  result.path = Path::joined(legs);
  return result;
}

}  // namespace ulna

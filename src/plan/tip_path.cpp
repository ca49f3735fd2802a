#include "ulna/plan/tip_path.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

IkTarget target_of(const Frame& frame, TipHold hold) {
  IkTarget target = pose_target(frame, Pose<double>::identity());
  if (hold == TipHold::direction) target.orientation = {1.0, 1.0, 0.0};
  if (hold == TipHold::position) target.orientation = {0.0, 0.0, 0.0};
  return target;
}

/// The position that goes on from the last one, by one start: the nearest posture.
class Follower {
 public:
  Follower(const Model& model, const Frame& frame, const TipPathOptions& options)
      : options_(options),
        anywhere_(model, {target_of(frame, options.hold)}),
        next_(model, {target_of(frame, options.hold)}, {.starts = 1}),
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
    return reachable ? "the posture cannot go on: " + what_ends_it() + ", and others lie apart from it"
                     : anywhere_.reason({&pose, 1}, q_);
  }

  const std::vector<double>& position() const { return q_; }

 private:
  /// Of the last position that was found.
  std::string what_ends_it() const {
    constexpr double near = 0.01;  // rad or m: within the last step
    const Model& model = anywhere_.model();
    std::string joints;
    for (std::size_t k = 0; k < before_.size(); ++k) {
      if (before_[k] - model.lower_limits()[k] > near && model.upper_limits()[k] - before_[k] > near) continue;
      joints += (joints.empty() ? "'" : ", '") + model.joint_of(static_cast<int>(k)).name + "'";
    }
    return joints.empty() ? "it is singular" : joints + " at a limit";
  }

  TipPathOptions options_;
  InverseKinematics anywhere_, next_;
  std::vector<double> q_, before_;
};

/// Positions from one rest to the next, as a path of its own.
class PathParts {
 public:
  explicit PathParts(std::size_t width) : width_(width) {}

  void add(const std::vector<double>& q) {
    if (waypoints_.size() < width_ ||
        !std::equal(q.begin(), q.end(), waypoints_.end() - static_cast<std::ptrdiff_t>(width_)))
      waypoints_.insert(waypoints_.end(), q.begin(), q.end());
  }
  void rest() {
    if (waypoints_.size() < 2 * width_) return;
    parts_.push_back(Path::spline(waypoints_, width_));
    waypoints_.erase(waypoints_.begin(), waypoints_.end() - static_cast<std::ptrdiff_t>(width_));
  }
  const std::vector<Path>& parts() const { return parts_; }

 private:
  std::size_t width_;
  std::vector<double> waypoints_;
  std::vector<Path> parts_;
};

}  // namespace

TipPath tip_path(const Model& model, const Frame& frame, const TipCurve& curve, VectorIn<double> start,
                 const TipPathOptions& options) {
  if (options.samples < 2) throw InputError("a piece of a path needs two samples at least");
  if (model.nq() != model.nv())
    throw InputError("paths are for robots whose joints have plain numbers, no quaternions");
  Follower follower(model, frame, options);
  PathParts parts(static_cast<std::size_t>(model.nq()));
  TipPath result;
  result.reason = follower.begin(curve.at(0, 0.0), start);
  if (!result.reason.empty()) return result;
  parts.add(follower.position());
  for (std::size_t piece = 0; piece < curve.piece_count(); ++piece) {
    for (int k = 1; k <= options.samples; ++k) {
      result.reason = follower.go_on(curve.at(piece, static_cast<double>(k) / options.samples));
      if (!result.reason.empty()) {
        result.leg = static_cast<int>(curve.move_of(piece));
        result.share = curve.share_of_move(piece, static_cast<double>(k - 1) / options.samples);
        return result;
      }
      parts.add(follower.position());
    }
    if (curve.rests_after(piece)) parts.rest();
  }
  if (parts.parts().empty()) {
    result.reason = "the joints need not move for what the frame has to keep";
    return result;
  }
  result.path = Path::joined(parts.parts());
  return result;
}

TipPath straight_tip_path(const Model& model, const Frame& frame, std::span<const Pose<double>> poses,
                          VectorIn<double> start, const TipPathOptions& options) {
  if (poses.size() < 2) throw InputError("a path needs two poses at least");
  std::vector<TipMove> moves;
  for (const Pose<double>& pose : poses.subspan(1)) moves.push_back({.to = pose});
  return tip_path(model, frame, TipCurve(poses[0], moves), start, options);
}

}  // namespace ulna

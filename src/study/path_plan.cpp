#include "ulna/study/path_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at_source.hpp"
#include "base/text_file.hpp"
#include "model/beyond_its_limit.hpp"
#include "model/number_uses.hpp"
#include "study/written_positions.hpp"
#include "ulna/base/csv_reader.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/plan/timed_motion.hpp"
#include "ulna/spatial/written_rotation.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_points = 100'000, most_poses = 2'000;  // each leg in space is asked 200 times

/// The moves of one kind between two rests, one after the other.
class PathMaker {
 public:
  PathMaker(const PathPlan& plan, const Model& model)
      : plan_(plan), model_(model), kinematics_(model), uses_(position_uses(model)), frame_(frame_of()) {
    if (model.nq() != model.nv())
      throw InputError("paths are for robots whose joints have plain numbers, no quaternions");
    if (!plan.posture.empty()) {
      const Posture* posture = model.find_posture(plan.posture);
      if (posture == nullptr)
        throw InputError(plan.source, fmt::format("'{}' has no posture '{}'", model.name(), plan.posture));
      q_ = posture->q;
    }
    if (!plan.start.empty()) q_ = position("start", plan.start, plan.source);
    if (!q_.empty()) set_pose();
  }

  TipPath make() {
    for (std::size_t k = 0; k < plan_.moves.size() && failed_.reason.empty(); ++k) {
      current_ = k;
      const PathMove& move = plan_.moves[k];
      at_source(move.source, [&] {  // paths and curves know no line
        add(move);
        const bool is_last = k + 1 == plan_.moves.size();
        if (is_last || is_in_space(move) != is_in_space(plan_.moves[k + 1])) finish();
      });
    }
    if (!failed_.reason.empty()) return failed_;
    if (parts_.empty()) throw InputError(plan_.source, "the path has one point only; give another move");
    return keep_limits(Path::joined(parts_));
  }

 private:
  static bool is_in_space(const PathMove& move) { return move.line || move.arc || !move.poses.empty(); }

  const Frame& frame_of() const {
    if (plan_.frame.empty()) return model_.tip();
    if (const Frame* frame = model_.find_frame(plan_.frame)) return *frame;
    std::vector<std::string> known;
    for (const Frame& frame : model_.frames()) known.push_back(frame.name);
    throw InputError(plan_.source, fmt::format("this robot has no link or frame '{}'; {}there are {}", plan_.frame,
                                               guess_for(plan_.frame, known), some_of(known)));
  }

  std::vector<double> position(const char* key, const JointNumbers& list, const Source& source) const {
    return written_positions(model_, key, list, source);
  }

  void set_pose() {
    kinematics_.update_positions(q_);
    pose_ = kinematics_.pose(frame_);
  }

  void add(const PathMove& move) {
    if (!move.joints.empty()) add_waypoint(position("joints", move.joints, move.source), move.blend);
    for (const JointNumbers& row : move.through) through_.push_back(position("through", row, move.source));
    if (!move.waypoints.empty()) read_waypoints(move.waypoints);
    if (!through_.empty()) add_spline();
    if (move.line) add_tip_move({.to = {orientation(move), *move.line}, .blend = move.blend});
    if (move.arc) {
      if (!pose_) throw InputError("an arc needs a beginning: give a start, or a line before it");
      add_tip_move({.to = {orientation(move), *move.arc}, .via = move.via, .blend = move.blend});
    }
    if (!move.poses.empty()) read_poses(move);
  }

  Mat3<double> orientation(const PathMove& move) const {
    if (move.orientation) return *move.orientation;
    if (!pose_) throw InputError("without a start the first line needs an orientation");
    return pose_->R;
  }

  void add_waypoint(const std::vector<double>& q, double blend) {
    if (q == q_) throw InputError("this move goes nowhere; leave it out");
    if (waypoints_.empty() && !q_.empty()) waypoints_ = q_;
    if (!waypoints_.empty()) blends_.push_back(blend);
    waypoints_.insert(waypoints_.end(), q.begin(), q.end());
    q_ = q;
    set_pose();
  }

  /// A spline is smooth by itself and has a rest at both ends.
  void add_spline() {
    end_straight();
    std::vector<double> all = q_;
    const std::size_t first = through_.front() == q_ ? 1 : 0;
    for (std::size_t k = first; k < through_.size(); ++k) all.insert(all.end(), through_[k].begin(), through_[k].end());
    parts_.push_back(Path::spline(all, uses_.size()));
    q_ = through_.back();
    through_.clear();
    set_pose();
  }

  void add_tip_move(const TipMove& move) {
    if (pose_) {
      TipCurve(*pose_, {&move, 1});  // it throws here, where the line is known
      tip_moves_.push_back(move);
      written_as_.push_back(current_);
    } else {
      first_pose_ = move.to;
    }
    pose_ = move.to;
  }

  void end_straight() {
    if (waypoints_.size() > uses_.size()) {
      blends_.pop_back();  // of the end, which is no corner
      parts_.push_back(Path::straight(waypoints_, uses_.size(), blends_));
    }
    waypoints_.clear();
    blends_.clear();
  }

  /// Before a move of the other kind, or the end.
  void finish() {
    end_straight();
    if (tip_moves_.empty()) {
      if (first_pose_ && q_.empty() && current_ + 1 < plan_.moves.size())
        throw InputError("this line only says where the path starts, and moves in the joints follow; give a start");
      return;
    }
    if (!q_.empty()) {
      kinematics_.update_positions(q_);
      first_pose_ = kinematics_.pose(frame_);
    }
    const TipPath followed = tip_path(model_, frame_, TipCurve(*first_pose_, tip_moves_), q_, {.hold = plan_.hold});
    if (!followed.path) {
      failed_ = followed;
      failed_.leg = static_cast<int>(written_as_[static_cast<std::size_t>(followed.leg)]);
      return;
    }
    parts_.push_back(*followed.path);
    tip_moves_.clear();
    written_as_.clear();
    q_.resize(uses_.size());
    std::vector<double> first(uses_.size()), second(uses_.size());
    parts_.back().at(parts_.back().length(), parts_.back().piece_count() - 1, q_, first, second);
    set_pose();
  }

  void read_waypoints(const std::string& file) {
    expect_regular_file(file, "file of waypoints");
    std::vector<NumberUse> uses{{}};
    uses.insert(uses.end(), uses_.begin(), uses_.end());
    CsvReader reader(file, "t" + std::string(uses_.size(), 'q'), std::move(uses), "file of waypoints");
    std::vector<double> row;
    while (reader.next(row)) {
      if (through_.size() == most_points) reader.fail("has more than 100,000 waypoints; thin it out");
      through_.emplace_back(row.begin() + 1, row.end());
    }
    if (through_.empty()) reader.fail("holds no row of numbers");
  }

  void read_poses(const PathMove& move) {
    expect_regular_file(move.poses, "file of poses");
    CsvReader reader(move.poses, "txyzqqqq", {}, "file of poses");
    std::vector<double> x;
    bool is_empty = true;
    while (reader.next(x)) {
      is_empty = false;
      const WrittenRotation turn = written_rotation(std::span(x).subspan<4, 4>());
      if (!turn.is_unit()) reader.fail("the quaternion qx, qy, qz, qw does not have length 1");
      if (tip_moves_.size() == most_poses) reader.fail("has more than 2,000 poses; thin it out");
      add_tip_move({.to = {turn.rotation, {x[1], x[2], x[3]}}, .blend = move.blend});
    }
    if (is_empty) reader.fail("holds no row of numbers");
  }

  /// A spline may swing beyond its waypoints.
  TipPath keep_limits(const Path& path) const {
    constexpr int samples = 16;        // of a piece, whose cubics have two turning points at most
    constexpr double rounding = 1e-6;  // what inverse kinematics may be off
    const std::size_t n = uses_.size();
    std::vector<double> q(n), first(n), second(n);
    for (std::size_t piece = 0; piece < path.piece_count(); ++piece) {
      for (int k = 0; k <= samples; ++k) {
        const double begin = path.ends()[piece], end = path.ends()[piece + 1];
        const double s = begin + (end - begin) * k / samples;
        path.at(s, piece, q, first, second);
        if (const std::string joint = beyond_its_limit(model_, q, rounding); !joint.empty()) {
          throw InputError(plan_.source, fmt::format("after {:.3g} of {:.3g} the path has {}; move the waypoints", s,
                                                     path.length(), joint));
        }
      }
    }
    return {path};
  }

  const PathPlan& plan_;
  const Model& model_;
  Kinematics<double> kinematics_;
  std::vector<NumberUse> uses_;
  const Frame& frame_;
  std::vector<double> q_;  // where the joints are; empty: nobody said
  std::optional<Pose<double>> pose_, first_pose_;
  std::vector<double> waypoints_, blends_;
  std::vector<std::vector<double>> through_;
  std::size_t current_ = 0;  // of the moves
  std::vector<TipMove> tip_moves_;
  std::vector<std::size_t> written_as_;  // of them: the move of the plan
  std::vector<Path> parts_;
  TipPath failed_;
};

/// One for each joint, or one for all; the limits as they are without a list.
void set_limits(const Model& model, const char* key, const JointNumbers& list, bool is_rate,
                std::vector<double>& limits) {
  if (list.empty()) return;
  if (list.size() != 1 && list.size() != limits.size()) {
    throw InputError(list.front().source,
                     fmt::format("limits.{} has {} numbers; give one for each of {} joints, or one", key, list.size(),
                                 limits.size()));
  }
  const std::vector<NumberUse> uses = is_rate ? rate_uses(model) : std::vector<NumberUse>(limits.size());
  for (std::size_t k = 0; k < limits.size(); ++k) {
    limits[k] = resolve(list[list.size() == 1 ? 0 : k], uses[k], key);
    if (!(limits[k] > 0.0)) {
      throw InputError(list.front().source, fmt::format("limits.{}: a limit is a positive number", key));
    }
  }
}

}  // namespace

TipPath path_of(const PathPlan& plan, const Model& model) { return PathMaker(plan, model).make(); }

TimingLimits limits_of(const PathPlan& plan, const Model& model) {
  TimingLimits limits = timing_limits(model);
  set_limits(model, "velocity", plan.velocity, true, limits.velocity);
  set_limits(model, "acceleration", plan.acceleration, true, limits.acceleration);
  set_limits(model, "effort", plan.effort, false, limits.torque);
  for (auto* list : {&limits.power, &limits.jerk, &limits.torque_rate})
    list->assign(limits.torque.size(), std::numeric_limits<double>::infinity());
  set_limits(model, "power", plan.power, false, limits.power);
  set_limits(model, "jerk", plan.jerk, true, limits.jerk);
  set_limits(model, "torque_rate", plan.torque_rate, false, limits.torque_rate);
  limits.tip_speed = plan.tip_speed;
  limits.tip_force = plan.tip_force;
  limits.tip_mass = plan.tip_mass;
  limits.tip_com = plan.tip_com;
  return limits;
}

std::shared_ptr<const ReferenceMotion> motion_of(const PathPlan& plan, const Model& model) {
  const TipPath followed = path_of(plan, model);
  if (!followed.path) {
    const Source at = plan.moves[static_cast<std::size_t>(followed.leg)].source;
    throw InputError(
        at, fmt::format("the path ends after {:.3g} % of this move: {}", 100.0 * followed.share, followed.reason));
  }
  Timing timing = fastest_timing(model, *followed.path, limits_of(plan, model));
  if (!timing.possible())
    throw InputError(plan.source, fmt::format("no motion follows the path: {}, after {:.4g} of {:.4g}", timing.reason,
                                              timing.blocked_at, followed.path->length()));
  return make_reference(*followed.path, std::move(timing));
}

}  // namespace ulna

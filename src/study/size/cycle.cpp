#include "ulna/study/size/cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at_source.hpp"
#include "model/beyond_its_limit.hpp"
#include "study/written_positions.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/plan/fastest_timing.hpp"
#include "ulna/plan/timed_motion.hpp"
#include "ulna/plan/tip_path.hpp"
#include "ulna/study/path_plan.hpp"

namespace ulna::sizing {

namespace {

constexpr std::size_t most_rows = 1'000'000;
// Of a motion from rest to rest: sampled by fewer its largest torque may fall between two rows.
constexpr double least_steps = 50.0;

/// Along a path in a given time: its length goes by a profile from rest to rest, each as long as its part of the path.
class PathInTime final : public ReferenceMotion {
 public:
  PathInTime(const Path& path, PointToPoint::Profile profile, double time) : path_(path) {
    double begin = 0.0;
    for (std::size_t k = 1; k <= path.piece_count(); ++k) {
      if (k < path.piece_count() && !path.rests(k)) continue;
      const double end = path.ends()[k], rate = time / path.length();
      lengths_.push_back(make_reference(PointToPoint{profile, {begin}, {end}, begin * rate, (end - begin) * rate}));
      breaks_.insert(breaks_.end(), lengths_.back()->breaks().begin(), lengths_.back()->breaks().end());
      begin = end;
    }
    for (std::size_t k = 1; k < path.piece_count(); ++k) breaks_.push_back(time_at(path.ends()[k], time));
    std::ranges::sort(breaks_);
  }

  void at(double t, double inside, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const auto next = std::ranges::upper_bound(path_.ends(), place(inside, inside).s) - path_.ends().begin();
    const std::size_t piece = std::min(static_cast<std::size_t>(next) - 1, path_.piece_count() - 1);
    const Place here = place(t, inside);
    path_.at(here.s, piece, q, v, a);
    for (std::size_t i = 0; i < q.size(); ++i) {
      a[i] = v[i] * here.acceleration + a[i] * here.rate * here.rate;
      v[i] *= here.rate;
    }
  }
  std::span<const double> breaks() const override { return breaks_; }
  std::size_t size() const override { return path_.width(); }

 private:
  struct Place {
    double s = 0.0, rate = 0.0, acceleration = 0.0;
  };
  Place place(double t, double inside) const {
    const auto is_over = [inside](const auto& length) { return length->breaks().back() <= inside; };
    const auto now = std::ranges::partition_point(lengths_, is_over);
    Place at;
    (now == lengths_.end() ? lengths_.back() : *now)->at(t, inside, {&at.s, 1}, {&at.rate, 1}, {&at.acceleration, 1});
    at.s = std::clamp(at.s, 0.0, path_.length());
    return at;
  }
  double time_at(double s, double time) const {
    double low = 0.0, high = time;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (place(middle, middle).s < s ? low : high) = middle;
    }
    return high;
  }

  const Path& path_;
  std::vector<std::shared_ptr<const ReferenceMotion>> lengths_;  // from one rest to the next
  std::vector<double> breaks_;
};

/// Appends the rows of one segment after the other.
class CycleRun {
 public:
  CycleRun(const Graph& robot, const Cycle& cycle, const KeepGoing& keep_going)
      : robot_(robot), cycle_(cycle), keep_going_(keep_going), model_(build(robot)) {
    if (!model_.loops().empty() || model_.nq() != model_.nv())
      throw InputError("sizing is for robots without closed loops, on a fixed base, with plain numbers for positions");
    q_ = cycle.start.empty() ? model_.neutral() : written_positions(model_, "start", cycle.start, cycle.source);
    width_ = q_.size();
    for (std::vector<double>* list : {&q_at_, &v_at_, &a_at_, &tau_at_}) list->resize(width_);
    expect_within_limits("start", q_, cycle.source);
  }

  CycleMotion run() {
    const std::vector<double> first = q_;
    for (const Segment& segment : cycle_.segments) {
      at_source(segment.source, [&] { add(segment); });  // paths and timings know no line
    }
    double off = 0.0;
    for (std::size_t i = 0; i < width_; ++i) off = std::max(off, std::abs(q_[i] - first[i]));
    if (off > 1e-6)
      motion_.notes.push_back(fmt::format("it ends up to {:.3g} rad or m from where it began: no whole cycle", off));
    return std::move(motion_);
  }

 private:
  void add(const Segment& segment) {
    carry(segment);
    if (segment.dwell > 0.0)
      rest(segment);
    else if (!segment.points.empty())
      follow_points(segment);
    else if (!segment.path.empty())
      follow_path(segment);
    else
      move(segment, Path::straight(both(segment), width_, 0.0), timing_limits(*loaded_), segment.time);
  }

  void expect_within_limits(const char* key, const std::vector<double>& q, const Source& source) const {
    constexpr double rounding = 1e-9;  // of degrees that were written for the limit and for the position
    if (const std::string joint = beyond_its_limit(model_, q, rounding); !joint.empty())
      throw InputError(source, fmt::format("'{}' has {}", key, joint));
  }

  void carry(const Segment& segment) {
    Graph graph = robot_;
    if (segment.payload > 0.0) add_payload(graph, {model_.tip().name, {.mass = segment.payload}});
    loaded_.emplace(build(graph));
    method_ = make_method<double>("auto", Quantity::inverse_dynamics, *loaded_);
    kinematics_.emplace(*loaded_);
  }

  std::vector<double> both(const Segment& segment) const {
    std::vector<double> way = q_;
    const std::vector<double> to = written_positions(model_, "to", segment.to, segment.source);
    expect_within_limits("to", to, segment.source);
    if (to == q_) throw InputError(segment.source, "this segment goes nowhere; for a rest give 'dwell'");
    way.insert(way.end(), to.begin(), to.end());
    return way;
  }

  /// The legs to the points take even parts of the time.
  void follow_points(const Segment& segment) {
    for (const Vec3<double>& point : segment.points) {
      kinematics_->update_positions(q_);
      const Pose<double> here = kinematics_->pose(loaded_->tip());
      const Pose<double> to{segment.orientation.value_or(here.R), point};
      const TipPath leg =
          straight_tip_path(*loaded_, loaded_->tip(), std::vector{here, to}, q_, {.hold = segment.hold});
      if (!leg.path) {
        throw InputError(segment.source,
                         fmt::format("the tip cannot go straight to {:g}, {:g}, {:g}: {:.3g} % of the way, then: {}",
                                     point.x, point.y, point.z, 100.0 * leg.share, leg.reason));
      }
      move(segment, *leg.path, timing_limits(*loaded_),
           segment.time ? std::optional(*segment.time / static_cast<double>(segment.points.size())) : std::nullopt);
    }
  }

  void follow_path(const Segment& segment) {
    constexpr double rounding = 1e-6;
    PathPlan plan = load_path_plan(segment.path);
    if (plan.start.empty() && plan.posture.empty()) plan.start.assign(q_.begin(), q_.end());
    const TipPath followed = path_of(plan, *loaded_);
    if (!followed.path) {
      throw InputError(segment.source, fmt::format("{}: the path ends after {:.3g} % of move {}: {}", segment.path,
                                                   100.0 * followed.share, followed.leg + 1, followed.reason));
    }
    followed.path->at(0.0, 0, q_at_, v_at_, a_at_);
    for (std::size_t i = 0; i < width_; ++i) {
      if (std::abs(q_at_[i] - q_[i]) <= rounding) continue;
      throw InputError(segment.source,
                       fmt::format("{} starts with '{}' at {:.6g}, and the segment before it ends at "
                                   "{:.6g}; leave the start of the path out",
                                   segment.path, model_.joint_of(static_cast<int>(i)).name, q_at_[i], q_[i]));
    }
    move(segment, *followed.path, limits_of(plan, *loaded_), segment.time);
  }

  void move(const Segment& segment, const Path& path, const TimingLimits& limits, std::optional<double> time) {
    if (time) {
      const std::size_t first = motion_.samples.weight.size();
      add(segment, PathInTime(path, cycle_.profile, *time), *time, least_steps);
      note_speeds(segment, limits, first);
    } else {
      if (norm(segment.force) > 0.0)
        throw InputError(segment.source, "the fastest motion is found without a force on the tip; give 'time'");
      const Timing timing = fastest_timing(*loaded_, path, limits);
      if (!timing.possible())
        throw InputError(segment.source, fmt::format("the robot cannot do this segment: {}", timing.reason));
      add(segment, *make_reference(path, timing), timing.duration(), least_steps);
    }
    std::vector<double> first(width_), second(width_);
    path.at(path.length(), path.piece_count() - 1, q_, first, second);
  }

  void rest(const Segment& segment) {
    add(segment, *make_reference(PointToPoint{cycle_.profile, q_, q_, 0.0, segment.dwell}), segment.dwell, 1.0);
  }

  void add(const Segment& segment, const ReferenceMotion& motion, double duration, double least) {
    begin_ = motion_.t.empty() ? 0.0 : motion_.t.back();
    const double steps = std::max(least, std::round(duration / cycle_.every));
    if (static_cast<double>(motion_.t.size()) + steps > static_cast<double>(most_rows))
      throw InputError(segment.source, "the cycle has more than a million rows; raise 'every'");
    for (double k = motion_.t.empty() ? 0.0 : 1.0; k <= steps; ++k) {
      const double t = duration * k / steps;
      at(segment, motion, t, t);
      motion_.t.push_back(begin_ + t);
      append(q_at_, motion_.q);
      append(v_at_, motion_.v);
      append(a_at_, motion_.a);
      append(tau_at_, motion_.tau);
    }
    add_samples(segment, motion, duration, duration / steps);
  }

  /// Simpson's rule in each smooth part of the motion: accelerations and torques jump between two.
  void add_samples(const Segment& segment, const ReferenceMotion& motion, double duration, double longest) {
    double begin = 0.0;
    std::vector<double> ends(motion.breaks().begin(), motion.breaks().end());
    ends.push_back(duration);
    for (const double end : ends) {
      if (!(begin < end && end <= duration)) continue;
      const double parts = std::ceil((end - begin) / longest * (1.0 - 1e-9)), step = (end - begin) / parts;
      for (double k = 0.0; k < parts; ++k) {
        const double from = begin + k * step, to = k + 1.0 < parts ? from + step : end, middle = 0.5 * (from + to);
        for (const auto& [t, weight] : {std::pair{from, 1.0}, {middle, 4.0}, {to, 1.0}}) {
          at(segment, motion, t, middle);
          motion_.samples.weight.push_back(weight * (to - from) / 6.0);
          append(v_at_, motion_.samples.v);
          append(a_at_, motion_.samples.a);
          append(tau_at_, motion_.samples.tau);
        }
      }
      begin = end;
    }
  }

  void note_speeds(const Segment& segment, const TimingLimits& limits, std::size_t first) {
    for (std::size_t i = 0; i < width_; ++i) {
      double most = 0.0;
      for (std::size_t k = first; k < motion_.samples.weight.size(); ++k)
        most = std::max(most, std::abs(motion_.samples.v[k * width_ + i]));
      if (most <= limits.velocity[i] * (1.0 + 1e-9)) continue;
      const auto number = static_cast<std::size_t>(&segment - cycle_.segments.data()) + 1;
      motion_.notes.push_back(fmt::format("segment {} moves '{}' at {:.4g}, faster than its velocity limit {:.4g}",
                                          number, model_.joint_of(static_cast<int>(i)).name, most, limits.velocity[i]));
    }
  }

  static void append(const std::vector<double>& from, std::vector<double>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }

  void at(const Segment& segment, const ReferenceMotion& motion, double t, double inside) {
    if (keep_going_ && !keep_going_()) throw Interrupted{};
    motion.at(t, inside, q_at_, v_at_, a_at_);
    method_->inverse_dynamics(q_at_, v_at_, a_at_, tau_at_);
    if (!(norm(segment.force) > 0.0)) return;
    std::vector<double> jacobian(6 * width_);
    MatrixView<double> J(jacobian.data(), 6, static_cast<int>(width_));
    kinematics_->update_positions(q_at_);
    kinematics_->jacobian(loaded_->tip(), Reference::world_axes, J);
    for (std::size_t i = 0; i < width_; ++i)
      tau_at_[i] -= dot(segment.force, Vec3<double>::load(J.column(static_cast<int>(i)) + 3));
  }

  const Graph& robot_;
  const Cycle& cycle_;
  const KeepGoing& keep_going_;
  Model model_;
  std::optional<Model> loaded_;
  std::unique_ptr<Method<double>> method_;
  std::optional<Kinematics<double>> kinematics_;
  std::size_t width_ = 0;
  std::vector<double> q_;                            // where it is between two segments
  std::vector<double> q_at_, v_at_, a_at_, tau_at_;  // at one time
  double begin_ = 0.0;
  CycleMotion motion_;
};

}  // namespace

CycleMotion run_cycle(const Graph& robot, const Cycle& cycle, const KeepGoing& keep_going) {
  return CycleRun(robot, cycle, keep_going).run();
}

}  // namespace ulna::sizing

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
#include "ulna/plan/tip_path.hpp"

namespace ulna::sizing {

namespace {

constexpr std::size_t most_rows = 1'000'000;
// Of a motion from rest to rest: sampled by fewer its largest torque may fall between two rows.
constexpr double least_steps = 50.0;

/// Appends the rows of one segment after the other.
class CycleRun {
 public:
  CycleRun(const Graph& robot, const Cycle& cycle, const KeepGoing& keep_going)
      : robot_(robot), cycle_(cycle), keep_going_(keep_going), model_(build(robot)) {
    if (!model_.loops().empty() || model_.nq() != model_.nv())
      throw InputError("sizing is for robots without closed loops, on a fixed base, with plain numbers for positions");
    q_ = cycle.start.empty() ? model_.neutral() : written_positions(model_, "start", cycle.start, cycle.source);
    width_ = q_.size();
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
      follow(segment);
    else
      move(segment, Path::straight(both(segment), width_, 0.0), segment.time);
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
  void follow(const Segment& segment) {
    for (const Vec3<double>& point : segment.points) {
      kinematics_->update_positions(q_);
      const Pose<double> here = kinematics_->pose(loaded_->tip());
      const TipPath leg =
          straight_tip_path(*loaded_, loaded_->tip(), std::vector{here, Pose<double>{here.R, point}}, q_);
      if (!leg.path) {
        throw InputError(segment.source,
                         fmt::format("the tip cannot go straight to {:g}, {:g}, {:g}: {:.3g} % of the way, then: {}",
                                     point.x, point.y, point.z, 100.0 * leg.share, leg.reason));
      }
      move(segment, *leg.path,
           segment.time ? std::optional(*segment.time / static_cast<double>(segment.points.size())) : std::nullopt);
    }
  }

  void move(const Segment& segment, const Path& path, std::optional<double> time) {
    std::vector<double> first(width_), second(width_), q(width_), v(width_), a(width_);
    const auto row = [&](double s, double rate, double acceleration, std::size_t piece) {
      path.at(s, piece, q, first, second);
      for (std::size_t i = 0; i < width_; ++i) {
        v[i] = first[i] * rate;
        a[i] = first[i] * acceleration + second[i] * rate * rate;
      }
    };
    if (time) {
      const auto profile = make_reference(PointToPoint{cycle_.profile, {0.0}, {path.length()}, 0.0, *time});
      add_rows(segment, *time, least_steps, [&](double t) {
        double s = 0.0, rate = 0.0, acceleration = 0.0;
        profile->at(t, t, {&s, 1}, {&rate, 1}, {&acceleration, 1});
        const auto next = std::ranges::upper_bound(path.ends(), std::clamp(s, 0.0, path.length()));
        const auto piece = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - path.ends().begin() - 1, 0));
        row(s, rate, acceleration, std::min(piece, path.piece_count() - 1));
        write(t, segment, q, v, a);
      });
    } else {
      if (norm(segment.force) > 0.0)
        throw InputError(segment.source, "the fastest motion is found without a force on the tip; give 'time'");
      const Timing timing = fastest_timing(*loaded_, path, timing_limits(*loaded_));
      if (!timing.possible())
        throw InputError(segment.source, fmt::format("the robot cannot do this segment: {}", timing.reason));
      add_rows(segment, timing.duration(), least_steps, [&](double t) {
        const Timing::Place place = timing.at(t);
        row(place.s, place.speed, place.acceleration, timing.piece[place.interval]);
        write(t, segment, q, v, a);
      });
    }
    path.at(path.length(), path.piece_count() - 1, q_, first, second);
  }

  void rest(const Segment& segment) {
    const std::vector<double> none(width_);
    add_rows(segment, segment.dwell, 1.0, [&](double t) { write(t, segment, q_, none, none); });
  }

  template <class Row>
  void add_rows(const Segment& segment, double duration, double least, const Row& row) {
    const double steps = std::max(least, std::round(duration / cycle_.every));
    if (static_cast<double>(motion_.t.size()) + steps > static_cast<double>(most_rows))
      throw InputError(segment.source, "the cycle has more than a million rows; raise 'every'");
    begin_ = motion_.t.empty() ? 0.0 : motion_.t.back();
    for (double k = motion_.t.empty() ? 0.0 : 1.0; k <= steps; ++k) {
      if (keep_going_ && !keep_going_()) throw Interrupted{};
      row(duration * k / steps);
    }
  }

  void write(double t, const Segment& segment, const std::vector<double>& q, const std::vector<double>& v,
             const std::vector<double>& a) {
    std::vector<double> tau(width_);
    method_->inverse_dynamics(q, v, a, tau);
    if (norm(segment.force) > 0.0) {
      std::vector<double> jacobian(6 * width_);
      MatrixView<double> J(jacobian.data(), 6, static_cast<int>(width_));
      kinematics_->update_positions(q);
      kinematics_->jacobian(loaded_->tip(), Reference::world_axes, J);
      for (std::size_t i = 0; i < width_; ++i)
        tau[i] -= dot(segment.force, Vec3<double>::load(J.column(static_cast<int>(i)) + 3));
    }
    motion_.t.push_back(begin_ + t);
    for (const auto& [from, to] : {std::pair{&q, &motion_.q}, std::pair{&v, &motion_.v}, std::pair{&a, &motion_.a}})
      to->insert(to->end(), from->begin(), from->end());
    motion_.tau.insert(motion_.tau.end(), tau.begin(), tau.end());
  }

  const Graph& robot_;
  const Cycle& cycle_;
  const KeepGoing& keep_going_;
  Model model_;
  std::optional<Model> loaded_;
  std::unique_ptr<Method<double>> method_;
  std::optional<Kinematics<double>> kinematics_;
  std::size_t width_ = 0;
  std::vector<double> q_;
  double begin_ = 0.0;
  CycleMotion motion_;
};

}  // namespace

CycleMotion run_cycle(const Graph& robot, const Cycle& cycle, const KeepGoing& keep_going) {
  return CycleRun(robot, cycle, keep_going).run();
}

}  // namespace ulna::sizing

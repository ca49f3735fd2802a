#include "ulna/simulate/loop_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion_row.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/loop/rates.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

/// So many positions at least are looked at on the way, however few are written.
constexpr int fewest_looks = 360;

class Sweep {
 public:
  Sweep(const Model& model, const SweepSetup& setup, Recorder& recorder)
      : model_(model),
        setup_(setup),
        recorder_(recorder),
        equations_(model),
        dynamics_(model),
        row_(model),
        zero_(static_cast<std::size_t>(equations_.rows()), 0.0),
        x_(static_cast<std::size_t>(model.nv())),
        tau_(x_),
        outside_(x_.size(), false) {
    for (const DrivenJoint& one : setup.driven) {
      driven_.push_back(one.v_index);
      speeds_.push_back((one.to - one.from) / setup.time);
      still_.push_back(0.0);
    }
  }

  SweepResult run(const std::function<bool(double)>& proceed) {
    begin();
    recorder_.begin(sweep_columns(model_));
    write();
    const int looks = (fewest_looks + setup_.steps - 1) / setup_.steps;
    for (int step = 1; step <= setup_.steps; ++step) {
      for (int look = 1; look <= looks; ++look) {
        const double s = (step - 1 + static_cast<double>(look) / looks) / setup_.steps;
        if (proceed && !proceed(s)) return ended("interrupted");
        if (!advance_to(s, 0)) return ended(dead_end());
      }
      write();
    }
    result_.complete = true;
    return ended("completed");
  }

 private:
  struct Point {
    double s;  // from 0 to 1
    std::vector<double> q, v;
    double measure;
  };

  SweepResult ended(std::string reason) {
    result_.reason = std::move(reason);
    return std::move(result_);
  }

  double value(const DrivenJoint& one, double s) const { return one.from + s * (one.to - one.from); }

  std::string place(double s) const {
    std::string text;
    for (const DrivenJoint& one : setup_.driven)
      text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", model_.joint_of(one.v_index).name, value(one, s));
    return text;
  }

  /// The closed position at s next to another one, or nothing.
  std::optional<Point> close(double s, std::vector<double> q) {
    for (const DrivenJoint& one : setup_.driven)
      q[static_cast<std::size_t>(model_.q_of_v()[static_cast<std::size_t>(one.v_index)])] = value(one, s);
    Assembly assembly = assemble(model_, q, driven_);
    if (!assembly.closed) {
      missed_ = std::move(assembly);
      return std::nullopt;
    }
    equations_.update(assembly.q);
    Point point{s, std::move(assembly.q), {}, determination(equations_, driven_).measure};
    if (point.measure > singular_measure)
      point.v = dependent_rates(equations_, driven_, speeds_, zero_);
    else
      point.v = at_.v;  // as good as any to go on with
    return point;
  }

  void begin() {
    std::vector<double> start = setup_.start.empty() ? model_.neutral() : setup_.start;
    normalise(model_, start);
    expect_as_many_driven_as_freedoms(start);
    auto point = close(0.0, start);
    if (!point) {
      throw InputError(
          fmt::format("the loops do not close at {}: {}; start closer to a closed position, or drive another range",
                      place(0.0), missed_.miss()));
    }
    at_ = before_ = earlier_ = std::move(*point);
    if (is_singular(at_)) {
      throw InputError(fmt::format(
          "{} is a singular position: the driven joints do not determine '{}'; begin elsewhere, or drive another joint",
          place(0.0), model_.joint_of(determination(equations_, driven_).weakest).name));
    }
  }

  void expect_as_many_driven_as_freedoms(const std::vector<double>& start) {
    const Assembly anywhere = assemble(model_, start);
    if (!anywhere.closed) return;  // more is said where the driven joints begin
    equations_.update(anywhere.q);
    const int freedoms = loop_mobility(equations_, model_.nv()).mobility();
    const auto drives = static_cast<int>(driven_.size());
    if (freedoms == drives) return;
    throw InputError(fmt::format("the mechanism has {} degree{} of freedom and {} joint{} driven; drive {}", freedoms,
                                 freedoms == 1 ? "" : "s", drives, drives == 1 ? " is" : "s are", freedoms));
  }

  static bool is_singular(const Point& point) { return point.measure < singular_measure; }

  /// A step is halved where the other joints move too far for one Newton search to stay on its branch.
  bool advance_to(double s, int halvings) {
    constexpr int most_halvings = 12;
    constexpr double far = 0.2;  // rad or m
    const Point from = at_;
    if (auto point = close(s, predicted(from, s))) {
      double moved = 0.0;
      for (std::size_t k = 0; k < point->q.size(); ++k) moved = std::max(moved, std::abs(point->q[k] - from.q[k]));
      const double asked = driven_distance(s - from.s);
      if (moved < far + 2.0 * asked || halvings == most_halvings) {
        earlier_ = std::move(before_);
        before_ = std::move(at_);
        at_ = std::move(*point);
        look_for_singular();
        return true;
      }
    }
    if (halvings == most_halvings) return false;
    return advance_to(0.5 * (from.s + s), halvings + 1) && advance_to(s, halvings + 1);
  }

  double driven_distance(double ds) const {
    double most = 0.0;
    for (const double speed : speeds_) most = std::max(most, std::abs(speed * ds * setup_.time));
    return most;
  }

  std::vector<double> predicted(const Point& from, double s) {
    std::vector<double> q = from.q;
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = from.v[k] * (s - from.s) * setup_.time;
    integrate(model_, from.q, x_, q);
    return q;
  }

  /// Around a point whose measure is smaller than those before and after it the smallest is searched.
  void look_for_singular() {
    constexpr double worth_a_search = 0.1;
    const Point &a = earlier_, &b = before_, &c = at_;
    if (!(a.s < b.s && b.measure < worth_a_search && b.measure <= a.measure && b.measure <= c.measure)) return;
    double low = a.s, high = c.s;
    Point best = b;
    for (int i = 0; i < 60 && high - low > 1e-12; ++i) {
      const double s = best.s - low > high - best.s ? 0.5 * (low + best.s) : 0.5 * (best.s + high);
      const auto trial = close(s, predicted(best, s));
      if (!trial) break;
      if (trial->measure < best.measure) {
        (s < best.s ? high : low) = best.s;
        best = *trial;
      } else {
        (s < best.s ? low : high) = s;
      }
    }
    if (is_singular(best)) name_singular(best);
  }

  /// Once, though a row may stand where the search ends.
  void name_singular(const Point& point) {
    constexpr double same = 1e-4;
    const double t = point.s * setup_.time;
    if (!result_.events.empty() && std::abs(last_singular_ - point.s) < same) return;
    last_singular_ = point.s;
    equations_.update(point.q);
    result_.events.push_back(
        {t, fmt::format("singular position at {}: the driven joints do not determine '{}'", place(point.s),
                        model_.joint_of(determination(equations_, driven_).weakest).name)});
  }

  /// Joints that pass a limit, each way out once.
  void look_at_limits() {
    std::size_t i = 0;
    for (const JointInfo& joint : model_.joints()) {
      const Body& body = model_.bodies()[static_cast<std::size_t>(joint.body)];
      if (model_.q_of_v()[static_cast<std::size_t>(body.v_index)] < 0) continue;
      const double q = at_.q[static_cast<std::size_t>(body.q_index)];
      const bool outside = q < joint.limits.lower || q > joint.limits.upper;
      if (outside && !outside_[i]) {
        result_.events.push_back(
            {at_.s * setup_.time, fmt::format("{} passes its {} limit at {}", joint.name,
                                              q < joint.limits.lower ? "lower" : "upper", place(at_.s))});
      }
      outside_[i++] = outside;
    }
  }

  std::string dead_end() const {
    return fmt::format("the mechanism cannot go on beyond {} (a dead centre, or out of reach): {}", place(at_.s),
                       missed_.miss());
  }

  void write() {
    look_at_limits();
    if (is_singular(at_)) return name_singular(at_);
    equations_.update(at_.q);
    equations_.update_bias(at_.v);
    const std::vector<double> a = dependent_rates(equations_, driven_, still_, equations_.b());
    dynamics_.inverse_dynamics(at_.q, at_.v, a, driven_, tau_);
    row_.begin(at_.s * setup_.time, at_.q, at_.v, a, tau_);
    row_.append(at_.measure);
    append_loops(row_, dynamics_, model_.loops().size());
    result_.largest_residual = std::max(result_.largest_residual, dynamics_.equations().largest_residual());
    recorder_.record(row_.get());
    ++result_.rows;
  }

  const Model& model_;
  const SweepSetup& setup_;
  Recorder& recorder_;
  LoopEquations equations_;
  ConstrainedDynamics dynamics_;
  MotionRow<double> row_;
  std::vector<int> driven_;
  std::vector<double> speeds_, still_, zero_, x_, tau_;
  Point at_, before_, earlier_;
  double last_singular_ = -1.0;
  std::vector<bool> outside_;  // by joint with one degree of freedom
  Assembly missed_;
  SweepResult result_;
};

void check(const Model& model, const SweepSetup& setup) {
  if (model.loops().empty()) throw InputError("this robot has no closed loops; a mechanism is wanted");
  if (setup.driven.empty()) throw InputError("no joint is driven");
  if (setup.steps < 1) throw InputError("a sweep needs at least one step");
  if (!(setup.time > 0.0 && std::isfinite(setup.time))) throw InputError("the time of a sweep must be positive");
  for (const DrivenJoint& one : setup.driven) {
    const double speed = (one.to - one.from) / setup.time;
    if (one.v_index < 0 || one.v_index >= model.nv()) throw InputError("a driven joint is one that this robot lacks");
    if (!std::isfinite(one.from) || !std::isfinite(one.to) || !std::isfinite(speed * speed))
      throw InputError("the range of a driven joint must be finite, and so must its speed squared");
    if (model.q_of_v()[static_cast<std::size_t>(one.v_index)] < 0)
      throw InputError("only joints with one degree of freedom can be driven");
  }
  if (!setup.start.empty()) expect_size("start", setup.start.size(), model.nq());
}

}  // namespace

SweepResult sweep_loops(const Model& model, const SweepSetup& setup, Recorder& recorder,
                        const std::function<bool(double part)>& proceed) {
  check(model, setup);
  return Sweep(model, setup, recorder).run(proceed);
}

}  // namespace ulna

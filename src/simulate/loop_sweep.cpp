#include "ulna/simulate/loop_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion_row.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

/// Below it the drives' torques are rounding errors.
constexpr double singular_measure = 1e-7;

class Sweep {
 public:
  Sweep(const ClosedModel& model, const SweepSetup& setup, Recorder& recorder)
      : model_(model),
        setup_(setup),
        recorder_(recorder),
        equations_(model),
        dynamics_(model),
        row_(model.tree),
        zero_(static_cast<std::size_t>(equations_.rows()), 0.0),
        x_(static_cast<std::size_t>(model.tree.nv())),
        tau_(x_) {
    for (const SweepDrive& drive : setup.drives) {
      driven_.push_back(drive.v_index);
      speeds_.push_back((drive.to - drive.from) / setup.time);
      still_.push_back(0.0);
    }
  }

  SweepResult run(const std::function<bool(double)>& proceed) {
    begin();
    write();
    for (int step = 1; step <= setup_.steps; ++step) {
      if (proceed && !proceed(static_cast<double>(step) / setup_.steps)) return ended("interrupted");
      if (!advance_to(static_cast<double>(step) / setup_.steps, 0)) return ended(dead_end());
      look_for_singular();
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

  double value(const SweepDrive& drive, double s) const { return drive.from + s * (drive.to - drive.from); }

  const std::string& joint_name(int v_index) const {
    const auto& joints = model_.tree.joints();
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const JointInfo& joint) {
      const int first = model_.tree.bodies()[static_cast<std::size_t>(joint.body)].v_index;
      return first <= v_index && v_index < first + with_joint(
                                                       joint.kind, [](auto kind) { return kind.nv; });
    });
    return found->name;
  }

  std::string place(double s) const {
    std::string text;
    for (const SweepDrive& drive : setup_.drives)
      text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", joint_name(drive.v_index), value(drive, s));
    return text;
  }

  /// The closed position at s next to another one, or nothing.
  std::optional<Point> close(double s, std::vector<double> q) {
    for (const SweepDrive& drive : setup_.drives)
      q[static_cast<std::size_t>(model_.tree.q_of_v()[static_cast<std::size_t>(drive.v_index)])] = value(drive, s);
    Assembly assembly = assemble(model_, q, driven_);
    if (!assembly.closed) {
      missed_ = std::move(assembly);
      return std::nullopt;
    }
    equations_.update(assembly.q);
    Point point{s, std::move(assembly.q), {}, determination(equations_, driven_).measure};
    if (point.measure > singular_measure) point.v = dependent_rates(equations_, driven_, speeds_, zero_);
    return point;
  }

  void begin() {
    std::vector<double> start = setup_.start.empty() ? model_.tree.neutral() : setup_.start;
    tidy_quaternions(model_.tree, start);
    auto point = close(0.0, start);
    if (!point) {
      throw InputError(
          fmt::format("the loops do not close at {}: '{}' is off by {:.3g}; start closer to a closed position, or "
                      "drive another range",
                      place(0.0), missed_.worst_joint, missed_.residual));
    }
    at_ = std::move(*point);
    equations_.update(at_.q);
    const LoopMobility mobility = loop_mobility(equations_, model_.tree.nv());
    if (mobility.mobility() != static_cast<int>(driven_.size())) {
      throw InputError(fmt::format("the mechanism has {} degree{} of freedom and {} joint{} driven; drive {}",
                                   mobility.mobility(), mobility.mobility() == 1 ? "" : "s", driven_.size(),
                                   driven_.size() == 1 ? " is" : "s are", mobility.mobility()));
    }
    if (at_.measure < singular_measure) {
      throw InputError(
          fmt::format("{} is a singular position: the driven joints do not determine '{}'; begin elsewhere, or drive "
                      "another joint",
                      place(0.0), joint_name(determination(equations_, driven_).weakest)));
    }
    before_ = at_;
  }

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
        before_ = std::move(at_);
        at_ = std::move(*point);
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
    if (from.v.empty()) return q;
    coordinates_of_reference(model_.tree, from.q, x_);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += from.v[k] * (s - from.s) * setup_.time;
    retract<double>(model_.tree, from.q, x_, q);
    tidy_quaternions(model_.tree, q);
    return q;
  }

  /// Around a point whose measure is smaller than those before and after it the smallest is searched.
  void look_for_singular() {
    constexpr double worth_a_search = 0.1;
    const Point &a = earlier_, &b = before_, &c = at_;
    if (has_earlier_ && b.measure < worth_a_search && b.measure <= a.measure && b.measure <= c.measure) {
      double low = a.s, high = c.s;
      Point best = b;
      for (int i = 0; i < 60 && high - low > 1e-12; ++i) {
        const double s = best.s - low > high - best.s ? 0.5 * (low + best.s) : 0.5 * (best.s + high);
        const auto trial = close(s, best.q);
        if (!trial) break;
        if (trial->measure < best.measure) {
          (s < best.s ? high : low) = best.s;
          best = *trial;
        } else {
          (s < best.s ? low : high) = s;
        }
      }
      if (best.measure < 1e-5) name_singular(best);
    }
    earlier_ = before_;
    has_earlier_ = true;
  }

  void name_singular(const Point& point) {
    equations_.update(point.q);
    result_.singular.push_back(
        {point.s * setup_.time, fmt::format("singular position at {}: the drives do not determine '{}'", place(point.s),
                                            joint_name(determination(equations_, driven_).weakest))});
  }

  std::string dead_end() const {
    return fmt::format(
        "the mechanism cannot go on beyond {}: '{}' would be off by {:.3g} (a dead centre, or out of reach)",
        place(at_.s), missed_.worst_joint, missed_.residual);
  }

  void write() {
    if (at_.v.empty()) return name_singular(at_);
    equations_.update(at_.q);
    equations_.update_bias(at_.v);
    const std::vector<double> a = dependent_rates(equations_, driven_, still_, equations_.b());
    dynamics_.inverse_dynamics(at_.q, at_.v, a, driven_, tau_);
    row_.begin(at_.s * setup_.time, at_.q, at_.v, a, tau_);
    row_.append(at_.measure);
    row_.append_loops(dynamics_, model_.loops.size());
    result_.largest_residual = std::max(result_.largest_residual, dynamics_.equations().largest_residual());
    recorder_.record(row_.get());
    ++result_.rows;
  }

  const ClosedModel& model_;
  const SweepSetup& setup_;
  Recorder& recorder_;
  LoopEquations equations_;
  ConstrainedDynamics dynamics_;
  MotionRow row_;
  std::vector<int> driven_;
  std::vector<double> speeds_, still_, zero_, x_, tau_;
  Point at_, before_, earlier_;
  bool has_earlier_ = false;
  Assembly missed_;
  SweepResult result_;
};

void check(const ClosedModel& model, const SweepSetup& setup) {
  if (model.loops.empty()) throw InputError("this robot has no closed loops; `ulna fk` and `ulna id` are for it");
  if (setup.drives.empty()) throw InputError("no joint is driven");
  if (setup.steps < 1) throw InputError("a sweep needs at least one step");
  if (!(setup.time > 0.0 && std::isfinite(setup.time))) throw InputError("the time of a sweep must be positive");
  for (const SweepDrive& drive : setup.drives) {
    if (!std::isfinite(drive.from) || !std::isfinite(drive.to)) throw InputError("a drive's range must be finite");
    if (model.tree.q_of_v()[static_cast<std::size_t>(drive.v_index)] < 0)
      throw InputError("only joints with one degree of freedom can be driven");
  }
  if (!setup.start.empty()) expect_size("start", setup.start.size(), model.tree.nq());
}

}  // namespace

SweepResult sweep_loops(const ClosedModel& model, const SweepSetup& setup, Recorder& recorder,
                        const std::function<bool(double part)>& proceed) {
  check(model, setup);
  return Sweep(model, setup, recorder).run(proceed);
}

}  // namespace ulna

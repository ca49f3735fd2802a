#include "ulna/simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "effort.hpp"
#include "motion_system.hpp"
#include "sampler.hpp"
#include "simulate/sample_times.hpp"
#include "start_state.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/physical.hpp"
#include "ulna/integrate/event.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_events = 1000;
constexpr double most_samples = 1e9, most_jumps = 1e9, most_fixed_steps = 1e10, farthest_start = 1e12;

void check(const Model& model, const SimulationSetup& setup) {
  const auto expect = [](bool good, const std::string& what) {
    if (!good) throw InputError(what);
  };
  expect(std::isfinite(setup.duration) && setup.duration > 0.0, "the duration of a run must be a positive time");
  expect(std::isfinite(setup.every) && setup.every > 0.0, "the time between samples must be positive");
  expect(setup.duration / setup.every <= most_samples,
         fmt::format("{} s with a sample every {} s are {:.3g} samples; take a larger time between samples",
                     setup.duration, setup.every, setup.duration / setup.every));
  const auto expect_jumps = [&](const char* what, double period) {
    expect(!(setup.duration / period > most_jumps),
           fmt::format("{} every {} s jumps {:.3g} times in {} s; take a longer time", what, period,
                       setup.duration / period, setup.duration));
  };
  const double step = setup.accuracy.fixed_step;
  expect(!(step > 0.0 && setup.duration / step > most_fixed_steps),
         fmt::format("a step of {} s makes {:.3g} steps in {} s; take a longer one", step, setup.duration / step,
                     setup.duration));
  expect(setup.most_steps >= 1.0, "the largest number of steps must be 1 or more");
  if (setup.actions.held.sample > 0.0) expect_jumps("a drive that is sampled", setup.actions.held.sample);
  for (const TorqueNoise& noise : setup.actions.held.noises) expect_jumps("noise that changes", noise.every);
  expect(std::isfinite(setup.baumgarte) && setup.baumgarte >= 0.0, "Baumgarte's rate must be zero or positive");
  const auto expect_start = [&](const char* name, const std::vector<double>& values, int wanted) {
    expect(values.empty() || std::ssize(values) == wanted,
           fmt::format("{} has {} numbers, this robot wants {}", name, values.size(), wanted));
  };
  expect_start("q0", setup.q0, model.nq());
  expect_start("v0", setup.v0, model.nv());
  for (const auto* values : {&setup.q0, &setup.v0}) {
    for (const double x : *values) expect(std::isfinite(x), "the initial state must be finite numbers");
  }
  for (const double x : setup.q0) {
    expect(
        std::fabs(x) <= farthest_start,
        fmt::format("a start at {:g} is so far from zero that its motion is less than rounding; give an angle within "
                    "a turn, a length within the arm's reach",
                    x));
  }
  if (!setup.q0.empty()) expect_start_quaternions(model, setup.q0);
  for (const WatchedValue& watched : setup.watched) {
    expect(std::isfinite(watched.value), "an event needs a finite value");
    if (watched.frame) {
      model.expect_frame(*watched.frame);
      expect(std::isfinite(norm(watched.axis)) && norm(watched.axis) > 0.0,
             "the axis of an event must be three finite numbers that are not all zero");
    }
    if (watched.frame || watched.function) continue;
    expect(watched.v_index >= 0 && watched.v_index < model.nv(), "an event is on a joint that this robot lacks");
    expect(watched.velocity || model.q_of_v()[static_cast<std::size_t>(watched.v_index)] >= 0,
           "an event on a position needs a joint with one degree of freedom");
  }
}

/// Drives that compute torques of the tree would drive the passive joints of a mechanism too.
void check_drive_of_loops(const DriveSpec& drive) {
  const auto* pd = std::get_if<PdDrive>(&drive);
  const bool computes = std::holds_alternative<PlaybackDrive>(drive) ||
                        std::holds_alternative<ComputedTorqueDrive>(drive) || (pd != nullptr && pd->gravity);
  if (computes) {
    throw InputError(
        "playback, computed torque and gravity compensation are for robots without closed loops; use pd, constant or "
        "table drives");
  }
}

/// Limits of joints and watched values, as functions of the state whose zeros are events.
class Watch final : public EventFunctions {
 public:
  Watch(const Model& model, MotionOde& system, const SimulationSetup& setup)
      : model_(model),
        system_(system),
        kinematics_(model),
        q_(static_cast<std::size_t>(model.nq())),
        v_(static_cast<std::size_t>(model.nv())) {
    for (const WatchedValue& watched : setup.watched)
      if (watched.action != EventAction::ignore) watched_.push_back(watched);
    sees_frames_ = std::any_of(watched_.begin(), watched_.end(),
                               [](const WatchedValue& watched) { return watched.frame || watched.function; });
    watches_limits_ = setup.at_limits != EventAction::ignore;
    if (!watches_limits_) return;
    for (const JointInfo& joint : model.joints()) {
      const int index = model.bodies()[static_cast<std::size_t>(joint.body)].v_index;
      if (model.q_of_v()[static_cast<std::size_t>(index)] < 0) continue;  // several degrees have no lower and upper
      add_limit(index, joint.limits.lower, setup.at_limits, joint.name + " passes its lower limit");
      add_limit(index, joint.limits.upper, setup.at_limits, joint.name + " passes its upper limit");
    }
  }

  /// What a crossing cannot tell: joints that start outside.
  std::vector<std::string> beyond_limits(std::span<const double> q) const {
    std::vector<std::string> texts;
    for (const JointInfo& joint : model_.joints()) {
      const Body& body = model_.bodies()[static_cast<std::size_t>(joint.body)];
      if (!watches_limits_ || model_.q_of_v()[static_cast<std::size_t>(body.v_index)] < 0) continue;
      const double at = q[static_cast<std::size_t>(body.q_index)];
      if (at < joint.limits.lower) texts.push_back(joint.name + " starts below its lower limit");
      if (at > joint.limits.upper) texts.push_back(joint.name + " starts above its upper limit");
    }
    return texts;
  }

  std::size_t size() const override { return watched_.size(); }
  const WatchedValue& operator[](std::size_t i) const { return watched_[i]; }

  void values(double t, std::span<const double> y, std::span<double> g) override {
    system_.integrated_state(y, q_, v_);
    if (sees_frames_) {
      normalise(model_, q_);
      kinematics_.update_positions(q_);
      kinematics_.update_velocities(v_);
    }
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      g[i] = value(watched_[i], t) - watched_[i].value;
      if (std::isnan(g[i]) && watched_[i].function && !lost_) lost_ = Lost{i, t};
    }
  }

  /// Where a user's function was not a number, so that its zeros cannot be told; empty if it was one throughout.
  std::string what_was_lost() const {
    if (!lost_) return "";
    const std::string& text = watched_[lost_->index].text;
    return fmt::format("the watched function{}{}{} is not a number at t = {:.12g} s", text.empty() ? "" : " '", text,
                       text.empty() ? "" : "'", lost_->t);
  }

 private:
  double value(const WatchedValue& watched, double t) const {
    if (watched.function) return watched.function(t, q_, v_, kinematics_);
    if (watched.frame) {
      const Vec3<double> axis = (1.0 / norm(watched.axis)) * watched.axis;
      return dot(axis, watched.velocity ? kinematics_.velocity(*watched.frame, Reference::world_axes).linear
                                        : kinematics_.pose(*watched.frame).p);
    }
    const auto k = static_cast<std::size_t>(watched.v_index);
    return watched.velocity ? v_[k] : q_[static_cast<std::size_t>(model_.q_of_v()[k])];
  }

  void add_limit(int index, double value, EventAction action, std::string text) {
    if (std::isfinite(value)) watched_.push_back({index, false, value, action, std::move(text)});
  }

  const Model& model_;
  MotionOde& system_;
  Kinematics<double> kinematics_;
  bool watches_limits_ = false, sees_frames_ = false;
  std::vector<WatchedValue> watched_;
  struct Lost {
    std::size_t index;
    double t;
  };
  std::optional<Lost> lost_;  // the first value that is not a number
  std::vector<double> q_, v_;
};

class Run {
 public:
  Run(const Model& model, const SimulationSetup& setup, Recorder& recorder,
      const std::function<bool(const RunProgress&)>& proceed)
      : opened_(model.loops().empty() ? nullptr : std::make_unique<const Model>(model.tree())),
        model_(opened_ ? *opened_ : model),
        closed_(model),
        setup_(setup),
        recorder_(recorder),
        proceed_(proceed),
        system_(make_system(model, model_, setup)),
        integrator_(make_integrator(setup.integrator, *system_, setup.accuracy)),
        times_{setup.every, setup.duration},
        sampler_(model_, *system_, reference_of(setup.actions.drive).get()),
        watch_(model_, *system_, setup),
        locator_(*integrator_, watch_, system_->size()),
        effort_(setup),
        y_(system_->size()),
        q_(setup.q0.empty() ? model_.neutral() : setup.q0),
        v_(setup.v0.empty() ? std::vector<double>(static_cast<std::size_t>(model_.nv())) : setup.v0),
        began_(std::chrono::steady_clock::now()) {
    normalise(model_, q_);
    if (model.loops().empty()) return;
    const ClosedStart start = close_start(model, q_, v_);
    result_.start_moved = start.moved;
    rank_ = start.rank;
  }

  RunResult operator()() {
    try {
      begin();
      if (setup_.at_limits == EventAction::stop && !result_.events.empty())
        end(RunStatus::stopped_by_event, 0.0, result_.events[0].text);
      go();
      take_end();
    } catch (const LoopsOpened& opened) {
      end(RunStatus::not_converged, last_sample_, opened.what());
    }
    finish();
    return std::move(result_);
  }

 private:
  void go() {
    while (result_.status == RunStatus::completed && integrator_->time() < setup_.duration) {
      const double limit = std::min(setup_.duration, next_break_);
      const StepStatus status = integrator_->step(limit);
      if (status != StepStatus::ok) {
        fail(status);
        break;
      }
      if (stopped_by_event()) break;
      const double length = integrator_->time() - integrator_->previous_time();
      if (integrator_->time() >= next_break_) {
        record_until(std::nextafter(integrator_->time(), 0.0));
        cross_break();  // a sample at a jump shows what holds from then on
      }
      record_until(integrator_->time());
      if (result_.status == RunStatus::completed && goes_on(integrator_->time(), length)) give_up_if_hopeless();
    }
  }

  double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

  void begin() {
    system_->enter(0.0, q_, v_);
    next_break_ = system_->next_break(0.0);
    system_->set_state(q_, v_, y_);
    integrator_->start(0.0, y_);
    locator_.start();
    effort_.start(0.0);
    recorder_.begin(trajectory_columns(closed_, reference_of(setup_.actions.drive) != nullptr));
    for (const std::string& text : watch_.beyond_limits(q_)) {
      ++result_.event_count;
      result_.events.push_back({0.0, text});
    }
    record(0.0, integrator_->state());
  }

  void record(double t, std::span<const double> y) {
    recorder_.record(sampler_.row(t, y));
    last_sample_ = t;
    ++result_.samples;
  }

  /// All samples that are due up to t; they lie in the last step. In a step with very many samples
  /// the caller is asked now and then whether to go on.
  void record_until(double t) {
    for (long recorded = 1;; ++recorded) {
      if (recorded % 1000 == 0 && !goes_on(last_sample_, 0.0)) return;
      if (!times_.is_due(result_.samples, t)) return;
      const double due = times_.at(result_.samples);
      if (due >= integrator_->time()) {
        record(integrator_->time(), integrator_->state());
      } else {
        integrator_->interpolate(due, y_);
        record(due, y_);
      }
    }
  }

  /// Asks the caller; ends the run when the answer is no and there is something left to do.
  bool goes_on(double t, double step) {
    const RunProgress progress{t, step, wall(), integrator_->statistics()};
    if (step > 0.0) recorder_.step(progress);
    if (!proceed_ || proceed_(progress) || t >= setup_.duration) return true;
    end(RunStatus::interrupted, t, "interrupted");
    return false;
  }

  void give_up_if_hopeless() {
    const IntegratorStatistics& done = integrator_->statistics();
    if (!effort_.is_hopeless(integrator_->time(), done.steps + done.rejected)) return;
    system_->get_state(integrator_->state(), q_, v_);
    const Effort::Verdict verdict = effort_.verdict(model_, v_);
    end(verdict.status, integrator_->time(), verdict.reason);
  }

  void cross_break() {
    const double t = integrator_->time();
    system_->get_state(integrator_->state(), q_, v_);
    system_->enter(t, q_, v_);
    next_break_ = system_->next_break(t);
    std::copy(integrator_->state().begin(), integrator_->state().end(), y_.begin());
    integrator_->start(t, y_);  // the locator goes on: a crossing in this very moment still counts
  }

  bool stopped_by_event() {
    if (watch_.size() == 0) return false;  // the locator would interpolate, which can cost as much as steps
    double after = integrator_->previous_time();
    while (const std::optional<Crossing> crossing = locator_.next(after)) {
      const WatchedValue& watched = watch_[crossing->index];
      ++result_.event_count;
      if (result_.events.size() < most_events) result_.events.push_back({crossing->t, watched.text});
      after = crossing->t;
      if (watched.action != EventAction::stop) continue;
      record_until(crossing->t);
      if (crossing->t > last_sample_) record(crossing->t, locator_.state_at(crossing->t));
      system_->get_state(locator_.state_at(crossing->t), q_, v_);
      end(RunStatus::stopped_by_event, crossing->t, watched.text);
      at_end_ = true;
      return true;
    }
    std::string lost = watch_.what_was_lost();
    if (lost.empty()) return false;
    end(RunStatus::not_finite, integrator_->time(), std::move(lost));
    return true;
  }

  void fail(StepStatus status) {
    system_->get_state(integrator_->state(), q_, v_);
    std::string why = failure_reason(model_, status, q_);
    if (!closed_.loops().empty()) {
      LoopEquations equations(closed_);
      equations.update(q_);
      const double condition = loop_condition(equations, rank_);
      if (!(condition < 1e5))
        why +=
            fmt::format("; the mechanism is at a singular position there (condition of the loops {:.1e})", condition);
    }
    end(status_of(status), integrator_->time(), why);
  }

  void end(RunStatus status, double t, std::string reason) {
    result_.status = status;
    result_.time = t;
    result_.reason = std::move(reason);
  }

  /// q_ and v_ where the run ended, and a sample there.
  void take_end() {
    if (result_.status == RunStatus::interrupted && result_.time < integrator_->time()) {  // within a step
      integrator_->interpolate(result_.time, y_);
      system_->get_state(y_, q_, v_);
    } else if (!at_end_) {
      if (integrator_->time() > last_sample_) record(integrator_->time(), integrator_->state());
      system_->get_state(integrator_->state(), q_, v_);
    }
  }

  void finish() {
    if (result_.status == RunStatus::completed) end(RunStatus::completed, integrator_->time(), "completed");
    normalise(model_, q_);
    result_.final_q = q_;
    result_.final_v = v_;
    result_.statistics = integrator_->statistics();
    result_.wall = wall();
    result_.largest_imbalance = sampler_.largest_imbalance();
    result_.largest_energy = sampler_.largest_energy();
    result_.largest_residual = sampler_.largest_residual();
  }

  std::unique_ptr<const Model> opened_;  // where there are loops
  const Model& model_;                   // the tree
  const Model& closed_;
  const SimulationSetup& setup_;
  Recorder& recorder_;
  const std::function<bool(const RunProgress&)>& proceed_;
  std::unique_ptr<MotionOde> system_;
  std::unique_ptr<Integrator> integrator_;
  SampleTimes times_;
  Sampler sampler_;
  Watch watch_;
  EventLocator locator_;
  Effort effort_;
  std::vector<double> y_, q_, v_;
  std::chrono::steady_clock::time_point began_;
  double next_break_ = 0.0, last_sample_ = 0.0;
  bool at_end_ = false;
  int rank_ = 0;  // of the loops' equations at the start
  RunResult result_;
};

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::completed: return "completed";
    case RunStatus::stopped_by_event: return "stopped_by_event";
    case RunStatus::step_too_small: return "step_too_small";
    case RunStatus::not_finite: return "not_finite";
    case RunStatus::not_converged: return "not_converged";
    case RunStatus::diverged: return "diverged";
    case RunStatus::too_stiff: return "too_stiff";
    case RunStatus::interrupted: return "interrupted";
  }
  throw std::logic_error("unknown status of a run");
}

RunStatus status_of(StepStatus status) {
  switch (status) {
    case StepStatus::ok: return RunStatus::completed;
    case StepStatus::step_too_small: return RunStatus::step_too_small;
    case StepStatus::not_finite: return RunStatus::not_finite;
    case StepStatus::not_converged: return RunStatus::not_converged;
  }
  throw std::logic_error("unknown status of a step");
}

std::string failure_reason(const Model& model, StepStatus status, std::span<const double> q) {
  std::string why(reason_of(status));
  if (status == StepStatus::not_finite) why += "; look at the start, the loads and the gains of the drive";
  const auto n = static_cast<std::size_t>(model.nv());
  if (n > 200) return why;  // a dense matrix is for people's robots
  std::vector<double> M(n * n);
  make_method<double>("auto", Quantity::mass_matrix, model)->mass_matrix(q, {M.data(), model.nv(), model.nv()});
  const double condition = symmetric_condition(M, model.nv());
  if (!(condition < 1e12)) {
    why += std::isfinite(condition)
               ? fmt::format("; the inertia matrix is almost singular there (condition {:.1e})", condition)
               : "; the inertia matrix is not positive definite there; check the masses";
  }
  return why;
}

void check_setup(const Model& model, const SimulationSetup& setup) {
  check(model, setup);
  expect_drive(setup.actions.drive, model);
  if (!model.loops().empty()) check_drive_of_loops(setup.actions.drive);
  if (model.loops().empty() && setup.baumgarte > 0.0)
    throw InputError("Baumgarte's rate is for closed loops, and this robot has none");
}

RunResult simulate(const Model& model, const SimulationSetup& setup, Recorder& recorder,
                   const std::function<bool(const RunProgress&)>& proceed) {
  check_setup(model, setup);
  return Run(model, setup, recorder, proceed)();
}

}  // namespace ulna

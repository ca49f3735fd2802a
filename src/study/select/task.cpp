#include "ulna/study/select/task.hpp"
#include "ulna/model/effort_by_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/number_uses.hpp"
#include "tip_path.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/model/payload.hpp"

namespace ulna::selection {

namespace {

std::vector<double> for_joints(const Arm& arm, const Task& task, const char* key, const JointNumbers& list) {
  const std::vector<NumberUse> uses = position_uses(arm.model);
  if (list.size() != 1 && list.size() != uses.size())
    throw InputError(task.source, fmt::format("'{}' has {} numbers; '{}' has {} joints: give as many, or one for all",
                                              key, list.size(), arm.name, uses.size()));
  std::vector<double> values;
  for (std::size_t i = 0; i < uses.size(); ++i)
    values.push_back(resolve(list[list.size() == 1 ? 0 : i], uses[i], fmt::format("{} of '{}'", key, arm.name)));
  return values;
}

/// Full turns have no end that a joint could run into.
bool holds(const JointRange& range, double x) {
  const double slack = 1e-9 * std::max(1.0, std::abs(x));
  return range.origin == JointRange::Origin::full_turn || (range.low - slack <= x && x <= range.high + slack);
}

void plan_joints(const Arm& arm, const Task& task, TaskLoads& loads) {
  PointToPoint way{task.profile, for_joints(arm, task, "from", task.from), for_joints(arm, task, "to", task.to), 0.0,
                   task.time};
  for (std::size_t i = 0; i < arm.ranges.size(); ++i) {
    const JointRange& range = arm.ranges[i];
    const std::string& joint = arm.model.joints()[i].name;
    if (holds(range, way.from[i]) && holds(range, way.to[i])) continue;
    if (!task.is_default) {
      throw InputError(task.source,
                       fmt::format("the task leaves the workspace of '{}': '{}' goes from {:g} to {:g}, its "
                                   "range is {:g} … {:g}",
                                   arm.name, joint, way.from[i], way.to[i], range.low, range.high));
    }
    way.from[i] = range.at(0.25);
    way.to[i] = range.at(0.75);
    loads.notes.push_back(
        fmt::format("{} goes from {:.4g} to {:.4g}, the middle half of its range, which does not hold "
                    "0 … π",
                    joint, way.from[i], way.to[i]));
  }
  const auto motion = make_reference(way);
  const std::size_t n = arm.ranges.size();
  for (std::size_t k = 0; k < loads.t.size(); ++k)
    motion->at(loads.t[k], loads.inside(k), std::span(loads.q).subspan(k * n, n), std::span(loads.v).subspan(k * n, n),
               std::span(loads.a).subspan(k * n, n));
}

void add_torques(const Arm& arm, const Task& task, TaskLoads& loads) {
  const Model model = loaded_model(arm, task);
  const auto method = make_method<double>("auto", Quantity::inverse_dynamics, model);
  const std::size_t n = arm.ranges.size();
  for (std::size_t k = 0; k < loads.t.size(); ++k)
    method->inverse_dynamics(std::span(loads.q).subspan(k * n, n), std::span(loads.v).subspan(k * n, n),
                             std::span(loads.a).subspan(k * n, n), std::span(loads.tau).subspan(k * n, n));
}

/// Times at which the acceleration jumps are there twice, so that sums over the times may pass them.
void add_jumps(const Task& task, std::vector<double>& times) {
  if (task.profile != PointToPoint::Profile::trapezoid) return;  // the others begin and end without an acceleration
  const std::size_t parts = task.in_tip_space() ? task.points.size() - 1 : 1;
  const double part = task.time / static_cast<double>(parts), rounding = 1e-9 * task.time;
  for (std::size_t k = 0; k < parts; ++k) {
    const auto motion = make_reference(PointToPoint{task.profile, {0.0}, {1.0}, static_cast<double>(k) * part, part});
    for (const double jump : motion->breaks()) {
      if (jump < rounding || jump > task.time - rounding) continue;
      const auto near = std::lower_bound(times.begin(), times.end(), jump - rounding);
      times.insert(times.erase(near, std::upper_bound(near, times.end(), jump + rounding)), 2, jump);
    }
  }
}

/// Sums by the trapezoidal rule, whose ends weigh half.
void sum_up(const Arm& arm, TaskLoads& loads) {
  const std::size_t n = arm.ranges.size(), last = loads.t.size() - 1;
  loads.joints.assign(n, {});
  for (std::size_t i = 0; i < n; ++i) {
    JointLoad& joint = loads.joints[i];
    const JointInfo& info = arm.model.joints()[i];
    const Limits& limits = info.limits;
    bool too_fast = false;  // for what it must give
    double speed = 0.0;
    for (std::size_t k = 0; k <= last; ++k) {
      const double tau = loads.tau[k * n + i], power = std::abs(tau * loads.v[k * n + i]);
      const double dt = 0.5 * (loads.t[std::min(k + 1, last)] - loads.t[k == 0 ? 0 : k - 1]);
      joint.peak = std::max(joint.peak, std::abs(tau));
      too_fast = too_fast || within_effort(limits, loads.v[k * n + i], tau) != tau;
      joint.peak_power = std::max(joint.peak_power, power);
      joint.rms += dt * tau * tau;
      joint.energy += dt * power;
      speed = std::max(speed, std::abs(loads.v[k * n + i]));
    }
    joint.rms = std::sqrt(joint.rms / loads.t.back());
    loads.power += joint.peak_power;
    loads.energy += joint.energy;
    const bool slides = ulna::slides(info.kind);
    if (joint.peak > limits.effort) {
      loads.broken.push_back(fmt::format("{} needs {:.4g} {}, more than its effort limit {:g}", info.name, joint.peak,
                                         slides ? "N" : "N m", limits.effort));
    } else if (too_fast) {
      loads.broken.push_back(fmt::format("{} needs more than its effort at the speed that it then has", info.name));
    }
    if (speed > limits.velocity)
      loads.broken.push_back(fmt::format("{} moves at {:.4g} {}, faster than its velocity limit {:g}", info.name, speed,
                                         slides ? "m/s" : "rad/s", limits.velocity));
  }
}

}  // namespace

std::optional<std::pair<double, double>> Task::slide() const {
  if (in_tip_space() || to.empty()) return std::nullopt;
  double low = from.empty() ? 0.0 : from[0].in_si(), high = low;
  for (const JointNumbers* list : {&from, &to}) {
    for (const double x : list->in_si()) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  return std::pair{low, high};
}

double TaskLoads::inside(std::size_t k) const {
  const bool begins = k == 0 || t[k - 1] == t[k];
  if (begins && k + 1 < t.size()) return 0.5 * (t[k] + t[k + 1]);
  const bool ends = k + 1 == t.size() || t[k + 1] == t[k];
  return ends && k > 0 ? 0.5 * (t[k - 1] + t[k]) : t[k];
}

Model loaded_model(const Arm& arm, const Task& task) {
  if (task.payload == 0.0) return arm.model;
  Graph graph = arm.graph;
  add_payload(graph, {arm.model.tip().name, {.mass = task.payload}});
  return build(graph);
}

TaskLoads run_task(const Arm& arm, const Task& task, const KeepGoing& keep_going) {
  TaskLoads loads;
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(task.time / task.every)));
  for (std::size_t k = 0; k <= steps; ++k)
    loads.t.push_back(task.time * static_cast<double>(k) / static_cast<double>(steps));
  add_jumps(task, loads.t);
  const std::size_t size = loads.t.size() * arm.ranges.size();
  for (std::vector<double>* list : {&loads.q, &loads.v, &loads.a, &loads.tau}) list->assign(size, 0.0);
  if (task.in_tip_space())
    follow_points(arm, task, loads, keep_going);
  else
    plan_joints(arm, task, loads);
  add_torques(arm, task, loads);
  sum_up(arm, loads);
  return loads;
}

}  // namespace ulna::selection

// Paths and their fastest timing.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"
#include "ulna/plan/least_motion.hpp"
#include "ulna/plan/timed_motion.hpp"
#include "ulna/study/path_plan.hpp"

namespace ulna::python {

namespace {

/// None: as they are; a number for all joints, or one for each.
void set_limits(const py::object& given, const char* name, std::vector<double>& limits) {
  if (given.is_none()) return;
  if (py::isinstance<py::float_>(given) || py::isinstance<py::int_>(given)) {
    std::ranges::fill(limits, given.cast<double>());
    return;
  }
  const OneState numbers(given, name, static_cast<int>(limits.size()));
  std::ranges::copy(numbers.vector(), limits.begin());
}

/// Columns first … first + count − 1 of rows, as (rows, count).
py::object columns_of(const TimedMotion& motion, std::size_t first, std::size_t count) {
  Out part(nullptr, "part", static_cast<int>(motion.count()), {static_cast<int>(count)}, NPY_DOUBLE);
  for (std::size_t k = 0; k < motion.count(); ++k)
    std::copy_n(&motion.rows[k * motion.width + first], count, part.data<double>() + k * count);
  return py::reinterpret_steal<py::object>(part.finish());
}

/// Through waypoints, or what a path file says.
struct Given {
  std::optional<PathPlan> file{};
  std::vector<double> waypoints{};

  Given(const py::object& object, int nq) {
    if (py::isinstance<py::str>(object) || py::hasattr(object, "__fspath__")) {
      file = load_path_plan(py::str(object).cast<std::string>());
      return;
    }
    const In way(object.ptr(), "waypoints", nq, NPY_DOUBLE);
    if (!way.is_batch()) raise(PyExc_ValueError, "waypoints is one position; two or more, (N, %d), are wanted", nq);
    waypoints.assign(way.data<double>(), way.data<double>() + way.size());
  }

  TipPath path(const Model& model, bool straight, double error) const {
    if (file) return path_of(*file, model);
    const auto width = static_cast<std::size_t>(model.nq());
    return {straight ? Path::straight(waypoints, width, error) : Path::spline(waypoints, width)};
  }
};

struct GivenLimits {
  const py::object &velocity, &acceleration, &effort, &power, &tip_speed, &tip_force, &tip_mass, &tip_com, &jerk,
      &torque_rate;

  TimingLimits over(TimingLimits limits) const {
    set_limits(velocity, "velocity", limits.velocity);
    set_limits(acceleration, "acceleration", limits.acceleration);
    set_limits(effort, "effort", limits.torque);
    for (auto* list : {&limits.power, &limits.jerk, &limits.torque_rate})
      list->resize(limits.torque.size(), std::numeric_limits<double>::infinity());
    set_limits(power, "power", limits.power);
    set_limits(jerk, "jerk", limits.jerk);
    set_limits(torque_rate, "torque_rate", limits.torque_rate);
    if (!tip_speed.is_none()) limits.tip_speed = tip_speed.cast<double>();
    if (!tip_force.is_none()) limits.tip_force = tip_force.cast<double>();
    if (!tip_mass.is_none()) limits.tip_mass = tip_mass.cast<double>();
    if (!tip_com.is_none()) limits.tip_com = Vec3<double>::load(OneState(tip_com, "tip_com", 3).data<double>());
    return limits;
  }
};

py::dict refusal(const std::string& reason, double at) {
  py::dict dict;
  dict["possible"] = false;
  dict["reason"] = reason;
  dict["at"] = at;
  return dict;
}

py::dict answer(const Timing& timing, const TimedMotion& motion) {
  const std::size_t width = (motion.width - 1) / 4;
  py::dict dict;
  dict["possible"] = true;
  dict["time"] = timing.duration();
  dict["t"] = columns_of(motion, 0, 1).attr("ravel")();
  const char* const names[] = {"q", "v", "a", "tau"};
  for (std::size_t k = 0; k < std::size(names); ++k) dict[names[k]] = columns_of(motion, 1 + k * width, width);
  return dict;
}

py::dict plan(Robot& robot, const py::object& waypoints, bool straight, double error, const py::object& velocity,
              const py::object& acceleration, const py::object& effort, const py::object& power,
              const py::object& tip_speed, const py::object& tip_force, const py::object& tip_mass,
              const py::object& tip_com, const py::object& jerk, const py::object& torque_rate, int intervals,
              double every) {
  const Model& model = *robot.model;
  const Given given(waypoints, robot.tree->nq());
  const TimingLimits limits =
      GivenLimits{velocity, acceleration, effort, power, tip_speed, tip_force, tip_mass, tip_com, jerk, torque_rate}
          .over(given.file ? limits_of(*given.file, model) : timing_limits(model));
  Timing timing;
  TimedMotion motion;
  TipPath followed;
  {
    const WithoutGil computing;
    followed = given.path(model, straight, error);
    if (followed.path) timing = fastest_timing(model, *followed.path, limits, {.intervals = intervals});
    if (followed.path && timing.possible()) motion = timed_motion(model, *followed.path, timing, every);
  }
  if (!followed.path)
    return refusal("move " + std::to_string(followed.leg + 1) + ": " + followed.reason, followed.share);
  if (!timing.possible()) return refusal(timing.reason, timing.blocked_at);
  return answer(timing, motion);
}

py::dict plan_to(Robot& robot, const py::object& start, const py::object& end, const std::string& least, double time,
                 const py::object& velocity, const py::object& acceleration, const py::object& effort,
                 const py::object& power, const py::object& tip_speed, const py::object& jerk, int intervals,
                 double every) {
  const Model& model = *robot.model;
  const OneState from(start, "start", robot.tree->nq()), to(end, "end", robot.tree->nq());
  const py::none none;
  const TimingLimits limits =
      GivenLimits{velocity, acceleration, effort, power, tip_speed, none, none, none, jerk, none}.over(
          timing_limits(model));
  if (least != "time" && least != "torque" && least != "energy")
    raise(PyExc_ValueError, "least is '%s'; it is one of time, torque and energy", least.c_str());
  const LeastOf what = least == "time" ? LeastOf::time : least == "torque" ? LeastOf::torque : LeastOf::energy;
  LeastMotion found;
  TimedMotion motion;
  {
    const WithoutGil computing;
    found = least_motion(model, from.vector(), to.vector(), limits,
                         {.least = what, .duration = time, .intervals = intervals});
    if (found.possible()) motion = timed_motion(model, *found.path, found.timing, every);
  }
  if (!found.possible()) return refusal(found.timing.reason, 0.0);
  py::dict dict = answer(found.timing, motion);
  dict["torque_square"] = found.torque_square;
  dict["energy"] = found.energy;
  dict["straight"] = found.straight;
  return dict;
}

}  // namespace

void bind_paths(py::module_& module) {
  const Methods methods(module.attr("Model"));
  methods.def(
      "plan",
      "(self, waypoints, *, straight=False, error=0.0, velocity=None, acceleration=None, effort=None, power=None, "
      "tip_speed=None, tip_force=None, tip_mass=None, tip_com=None, jerk=None, torque_rate=None, intervals=1000, "
      "every=0.01)",
      "The fastest motion from rest to rest that the motors allow (doc/paths.md), through waypoints (N, nq): by a\n"
      "spline through all, or straight with corners cut by at most `error`; or along a path file, by its name.\n"
      "velocity, acceleration, effort, power, jerk, torque_rate: limits instead of the robot's or the file's, a "
      "number\n"
      "for all joints or (nv,); tip_speed: of the tip, m/s; tip_force: N between it and tip_mass (kg) that it "
      "carries, centred at tip_com (3,) in its frame. Returns a dict: possible, and then time (s) and every "
      "`every` s t (M,), q, "
      "v,\n"
      "a and tau (M, nv); else the reason, and where: on the path, or the share of a move that cannot be followed.",
      &plan, py::arg("waypoints"), py::kw_only(), py::arg("straight") = false, py::arg("error") = 0.0,
      py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(), py::arg("effort") = py::none(),
      py::arg("power") = py::none(), py::arg("tip_speed") = py::none(), py::arg("tip_force") = py::none(),
      py::arg("tip_mass") = py::none(), py::arg("tip_com") = py::none(), py::arg("jerk") = py::none(),
      py::arg("torque_rate") = py::none(), py::arg("intervals") = 1000, py::arg("every") = 0.01);
  methods.def(
      "plan_to",
      "(self, start, end, *, least='time', time=0.0, velocity=None, acceleration=None, effort=None, power=None, "
      "tip_speed=None, jerk=None, intervals=60, every=0.01)",
      "From rest to rest without a given path (doc/paths.md): the motion that takes least time, or that in `time` (s)\n"
      "costs least 'torque' (squared) or 'energy' (what the motors give). Limits as for plan(). Returns a dict as\n"
      "plan() does, with torque_square ((N m)² s), energy (J), and straight: the time of the fastest motion straight "
      "in\n"
      "the joints.",
      &plan_to, py::arg("start"), py::arg("end"), py::kw_only(), py::arg("least") = "time", py::arg("time") = 0.0,
      py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(), py::arg("effort") = py::none(),
      py::arg("power") = py::none(), py::arg("tip_speed") = py::none(), py::arg("jerk") = py::none(),
      py::arg("intervals") = 60, py::arg("every") = 0.01);
}

}  // namespace ulna::python

// Paths and their fastest timing.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"
#include "ulna/plan/timed_motion.hpp"

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

py::dict plan(Robot& robot, const py::object& waypoints, bool straight, double error, const py::object& velocity,
              const py::object& acceleration, const py::object& effort, const py::object& tip_speed, int intervals,
              double every) {
  const int nq = robot.tree->nq();
  const In way(waypoints.ptr(), "waypoints", nq, NPY_DOUBLE);
  if (!way.is_batch()) raise(PyExc_ValueError, "waypoints is one position; two or more, (N, %d), are wanted", nq);
  TimingLimits limits = timing_limits(*robot.model);
  set_limits(velocity, "velocity", limits.velocity);
  set_limits(acceleration, "acceleration", limits.acceleration);
  set_limits(effort, "effort", limits.torque);
  if (!tip_speed.is_none()) limits.tip_speed = tip_speed.cast<double>();
  const std::span<const double> all(way.data<double>(), static_cast<std::size_t>(way.size()));
  const auto width = static_cast<std::size_t>(nq);
  Timing timing;
  TimedMotion motion;
  {
    const WithoutGil computing;
    const Path path = straight ? Path::straight(all, width, error) : Path::spline(all, width);
    timing = fastest_timing(*robot.model, path, limits, {.intervals = intervals});
    if (timing.possible()) motion = timed_motion(*robot.model, path, timing, every);
  }
  py::dict dict;
  dict["possible"] = timing.possible();
  if (!timing.possible()) {
    dict["reason"] = timing.reason;
    dict["at"] = timing.blocked_at;
    return dict;
  }
  dict["time"] = timing.duration();
  dict["t"] = columns_of(motion, 0, 1).attr("ravel")();
  const char* const names[] = {"q", "v", "a", "tau"};
  for (std::size_t k = 0; k < std::size(names); ++k) dict[names[k]] = columns_of(motion, 1 + k * width, width);
  return dict;
}

}  // namespace

void bind_paths(py::module_& module) {
  const Methods methods(module.attr("Model"));
  methods.def(
      "plan",
      "(self, waypoints, *, straight=False, error=0.0, velocity=None, acceleration=None, effort=None, tip_speed=None, "
      "intervals=1000, every=0.01)",
      "The fastest motion from rest to rest through waypoints (N, nq) that the motors allow (doc/paths.md): by a "
      "spline\n"
      "through all, or straight with corners cut by at most `error`. velocity, acceleration, effort: limits instead "
      "of\n"
      "the robot's, a number for all joints or (nv,); tip_speed: of the tip, m/s. Returns a dict: possible, and then "
      "time (s) and every `every` s\n"
      "t (M,), q, v, a and tau (M, nv); else the reason, and where on the path.",
      &plan, py::arg("waypoints"), py::kw_only(), py::arg("straight") = false, py::arg("error") = 0.0,
      py::arg("velocity") = py::none(), py::arg("acceleration") = py::none(), py::arg("effort") = py::none(),
      py::arg("tip_speed") = py::none(), py::arg("intervals") = 1000, py::arg("every") = 0.01);
}

}  // namespace ulna::python

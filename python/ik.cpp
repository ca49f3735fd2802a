// Inverse kinematics.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"
#include "ulna/batch/ik_batch.hpp"
#include "ulna/loop/loop_ik.hpp"

namespace ulna::python {

namespace {

IkPreference preference_of(const std::string& name) {
  if (name == "any") return IkPreference::any;
  if (name == "near") return IkPreference::near;
  if (name == "middle") return IkPreference::middle;
  if (name == "manipulability") return IkPreference::manipulability;
  if (name == "gravity") return IkPreference::gravity;
  raise(PyExc_ValueError, "prefer is '%s'; 'any', 'near', 'middle', 'manipulability' or 'gravity' is wanted",
        name.c_str());
}

/// Targets as Python gives them: (4, 4) and (3,), or rows of such, as rows of 16 numbers, column by column.
struct GivenPoses {
  GivenPoses(const py::object& object, bool one_state) {
    const py::object array = py::module_::import("numpy").attr("asarray")(object, py::arg("dtype") = "float64");
    const auto shape = array.attr("shape").cast<std::vector<py::ssize_t>>();
    const std::size_t n = shape.size();
    const bool pose = n >= 2 && n <= 3 && shape[n - 1] == 4 && shape[n - 2] == 4;
    position_only = !pose && n >= 1 && n <= 2 && shape[n - 1] == 3;
    if (!pose && !position_only)
      raise(PyExc_ValueError, "pose has shape %s; (4, 4) or (N, 4, 4), or (3,) or (N, 3) for positions alone is wanted",
            py::str(array.attr("shape")).cast<std::string>().c_str());
    is_batch = n == (pose ? 3U : 2U);
    if (is_batch && one_state) raise(PyExc_ValueError, "one pose is wanted, and pose is many");
    rows = is_batch ? shape[0] : 1;
    numbers = pose ? array.attr("swapaxes")(-1, -2).attr("reshape")(rows, 16) : with_identity(array);
  }

  /// Positions with an orientation that nobody asks for.
  py::object with_identity(const py::object& array) const {
    const py::module_ numpy = py::module_::import("numpy");
    py::object all = numpy.attr("tile")(numpy.attr("eye")(4).attr("reshape")(1, 16), py::make_tuple(rows, 1));
    all[py::make_tuple(py::ellipsis(), py::slice(12, 15, 1))] = array;
    return all;
  }

  bool position_only = false, is_batch = false;
  py::ssize_t rows = 0;
  py::object numbers;
};

struct IkArguments {
  std::vector<double> weights;  // six, or none
  IkOptions options;
};

IkTarget target_of(const Frame& frame, bool position_only, const IkArguments& arguments) {
  IkTarget target =
      position_only ? position_target(frame, Vec3<double>::zero()) : pose_target(frame, Pose<double>::identity());
  if (arguments.weights.empty()) return target;
  if (arguments.weights.size() != 6)
    raise(PyExc_ValueError, "weights has %zu numbers; six are wanted: of x, y, z and of turns about x, y, z",
          arguments.weights.size());
  target.position = Vec3<double>::load(arguments.weights.data());
  target.orientation = Vec3<double>::load(arguments.weights.data() + 3);
  return target;
}

Pose<double> pose_of(const double* T) {
  return {Mat3<double>::from_columns(Vec3<double>::load(T), Vec3<double>::load(T + 4), Vec3<double>::load(T + 8)),
          Vec3<double>::load(T + 12)};
}

/// The frames and what each is to reach; one frame by its name or none, or several in a list with as many targets.
struct Wanted {
  std::vector<IkTarget> targets;
  std::vector<Pose<double>> poses;
};

void add_target(Robot& robot, const std::string& frame, const py::object& pose, const IkArguments& arguments,
                Wanted& to) {
  const GivenPoses given(pose, true);
  const In numbers(given.numbers.ptr(), "pose", 16, NPY_DOUBLE);
  to.targets.push_back(target_of(robot.frame(frame), given.position_only, arguments));
  to.poses.push_back(pose_of(numbers.data<double>()));
}

bool is_list(const py::object& object) { return py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object); }
std::string frame_name(const py::object& frame) { return frame.is_none() ? "" : frame.cast<std::string>(); }

Wanted wanted_of(Robot& robot, const py::object& pose, const py::object& frame, const IkArguments& arguments) {
  Wanted wanted;
  if (!is_list(frame)) {
    add_target(robot, frame_name(frame), pose, arguments, wanted);
    return wanted;
  }
  const auto names = frame.cast<std::vector<std::string>>();
  if (py::len(pose) != names.size())
    raise(PyExc_ValueError, "there are %zu frames and %zu poses", names.size(), py::len(pose));
  for (std::size_t k = 0; k < names.size(); ++k) add_target(robot, names[k], pose[py::int_(k)], arguments, wanted);
  return wanted;
}

py::dict ik_of_one(Robot& robot, const Wanted& wanted, const py::object& start, IkPreference preference,
                   const IkOptions& options) {
  std::optional<OneState> from;
  if (!start.is_none()) from.emplace(start, "start", robot.tree->nq());
  IkSolution found;
  {
    const WithoutGil computing;
    std::vector<IkTarget> targets = wanted.targets;
    for (std::size_t k = 0; k < targets.size(); ++k) targets[k].pose = wanted.poses[k];
    found = (robot.model->loops().empty() ? solve_ik : solve_loop_ik)(
        *robot.model, targets, from ? from->vector() : VectorView<const double>{}, preference, options);
  }
  py::dict dict;
  dict["q"] = array_of(found.q);
  dict["solved"] = found.solved;
  dict["position_error"] = found.position_error;
  dict["orientation_error"] = found.orientation_error;
  if (!found.solved) dict["reason"] = found.reason;
  return dict;
}

py::dict ik_of_many(Robot& robot, const GivenPoses& given, const std::string& frame, const py::object& start,
                    const IkArguments& arguments, int threads) {
  const int nq = robot.tree->nq(), n = static_cast<int>(given.rows);
  const In poses(given.numbers.ptr(), "pose", 16, NPY_DOUBLE);
  std::optional<In> from;
  if (!start.is_none()) {
    from.emplace(start.ptr(), "start", nq, NPY_DOUBLE);
    if (from->is_batch() && from->rows() != 1 && from->rows() != n)
      raise(PyExc_ValueError, "there are %d poses and %zd starts", n, from->rows());
  }
  Out q(nullptr, "q", n, {nq}, NPY_DOUBLE);
  std::vector<IkResult> results(static_cast<std::size_t>(n));
  IkBatchOptions options{arguments.options, threads, &no_signal_came};
  const IkTarget target = target_of(robot.frame(frame), given.position_only, arguments);
  {
    const WithoutGil computing;
    IkBatch batch(*robot.model, {target}, options);
    if (from)
      batch.solve(poses.columns<double>(n), from->columns<double>(n), q.columns<double>(n), results);
    else
      batch.solve(poses.columns<double>(n), q.columns<double>(n), results);
  }
  std::vector<double> solved, position, orientation;
  for (const IkResult& one : results) {
    solved.push_back(one.solved ? 1.0 : 0.0);
    position.push_back(one.position_error);
    orientation.push_back(one.orientation_error);
  }
  py::dict dict;
  dict["q"] = py::reinterpret_steal<py::object>(q.finish());
  dict["solved"] = array_of(solved).attr("astype")("bool");
  dict["position_error"] = array_of(position);
  dict["orientation_error"] = array_of(orientation);
  return dict;
}

py::dict ik(Robot& robot, const py::object& pose, const py::object& frame, const py::object& start,
            const std::string& prefer, std::vector<double> weights, double position_tolerance,
            double orientation_tolerance, int threads) {
  const IkPreference preference = preference_of(prefer);
  const IkArguments arguments{
      std::move(weights), {.position_tolerance = position_tolerance, .orientation_tolerance = orientation_tolerance}};
  if (!is_list(frame)) {
    const GivenPoses given(pose, false);
    if (given.is_batch) {
      if (preference != IkPreference::any) raise(PyExc_ValueError, "prefer is for one pose; these are many");
      return ik_of_many(robot, given, frame_name(frame), start, arguments, threads);
    }
  }
  return ik_of_one(robot, wanted_of(robot, pose, frame, arguments), start, preference, arguments.options);
}

py::dict ik_all(Robot& robot, const py::object& pose, const py::object& frame, std::vector<double> weights, int samples,
                double position_tolerance, double orientation_tolerance) {
  const IkArguments arguments{
      std::move(weights), {.position_tolerance = position_tolerance, .orientation_tolerance = orientation_tolerance}};
  const Wanted wanted = wanted_of(robot, pose, frame, arguments);
  const auto postures = without_gil(
      [&] { return InverseKinematics(*robot.model, wanted.targets, arguments.options).all(wanted.poses, samples); });
  const int nq = robot.tree->nq();
  Out q(nullptr, "q", static_cast<int>(postures.q.size()), {nq}, NPY_DOUBLE);
  for (std::size_t k = 0; k < postures.q.size(); ++k)
    std::ranges::copy(postures.q[k], q.data<double>() + static_cast<std::ptrdiff_t>(k) * nq);
  py::dict dict;
  dict["q"] = py::reinterpret_steal<py::object>(q.finish());
  dict["family"] = postures.family;
  dict["closed_form"] = postures.closed_form;
  dict["spare"] = postures.spare;
  dict["cut"] = postures.cut;
  return dict;
}

}  // namespace

void bind_ik(py::module_& module) {
  const Methods methods(module.attr("Model"));
  methods.def(
      "ik",
      "(self, pose, frame=None, *, start=None, prefer='any', weights=(), position_tolerance=1e-6, "
      "orientation_tolerance=1e-6, threads=0)",
      "Positions of the joints, within their limits, that bring a link or frame to a pose (4, 4), or to a position\n"
      "(3,); (N, 4, 4) or (N, 3) for many at once. Several frames: lists of names and of what each is to reach. "
      "start:\n"
      "(nq,) or (N, nq), tried first. prefer, of one pose: 'any', 'near' (the start), 'middle' (of the ranges),\n"
      "'manipulability' or 'gravity' (little torque). weights: of x, y, z in the world and of turns about the "
      "target's\n"
      "x, y, z; 0 sets free. Returns a dict: q, solved, position_error (m), orientation_error (rad), and for one that\n"
      "is out of reach, whose q is the nearest that was found, the reason. Closed loops, of one pose, are closed.",
      &ik, py::arg("pose"), py::arg("frame") = py::none(), py::kw_only(), py::arg("start") = py::none(),
      py::arg("prefer") = "any", py::arg("weights") = std::vector<double>{}, py::arg("position_tolerance") = 1e-6,
      py::arg("orientation_tolerance") = 1e-6, py::arg("threads") = 0);
  methods.def(
      "ik_all",
      "(self, pose, frame=None, *, weights=(), samples=24, position_tolerance=1e-6, orientation_tolerance=1e-6)",
      "All postures that reach a pose, as ik() takes it, in a dict: q (N, nq), family (which postures lead into each\n"
      "other by spare motion, of which there are `samples` each), closed_form, spare (how many motions leave the pose "
      "in\n"
      "place) and cut (whether there are more than are listed).",
      &ik_all, py::arg("pose"), py::arg("frame") = py::none(), py::kw_only(),
      py::arg("weights") = std::vector<double>{}, py::arg("samples") = 24, py::arg("position_tolerance") = 1e-6,
      py::arg("orientation_tolerance") = 1e-6);
}

}  // namespace ulna::python

// Poses, Jacobians and velocities of frames, and what sums over the bodies.
#include "ulna/kinematics/kinematics.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "one_state.hpp"
#include "ulna/kinematics/tip_task.hpp"
#include "ulna/loop/free_motion.hpp"

namespace ulna::python {

namespace {

Reference reference_of(PyObject* value, const char* method) {
  if (!given(value))
    raise(PyExc_TypeError, "%s() needs reference='world_axes', 'own_axes' or 'world_origin' (doc/conventions.md)",
          method);
  const std::string name = text_of(value, "reference");
  if (name == "world_axes") return Reference::world_axes;
  if (name == "own_axes") return Reference::own_axes;
  if (name == "world_origin") return Reference::world_origin;
  raise(PyExc_ValueError, "reference is '%s'; 'world_axes', 'own_axes' or 'world_origin' is wanted", name.c_str());
}

const Frame& frame_of(const Robot& robot, PyObject* value) {
  return robot.frame(given(value) ? text_of(value, "frame") : "");
}

/// A name, or a sequence of names.
struct Frames {
  Frames(const Robot& robot, PyObject* value) : several(given(value) && PyUnicode_Check(value) == 0) {
    if (!several) {
      all.push_back(&frame_of(robot, value));
    } else {
      for (const std::string& name : names_of(value, "frame")) all.push_back(&robot.frame(name));
    }
    if (all.empty()) raise(PyExc_ValueError, "frame names no frame");
  }
  ResultShape of_each(ResultShape one) const {
    if (several) one.frames = static_cast<int>(all.size());
    return one;
  }

  bool several;
  std::vector<const Frame*> all;
};

auto take_kinematics(Robot& robot) {
  return robot.idle.kinematics.take(0, [&] { return std::make_unique<Kinematics<double>>(*robot.tree); });
}

void write_pose(const Pose<double>& pose, double* T) {
  const std::array columns{pose.R.column_x(), pose.R.column_y(), pose.R.column_z(), pose.p};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    columns[k].store(T + 4 * k);
    T[4 * k + 3] = k < 3 ? 0.0 : 1.0;
  }
}

PyObject* pose(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("pose", {"q"}, {"frame", "dtype", "out", "threads"}, 1);
  const Signature::Values values = signature.values(arguments, count, names);
  const Frames frames(robot, values[1]);
  const int type = type_of(values[2], {values[0]});
  const In q(values[0], "q", robot.tree->nq(), type);
  const int states = count_states({&q});
  Out T(given(values[3]) ? values[3] : nullptr, "out", states, frames.of_each({4, 4}), type, {&q});
  if (states < 0 && type == NPY_DOUBLE) {
    const auto kinematics = take_kinematics(robot);
    const WithoutGil computing;
    kinematics->update_positions(q.vector());
    for (std::size_t k = 0; k < frames.all.size(); ++k)
      write_pose(kinematics->pose(*frames.all[k]), T.data<double>() + 16 * k);
  } else {
    const int n = states < 0 ? 1 : states, threads = given(values[4]) ? count_of(values[4], "threads") : 0;
    const auto compute = [&]<class S>(S) {
      expect_rotations<S>(robot, q, states);
      const auto batch = take_batch<S>(robot, {"auto", false, threads, frames.all});
      const WithoutGil computing;
      batch->pose(q.columns<S>(n), T.columns<S>(n));
    };
    type == NPY_FLOAT ? compute(0.0F) : compute(0.0);
  }
  return T.finish();
}

PyObject* jacobian(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("jacobian", {"q"}, {"frame", "reference", "dtype", "out", "threads"}, 1);
  const Signature::Values values = signature.values(arguments, count, names);
  const Frames frames(robot, values[1]);
  const Reference reference = reference_of(values[2], "jacobian");
  const int type = type_of(values[3], {values[0]});
  const In q(values[0], "q", robot.tree->nq(), type);
  const int states = count_states({&q});
  Out J(given(values[4]) ? values[4] : nullptr, "out", states, frames.of_each({6, robot.tree->nv()}), type, {&q});
  if (states < 0 && type == NPY_DOUBLE) {
    const auto kinematics = take_kinematics(robot);
    const WithoutGil computing;
    kinematics->update_positions(q.vector());
    double* numbers = J.data<double>();
    for (const Frame* frame : frames.all) {
      kinematics->jacobian(*frame, reference, {numbers, 6, robot.tree->nv()});
      numbers += 6 * robot.tree->nv();
    }
  } else {
    const int n = states < 0 ? 1 : states, threads = given(values[5]) ? count_of(values[5], "threads") : 0;
    const auto compute = [&]<class S>(S) {
      expect_rotations<S>(robot, q, states);
      const auto batch = take_batch<S>(robot, {"auto", false, threads, frames.all, reference});
      const WithoutGil computing;
      batch->jacobian(q.columns<S>(n), J.columns<S>(n));
    };
    type == NPY_FLOAT ? compute(0.0F) : compute(0.0);
  }
  return J.finish();
}

void write_motion(const Motion<double>& motion, double* numbers) {
  motion.angular.store(numbers);
  motion.linear.store(numbers + 3);
}

PyObject* velocity(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("velocity", {"q", "v"}, {"frame", "reference", "dtype", "out", "threads"}, 1);
  const Signature::Values values = signature.values(arguments, count, names);
  const Frames frames(robot, values[2]);
  const Reference reference = reference_of(values[3], "velocity");
  const int type = type_of(values[4], {values[0], values[1]});
  const In q(values[0], "q", robot.tree->nq(), type), v(values[1], "v", robot.tree->nv(), type);
  const int states = count_states({&q, &v});
  Out result(given(values[5]) ? values[5] : nullptr, "out", states, frames.of_each({6}), type, {&q, &v});
  if (states < 0 && type == NPY_DOUBLE) {
    const auto kinematics = take_kinematics(robot);
    const WithoutGil computing;
    kinematics->update_positions(q.vector());
    kinematics->update_velocities(v.vector());
    for (std::size_t k = 0; k < frames.all.size(); ++k)
      write_motion(kinematics->velocity(*frames.all[k], reference), result.data<double>() + 6 * k);
  } else {
    const int n = states < 0 ? 1 : states, threads = given(values[6]) ? count_of(values[6], "threads") : 0;
    const auto compute = [&]<class S>(S) {
      expect_rotations<S>(robot, q, states);
      const auto batch = take_batch<S>(robot, {"auto", false, threads, frames.all, reference});
      const WithoutGil computing;
      batch->velocity(q.columns<S>(n), v.columns<S>(n), result.columns<S>(n));
    };
    type == NPY_FLOAT ? compute(0.0F) : compute(0.0);
  }
  return result.finish();
}

// ---- sums over the bodies

/// one(kinematics, q, v, result) is for one state, many(batch, q, v, result) for a batch. Without rates v is empty.
template <class One, class Many>
PyObject* sum(Robot& robot, const Signature::Values& values, bool rates, ResultShape shape, One one, Many many) {
  PyObject* const* options = &values[rates ? 2 : 1];  // dtype, out, threads
  const int type = rates ? type_of(options[0], {values[0], values[1]}) : type_of(options[0], {values[0]});
  const In q(values[0], "q", robot.tree->nq(), type);
  std::optional<In> v;
  if (rates) v.emplace(values[1], "v", robot.tree->nv(), type);
  const Arguments arguments{&q, v ? &*v : nullptr};
  const int states = count_states(arguments);
  Out result(given(options[1]) ? options[1] : nullptr, "out", states, shape, type, arguments);
  if (states < 0 && type == NPY_DOUBLE) {
    const auto kinematics = take_kinematics(robot);
    const WithoutGil computing;
    kinematics->update_positions(q.vector());
    if (v) kinematics->update_velocities(v->vector());
    one(*kinematics, q.vector(), v ? v->vector() : VectorView<const double>{}, result.data<double>());
  } else {
    const int n = states < 0 ? 1 : states, threads = given(options[2]) ? count_of(options[2], "threads") : 0;
    const auto compute = [&]<class S>(S) {
      expect_rotations<S>(robot, q, states);
      const auto batch = take_batch<S>(robot, {"auto", false, threads});
      const WithoutGil computing;
      many(*batch, q.columns<S>(n), v ? v->columns<S>(n) : MatrixView<const S>(nullptr, 0, n), result.columns<S>(n));
    };
    type == NPY_FLOAT ? compute(0.0F) : compute(0.0);
  }
  return result.finish();
}

/// A row as the numbers in it.
template <class S>
VectorView<S> one_each(const MatrixView<S>& row) {
  return {row.data, static_cast<std::size_t>(row.cols)};
}

PyObject* com(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("com", {"q"}, {"dtype", "out", "threads"});
  return sum(
      robot, signature.values(arguments, count, names), false, {3},
      [](const auto& kinematics, auto, auto, double* result) { kinematics.com().store(result); },
      [](auto& batch, auto q, auto, auto result) { batch.com(q, result); });
}

PyObject* potential_energy(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("potential_energy", {"q"}, {"dtype", "out", "threads"});
  return sum(
      robot, signature.values(arguments, count, names), false, {0},
      [](const auto& kinematics, auto q, auto, double* result) {
        *result = kinematics.gravity_energy() + kinematics.spring_energy(q);
      },
      [](auto& batch, auto q, auto, auto result) { batch.potential_energy(q, one_each(result)); });
}

PyObject* kinetic_energy(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("kinetic_energy", {"q", "v"}, {"dtype", "out", "threads"});
  return sum(
      robot, signature.values(arguments, count, names), true, {0},
      [](const auto& kinematics, auto, auto v, double* result) { *result = kinematics.kinetic_energy(v); },
      [](auto& batch, auto q, auto v, auto result) { batch.kinetic_energy(q, v, one_each(result)); });
}

PyObject* momentum(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("momentum", {"q", "v"}, {"dtype", "out", "threads"});
  return sum(
      robot, signature.values(arguments, count, names), true, {6},
      [](const auto& kinematics, auto, auto, double* result) {
        const Force<double> all = kinematics.momentum();
        all.moment.store(result);
        all.force.store(result + 3);
      },
      [](auto& batch, auto q, auto v, auto result) { batch.momentum(q, v, result); });
}

PyMethodDef kinematics_methods[] = {
    fast_method<&pose>(
        "pose",
        "pose($self, q, frame=None, *, dtype=None, out=None, threads=0)\n--\n\n"
        "The pose of a link or frame in the world as a homogeneous matrix [R p; 0 1], p in m.\n\n"
        "q: (nq,) or (N, nq). frame: its name, the tip without it, or a list of F names. Returns (4, 4) or (N, 4, 4),\n"
        "with a list (F, 4, 4) or (N, F, 4, 4), column by column in memory."),
    fast_method<&jacobian>(
        "jacobian",
        "jacobian($self, q, frame=None, *, reference, dtype=None, out=None, threads=0)\n--\n\n"
        "J with velocity = J v: angular rows first, then linear ones.\n\n"
        "q: (nq,) or (N, nq). frame: the name of a link or frame, the tip without it. reference: 'world_axes'\n"
        "(rates of the frame's origin in world axes), 'own_axes' (the same in its own axes) or 'world_origin'\n"
        "(of the body's point at the world origin). Returns (6, nv) or (N, 6, nv), column by column in memory; with a\n"
        "list of F frames (F, 6, nv) or (N, F, 6, nv)."),
    fast_method<&velocity>(
        "velocity",
        "velocity($self, q, v, frame=None, *, reference, dtype=None, out=None, threads=0)\n--\n\n"
        "Angular velocity (rad/s) and velocity (m/s) of a link or frame, as jacobian() describes them.\n\n"
        "q: (nq,) or (N, nq). v: (nv,) or (N, nv). Returns (6,) or (N, 6), with a list of F frames (F, 6) or (N, F, "
        "6)."),
    fast_method<&com>("com",
                      "com($self, q, *, dtype=None, out=None, threads=0)\n--\n\n"
                      "The mass centre of the moving links in the world, m.\n\n"
                      "q: (nq,) or (N, nq). Returns (3,) or (N, 3)."),
    fast_method<&potential_energy>("potential_energy",
                                   "potential_energy($self, q, *, dtype=None, out=None, threads=0)\n--\n\n"
                                   "Energy in gravity and springs, J.\n\n"
                                   "q: (nq,) or (N, nq). Returns a number or (N,)."),
    fast_method<&kinetic_energy>("kinetic_energy",
                                 "kinetic_energy($self, q, v, *, dtype=None, out=None, threads=0)\n--\n\n"
                                 "Kinetic energy with the rotors, J.\n\n"
                                 "q: (nq,) or (N, nq). v: (nv,) or (N, nv). Returns a number or (N,)."),
    fast_method<&momentum>(
        "momentum",
        "momentum($self, q, v, *, dtype=None, out=None, threads=0)\n--\n\n"
        "Angular momentum about the mass centre (kg m²/s), then momentum (kg m/s), in world axes.\n\n"
        "q: (nq,) or (N, nq). v: (nv,) or (N, nv). Returns (6,) or (N, 6)."),
};

// ---- of one state

py::object acceleration(Robot& robot, const py::object& q, const py::object& v, const py::object& a,
                        const py::object& frame, const py::object& reference) {
  const OneState position(q, "q", robot.tree->nq()), rates(v, "v", robot.tree->nv()), second(a, "a", robot.tree->nv());
  const auto kinematics = take_kinematics(robot);
  kinematics->update_positions(position.vector());
  kinematics->update_velocities(rates.vector());
  kinematics->update_accelerations(rates.vector(), second.vector());
  std::array<double, 6> numbers{};
  write_motion(kinematics->acceleration(frame_of(robot, frame.ptr()), reference_of(reference.ptr(), "acceleration")),
               numbers.data());
  return array_of(numbers);
}

/// Of the task that the frame is there for, and the task.
std::pair<Manipulability, TipTask> manipulability_at(Robot& robot, VectorView<const double> q, const Frame& frame) {
  std::vector<double> jacobian(6 * static_cast<std::size_t>(robot.tree->nv()));
  int columns = robot.tree->nv();
  if (robot.has_loops()) {
    jacobian = free_jacobian(*robot.model, frame, q);
    columns = static_cast<int>(jacobian.size() / 6);
  } else {
    Kinematics<double> kinematics(*robot.tree);
    kinematics.update_positions(q);
    kinematics.jacobian(frame, Reference::world_axes, {jacobian.data(), 6, columns});
  }
  const TipTask task = robot.has_loops() ? tip_task(*robot.model, frame, q) : tip_task(*robot.model, frame);
  const std::vector<double> rows = task.rows({jacobian.data(), 6, columns});
  return {manipulability({rows.data(), static_cast<int>(rows.size()) / std::max(columns, 1), columns}, task.rank),
          task};
}

py::dict manipulability_of(Robot& robot, const py::object& q, const py::object& frame) {
  const OneState position(q, "q", robot.tree->nq());
  const Frame& at = frame_of(robot, frame.ptr());
  const auto [here, task] = without_gil([&] { return manipulability_at(robot, position.vector(), at); });
  py::dict dict;
  dict["task"] = task.name();
  dict["manipulability"] = here.yoshikawa;
  dict["condition"] = here.condition;
  dict["smallest"] = here.smallest;
  dict["rank"] = here.rank;
  dict["full_rank"] = task.rank;
  dict["singular"] = here.rank < task.rank;
  return dict;
}

}  // namespace

void bind_kinematics(py::module_& module) {
  add_methods(module.attr("Model"), kinematics_methods);
  const Methods methods(module.attr("Model"));
  methods.def(
      "acceleration", "(self, q, v, a, frame=None, *, reference)",
      "Angular acceleration (rad/s²) and acceleration (m/s²) of a link or frame: the rate of velocity() in the same\n"
      "reference. q: (nq,), v, a: (nv,). Returns (6,).",
      &acceleration, py::arg("q"), py::arg("v"), py::arg("a"), py::arg("frame") = py::none(), py::kw_only(),
      py::arg("reference") = py::none());
  methods.def(
      "manipulability", "(self, q, frame=None)",
      "How well a frame moves at q (nq,), of the task that it is there for (doc/conventions.md), as a dict: task,\n"
      "manipulability (Yoshikawa's), condition, smallest singular value, rank, full_rank, singular. With closed loops "
      "of\n"
      "the motions that keep them closed.",
      &manipulability_of, py::arg("q"), py::arg("frame") = py::none());
}

}  // namespace ulna::python

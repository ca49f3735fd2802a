// Dynamics of one state or of many: the same call.
#include "ulna/dynamics/method.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "wrenches.hpp"

namespace ulna::python {

namespace {

/// A method of `Model` for a quantity of the formulations.
struct Computation {
  Quantity quantity;
  std::array<const char*, 3> inputs;  // q, and what has nv numbers
  std::size_t input_count;
  enum class Result { vector, symmetric, matrix } result;
  Signature signature;
};

// Keywords stand behind the inputs in this order.
enum Keyword : std::size_t { method, compiled, dtype, out, threads, payload, wrench, actuated };
constexpr auto common = {"method", "compiled", "dtype", "out", "threads"};
constexpr auto with_payload = {"method", "compiled", "dtype", "out", "threads", "payload"};
constexpr auto with_wrench = {"method", "compiled", "dtype", "out", "threads", "payload", "wrench"};
constexpr auto with_drives = {"method", "compiled", "dtype", "out", "threads", "payload", "wrench", "actuated"};

using Inputs = std::array<std::optional<In>, 3>;

struct Options {
  std::string method = "auto";
  bool compiled = false;
  int threads = 0;
  PyObject *dtype, *out, *payload, *wrench, *actuated;

  Options(const Signature::Values& values, std::size_t first)
      : compiled(truth_of(values[first + Keyword::compiled])),
        dtype(values[first + Keyword::dtype]),
        out(given(values[first + Keyword::out]) ? values[first + Keyword::out] : nullptr),
        payload(values[first + Keyword::payload]),
        wrench(values[first + Keyword::wrench]),
        actuated(values[first + Keyword::actuated]) {
    if (PyObject* name = values[first + Keyword::method]; given(name)) method = text_of(name, "method");
    if (PyObject* count = values[first + Keyword::threads]; given(count)) threads = count_of(count, "threads");
  }
};

/// (N, 6·bodies), filled by NumPy.
py::object wrench_rows(const Robot& robot, PyObject* wrench, int states, int type) {
  const std::array<npy_intp, 2> shape{states, 6 * robot.tree->body_count()};
  auto rows = py::reinterpret_steal<py::object>(PyArray_ZEROS(2, const_cast<npy_intp*>(shape.data()), type, 0));
  if (!rows) throw py::error_already_set();
  for_each_wrench(robot, wrench, [&](int body, PyObject* value, const std::string& name) {
    const In numbers(value, name.c_str(), 6, type);
    if (numbers.is_batch() && numbers.rows() != states && numbers.rows() != 1)
      raise(PyExc_ValueError, "%s has shape (%zd, 6), and there are %d states", name.c_str(), numbers.rows(), states);
    const auto place = py::make_tuple(py::slice(0, states, 1), py::slice(6 * body, 6 * body + 6, 1));
    rows[place] = py::object(rows[place]) + py::reinterpret_borrow<py::object>(value);
  });
  return rows;
}

/// (N, 10), and the frame that carries it.
struct PayloadRows {
  PayloadRows(const Robot& robot, PyObject* payload, int states, int type) {
    if (!given(payload)) return;
    PyObject *name = nullptr, *value = nullptr;
    Py_ssize_t at = 0;
    if (!PyDict_Check(payload) || PyDict_Size(payload) != 1 || PyDict_Next(payload, &at, &name, &value) == 0)
      raise(PyExc_TypeError, "payload must be a dict of one link or frame and what it carries");
    frame = &robot.frame(text_of(name, "the frame of payload"));
    rows.emplace(value, "payload", 10, type);
    if (rows->is_batch() && rows->rows() != states && rows->rows() != 1)
      raise(PyExc_ValueError, "payload has shape (%zd, 10), and there are %d states", rows->rows(), states);
    type == NPY_FLOAT ? expect_masses<float>() : expect_masses<double>();
  }

  template <class S>
  void expect_masses() const {
    for (Py_ssize_t k = 0; k < rows->size(); k += 10)
      if (rows->data<S>()[k] < S(0)) raise(PyExc_ValueError, "payload: the mass of row %zd is below zero", k / 10);
  }

  const Frame* frame = nullptr;
  std::optional<In> rows;
};

void compute_one(Method<double>& method, Quantity quantity, const Inputs& in, Out& out, Wrenches<double> wrenches) {
  const WithoutGil computing;
  switch (quantity) {
    case Quantity::inverse_dynamics:
      return method.inverse_dynamics(in[0]->vector(), in[1]->vector(), in[2]->vector(), out.vector(), wrenches);
    case Quantity::forward_dynamics:
      return method.forward_dynamics(in[0]->vector(), in[1]->vector(), in[2]->vector(), out.vector(), wrenches);
    case Quantity::mass_matrix: return method.mass_matrix(in[0]->vector(), out.matrix());
    case Quantity::inverse_mass_matrix: return method.inverse_mass_matrix(in[0]->vector(), out.matrix());
    case Quantity::coriolis_matrix: return method.coriolis_matrix(in[0]->vector(), in[1]->vector(), out.matrix());
    case Quantity::convective_inertia: return method.convective_inertia(in[0]->vector(), in[1]->vector(), out.matrix());
    default: return method.gravity(in[0]->vector(), out.vector());
  }
}

template <class S>
void compute_many(Batch<S>& batch, Quantity quantity, const Inputs& in, Out& out, int n, const BatchLoads<S>& loads) {
  const WithoutGil computing;
  const auto columns = [&](std::size_t k) { return in[k]->columns<S>(n); };
  const MatrixView<S> result = out.columns<S>(n);
  switch (quantity) {
    case Quantity::inverse_dynamics: return batch.inverse_dynamics(columns(0), columns(1), columns(2), result, loads);
    case Quantity::forward_dynamics: return batch.forward_dynamics(columns(0), columns(1), columns(2), result, loads);
    case Quantity::mass_matrix: return batch.mass_matrix(columns(0), result, loads);
    case Quantity::inverse_mass_matrix: return batch.inverse_mass_matrix(columns(0), result);
    case Quantity::coriolis_matrix: return batch.coriolis_matrix(columns(0), columns(1), result);
    case Quantity::convective_inertia: return batch.convective_inertia(columns(0), columns(1), result);
    default: return batch.gravity(columns(0), result, loads);
  }
}

/// Where there is no compiler, for example: the numbers are right, and slower than was asked for.
void warn_of(const std::string& note) {
  if (!note.empty() && PyErr_WarnEx(PyExc_RuntimeWarning, note.c_str(), 1) != 0) throw py::error_already_set();
}

template <class S>
void compute_batch(Robot& robot, const Computation& task, const Options& options, const Inputs& in, Out& out,
                   int states) {
  const int n = states < 0 ? 1 : states;
  expect_rotations<S>(robot, *in[0], states);
  BatchLoads<S> loads;
  py::object rows;
  if (given(options.wrench)) {
    rows = wrench_rows(robot, options.wrench, n, numpy_type<S>);
    loads.wrenches = {static_cast<const S*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(rows.ptr()))),
                      6 * robot.tree->body_count(), n};
  }
  const PayloadRows carried(robot, options.payload, n, numpy_type<S>);
  if (carried.rows) loads.payload = carried.rows->columns<S>(n);
  const auto batch = take_batch<S>(
      robot,
      {.method = options.method, .compiled = options.compiled, .threads = options.threads, .payload = carried.frame});
  compute_many<S>(*batch, task.quantity, in, out, n, loads);
  if (options.compiled) warn_of(batch->note(task.quantity));
}

std::vector<int> actuated_of(const Robot& robot, PyObject* names) {
  std::vector<int> indices;
  if (given(names)) {
    for (const std::string& name : names_of(names, "actuated")) indices.push_back(robot.velocity_index(name));
  } else {
    for (int k = 0; k < robot.model->nv(); ++k) indices.push_back(k);
  }
  return indices;
}

/// Of a mechanism with closed loops, many states.
void compute_closed_batch(Robot& robot, const Computation& task, const Options& options, const Inputs& in, Out& out,
                          int states) {
  const py::object rows = given(options.wrench) ? wrench_rows(robot, options.wrench, states, NPY_DOUBLE) : py::none();
  std::optional<MatrixView<const double>> wrenches;
  if (!rows.is_none())
    wrenches.emplace(static_cast<const double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(rows.ptr()))),
                     6 * robot.model->body_count(), states);
  LoopBatch batch(*robot.model, {.method = options.method,
                                 .actuated = actuated_of(robot, options.actuated),
                                 .threads = options.threads,
                                 .compiled = options.compiled,
                                 .proceed = &no_signal_came});
  warn_of(batch.note());
  const auto columns = [&](std::size_t k) { return in[k]->columns<double>(states); };
  const MatrixView<const double>* acting = wrenches ? &*wrenches : nullptr;
  const WithoutGil computing;
  task.quantity == Quantity::forward_dynamics
      ? batch.forward_dynamics(columns(0), columns(1), columns(2), out.columns<double>(states), acting)
      : batch.inverse_dynamics(columns(0), columns(1), columns(2), out.columns<double>(states), acting);
}

/// Of a mechanism with closed loops.
void compute_closed(Robot& robot, const Computation& task, const Options& options, const Inputs& in, Out& out,
                    int states) {
  if (options.compiled && (task.quantity != Quantity::forward_dynamics || states < 0))
    throw InputError("of closed loops, compiled code is for the forward dynamics of many states in one call");
  if (given(options.payload)) throw InputError("payload is for robots without closed loops");
  const bool forward = task.quantity == Quantity::forward_dynamics;
  if (!forward && options.method != "auto") throw InputError("with closed loops inverse dynamics has one method");
  if (states >= 0) return compute_closed_batch(robot, task, options, in, out, states);
  const std::vector<Force<double>> wrenches = wrenches_of(robot, options.wrench);
  const auto dynamics =
      robot.idle.constrained.take(0, [&] { return std::make_unique<ConstrainedDynamics>(*robot.model); });
  const LoopMethod way = loop_method(options.method);
  const std::vector<int> actuated = actuated_of(robot, options.actuated);
  const auto q = in[0]->vector(), v = in[1]->vector();
  const WithoutGil computing;
  dynamics->drift(q, v);
  expect_closed(dynamics->equations(), v);
  if (forward)
    dynamics->forward_dynamics(way, q, v, in[2]->vector(), out.vector(), wrenches);
  else
    dynamics->inverse_dynamics(q, v, in[2]->vector(), actuated, out.vector(), wrenches);
}

ResultShape shape_of(const Model& model, Computation::Result result) {
  if (result == Computation::Result::vector) return {model.nv()};
  return {model.nv(), model.nv(), result == Computation::Result::symmetric};
}

template <class S>
bool all_finite(const S* numbers, Py_ssize_t count) {
  return std::all_of(numbers, numbers + count, [](S x) { return std::isfinite(x); });
}

/// NaN comes of NaN. Where one state of finite numbers gives it, the caller is told; in a batch it stays in its row.
template <class S>
void expect_finite(const Inputs& in, const Out& out) {
  if (all_finite(out.data<S>(), out.numbers())) return;
  for (const std::optional<In>& one : in)
    if (one && !all_finite(one->data<S>(), one->size())) return;
  throw InputError(
      "the result is not finite: the inertia matrix is singular here, or the numbers overflow; look at check() and at "
      "the state");
}

using Given = std::array<PyObject*, 3>;  // q, v and the third, as far as the computation has them

/// `of_tree`: closed loops are left open.
PyObject* evaluate(Robot& robot, const Computation& task, const Given& values, const Options& options,
                   bool of_tree = false) {
  const Model& model = *robot.tree;
  const std::size_t k = task.input_count, second = k > 1 ? 1 : 0, third = k > 2 ? 2 : 0;
  const int type = type_of(options.dtype, {values[0], values[second], values[third]});
  Inputs in;
  for (std::size_t i = 0; i < k; ++i) in[i].emplace(values[i], task.inputs[i], i == 0 ? model.nq() : model.nv(), type);
  const Arguments arguments{&*in[0], &*in[second], &*in[third]};
  const int states = count_states(arguments);
  const bool dynamic = task.quantity == Quantity::inverse_dynamics || task.quantity == Quantity::forward_dynamics;
  const bool closed = dynamic && robot.has_loops() && !of_tree;
  if (given(options.actuated) && !closed)
    throw InputError("actuated is for robots with closed loops; here every joint is driven");
  if (closed && type != NPY_DOUBLE) throw InputError("with closed loops numbers are float64");
  Out out(options.out, "out", states, shape_of(model, task.result), type, arguments);
  if (closed) {
    compute_closed(robot, task, options, in, out, states);
  } else if (type == NPY_FLOAT) {
    compute_batch<float>(robot, task, options, in, out, states);
  } else if (states >= 0 || options.compiled || given(options.payload)) {
    compute_batch<double>(robot, task, options, in, out, states);
  } else {
    const std::vector<Force<double>> wrenches = wrenches_of(robot, options.wrench);
    const auto method = robot.idle.methods.take(
        {task.quantity, options.method}, [&] { return make_method<double>(options.method, task.quantity, model); });
    compute_one(*method, task.quantity, in, out, wrenches);
  }
  if (states < 0) type == NPY_FLOAT ? expect_finite<float>(in, out) : expect_finite<double>(in, out);
  return out.finish();
}

template <Quantity quantity>
const Computation& task();

#define ULNA_TASK(QUANTITY, RESULT, KEYWORDS, COUNT, ...)                       \
  template <>                                                                   \
  const Computation& task<Quantity::QUANTITY>() {                               \
    static const Computation it{Quantity::QUANTITY,                             \
                                {__VA_ARGS__},                                  \
                                COUNT,                                          \
                                Computation::Result::RESULT,                    \
                                Signature(#QUANTITY, {__VA_ARGS__}, KEYWORDS)}; \
    return it;                                                                  \
  }
ULNA_TASK(inverse_dynamics, vector, with_drives, 3, "q", "v", "a")
ULNA_TASK(forward_dynamics, vector, with_wrench, 3, "q", "v", "tau")
ULNA_TASK(mass_matrix, symmetric, with_payload, 1, "q")
ULNA_TASK(inverse_mass_matrix, symmetric, common, 1, "q")
ULNA_TASK(coriolis_matrix, matrix, common, 2, "q", "v")
ULNA_TASK(convective_inertia, matrix, common, 2, "q", "v")
ULNA_TASK(gravity, vector, with_payload, 1, "q")
#undef ULNA_TASK

template <Quantity quantity>
PyObject* evaluate_task(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  const Computation& own = task<quantity>();
  const Signature::Values values = own.signature.values(arguments, count, names);
  return evaluate(robot, own, {values[0], values[1], values[2]}, Options(values, own.input_count));
}

// ---- bias

/// Inverse dynamics at rest: one row of zeros stands for all states.
PyObject* bias(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Signature signature("bias", {"q", "v"}, with_wrench);
  const Signature::Values values = signature.values(arguments, count, names);
  std::array<npy_intp, 1> size{robot.tree->nv()};
  const int type = type_of(values[2 + Keyword::dtype], {values[0], values[1]});
  const auto zero = py::reinterpret_steal<py::object>(PyArray_ZEROS(1, size.data(), type, 0));
  if (!zero) throw py::error_already_set();
  return evaluate(robot, task<Quantity::inverse_dynamics>(), {values[0], values[1], zero.ptr()}, Options(values, 2),
                  true);
}

// ---- derivatives

constexpr auto derivative_keywords = {"compiled", "dtype", "out", "threads"};

struct DerivativeCall {
  Inputs in;
  int states, type, threads = 0;
  bool compiled;
  std::array<PyObject*, 3> out{};

  DerivativeCall(const Robot& robot, const Signature& signature, const char* third, PyObject* const* arguments,
                 Py_ssize_t count, PyObject* names) {
    const Signature::Values values = signature.values(arguments, count, names);
    if (robot.has_loops()) throw InputError("derivatives are for robots without closed loops");
    compiled = truth_of(values[3]);
    type = type_of(values[4], {values[0], values[1], values[2]});
    if (given(values[5])) {
      if (!PyTuple_Check(values[5]) || PyTuple_GET_SIZE(values[5]) != 3)
        raise(PyExc_ValueError, "out must be a tuple of three arrays");
      for (std::size_t k = 0; k < 3; ++k) out[k] = PyTuple_GET_ITEM(values[5], static_cast<Py_ssize_t>(k));
    }
    if (given(values[6])) threads = count_of(values[6], "threads");
    in[0].emplace(values[0], "q", robot.tree->nq(), type);
    in[1].emplace(values[1], "v", robot.tree->nv(), type);
    in[2].emplace(values[2], third, robot.tree->nv(), type);
    states = count_states(inputs());
  }
  bool one() const { return states < 0 && type == NPY_DOUBLE && !compiled; }
  Arguments inputs() const { return {&*in[0], &*in[1], &*in[2]}; }
};

/// The matrices of a call; `a` comes with those of forward dynamics.
struct Derivatives {
  Out dq, dv, last, a;

  Derivatives(const DerivativeCall& call, int nv, bool forward)
      : dq(call.out[0], "out[0]", call.states, {nv, nv}, call.type, call.inputs()),
        dv(call.out[1], "out[1]", call.states, {nv, nv}, call.type, call.inputs()),
        last(call.out[2], "out[2]", call.states, {nv, nv, !forward}, call.type, call.inputs()),
        a(nullptr, "a", call.states, {nv}, call.type) {
    if (dq.shares_memory(dv) || dq.shares_memory(last) || dv.shares_memory(last))
      raise(PyExc_ValueError, "the three arrays of out share memory");
  }
  PyObject* finish() {
    const auto first = py::reinterpret_steal<py::object>(dq.finish());
    const auto second = py::reinterpret_steal<py::object>(dv.finish());
    const auto third = py::reinterpret_steal<py::object>(last.finish());
    return py::make_tuple(first, second, third).release().ptr();
  }
};

template <bool forward>
void compute_one(Robot& robot, const DerivativeCall& call, Derivatives& d) {
  const Model& model = *robot.tree;
  const auto q = call.in[0]->vector(), v = call.in[1]->vector(), x = call.in[2]->vector();
  if constexpr (forward) {
    const auto ws = robot.idle.forward_derivatives.take(
        0, [&] { return std::make_unique<articulated_body::DerivativeWorkspace<double>>(model); });
    const WithoutGil computing;
    articulated_body::forward_derivatives(model, *ws, q, v, x, d.a.vector(), d.dq.matrix(), d.dv.matrix(),
                                          d.last.matrix());
  } else {
    const auto ws = robot.idle.inverse_derivatives.take(
        0, [&] { return std::make_unique<newton_euler::DerivativeWorkspace<double>>(model); });
    const WithoutGil computing;
    newton_euler::inverse_derivatives(model, *ws, q, v, x, d.dq.matrix(), d.dv.matrix(), d.last.matrix());
  }
}

template <bool forward, class S>
void compute_many(Robot& robot, const DerivativeCall& call, Derivatives& d) {
  const int n = call.states < 0 ? 1 : call.states;
  const auto q = call.in[0]->columns<S>(n), v = call.in[1]->columns<S>(n), x = call.in[2]->columns<S>(n);
  const auto batch = take_batch<S>(robot, {"auto", call.compiled, call.threads});
  {
    const WithoutGil computing;
    const auto dq = d.dq.columns<S>(n), dv = d.dv.columns<S>(n), last = d.last.columns<S>(n);
    if constexpr (forward) {
      batch->forward_derivatives(q, v, x, d.a.columns<S>(n), dq, dv, last);
    } else {
      batch->inverse_derivatives(q, v, x, dq, dv);
      batch->mass_matrix(q, last);
    }
  }
  if (call.compiled) warn_of(batch->note(forward ? Quantity::forward_derivatives : Quantity::inverse_derivatives));
}

template <bool forward>
PyObject* derivatives(Robot& robot, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  constexpr const char* third = forward ? "tau" : "a";
  static const Signature signature(forward ? "forward_dynamics_derivatives" : "inverse_dynamics_derivatives",
                                   {"q", "v", third}, derivative_keywords);
  const DerivativeCall call(robot, signature, third, arguments, count, names);
  Derivatives results(call, robot.tree->nv(), forward);
  if (call.one())
    compute_one<forward>(robot, call, results);
  else
    call.type == NPY_FLOAT ? compute_many<forward, float>(robot, call, results)
                           : compute_many<forward, double>(robot, call, results);
  return results.finish();
}

#define ULNA_PAYLOAD_TEXT                                                                                        \
  "payload: {frame: p}, what the frame carries besides: mass (kg), mass centre x y z (m) and inertia about it\n" \
  "xx yy zz xy xz yz (kg m²), in the axes of the frame, (10,) or (N, 10). A wrench acts at the mass centre\n"   \
  "without it.\n"
#define ULNA_OPTIONS_TEXT                                                                                          \
  "method: a formulation (ulna.methods()), or 'auto'. compiled: by the robot's own code, compiled at the first "   \
  "call;\n"                                                                                                        \
  "for one state too. dtype: float32 or float64; without it float32 where all arrays are. out: an array for the\n" \
  "result. threads: at most so many for a batch, 0 for all cores.\n"

PyMethodDef dynamics_methods[] = {
    fast_method<&evaluate_task<Quantity::inverse_dynamics>>(
        "inverse_dynamics",
        "inverse_dynamics($self, q, v, a, *, method='auto', compiled=False, dtype=None, out=None, threads=0,\n"
        "                 payload=None, wrench=None, actuated=None)\n--\n\n"
        "Torques tau = M a + C v + g + friction + springs - J^T w.\n\n"
        "q: (nq,) or (N, nq), rad or m. v, a: (nv,) or (N, nv), rad/s, rad/s² or m/s, m/s². Returns (nv,) or (N, nv),\n"
        "N m or N. A single row stands for all states of a batch. With closed loops states must be closed, NaN in\n"
        "a batch where one is not: assemble() and closed_rates() make them so.\n\n"
        "wrench: {link: w}, moment (N m) and force (N) at the mass centre of the link's moving body in world axes,\n"
        "(6,) or (N, 6). actuated: with closed loops the names of the joints that drive; all without it, with the\n"
        "smallest torques.\n" ULNA_PAYLOAD_TEXT ULNA_OPTIONS_TEXT),
    fast_method<&evaluate_task<Quantity::forward_dynamics>>(
        "forward_dynamics",
        "forward_dynamics($self, q, v, tau, *, method='auto', compiled=False, dtype=None, out=None, threads=0,\n"
        "                 payload=None, wrench=None)\n--\n\n"
        "Accelerations a = M^-1 (tau + J^T w - C v - g - friction - springs).\n\n"
        "q: (nq,) or (N, nq), rad or m. v, tau: (nv,) or (N, nv), rad/s or m/s, N m or N. Returns (nv,) or (N, nv),\n"
        "rad/s² or m/s². A single row stands for all states of a batch. Where M is singular one state raises\n"
        "InputError, and in a batch NaN stays in its row. With closed loops states must be closed, NaN in a batch\n"
        "where one is not: assemble() and closed_rates() make them so; method is 'schur' or 'independent'.\n\n"
        "wrench: {link: w}, moment (N m) and force (N) at the mass centre of the link's moving body in world axes,\n"
        "(6,) or (N, 6).\n" ULNA_PAYLOAD_TEXT ULNA_OPTIONS_TEXT),
    fast_method<&evaluate_task<Quantity::mass_matrix>>(
        "mass_matrix",
        "mass_matrix($self, q, *, method='auto', compiled=False, dtype=None, out=None, threads=0, payload=None)\n--\n\n"
        "The inertia matrix M(q): full, symmetric, armature on its diagonal.\n\n"
        "q: (nq,) or (N, nq). Returns (nv, nv) or (N, nv, nv), kg m² (or kg, kg m). With closed loops it is that of "
        "the tree.\n\n" ULNA_PAYLOAD_TEXT ULNA_OPTIONS_TEXT),
    fast_method<&evaluate_task<Quantity::inverse_mass_matrix>>(
        "inverse_mass_matrix",
        "inverse_mass_matrix($self, q, *, method='auto', compiled=False, dtype=None, out=None, threads=0)\n--\n\n"
        "The inverse of M(q), from its factor: full and symmetric.\n\n"
        "q: (nq,) or (N, nq). Returns (nv, nv) or (N, nv, nv). With closed loops it is that of the "
        "tree.\n\n" ULNA_OPTIONS_TEXT),
    fast_method<&evaluate_task<Quantity::coriolis_matrix>>(
        "coriolis_matrix",
        "coriolis_matrix($self, q, v, *, method='auto', compiled=False, dtype=None, out=None, threads=0)\n--\n\n"
        "The matrix C(q, v) with dM/dt - 2C skew-symmetric; C v is the Coriolis and centrifugal torque.\n\n"
        "q: (nq,) or (N, nq). v: (nv,) or (N, nv). Returns (nv, nv) or (N, nv, nv), column by column in "
        "memory.\n\n" ULNA_OPTIONS_TEXT),
    fast_method<&evaluate_task<Quantity::convective_inertia>>(
        "convective_inertia",
        "convective_inertia($self, q, v, *, method='auto', compiled=False, dtype=None, out=None, threads=0)\n--\n\n"
        "The papers' matrix MCI with MCI v = C v, and no other promise: not for control laws that rely on a skew\n"
        "dM/dt - 2C.\n\n"
        "q: (nq,) or (N, nq). v: (nv,) or (N, nv). Returns (nv, nv) or (N, nv, nv), column by column in "
        "memory.\n\n" ULNA_OPTIONS_TEXT),
    fast_method<&evaluate_task<Quantity::gravity>>(
        "gravity",
        "gravity($self, q, *, method='auto', compiled=False, dtype=None, out=None, threads=0, payload=None)\n--\n\n"
        "g(q): the torques that hold the robot against gravity alone.\n\n"
        "q: (nq,) or (N, nq). Returns (nv,) or (N, nv), N m or N.\n\n" ULNA_PAYLOAD_TEXT ULNA_OPTIONS_TEXT),
    fast_method<&bias>(
        "bias",
        "bias($self, q, v, *, method='auto', compiled=False, dtype=None, out=None, threads=0, payload=None,\n"
        "     wrench=None)\n--\n\n"
        "Torques at zero acceleration: C v + g + friction + springs - J^T w. With closed loops it is that of the "
        "tree.\n\n"
        "q: (nq,) or (N, nq). v: (nv,) or (N, nv). Returns (nv,) or (N, nv), N m or N. payload and "
        "wrench as in inverse_dynamics().\n\n" ULNA_OPTIONS_TEXT),
    fast_method<&derivatives<false>>(
        "inverse_dynamics_derivatives",
        "inverse_dynamics_derivatives($self, q, v, a, *, compiled=False, dtype=None, out=None, threads=0)\n--\n\n"
        "(dtau/dq, dtau/dv, dtau/da), the last of which is M.\n\n"
        "q: (nq,) or (N, nq); v, a: (nv,) or (N, nv). Each (nv, nv) or (N, nv, nv): row i, column j is the derivative "
        "of tau[i] by the "
        "j-th\n"
        "number; by q as it moves at unit rate of velocity j, which for joints with a quaternion is a turn or slide "
        "in\n"
        "the axes of the body. out: a tuple of three arrays. Friction and springs are included."),
    fast_method<&derivatives<true>>(
        "forward_dynamics_derivatives",
        "forward_dynamics_derivatives($self, q, v, tau, *, compiled=False, dtype=None, out=None, threads=0)\n--\n\n"
        "(da/dq, da/dv, da/dtau), the last of which is the inverse of M.\n\n"
        "q: (nq,) or (N, nq); v, tau: (nv,) or (N, nv). Each (nv, nv) or (N, nv, nv): row i, column j is the "
        "derivative of a[i] by the "
        "j-th\n"
        "number; by q as it moves at unit rate of velocity j, which for joints with a quaternion is a turn or slide "
        "in\n"
        "the axes of the body. out: a tuple of three arrays."),
};

}  // namespace

void bind_dynamics(py::module_& module) {
  add_methods(module.attr("Model"), dynamics_methods);
  module.def("methods", [] {
    py::dict dict;
    for (const MethodInfo& info : methods()) {
      py::dict row;
      py::list gives;
      for (const Quantity quantity : info.gives) gives.append(word_of(quantity));
      row["title"] = info.title;
      row["gives"] = gives;
      dict[py::str(std::string(info.name))] = row;
    }
    return dict;
  });
}

}  // namespace ulna::python

// Motions that cost least over a horizon.
#include "ulna/control/optimal_control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "interrupt.hpp"
#include "one_state.hpp"
#include "one_thread.hpp"
#include "ulna/control/linearise.hpp"

namespace ulna::python {

namespace {

double number_of(const py::object& given) {
  const double number = PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

/// A number for all, or one for each.
std::vector<double> one_or_each(const py::object& given, const std::string& name, int width) {
  const auto numpy = py::module_::import("numpy");
  if (numpy.attr("ndim")(given).cast<int>() == 0)
    return std::vector<double>(static_cast<std::size_t>(width), number_of(given));
  const OneState numbers(given, name.c_str(), width);
  return {numbers.vector().begin(), numbers.vector().end()};
}

Vec3<double> given_vector(const py::object& given, const std::string& name) {
  return Vec3<double>::load(OneState(given, name.c_str(), 3).data<double>());
}

/// A dictionary of Python whose keys are known; None is as if a key were not there.
class Options {
 public:
  Options(const py::handle& given, std::string name, const std::vector<std::string>& known) : name_(std::move(name)) {
    if (!py::isinstance<py::dict>(given))
      raise(PyExc_TypeError, "%s is %R; a dictionary is wanted", name_.c_str(), given.ptr());
    dict_ = py::reinterpret_borrow<py::dict>(given);
    for (const auto& [key, value] : dict_) {
      const std::string word = py::str(key);
      if (std::ranges::find(known, word) == known.end())
        raise(PyExc_ValueError, "%s",
              fmt::format("{} has no '{}'; its keys are {}", name_, word, fmt::join(known, ", ")).c_str());
    }
  }

  bool has(const char* key) const { return dict_.contains(key) && !dict_[key].is_none(); }
  py::object operator[](const char* key) const { return dict_[key]; }
  std::string name_of(const char* key) const { return fmt::format("{}['{}']", name_, key); }
  std::vector<double> numbers(const char* key, int width) const {
    return has(key) ? one_or_each(dict_[key], name_of(key), width) : std::vector<double>{};
  }
  /// Of three axes, one or one for each.
  Vec3<double> weights(const char* key, double without) const {
    return has(key) ? Vec3<double>::load(numbers(key, 3).data()) : Vec3<double>{without, without, without};
  }
  double number(const char* key) const {
    if (!has(key)) raise(PyExc_ValueError, "%s is missing; give a number", name_of(key).c_str());
    return number_of(dict_[key]);
  }
  const Frame& frame(const Robot& robot) const {
    return robot.frame(has("frame") ? text_of(py::object(dict_["frame"]).ptr(), name_of("frame").c_str()) : "");
  }

 private:
  std::string name_;
  py::dict dict_;
};

/// One dictionary, or many.
std::vector<py::object> each_of(const py::object& given) {
  if (given.is_none()) return {};
  if (py::isinstance<py::dict>(given)) return {given};
  std::vector<py::object> list;
  for (const py::handle& one : given) list.push_back(py::reinterpret_borrow<py::object>(one));
  return list;
}

Pose<double> given_pose(const py::object& given, const std::string& name) {
  const py::object array = py::module_::import("numpy").attr("asarray")(given, py::arg("dtype") = "float64");
  if (!py::object(array.attr("shape")).equal(py::make_tuple(4, 4)))
    raise(PyExc_ValueError, "%s has shape %S; (4, 4) is wanted", name.c_str(), array.attr("shape").ptr());
  const OneState numbers(array.attr("T").attr("ravel")(), name.c_str(), 16);
  const auto column = [&](int k) { return Vec3<double>::load(numbers.data<double>() + 4 * k); };
  return {Mat3<double>::from_columns(column(0), column(1), column(2)), column(3)};
}

IkTarget tip_target(const Robot& robot, const py::object& given, const std::string& name) {
  const Options tip(given, name, {"frame", "position", "pose", "position_weight", "orientation_weight"});
  if (tip.has("position") == tip.has("pose"))
    raise(PyExc_ValueError, "%s needs 'position' (3,) or 'pose' (4, 4), one of the two", name.c_str());
  const Frame& frame = tip.frame(robot);
  if (tip.has("position") && tip.has("orientation_weight"))
    raise(PyExc_ValueError, "%s has a weight of its orientation and none to reach; give 'pose'", name.c_str());
  IkTarget target = tip.has("pose") ? pose_target(frame, given_pose(tip["pose"], tip.name_of("pose")))
                                    : position_target(frame, given_vector(tip["position"], tip.name_of("position")));
  target.position = tip.weights("position_weight", 1.0);
  if (tip.has("pose")) target.orientation = tip.weights("orientation_weight", 1.0);
  return target;
}

ControlCost cost_of(const Robot& robot, const py::object& given, const std::string& name, int motors) {
  ControlCost cost;
  if (given.is_none()) return cost;
  const Options terms(given, name, {"posture", "posture_weight", "velocity_weight", "torque", "torque_weight", "tips"});
  const int nq = robot.model->nq(), nv = robot.model->nv();
  cost.posture = terms.numbers("posture", nq);
  cost.posture_weight = terms.numbers("posture_weight", nv);
  cost.velocity_weight = terms.numbers("velocity_weight", nv);
  cost.torque = terms.numbers("torque", motors);
  cost.torque_weight = terms.numbers("torque_weight", motors);
  if (!terms.has("tips")) return cost;
  const std::vector<py::object> tips = each_of(terms["tips"]);
  for (std::size_t k = 0; k < tips.size(); ++k)
    cost.tips.push_back(tip_target(robot, tips[k], fmt::format("{}[{}]", terms.name_of("tips"), k)));
  return cost;
}

std::vector<KeepOut> spheres_of(const Robot& robot, const py::object& given) {
  std::vector<KeepOut> spheres;
  for (const py::object& one : each_of(given)) {
    const Options sphere(one, fmt::format("keep_out[{}]", spheres.size()), {"frame", "centre", "radius", "weight"});
    const Vec3<double> centre =
        sphere.has("centre") ? given_vector(sphere["centre"], sphere.name_of("centre")) : Vec3<double>::zero();
    spheres.push_back({sphere.frame(robot), centre, sphere.number("radius"), sphere.number("weight")});
  }
  return spheres;
}

class HeldControl {
 public:
  HeldControl(const py::object& model, int knots, double step, const py::object& running, const py::object& terminal,
              const py::object& keep_out, double limit_weight, const py::object& torque_limits,
              const std::vector<int>& actuated, const std::string& method, bool compiled)
      : robot_(expect_model(model)),
        step_(step),
        motors_(static_cast<int>(actuated.empty() ? motor_indices(*robot_->model).size() : actuated.size())) {
    ControlProblem problem{.knots = knots, .step = step, .actuated = actuated, .limit_weight = limit_weight};
    problem.compiled = compiled;
    problem.method = method_of(method);
    if (!torque_limits.is_none()) {
      if (!py::isinstance<py::sequence>(torque_limits) || py::len(torque_limits) != 2)
        raise(PyExc_ValueError, "torque_limits is %R; (lower, upper) is wanted", torque_limits.ptr());
      problem.lower = one_or_each(torque_limits[py::int_(0)], "torque_limits[0]", motors_);
      problem.upper = one_or_each(torque_limits[py::int_(1)], "torque_limits[1]", motors_);
    }
    problem.running = cost_of(*robot_, running, "running", motors_);
    problem.terminal = cost_of(*robot_, terminal, "terminal", motors_);
    problem.keep_out = spheres_of(*robot_, keep_out);
    const WithoutGil computing;
    control_.emplace(*robot_->model, std::move(problem));
  }

  py::dict solve(const py::object& q, const py::object& v, const py::object& torques, const py::object& shift,
                 int iterations, double least) {
    const InUse use(busy_, "OptimalControl");
    if (iterations < 0) raise(PyExc_ValueError, "iterations is %d; 0 or more are wanted", iterations);
    const OneState position(q, "q", robot_->model->nq());
    const std::vector<double> rates = one_or_each(v.is_none() ? py::float_(0.0) : v, "v", robot_->model->nv());
    const int past = shift_of(shift, torques);
    const std::vector<double> given = torques_of(torques);
    moves_ = false;  // until there is a motion from here
    OptimalControl::Solution solution;
    {
      const WithoutGil computing;
      if (!shift.is_none())
        control_->restart(position.vector(), rates, past);
      else if (given.empty())
        control_->start(position.vector(), rates);
      else
        control_->start(position.vector(), rates, given);
      solution = control_->solve(iterations, least, &no_signal_came);
    }
    moves_ = true;
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return answer(solution);
  }

  int knots() const { return control_->knots(); }
  double step() const { return step_; }
  std::shared_ptr<Robot> model() const { return robot_; }

 private:
  static ControlStep method_of(const std::string& name) {
    if (name == "rk4") return ControlStep::rk4;
    if (name == "semi_implicit") return ControlStep::semi_implicit;
    raise(PyExc_ValueError, "method is '%s'; 'rk4' or 'semi_implicit' is wanted", name.c_str());
  }

  int shift_of(const py::object& shift, const py::object& torques) const {
    if (shift.is_none()) return 0;
    if (!torques.is_none()) raise(PyExc_ValueError, "shift takes the torques that there are, and torques gives others");
    if (!moves_) raise(PyExc_ValueError, "shift: there is no motion yet to go on from; call solve(q, v) first");
    const int past = count_of(shift.ptr(), "shift");
    if (past < 0) raise(PyExc_ValueError, "shift is %d; 0 or more knots are past", past);
    return past;
  }

  /// Of all knots; one row stands for all.
  std::vector<double> torques_of(const py::object& given) const {
    if (given.is_none()) return {};
    const In numbers(given.ptr(), "torques", motors_, NPY_DOUBLE);
    const int rows = control_->knots();
    if (numbers.is_batch() && numbers.rows() != 1 && numbers.rows() != rows)
      raise(PyExc_ValueError, "torques has %zd rows; there are %d knots", numbers.rows(), rows);
    const MatrixView<const double> columns = numbers.columns<double>(rows);
    std::vector<double> all;
    for (int k = 0; k < rows; ++k) all.insert(all.end(), columns.column(k), columns.column(k) + motors_);
    return all;
  }

  py::dict answer(const OptimalControl::Solution& solution) const {
    const int n = control_->knots(), nq = robot_->model->nq(), nv = robot_->model->nv();
    Out t(nullptr, "t", n + 1, {0}, NPY_DOUBLE), q(nullptr, "q", n + 1, {nq}, NPY_DOUBLE),
        v(nullptr, "v", n + 1, {nv}, NPY_DOUBLE), tau(nullptr, "tau", n, {motors_}, NPY_DOUBLE),
        gains(nullptr, "gains", n, {motors_, 2 * nv}, NPY_DOUBLE);
    const auto put = [](const Out& to, int row, std::span<const double> numbers) {
      std::ranges::copy(numbers, to.data<double>() + static_cast<std::ptrdiff_t>(row) * std::ssize(numbers));
    };
    for (int k = 0; k <= n; ++k) {
      t.data<double>()[k] = k * step_;
      put(q, k, control_->q(k));
      put(v, k, control_->v(k));
      if (k == n) break;
      put(tau, k, control_->torque(k));
      const MatrixView<const double> K = control_->gains(k);
      for (int j = 0; j < K.cols; ++j) put(gains, k * K.cols + j, {K.column(j), static_cast<std::size_t>(K.rows)});
    }
    py::dict dict;
    dict["t"] = py::reinterpret_steal<py::object>(t.finish());
    dict["q"] = py::reinterpret_steal<py::object>(q.finish());
    dict["v"] = py::reinterpret_steal<py::object>(v.finish());
    dict["tau"] = py::reinterpret_steal<py::object>(tau.finish());
    dict["gains"] = py::reinterpret_steal<py::object>(gains.finish());
    dict["cost"] = solution.cost;
    dict["converged"] = solution.converged;
    dict["iterations"] = solution.iterations;
    return dict;
  }

  std::shared_ptr<Robot> robot_;
  double step_;
  int motors_;
  std::optional<OptimalControl> control_;
  bool busy_ = false, moves_ = false;
};

/// A method as pybind11 is to call it.
template <auto Method, class... Arguments>
auto of_control() {
  return [](const py::object& self, const Arguments&... arguments) {
    return (held_by<HeldControl>(self, "OptimalControl").*Method)(arguments...);
  };
}

}  // namespace

void bind_optimal_control(py::module_& module) {
  py::class_<HeldControl> type(
      module, "OptimalControl",
      "The torques over a horizon that cost least, and the feedback around them (doc/optimal_control.md).\n\n"
      "Costs are halves of weighted squares, per second (running) and at the end (terminal). One thread at a time.");
  type.attr("__module__") = "ulna";
  py::options own;
  own.disable_function_signatures();
  const Methods methods(type);
  methods.def(
      "solve", "(self, q, v=None, *, torques=None, shift=None, iterations=100, least=1e-09)",
      "From q (nq,) and v (nv,), at rest without it, as far as so many iterations get. It begins with torques (knots, "
      "m)\n"
      "or (m,) for all knots, m those of the actuated joints; without them with those that hold q; with `shift` with "
      "its\n"
      "own, of which the first `shift` knots are past: for control by prediction. least: the share of the cost below\n"
      "which an improvement is none.\n"
      "Returns a dict: t (knots + 1,), q and v (knots + 1, …), tau (knots, m), held for a step each, gains\n"
      "(knots, m, 2 nv) of u = tau + K [change of q, of v], cost, converged, iterations.",
      of_control<&HeldControl::solve, py::object, py::object, py::object, py::object, int, double>(), py::arg("q"),
      py::arg("v") = py::none(), py::kw_only(), py::arg("torques") = py::none(), py::arg("shift") = py::none(),
      py::arg("iterations") = 100, py::arg("least") = 1e-9);
  type.def(
          py::init<const py::object&, int, double, const py::object&, const py::object&, const py::object&, double,
                   const py::object&, const std::vector<int>&, const std::string&, bool>(),
          py::arg("model"), py::kw_only(), py::arg("knots") = 50, py::arg("step") = 0.02,
          py::arg("running") = py::none(), py::arg("terminal") = py::none(), py::arg("keep_out") = py::none(),
          py::arg("limit_weight") = 0.0, py::arg("torque_limits") = py::none(),
          py::arg("actuated") = std::vector<int>{}, py::arg("method") = "rk4", py::arg("compiled") = true,
          "__init__(self, model, *, knots=50, step=0.02, running=None, terminal=None, keep_out=None, limit_weight=0.0, "
          "torque_limits=None, actuated=(), method='rk4', compiled=True)\n--\n\n"
          "model: an ulna.Model without closed loops. knots: steps of `step` s with a torque each.\n"
          "running, terminal: dicts of posture (nq,) and posture_weight (nv,), velocity_weight (nv,), torque and\n"
          "torque_weight (m,), each a number for all or one for each, and tips: a dict or several, of frame (the tip\n"
          "without it), position (3,) or pose (4, 4), position_weight, orientation_weight (a number or (3,)).\n"
          "keep_out: a dict or several of frame, centre (3,), radius (m), weight: where a frame's origin must not be.\n"
          "limit_weight: of the square of what a joint is beyond its limits. torque_limits: (lower, upper), each a\n"
          "number or (m,), instead of the file's; they are kept always. actuated: velocity indices with a motor (all "
          "but\n"
          "a free base). method: of a step, 'rk4' or 'semi_implicit'. compiled: by the robot's own code.")
      .def_property_readonly("knots", of_control<&HeldControl::knots>(), "How many torques there are.")
      .def_property_readonly("step", of_control<&HeldControl::step>(), "s.")
      .def_property_readonly("model", of_control<&HeldControl::model>(), "The robot.");
}

}  // namespace ulna::python

// A robot near a state, and linear feedback.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"
#include "ulna/control/linearise.hpp"
#include "ulna/control/lqr.hpp"

namespace ulna::python {

namespace {

/// Column by column, of anything NumPy makes a matrix of.
std::vector<double> columns_of_matrix(const py::object& given, const char* name, int rows) {
  const py::object turned = py::module_::import("numpy").attr("asarray")(given).attr("T");
  const In in(turned.ptr(), name, rows, NPY_DOUBLE);
  return {in.data<double>(), in.data<double>() + in.size()};
}

py::dict linearise_robot(Robot& robot, const py::object& q, const py::object& v, const py::object& tau,
                         const std::vector<int>& actuated, const std::vector<int>& independent) {
  const Model& model = *robot.model;
  const OneState position(q, "q", model.nq());
  const std::vector<double> zero(static_cast<std::size_t>(model.nv()));
  const auto given = [&](const py::object& object, const char* name) {
    if (object.is_none()) return std::vector<double>(zero);
    const OneState numbers(object, name, model.nv());
    return std::vector<double>(numbers.vector().begin(), numbers.vector().end());
  };
  const std::vector<double> rates = given(v, "v");
  Lineariser lineariser(model, actuated, independent);
  std::vector<double> torque = tau.is_none() ? lineariser.torques(position.vector(), rates) : given(tau, "tau");
  const LinearisedRobot linear = lineariser(position.vector(), rates, torque);
  py::dict dict;
  dict["A"] = array_of(linear.a_matrix());
  dict["B"] = array_of(linear.b_matrix());
  dict["a"] = array_of(linear.a);
  dict["tau"] = array_of(torque);
  dict["independent"] = linear.independent;
  dict["actuated"] = linear.actuated;
  py::list list;
  for (const LinearMode& mode : modes(linear)) {
    py::dict one;
    one["eigenvalue"] = mode.eigenvalue;
    one["frequency"] = mode.frequency;
    one["damping"] = mode.damping;
    one["strongest"] = mode.strongest;
    one["controllable"] = mode.controllable;
    list.append(one);
  }
  dict["modes"] = list;
  return dict;
}

py::dict lqr_of(const py::object& A, const py::object& B, const py::object& Q, const py::object& R,
                const py::object& period) {
  const int states = static_cast<int>(py::len(A)), inputs = static_cast<int>(py::len(R));
  const LinearSystem system{states, inputs, columns_of_matrix(A, "A", states), columns_of_matrix(B, "B", states)};
  const OneState q(Q, "Q", states), r(R, "R", inputs);
  const LqrWeights weights{{q.vector().begin(), q.vector().end()}, {r.vector().begin(), r.vector().end()}};
  const LqrGains gains = period.is_none() ? lqr(system, weights) : sampled_lqr(system, weights, period.cast<double>());
  py::dict dict;
  dict["found"] = gains.found();
  if (!gains.found()) {
    dict["reason"] = gains.reason;
    return dict;
  }
  dict["K"] = array_of(MatrixView<const double>{gains.K.data(), inputs, states});
  dict["P"] = array_of(MatrixView<const double>{gains.P.data(), states, states});
  dict["poles"] = py::module_::import("numpy").attr("asarray")(gains.poles);
  return dict;
}

}  // namespace

void bind_control(py::module_& module) {
  const Methods methods(module.attr("Model"));
  methods.def(
      "linearise", "(self, q, v=None, tau=None, *, actuated=(), independent=())",
      "The robot near a state (doc/linearise.md): A (2n, 2n) and B (2n, m) of x' = A x + B u, x the change of q in "
      "the\n"
      "directions of v, then of v, u that of the torques at the velocity indices `actuated` (all but a free base).\n"
      "Without v at rest, without tau with the torques that keep v. Closed loops: x of `independent` indices. Returns "
      "a\n"
      "dict: A, B, a, tau, independent, actuated and modes, slowest first, each a dict of eigenvalue, frequency "
      "(rad/s),\n"
      "damping, strongest (row of x) and controllable.",
      &linearise_robot, py::arg("q"), py::arg("v") = py::none(), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("actuated") = std::vector<int>{}, py::arg("independent") = std::vector<int>{});
  py::options own;
  own.disable_function_signatures();
  module.def("lqr", &lqr_of, py::arg("A"), py::arg("B"), py::arg("Q"), py::arg("R"), py::kw_only(),
             py::arg("period") = py::none(),
             "lqr(A, B, Q, R, *, period=None)\n--\n\nThe feedback u = -K x that costs least, Q and R the diagonals of "
             "the weights; with `period` held for so\nmany seconds. Returns a dict: found, and K (m, n), P (n, n) and "
             "poles, or the reason.");
}

}  // namespace ulna::python

// A robot in a loop of your own.
#include "ulna/simulate/stepper.hpp"

#include "bindings.hpp"
#include "one_state.hpp"
#include "one_thread.hpp"

namespace ulna::python {

namespace {

class HeldStepper {
 public:
  HeldStepper(const py::object& model, const std::string& integrator, double step, const std::string& method,
              double tolerance)
      : robot_(expect_model(model)), stepper_(*robot_->model, integrator, step, options_of(method, tolerance)) {}

  void set_state(const py::object& q, const py::object& v, double t) {
    const OneState position(q, "q", robot_->model->nq()), rates(v, "v", robot_->model->nv());
    const InUse use(busy_, "stepper");
    stepper_.set_state(position.vector(), rates.vector(), t);
  }
  void step(const py::object& tau) {
    const OneState torque(tau, "tau", robot_->model->nv());
    const InUse use(busy_, "stepper");
    const WithoutGil computing;
    stepper_.step(torque.vector());
  }
  py::object q() {
    const InUse use(busy_, "stepper");
    return array_of(stepper_.q());
  }
  py::object v() {
    const InUse use(busy_, "stepper");
    return array_of(stepper_.v());
  }
  double time() {
    const InUse use(busy_, "stepper");
    return stepper_.time();
  }
  std::shared_ptr<Robot> model() const { return robot_; }

 private:
  static StepperOptions options_of(const std::string& method, double tolerance) {
    StepperOptions options;
    options.method = method;
    options.accuracy.relative = options.accuracy.absolute = tolerance;
    return options;
  }

  std::shared_ptr<Robot> robot_;
  Stepper stepper_;
  bool busy_ = false;
};

/// A method as pybind11 is to call it.
template <auto Method, class... Arguments>
auto of_stepper() {
  return [](const py::object& self, const Arguments&... arguments) {
    return (held_by<HeldStepper>(self, "Stepper").*Method)(arguments...);
  };
}

}  // namespace

void bind_stepper(py::module_& module) {
  py::class_<HeldStepper> type(
      module, "Stepper",
      "A robot in a loop of your own: torques in, a step of time, positions and velocities out.\n\n"
      "At the neutral position, at rest. step: s; integrators that choose their steps take as many as the\n"
      "tolerance asks for. Closed loops are kept closed. One thread at a time.");
  type.attr("__module__") = "ulna";
  py::options own;
  own.disable_function_signatures();
  const Methods methods(type);
  methods.def(
      "set_state", "(self, q, v, t=0.0)",
      "From here on: q (nq,), v (nv,), rad or m and their rates; t in s. Loops are brought to the closed state\n"
      "next to it.",
      of_stepper<&HeldStepper::set_state, py::object, py::object, double>(), py::arg("q"), py::arg("v"),
      py::arg("t") = 0.0);
  methods.def("step", "(self, tau)",
              "One step under the torques tau (nv,), N m or N. Raises RuntimeError where none can be taken; the state\n"
              "is then what it was.",
              of_stepper<&HeldStepper::step, py::object>(), py::arg("tau"));
  type.def(py::init<const py::object&, const std::string&, double, const std::string&, double>(), py::arg("model"),
           py::arg("integrator") = "rk4", py::arg("step") = 1e-3, py::kw_only(), py::arg("method") = "auto",
           py::arg("tolerance") = 1e-9,
           "__init__(self, model, integrator='rk4', step=0.001, *, method='auto', tolerance=1e-09)\n--\n\n"
           "model: an ulna.Model.")
      .def_property_readonly("q", of_stepper<&HeldStepper::q>(), "The position, rad or m, shape (nq,): a copy.")
      .def_property_readonly("v", of_stepper<&HeldStepper::v>(), "The velocity, rad/s or m/s, shape (nv,): a copy.")
      .def_property_readonly("time", of_stepper<&HeldStepper::time>(), "s.")
      .def_property_readonly("model", of_stepper<&HeldStepper::model>(), "The robot.");
}

}  // namespace ulna::python

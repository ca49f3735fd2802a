// Closed loops: positions and rates that keep them closed, their equations, and sweeps through a range.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "interrupt.hpp"
#include "one_state.hpp"
#include "recorded.hpp"
#include "ulna/io/results/save.hpp"
#include "ulna/loop/assembly_modes.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/loop/rates.hpp"
#include "ulna/study/loop_sweep.hpp"

namespace ulna::python {

namespace {

using Names = std::vector<std::string>;

std::vector<int> indices_of(const Robot& robot, const Names& joints) {
  std::vector<int> indices;
  indices.reserve(joints.size());
  for (const std::string& joint : joints) indices.push_back(robot.velocity_index(joint));
  return indices;
}

py::object assembled(Robot& robot, const py::object& q, const Names& held) {
  const OneState position(q, "q", robot.model->nq());
  const Assembly assembly = assemble(*robot.model, position.vector(), indices_of(robot, held));
  if (!assembly.closed) throw InputError("the loops do not close near this position: " + assembly.miss());
  return array_of(assembly.q);
}

py::list modes(Robot& robot, const py::object& q, const Names& held, int tries, std::uint64_t seed) {
  const OneState position(q, "q", robot.model->nq());
  const std::vector<int> indices = indices_of(robot, held);
  std::vector<std::vector<double>> all;
  {
    const WithoutGil computing;
    all = assembly_modes(*robot.model, position.vector(), indices, {tries, seed});
  }
  py::list list;
  for (const std::vector<double>& mode : all) list.append(array_of(mode));
  return list;
}

py::object closed_rates(Robot& robot, const py::object& q, const py::object& given, const py::object& velocity,
                        const Names& independent) {
  const OneState position(q, "q", robot.model->nq()), rates(given, "rates", robot.model->nv());
  LoopEquations equations(*robot.model);
  equations.update(position.vector());
  std::vector<double> right(static_cast<std::size_t>(equations.rows()), 0.0);
  if (!velocity.is_none()) {
    const OneState v(velocity, "v", robot.model->nv());
    equations.update_bias(v.vector());
    right.assign(equations.b().begin(), equations.b().end());
  }
  if (independent.empty()) return array_of(nearest_rates(equations, rates.vector(), right));
  const std::vector<int> indices = indices_of(robot, independent);
  std::vector<double> values;
  values.reserve(indices.size());
  for (const int k : indices) values.push_back(rates.vector()[static_cast<std::size_t>(k)]);
  return array_of(dependent_rates(equations, indices, values, right));
}

py::dict equations_of(Robot& robot, const py::object& q, const py::object& v) {
  const OneState position(q, "q", robot.model->nq()), rates(v, "v", robot.model->nv());
  LoopEquations equations(*robot.model);
  equations.update(position.vector());
  equations.update_bias(rates.vector());
  py::dict dict;
  dict["A"] = array_of(equations.matrix());
  dict["b"] = array_of(equations.b());
  dict["residual"] = array_of(equations.residual());
  return dict;
}

std::shared_ptr<LoopRecord> sweep(const Robot& robot,
                                  const std::vector<std::tuple<std::string, double, double>>& driven,
                                  const py::object& q, int steps, double time, int mode, const py::object& progress) {
  LoopSweep given{.robot = *robot.graph, .steps = steps, .time = time, .mode = mode};
  for (const auto& [joint, from, to] : driven) given.driven.push_back({joint, from, to});
  if (!q.is_none()) {
    const OneState position(q, "q", robot.model->nq());
    given.q = std::vector<double>(position.vector().begin(), position.vector().end());
  }
  Interrupts interrupts(progress);
  auto record = std::make_shared<LoopRecord>();
  {
    const WithoutGil computing;
    *record = run(given, [&](double part) { return interrupts.proceed(part); });
  }
  interrupts.rethrow();
  return record;
}

py::dict loop_result(const LoopRecord& record) {
  py::dict dict;
  dict["complete"] = record.result.complete;
  dict["reason"] = record.result.reason;
  dict["largest_residual"] = record.result.largest_residual;
  dict["events"] = events_of(record.result.events);
  return dict;
}

}  // namespace

void bind_loop(py::module_& module) {
  const ModelMethods methods(module);
  methods.def("assemble", &assembled, py::arg("q"), py::arg("held") = Names{},
              "The closed position (nq,) next to q (nq,); joints that are named in `held` keep their values.");
  methods.def("assembly_modes", &modes, py::arg("q"), py::arg("held"), py::kw_only(), py::arg("tries") = 500,
              py::arg("seed") = 1,
              "All closed positions (nq,) that the values of the joints `held` leave, the one next to q first.");
  methods.def("closed_rates", &closed_rates, py::arg("q"), py::arg("rates"), py::arg("v") = py::none(),
              py::arg("independent") = Names{},
              "The velocities (nv,) next to `rates` that keep the loops closed at q; with v, accelerations. With\n"
              "`independent` the values of these joints decide all others.");
  methods.def(
      "loop_equations", &equations_of, py::arg("q"), py::arg("v"),
      "A and b of A a = b and the residual of the closed loops at q (nq,), v (nv,), as a dict: A (m, nv), b (m,),\n"
      "residual (m,), m and sines of angles.");
  py::class_<LoopRecord, std::shared_ptr<LoopRecord>>(module, "LoopRecord")
      .def_property_readonly("columns", [](const LoopRecord& r) { return columns_of(r.table.columns()); })
      .def_property_readonly("rows",
                             [](const std::shared_ptr<LoopRecord>& r) {
                               return rows_of({r, &r->table});
                             })
      .def_property_readonly("result", &loop_result)
      .def(
          "save", [](const LoopRecord& r, const std::string& folder) { save(r, folder); }, py::arg("folder"),
          py::call_guard<py::gil_scoped_release>());
  module.def("sweep", &sweep, py::arg("model"), py::arg("driven"), py::arg("q"), py::arg("steps"), py::arg("time"),
             py::arg("mode"), py::arg("progress"));
}

}  // namespace ulna::python

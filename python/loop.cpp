// Closed loops: positions and rates that keep them closed, their equations, and sweeps through a range.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "interrupt.hpp"
#include "one_state.hpp"
#include "recorded.hpp"
#include "ulna/io/results/save.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/assembly_modes.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/loop/rates.hpp"
#include "ulna/study/loop_sweep.hpp"

namespace ulna::python {

namespace {

std::vector<int> indices_of(const Robot& robot, const std::vector<std::string>& joints) {
  std::vector<int> indices;
  indices.reserve(joints.size());
  for (const std::string& joint : joints) indices.push_back(robot.velocity_index(joint));
  return indices;
}

py::object assembled(Robot& robot, const py::object& q, const py::object& held) {
  const OneState position(q, "q", robot.model->nq());
  const std::vector<int> indices = indices_of(robot, names_of(held, "held"));
  const Assembly assembly = without_gil([&] { return assemble(*robot.model, position.vector(), indices); });
  if (!assembly.closed) throw InputError("the loops do not close near this position: " + assembly.miss());
  return array_of(assembly.q);
}

py::list modes(Robot& robot, const py::object& q, const py::object& held, int tries, std::uint64_t seed) {
  const OneState position(q, "q", robot.model->nq());
  const std::vector<int> indices = indices_of(robot, names_of(held, "held"));
  Interrupts interrupts(py::none{});
  const auto all = without_gil([&] {
    const auto proceed = [&](double part) { return interrupts.proceed(part); };
    return assembly_modes(*robot.model, position.vector(), indices, {tries, seed, proceed});
  });
  interrupts.rethrow();
  py::list list;
  for (const std::vector<double>& mode : all) list.append(array_of(mode));
  return list;
}

py::object closed_rates_of(Robot& robot, const py::object& q, const py::object& given, const py::object& velocity,
                           const py::object& independent) {
  const OneState position(q, "q", robot.model->nq()), rates(given, "rates", robot.model->nv());
  std::optional<OneState> v;
  if (!velocity.is_none()) v.emplace(velocity, "v", robot.model->nv());
  const std::vector<int> indices = indices_of(robot, names_of(independent, "independent"));
  return array_of(without_gil([&] {
    LoopEquations equations(*robot.model);
    equations.update(position.vector());
    expect_closed(equations);
    std::vector<double> right(static_cast<std::size_t>(equations.rows()), 0.0);
    if (v) {
      equations.update_bias(v->vector());
      right.assign(equations.b().begin(), equations.b().end());
    }
    return closed_rates(equations, rates.vector(), right, indices);
  }));
}

py::dict equations_of(Robot& robot, const py::object& q, const py::object& v) {
  const OneState position(q, "q", robot.model->nq()), rates(v, "v", robot.model->nv());
  LoopEquations equations(*robot.model);
  {
    const WithoutGil computing;
    equations.update(position.vector());
    equations.update_bias(rates.vector());
  }
  py::dict dict;
  dict["A"] = array_of(equations.matrix());
  dict["b"] = array_of(equations.b());
  dict["residual"] = array_of(equations.residual());
  return dict;
}

py::dict mobility_of(const Robot& robot, const py::object& q) {
  std::optional<OneState> given;
  if (!q.is_none()) given.emplace(q, "q", robot.model->nq());
  const std::vector<double> neutral = robot.model->neutral();
  const std::optional<LoopMobility> mobility =
      without_gil([&] { return mobility_near(*robot.model, given ? given->vector() : neutral); });
  if (!mobility) throw InputError("the loops do not close near this position");
  py::dict dict;
  dict["mobility"] = mobility->mobility();
  dict["degrees"] = mobility->degrees;
  dict["equations"] = mobility->equations;
  dict["redundant"] = mobility->redundant();
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
  const Methods methods(module.attr("Model"));
  methods.def("assemble", "(self, q, held=())",
              "The closed position (nq,) next to q (nq,); joints that are named in `held` keep their values.",
              &assembled, py::arg("q"), py::arg("held") = py::tuple());
  methods.def("assembly_modes", "(self, q, held, *, tries=500, seed=1)",
              "All closed positions (nq,) that the values of the joints `held` leave, the one next to q first: found\n"
              "from so many random positions. Ctrl-C stops it.",
              &modes, py::arg("q"), py::arg("held"), py::kw_only(), py::arg("tries") = 500, py::arg("seed") = 1);
  methods.def("closed_rates", "(self, q, rates, v=None, independent=())",
              "The velocities (nv,) next to `rates` that keep the loops closed at q, which must be closed\n"
              "(assemble()); with v, accelerations. With `independent` the values of these joints decide all others.\n"
              "rad/s, rad/s² or m/s, m/s².",
              &closed_rates_of, py::arg("q"), py::arg("rates"), py::arg("v") = py::none(),
              py::arg("independent") = py::tuple());
  methods.def("mobility", "(self, q=None)",
              "How closed loops let the robot move at the closed position next to q (nq,), the neutral one without\n"
              "it, as a dict: mobility, degrees of the tree, equations of the loops, and how many of these are\n"
              "redundant.",
              &mobility_of, py::arg("q") = py::none());
  methods.def(
      "loop_equations", "(self, q, v)",
      "A and b of A a = b and the residual of the closed loops at q (nq,), v (nv,), as a dict: A (m, nv), b (m,),\n"
      "residual (m,), m and sines of angles.",
      &equations_of, py::arg("q"), py::arg("v"));
  py::class_<LoopRecord, std::shared_ptr<LoopRecord>>(module, "LoopRecord")
      .def_property_readonly("columns", [](const LoopRecord& r) { return columns_of(r.table.columns()); })
      .def_property_readonly("rows",
                             [](const std::shared_ptr<LoopRecord>& r) {
                               return rows_of({r, &r->table});
                             })
      .def_property_readonly("result", &loop_result)
      .def(
          "save", [](const LoopRecord& r, const std::string& folder) { save(r, folder); }, py::arg("folder"),
          py::call_guard<WithoutGil>());
  module.def("sweep", &sweep, py::arg("model"), py::arg("driven"), py::arg("q"), py::arg("steps"), py::arg("time"),
             py::arg("mode"), py::arg("progress"));
}

}  // namespace ulna::python

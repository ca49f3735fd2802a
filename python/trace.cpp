// A robot's own code: operations counted, C written.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/trace/generate.hpp"
#include "ulna/trace/printed_counts.hpp"

namespace ulna::python {

namespace {

/// One formulation, or none where it does not give the quantity or the robot is too large.
py::object count_of_method(const Robot& robot, const std::string& of, const std::string& method, bool regroup) {
  const Quantity quantity = quantity_named(of);
  const Model model = regroup ? regrouped(*robot.tree) : *robot.tree;
  if (!has_own_way(quantity) && !trace::can_record(method_info(method), quantity, model)) return py::none();
  std::optional<trace::Counts> counts;
  {
    const WithoutGil computing;
    if (const auto recording = trace::record_if_small(model, quantity, method)) counts = recording->counts();
  }
  if (!counts) return py::none();
  py::dict dict;
  dict["robot"] = robot.model->name();
  dict["of"] = of;
  dict["method"] = has_own_way(quantity) ? "-" : method;
  dict["regrouped"] = regroup;
  dict["mul"] = counts->multiplications;
  dict["add"] = counts->additions;
  dict["div"] = counts->divisions;
  dict["sincos"] = counts->sincos;
  if (const auto printed = trace::printed_count(model, quantity, method))
    dict["printed"] = py::dict(py::arg("mul") = printed->multiplications, py::arg("add") = printed->additions,
                               py::arg("in") = printed->where);
  return dict;
}

py::tuple codegen(const Robot& robot, const std::vector<std::string>& of, const std::string& scalar, int lanes,
                  const std::string& method, const std::string& header) {
  std::vector<Quantity> quantities;
  quantities.reserve(of.size());
  for (const std::string& word : of) quantities.push_back(quantity_named(word));
  const trace::CodeScalar kind = trace::code_scalar_named(scalar, lanes);
  if (robot.has_loops()) throw InputError("generated code is for robots without closed loops");
  std::string source, declarations;
  {
    const WithoutGil computing;
    const trace::CodeFile file = trace::generate_code(*robot.model, quantities, kind, method);
    source = trace::c_source(file, header);
    declarations = trace::c_header(file);
  }
  return py::make_tuple(source, declarations);
}

}  // namespace

void bind_trace(py::module_& module) {
  module.def("count", &count_of_method, py::arg("model"), py::arg("of"), py::arg("method"), py::arg("regroup"));
  module.def("codegen", &codegen, py::arg("model"), py::arg("of"), py::arg("scalar"), py::arg("lanes"),
             py::arg("method"), py::arg("header"));
  module.def("quantities", [] { return quantity_words(); });
}

}  // namespace ulna::python

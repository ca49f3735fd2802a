// A robot's own code: operations counted, C written.
#include <pybind11/stl.h>

#include "abandoned.hpp"
#include "bindings.hpp"
#include "fast_method.hpp"
#include "ulna/study/count.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna::python {

namespace {

std::vector<Quantity> quantities_of(const std::vector<std::string>& words) {
  std::vector<Quantity> quantities;
  quantities.reserve(words.size());
  for (const std::string& word : words) quantities.push_back(quantity_named(word));
  return quantities;
}

py::dict dict_of(const CountRow& row) {
  py::dict dict;
  dict["robot"] = row.robot;
  dict["of"] = row.of;
  dict["method"] = row.method;
  dict["regrouped"] = row.regrouped;
  dict["mul"] = row.counts.multiplications;
  dict["add"] = row.counts.additions;
  dict["div"] = row.counts.divisions;
  dict["sincos"] = row.counts.sincos;
  dict["cheapest"] = row.cheapest;
  dict["bytes"] = row.bytes;
  if (row.printed)
    dict["printed"] = py::dict(py::arg("mul") = row.printed->multiplications, py::arg("add") = row.printed->additions,
                               py::arg("in") = row.printed->where);
  return dict;
}

/// The rows, and notes on what is too large.
py::tuple count(const Robot& robot, const std::vector<std::string>& of, const std::string& method, bool regroup) {
  const CountOptions options{quantities_of(of), method, regroup, &no_signal_came};
  const CountRecord record = without_gil([&] { return count_operations(*robot.model, options); });
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  py::list rows;
  for (const CountRow& row : record.rows) rows.append(dict_of(row));
  return py::make_tuple(rows, record.notes);
}

py::tuple codegen(const Robot& robot, const std::vector<std::string>& of, const std::string& scalar, int lanes,
                  const std::string& method, const std::string& header, const std::string& payload_input,
                  const std::string& wrench_input, const std::string& frame, const std::string& prefix, bool plain) {
  const std::vector<Quantity> quantities = quantities_of(of);
  const trace::CodeScalar kind = trace::code_scalar_named(scalar, lanes, plain);
  if (robot.has_loops()) throw InputError("generated code is for robots without closed loops");
  std::optional<Frame> payload, wrench, at;
  if (!payload_input.empty()) payload = robot.frame(payload_input);
  if (!wrench_input.empty()) wrench = robot.frame(wrench_input);
  if (!frame.empty()) at = robot.frame(frame);
  const auto [source, declarations] = result_unless_interrupted([=, model = robot.model] {
    const auto pointer = [](const std::optional<Frame>& given) { return given ? &*given : nullptr; };
    trace::RecordOptions inputs{.payload = pointer(payload), .wrench = pointer(wrench)};
    if (at) inputs.frames = {*at};
    const trace::CodeFile file =
        trace::generate_code(*model, quantities, kind, {.method = method, .inputs = inputs, .prefix = prefix});
    return std::pair(trace::c_source(file, header), trace::c_header(file));
  });
  return py::make_tuple(source, declarations);
}

}  // namespace

void bind_trace(py::module_& module) {
  module.def("count", &count, py::arg("model"), py::arg("of"), py::arg("method"), py::arg("regroup"));
  module.def("codegen", &codegen, py::arg("model"), py::arg("of"), py::arg("scalar"), py::arg("lanes"),
             py::arg("method"), py::arg("header"), py::arg("payload_input"), py::arg("wrench_input"), py::arg("frame"),
             py::arg("prefix"), py::arg("plain"));
  module.def("quantities", [] { return quantity_words(); });
}

}  // namespace ulna::python

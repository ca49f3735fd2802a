// Wrong input as Python's exceptions: ulna.InputError with its findings, and a ValueError for a mistake of the
// caller's.
#include "ulna/base/error.hpp"

#include "bindings.hpp"
#include "fast_method.hpp"

namespace ulna::python {

namespace py = pybind11;

namespace {

PyObject* input_error_type = nullptr;

py::dict finding_of(const Finding& finding) {
  py::dict dict;
  dict["severity"] = finding.severity == Finding::Severity::error ? "error" : "warning";
  dict["link"] = finding.link;
  dict["reason"] = finding.reason;
  dict["remedy"] = finding.remedy;
  dict["file"] = finding.source.file;
  dict["line"] = finding.source.line;
  return dict;
}

/// As the library says it; without a file Python's "InputError: " is enough of a beginning.
std::string message_of(const InputError& error) {
  const std::string text = error.what(), beginning = "error: ";
  return text.starts_with(beginning) ? text.substr(beginning.size()) : text;
}

void set_input_error(const InputError& error) {
  py::object exception = py::handle(input_error_type)(py::str(message_of(error)));
  exception.attr("findings") = findings_of(error.findings());
  const Source source = error.findings().empty() ? Source{} : error.findings().front().source;
  exception.attr("file") = source.file.empty() ? py::none() : py::object(py::str(source.file));
  exception.attr("line") = source.line > 0 && !source.file.empty() ? py::object(py::int_(source.line)) : py::none();
  PyErr_SetObject(input_error_type, exception.ptr());
}

}  // namespace

py::list findings_of(const std::vector<Finding>& findings) {
  py::list list;
  for (const Finding& finding : findings) list.append(finding_of(finding));
  return list;
}

void set_python_error() {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const InputError& error) {
    set_input_error(error);
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void refuse_new(const py::object& type, const char* text) {
  type.attr("__new__") =
      py::staticmethod(py::cpp_function([text](const py::args&, const py::kwargs&) { throw py::type_error(text); }));
}

void bind_errors(py::module_& module) {
  input_error_type = PyErr_NewExceptionWithDoc("ulna.InputError",
                                               "Wrong data of a robot, a scenario or a call.\n\n"
                                               "The text has one line per finding. `findings` lists them as dicts with "
                                               "severity, link, reason, remedy, file and\n"
                                               "line; `file` and `line` are those of the first, or None.",
                                               PyExc_ValueError, nullptr);
  if (input_error_type == nullptr) throw py::error_already_set();
  // For those that Python code raises.
  const py::handle type(input_error_type);
  type.attr("findings") = py::tuple();
  type.attr("file") = py::none();
  type.attr("line") = py::none();
  module.add_object("InputError", input_error_type);
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      set_input_error(error);
    }
  });
}

}  // namespace ulna::python

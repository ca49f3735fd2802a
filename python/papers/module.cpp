// The extension module `ulna._papers`: the five papers, computed again.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "../abandoned.hpp"
#include "papers/book_files.hpp"
#include "ulna/base/error.hpp"

namespace py = pybind11;

namespace ulna::reproduction {

namespace {

/// After each section the progress is told: how many are done, those that are left out too.
Chapter chapter_of(const Paper& paper, bool fast, const py::object& progress, int& done) {
  Chapter chapter{&paper, {}, true};
  for (const SectionMaker& section : paper.sections) {
    if (fast && !section.quick)
      chapter.complete = false;
    else
      chapter.sections.push_back(python::result_unless_interrupted([make = section.make] { return make(); }));
    ++done;
    if (!progress.is_none()) progress(done);
  }
  return chapter;
}

/// The book as JSON and as a page.
py::tuple reproduce(const std::string& key, bool fast, const py::object& progress) {
  std::vector<Chapter> chapters;
  int done = 0;
  for (const Paper& paper : papers())
    if (key == "all" || key == paper.key || key == paper.number)
      chapters.push_back(chapter_of(paper, fast, progress, done));
  if (chapters.empty()) throw InputError("no paper '" + key + "'; ulna.papers() lists them");
  return py::make_tuple(book_json(chapters).dump(), book_page(chapters));
}

}  // namespace

}  // namespace ulna::reproduction

PYBIND11_MODULE(_papers, module) {
  using namespace ulna::reproduction;
  // The exception is the one of ulna._core.
  static const py::object input_error = py::module_::import("ulna._core").attr("InputError");
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ulna::InputError& error) {
      PyErr_SetString(input_error.ptr(), error.findings().front().reason.c_str());
    }
  });
  module.def("reproduce", &reproduce, py::arg("paper"), py::arg("fast"), py::arg("progress"));
  module.def("papers", [] {
    py::list list;
    for (const Paper& paper : papers())
      list.append(py::make_tuple(paper.key, paper.title, paper.number, paper.sections.size()));
    return list;
  });
}

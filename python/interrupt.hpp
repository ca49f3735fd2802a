// Ctrl-C and progress of long work that runs without the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>

namespace ulna::python {

/// Asked again and again by one thread at a time; looks at the clock, and every 30 ms takes the GIL to see whether
/// Ctrl-C was pressed and to tell the progress.
class Interrupts {
 public:
  /// `progress`: called with a number, or None.
  explicit Interrupts(pybind11::object progress) : progress_(std::move(progress)) {}

  /// False: the work is to end, and rethrow() says why.
  bool proceed(double part) {
    if (failed_) return false;
    const auto time = std::chrono::steady_clock::now();
    if (time - last_ < std::chrono::milliseconds(30)) return true;
    last_ = time;
    const pybind11::gil_scoped_acquire gil;
    return tell(part);
  }

  /// For a callback of the caller's, which holds the GIL: keeps its exception.
  void fail() { failed_ = std::current_exception(); }
  bool failed() const { return failed_ != nullptr; }

  /// With the GIL.
  void rethrow() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  bool tell(double part) {
    try {
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
      if (!progress_.is_none()) progress_(part);
      return true;
    } catch (...) {
      fail();
      return false;
    }
  }

  pybind11::object progress_;
  std::chrono::steady_clock::time_point last_{};
  std::exception_ptr failed_{};
};

}  // namespace ulna::python

// The GIL, given up and taken. While Python ends, it ends every thread that wants the GIL by unwinding its stack,
// through destructors that must not throw and would touch Python's objects: such a thread sleeps instead until the
// process is gone.
#pragma once

#include <pybind11/pybind11.h>

#include <cxxabi.h>
#include <unistd.h>

namespace ulna::python {

template <class Take>
auto take_or_sleep(const Take& take) {
  try {
    return take();
  } catch (const abi::__forced_unwind&) {
    for (;;) ::pause();
  }
}

/// The GIL given up for a while.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() {
    take_or_sleep([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// What a function gives that computes without the GIL.
template <class Work>
auto without_gil(const Work& work) {
  const WithoutGil computing;
  return work();
}

/// The GIL taken for a while, inside of WithoutGil.
class WithGil {
 public:
  WithGil() : state_(take_or_sleep([] { return PyGILState_Ensure(); })) {}
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  ~WithGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

}  // namespace ulna::python

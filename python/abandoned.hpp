// Ctrl-C in work that asks nobody on its way: the caller gets its exception at once, and the work goes on alone to its
// end, a second or so, whose result nobody sees.
#pragma once

#include <pybind11/pybind11.h>

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "gil.hpp"

namespace ulna::python {

/// The threads that were left alone. The process must not end under them.
class Abandoned {
 public:
  /// With the GIL.
  static void add(std::thread thread) {
    static const bool registered = [] {
      pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&wait));
      return true;
    }();
    static_cast<void>(registered);
    threads().push_back({std::move(thread), ::getpid()});
  }

 private:
  struct Own {
    std::thread thread;
    pid_t process;
  };
  static std::list<Own>& threads() {
    static auto* list = new std::list<Own>;  // which outlives all that ends with the process
    return *list;
  }
  static void wait() {
    const WithoutGil waiting;
    for (Own& own : threads()) own.process == ::getpid() ? own.thread.join() : own.thread.detach();
    threads().clear();
  }
};

/// What the work gives. Called with the GIL, which it gives up. The work owns all that it uses.
template <class Work>
auto result_unless_interrupted(Work work) {
  using Result = decltype(work());
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::optional<Result> result;
    std::exception_ptr thrown;
  };
  auto state = std::make_shared<State>();
  std::thread worker([state, work = std::move(work)] {
    std::optional<Result> result;
    std::exception_ptr thrown;
    try {
      result = work();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(state->mutex);
    state->result = std::move(result);
    state->thrown = thrown;
    state->done = true;
    state->changed.notify_one();
  });
  const auto is_done = [&] {
    const WithoutGil waiting;
    std::unique_lock lock(state->mutex);
    return state->changed.wait_for(lock, std::chrono::milliseconds(30), [&] { return state->done; });
  };
  while (!is_done()) {
    if (PyErr_CheckSignals() == 0) continue;
    const pybind11::error_already_set interrupted;  // takes Python's exception, beside which nothing can be called
    Abandoned::add(std::move(worker));
    throw interrupted;
  }
  worker.join();
  if (state->thrown) std::rethrow_exception(state->thrown);
  return std::move(*state->result);
}

}  // namespace ulna::python

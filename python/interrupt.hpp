// Ctrl-C and progress of long work that runs without the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "gil.hpp"

namespace ulna::python {

/// For work that has nothing to tell: false once Ctrl-C was pressed, with Python's exception set on this thread.
inline bool no_signal_came() {
  thread_local std::chrono::steady_clock::time_point last{};
  const auto time = std::chrono::steady_clock::now();
  if (time - last < std::chrono::milliseconds(30)) return true;
  last = time;
  const WithGil gil;
  return PyErr_CheckSignals() == 0;
}

/// Every 30 ms the GIL is taken to see whether Ctrl-C was pressed and to tell the progress. Python sees signals in its
/// main thread alone: work on one thread asks by itself, work on several is watched.
class Interrupts {
 public:
  /// `progress`: called with a number, or None.
  explicit Interrupts(pybind11::object progress) : progress_(std::move(progress)) {}

  /// Asked by the work on the caller's thread. False: it is to end, and rethrow() says why.
  bool proceed(double part) {
    if (failed_) return false;
    const auto time = std::chrono::steady_clock::now();
    if (time - last_ < std::chrono::milliseconds(30)) return true;
    last_ = time;
    const WithGil gil;
    return tell(part);
  }

  /// Asked by watched work, on any thread.
  bool proceed_watched(double part) {
    part_.store(part, std::memory_order_relaxed);
    return !stop_.load(std::memory_order_relaxed);
  }

  /// Does the work on another thread while this one, without the GIL, watches. Throws what it throws.
  template <class Work>
  void watch(const Work& work) {
    std::exception_ptr thrown;
    bool done = false;
    std::mutex mutex;
    std::condition_variable changed;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      changed.notify_one();
    });
    for (std::unique_lock lock(mutex); !changed.wait_for(lock, std::chrono::milliseconds(30), [&] { return done; });) {
      lock.unlock();
      if (!stop_) {
        const WithGil gil;
        if (!tell(part_)) stop_ = true;
      }
      lock.lock();
    }
    worker.join();
    if (thrown && !failed_) std::rethrow_exception(thrown);
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
  std::atomic<double> part_{0.0};
  std::atomic<bool> stop_{false};
};

}  // namespace ulna::python

// A batch among contestants: one quantity of one robot for many states, and the times of its blocks.
#pragma once

#include <random>

#include "bench/rounds.hpp"
#include "ulna/batch/batch.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna::bench {

/// One quantity of one robot for a thousand states, which fit the core's own caches, or for many.
template <class S>
class BatchEntry {
 public:
  BatchEntry(const Model& model, trace::Kernel kernel, bool compiled, int threads, int n)
      : kernel_(kernel), batch_(model, {.compiled = compiled, .threads = threads}), n_(n), nv_(model.nv()) {
    std::mt19937 generator(1);
    for (int k = 0; k < n; ++k) {
      append(q_, random_position(model, generator));
      append(v_, random_velocity(model, generator));
      append(x_, random_velocity(model, generator, 10.0));
    }
    y_.resize(x_.size());
    batch_.prepare(kernel);
    call();
    calls_ = (threads > 1 ? 16 : 1) * calls_per_block([this] { call(); });  // waking a thread is no part of it
  }

  std::string note() const { return batch_.note(kernel_); }
  int lanes() const { return batch_.lanes(); }
  void run() {
    times_.add(time_block(calls_, [this] { call(); }) / n_);
  }
  double minimum() const { return times_.minimum(); }
  const Times& times() const { return times_; }
  double median() const { return times_.median(); }

 private:
  static void append(std::vector<S>& all, const std::vector<double>& one) {
    all.insert(all.end(), one.begin(), one.end());
  }
  void call() {
    const auto in = [&](const std::vector<S>& m) { return MatrixView<const S>{m.data(), nv_, n_}; };
    const MatrixView<S> out{y_.data(), nv_, n_};
    if (kernel_ == trace::Kernel::inverse_dynamics) return batch_.inverse_dynamics(in(q_), in(v_), in(x_), out);
    batch_.forward_dynamics(in(q_), in(v_), in(x_), out);
  }

  trace::Kernel kernel_;
  Batch<S> batch_;
  int n_, nv_;
  std::vector<S> q_, v_, x_, y_;
  int calls_ = 1;
  Times times_;
};

/// Additions and multiplications of one state, those of its sines and cosines (trace/sincos_c.cpp) too.
inline double operations(const Model& model, trace::Kernel kernel) {
  constexpr double of_sincos = 37.0;
  const Model own = regrouped(model);
  const trace::Counts counts = trace::record(own, kernel, trace::cheapest_method(own, kernel)).counts();
  return counts.arithmetic() + of_sincos * counts.sincos;
}

}  // namespace ulna::bench

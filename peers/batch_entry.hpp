// A batch among contestants: one quantity of one robot for many states, and the times of its blocks.
#pragma once

#include <random>

#include "peers/rounds.hpp"
#include "ulna/batch/batch.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::bench {

/// One quantity of one robot for a thousand states, which fit the core's own caches, or for many.
template <class S>
class BatchEntry {
 public:
  BatchEntry(const Model& model, Quantity quantity, bool compiled, int threads, int n)
      : quantity_(quantity),
        batch_(model, {.compiled = compiled, .threads = threads}),
        n_(n),
        nq_(model.nq()),
        nv_(model.nv()) {
    std::mt19937 generator(1);
    for (int k = 0; k < n; ++k) {
      append(q_, random_position(model, generator));
      append(v_, random_velocity(model, generator));
      append(x_, random_velocity(model, generator, 10.0));
    }
    y_.resize(x_.size());
    batch_.prepare(quantity);
    call();
    calls_ = (threads > 1 ? 16 : 1) * calls_per_block([this] { call(); });  // waking a thread is no part of it
  }

  /// All states once.
  void call() {
    const auto in = [&](const std::vector<S>& m, int rows) { return MatrixView<const S>{m.data(), rows, n_}; };
    const MatrixView<const S> q = in(q_, nq_), v = in(v_, nv_), x = in(x_, nv_);
    const MatrixView<S> out{y_.data(), nv_, n_};
    if (quantity_ == Quantity::inverse_dynamics) return batch_.inverse_dynamics(q, v, x, out);
    batch_.forward_dynamics(q, v, x, out);
  }
  /// Per block.
  int calls() const { return calls_; }
  std::string note() const { return batch_.note(quantity_); }
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

  Quantity quantity_;
  Batch<S> batch_;
  int n_, nq_, nv_;
  std::vector<S> q_, v_, x_, y_;
  int calls_ = 1;
  Times times_;
};

}  // namespace ulna::bench

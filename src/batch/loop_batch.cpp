#include "ulna/batch/loop_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/expect_threads.hpp"
#include "threaded_call.hpp"
#include "ulna/base/error.hpp"
#include "ulna/loop/compiled_loops.hpp"

namespace ulna {

namespace {

/// One thread's mechanism.
struct LoopWorker {
  explicit LoopWorker(const Model& model) : dynamics(model), external(model.bodies().size()) {}

  Wrenches<double> wrenches(const MatrixView<const double>* all, int k) {
    if (all == nullptr) return {};
    const double* w = all->column(k);
    for (Force<double>& force : external) {
      force = {Vec3<double>::load(w), Vec3<double>::load(w + 3)};
      w += 6;
    }
    return external;
  }

  ConstrainedDynamics dynamics;
  std::unique_ptr<Method<double>> code;  // null: the generic path
  std::vector<Force<double>> external;
};

std::span<const double> state_of(const MatrixView<const double>& matrix, int k) {
  return {matrix.column(k), static_cast<std::size_t>(matrix.rows)};
}

}  // namespace

struct [[gnu::visibility("hidden")]] LoopBatch::Implementation {
  Implementation(const Model& m, LoopBatchOptions o)
      : model(m),
        options(std::move(o)),
        method(loop_method(options.method)),
        threads(batch::threads_of(options.threads)),
        arena(threads) {
    if (model.loops().empty())
      throw InputError(fmt::format("'{}' has no closed loops; batches of trees are Batch's", model.name()));
    expect_threads(options.threads);
    if (options.actuated.empty()) {
      options.actuated.resize(static_cast<std::size_t>(model.nv()));
      std::iota(options.actuated.begin(), options.actuated.end(), 0);
    }
    for (int k = 0; k < threads; ++k) workers.push_back(std::make_unique<LoopWorker>(model));
    if (!options.compiled) return;
    if (method != LoopMethod::schur) throw InputError("compiled code does not support the method independent");
    const CompiledLoops compiled = compile_loops(model);
    for (const std::unique_ptr<LoopWorker>& worker : workers) worker->code = compiled.make();
    note = compiled.note;
  }

  void expect_shapes(const In& q, const In& v, const In& x, const Out& y, const In* wrenches) const {
    const auto expect = [&](const char* name, const auto& matrix, int rows) {
      if (matrix.rows == rows && matrix.cols == q.cols) return;
      throw std::invalid_argument(
          fmt::format("{} is {} × {} and must be {} × {}", name, matrix.rows, matrix.cols, rows, q.cols));
    };
    expect("q", q, model.nq());
    expect("v", v, model.nv());
    expect("the third matrix", x, model.nv());
    expect("the result", y, model.nv());
    if (wrenches != nullptr) expect("wrenches", *wrenches, 6 * model.body_count());
  }

  /// compute(worker, k) where state k is closed, NaN elsewhere.
  template <class Compute>
  void run(const In& q, const In& v, const Out& y, const Compute& compute) {
    const auto refuse = [&](int k) { std::fill_n(y.column(k), y.rows, std::numeric_limits<double>::quiet_NaN()); };
    const auto run_state = [&](std::size_t thread, std::size_t piece) {
      LoopWorker& worker = *workers[thread];
      const int k = static_cast<int>(piece);
      try {
        worker.dynamics.drift(state_of(q, k), state_of(v, k));
        expect_closed(worker.dynamics.equations(), state_of(v, k));
        compute(worker, k);
      } catch (const InputError&) {  // open loops, or drives that cannot make the motion
        refuse(k);
      } catch (const std::invalid_argument&) {  // a quaternion that is not of unit length
        refuse(k);
      }
    };
    batch::for_pieces(arena, threads, static_cast<std::size_t>(q.cols), options.proceed, run_state);
  }

  const Model& model;
  LoopBatchOptions options;
  LoopMethod method;
  int threads;
  Arena arena;
  std::vector<std::unique_ptr<LoopWorker>> workers;
  std::string note;
};

LoopBatch::LoopBatch(const Model& model, LoopBatchOptions options)
    : implementation_(std::make_unique<Implementation>(model, std::move(options))) {}
LoopBatch::LoopBatch(LoopBatch&&) noexcept = default;
LoopBatch& LoopBatch::operator=(LoopBatch&&) noexcept = default;
LoopBatch::~LoopBatch() = default;

void LoopBatch::forward_dynamics(In q, In v, In tau, Out a, const In* wrenches) {
  Implementation& own = *implementation_;
  own.expect_shapes(q, v, tau, a, wrenches);
  own.run(q, v, a, [&](LoopWorker& worker, int k) {
    const std::span<double> result(a.column(k), static_cast<std::size_t>(a.rows));
    const Wrenches<double> external = worker.wrenches(wrenches, k);
    if (worker.code != nullptr)
      worker.code->forward_dynamics(state_of(q, k), state_of(v, k), state_of(tau, k), result, external);
    else
      worker.dynamics.forward_dynamics(own.method, state_of(q, k), state_of(v, k), state_of(tau, k), result, external);
  });
}

const std::string& LoopBatch::note() const { return implementation_->note; }

void LoopBatch::inverse_dynamics(In q, In v, In a, Out tau, const In* wrenches) {
  Implementation& own = *implementation_;
  own.expect_shapes(q, v, a, tau, wrenches);
  own.run(q, v, tau, [&](LoopWorker& worker, int k) {
    worker.dynamics.inverse_dynamics(state_of(q, k), state_of(v, k), state_of(a, k), own.options.actuated,
                                     std::span<double>(tau.column(k), static_cast<std::size_t>(tau.rows)),
                                     worker.wrenches(wrenches, k));
  });
}

}  // namespace ulna

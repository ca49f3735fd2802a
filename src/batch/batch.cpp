#include "ulna/batch/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/expect_threads.hpp"
#include "block_kernel.hpp"
#include "lane_columns.hpp"
#include "quaternion_guard.hpp"
#include "threaded_call.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

namespace {

using batch::BlockKernel;
using batch::KernelShape;
using batch::Task;

template <class S>
using LanesOf = std::conditional_t<std::is_same_v<S, double>, batch::DoubleLanes, batch::FloatLanes>;

/// One quantity on one thread.
template <class S>
class Worker {
 public:
  using T = LanesOf<S>;
  static constexpr std::size_t lanes = T::lanes;

  Worker(const Model& model, std::unique_ptr<BlockKernel<T>> kernel)
      : kernel_(std::move(kernel)), guard_(model, kernel_->most_packs) {
    std::size_t most = 0;
    for (const auto* arrays : {&kernel_->inputs, &kernel_->outputs})
      for (const std::vector<T>& array : *arrays) most = std::max(most, array.size() / kernel_->most_packs);
    beside_.resize(most * lanes);
  }

  /// The states [first, last), which begins a pack.
  void run(std::span<const MatrixView<const S>> in, std::span<const MatrixView<S>> out, std::size_t first,
           std::size_t last) {
    for (std::size_t end = 0; first < last; first = end) {
      end = std::min(first + kernel_->most_packs * lanes, last);
      for (std::size_t k = 0; k < in.size(); ++k) load(in[k], first, end, kernel_->inputs[k].data());
      evaluate((end - first + lanes - 1) / lanes);
      for (std::size_t k = 0; k < out.size(); ++k) store(kernel_->outputs[k].data(), out[k], first, end);
    }
  }

 private:
  /// How many whole packs of columns stand in the matrix as gather and scatter want them: without gaps.
  template <class Number>
  static std::size_t in_place(const MatrixView<Number>& matrix, std::size_t columns) {
    return matrix.stride == matrix.rows ? columns / lanes : 0;
  }
  template <class Number>
  static Number* column(const MatrixView<Number>& matrix, std::size_t k) {
    return matrix.column(static_cast<int>(k));
  }

  void evaluate(std::size_t packs) {
    guard_.before(kernel_->inputs[0], packs);
    kernel_->evaluate(packs);
    guard_.after(kernel_->outputs, packs);
  }

  /// The last state stands in for those that a whole pack lacks.
  void load(const MatrixView<const S>& from, std::size_t first, std::size_t last, T* to) {
    const std::size_t packs = in_place(from, last - first);
    if (packs > 0) batch::gather(column(from, first), from.rows, to, packs);
    to += packs * static_cast<std::size_t>(from.rows);
    for (first += packs * lanes; first < last; first += lanes, to += from.rows) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        std::copy_n(column(from, std::min(first + lane, last - 1)), from.rows, beside(from.rows, lane));
      batch::gather(beside_.data(), from.rows, to, 1);
    }
  }

  void store(const T* from, const MatrixView<S>& to, std::size_t first, std::size_t last) {
    const std::size_t packs = in_place(to, last - first);
    if (packs > 0) batch::scatter(from, to.rows, column(to, first), packs);
    from += packs * static_cast<std::size_t>(to.rows);
    for (first += packs * lanes; first < last; first += lanes, from += to.rows) {
      batch::scatter(from, to.rows, beside_.data(), 1);
      for (std::size_t lane = 0; lane < std::min(lanes, last - first); ++lane)
        std::copy_n(beside(to.rows, lane), to.rows, column(to, first + lane));
    }
  }

  S* beside(int rows, std::size_t lane) { return beside_.data() + lane * static_cast<std::size_t>(rows); }

  std::unique_ptr<BlockKernel<T>> kernel_;
  batch::QuaternionGuard<T> guard_;
  std::vector<S> beside_;  // columns that are not in place
};

/// One quantity on all threads.
template <class S>
struct Prepared {
  KernelShape shape;
  std::vector<Worker<S>> workers;
  std::string note;
};

/// The robot's own code of some quantities, with the same loads.
template <class S>
std::vector<trace::LoadedKernel> load_kernels(const Model& model, const BatchOptions& options, const Task& task,
                                              std::span<const Quantity> quantities) {
  const trace::CodeScalar scalar{std::is_same_v<S, float>, LanesOf<S>::lanes};
  return trace::load_kernels(model, quantities, scalar, options.method,
                             {.payload = task.payload ? &*options.payload : nullptr,
                              .wrenches = task.wrenches,
                              .frames = options.frames,
                              .reference = options.reference});
}

template <class S>
Prepared<S> prepare_kernel(const Model& model, const BatchOptions& options, Task task, int threads,
                           const trace::LoadedKernel& loaded) {
  using T = LanesOf<S>;
  Prepared<S> prepared{batch::shape_of(model, task, options), {}, loaded.note};
  for (int k = 0; k < threads; ++k) {
    prepared.workers.emplace_back(model, loaded.function != nullptr
                                             ? batch::make_compiled_kernel<T>(model, task, options, loaded)
                                             : batch::make_generic_kernel<T>(model, task, options));
  }
  return prepared;
}

template <class S>
void expect_shape(const batch::ArrayShape& wanted, const MatrixView<S>& matrix, int columns) {
  if (matrix.rows != wanted.rows || matrix.cols != columns) {
    throw std::invalid_argument(
        fmt::format("{} is {} × {} and must be {} × {}", wanted.name, matrix.rows, matrix.cols, wanted.rows, columns));
  }
}

/// One number per state.
template <class S>
MatrixView<S> as_row(const VectorView<S>& numbers) {
  return {numbers.data(), 1, static_cast<int>(numbers.size())};
}

}  // namespace

template <std::floating_point S>
struct [[gnu::visibility("hidden")]] Batch<S>::Implementation {
  Implementation(const Model& m, BatchOptions o)
      : model(m), options(std::move(o)), threads(batch::threads_of(options.threads)), arena(threads) {
    expect_threads(options.threads);
    if (options.method != "auto") method_info(options.method);
    for (const Frame& frame : options.frames) model.expect_frame(frame);
    if (!options.payload) return;
    trace::expect_moving(model, *options.payload);
    if (options.method != "auto") trace::expect_payload_method(options.method);
  }

  Prepared<S>& prepare(Task task) {
    const auto found = prepared.find(task);
    if (found != prepared.end()) return found->second;
    const bool compiled = options.compiled && task.kind == Task::Kind::quantity;
    return keep(task, compiled ? load_kernels<S>(model, options, task, std::span(&task.quantity, 1))[0]
                               : trace::LoadedKernel{});
  }

  void prepare(std::span<const Quantity> quantities) {
    std::vector<Quantity> missing;
    for (const Quantity quantity : quantities)
      if (!prepared.contains({.quantity = quantity})) missing.push_back(quantity);
    std::vector<trace::LoadedKernel> loaded(missing.size());
    if (options.compiled && !missing.empty()) loaded = load_kernels<S>(model, options, {}, missing);
    for (std::size_t k = 0; k < missing.size(); ++k) keep({.quantity = missing[k]}, loaded[k]);
  }

  Prepared<S>& keep(const Task& task, const trace::LoadedKernel& loaded) {
    return prepared.emplace(task, prepare_kernel<S>(model, options, task, threads, loaded)).first->second;
  }

  /// With the loads that there are as further inputs.
  void run(Quantity quantity, std::initializer_list<In> state, Out out, const BatchLoads<S>& loads) {
    Task task{.quantity = quantity};
    std::array<In, 5> in{loads.wrenches, loads.wrenches, loads.wrenches, loads.wrenches, loads.wrenches};
    auto end = std::copy(state.begin(), state.end(), in.begin());
    const auto add = [&](const In& load) {
      if (load.data != nullptr) *end++ = load;
      return load.data != nullptr;
    };
    task.wrenches = trace::has_wrench(quantity) && add(loads.wrenches);
    task.payload = add(loads.payload);
    if (task.payload && !options.payload)
      throw std::invalid_argument("payloads of states need the frame that carries them: BatchOptions::payload");
    run(task, std::span(in.begin(), end), std::array{out});
  }

  void run(Task task, std::span<const In> in, std::span<const Out> out) {
    Prepared<S>& own = prepare(task);
    const int columns = in[0].cols;
    if (columns < 0) throw std::invalid_argument("a matrix has a negative number of columns");
    for (std::size_t k = 0; k < in.size(); ++k) expect_shape(own.shape.inputs[k], in[k], columns);
    for (std::size_t k = 0; k < out.size(); ++k) expect_shape(own.shape.outputs[k], out[k], columns);
    const auto n = static_cast<std::size_t>(columns);
    constexpr std::size_t piece = 32 * Worker<S>::lanes;  // some microseconds: waking a thread takes as long
    if (n <= piece) return own.workers[0].run(in, out, 0, n);
    batch::for_pieces(arena, threads, (n + piece - 1) / piece, options.proceed, [&](std::size_t thread, std::size_t k) {
      own.workers[thread].run(in, out, k * piece, std::min((k + 1) * piece, n));
    });
  }

  const Model& model;
  BatchOptions options;
  int threads;
  Arena arena;
  std::map<Task, Prepared<S>> prepared;
};

template <std::floating_point S>
Batch<S>::Batch(const Model& model, BatchOptions options)
    : implementation_(std::make_unique<Implementation>(model, std::move(options))) {}
template <std::floating_point S>
Batch<S>::Batch(Batch&&) noexcept = default;
template <std::floating_point S>
Batch<S>& Batch<S>::operator=(Batch&&) noexcept = default;
template <std::floating_point S>
Batch<S>::~Batch() = default;

template <std::floating_point S>
void Batch<S>::inverse_dynamics(In q, In v, In a, Out tau, const BatchLoads<S>& loads) {
  implementation_->run(Quantity::inverse_dynamics, {q, v, a}, tau, loads);
}
template <std::floating_point S>
void Batch<S>::forward_dynamics(In q, In v, In tau, Out a, const BatchLoads<S>& loads) {
  implementation_->run(Quantity::forward_dynamics, {q, v, tau}, a, loads);
}
template <std::floating_point S>
void Batch<S>::mass_matrix(In q, Out M, const BatchLoads<S>& loads) {
  implementation_->run(Quantity::mass_matrix, {q}, M, loads);
}
template <std::floating_point S>
void Batch<S>::inverse_mass_matrix(In q, Out inverse) {
  implementation_->run({.quantity = Quantity::inverse_mass_matrix}, std::array{q}, std::array{inverse});
}
template <std::floating_point S>
void Batch<S>::coriolis_matrix(In q, In v, Out C) {
  implementation_->run({.quantity = Quantity::coriolis_matrix}, std::array{q, v}, std::array{C});
}
template <std::floating_point S>
void Batch<S>::convective_inertia(In q, In v, Out MCI) {
  implementation_->run({.quantity = Quantity::convective_inertia}, std::array{q, v}, std::array{MCI});
}
template <std::floating_point S>
void Batch<S>::gravity(In q, Out g, const BatchLoads<S>& loads) {
  implementation_->run(Quantity::gravity, {q}, g, loads);
}
template <std::floating_point S>
void Batch<S>::pose(In q, Out R, Out p) {
  implementation_->run({.quantity = Quantity::pose}, std::array{q}, std::array{R, p});
}
template <std::floating_point S>
void Batch<S>::pose(In q, Out T) {
  implementation_->run({Task::Kind::pose_matrix}, std::array{q}, std::array{T});
}
template <std::floating_point S>
void Batch<S>::jacobian(In q, Out J) {
  implementation_->run({.quantity = Quantity::jacobian}, std::array{q}, std::array{J});
}
template <std::floating_point S>
void Batch<S>::velocity(In q, In v, Out velocity) {
  implementation_->run({Task::Kind::velocity}, std::array{q, v}, std::array{velocity});
}
template <std::floating_point S>
void Batch<S>::com(In q, Out com) {
  implementation_->run({Task::Kind::com}, std::array{q}, std::array{com});
}
template <std::floating_point S>
void Batch<S>::potential_energy(In q, VectorView<S> energy) {
  implementation_->run({Task::Kind::potential_energy}, std::array{q}, std::array{as_row(energy)});
}
template <std::floating_point S>
void Batch<S>::kinetic_energy(In q, In v, VectorView<S> energy) {
  implementation_->run({Task::Kind::kinetic_energy}, std::array{q, v}, std::array{as_row(energy)});
}
template <std::floating_point S>
void Batch<S>::momentum(In q, In v, Out momentum) {
  implementation_->run({Task::Kind::momentum}, std::array{q, v}, std::array{momentum});
}
template <std::floating_point S>
void Batch<S>::inverse_derivatives(In q, In v, In a, Out dq, Out dv) {
  implementation_->run({.quantity = Quantity::inverse_derivatives}, std::array{q, v, a}, std::array{dq, dv});
}
template <std::floating_point S>
void Batch<S>::forward_derivatives(In q, In v, In tau, Out a, Out dq, Out dv, Out dtau) {
  implementation_->run({.quantity = Quantity::forward_derivatives}, std::array{q, v, tau}, std::array{a, dq, dv, dtau});
}

template <std::floating_point S>
void Batch<S>::prepare(Quantity quantity) {
  implementation_->prepare({.quantity = quantity});
}
template <std::floating_point S>
void Batch<S>::prepare(std::span<const Quantity> quantities) {
  implementation_->prepare(quantities);
}
template <std::floating_point S>
int Batch<S>::lanes() const {
  return LanesOf<S>::lanes;
}
template <std::floating_point S>
int Batch<S>::threads() const {
  return implementation_->threads;
}
template <std::floating_point S>
std::string Batch<S>::note(Quantity quantity) const {
  for (const auto& [task, prepared] : implementation_->prepared)
    if (task.kind == Task::Kind::quantity && task.quantity == quantity && !prepared.note.empty()) return prepared.note;
  return "";
}

template class Batch<double>;
template class Batch<float>;

}  // namespace ulna

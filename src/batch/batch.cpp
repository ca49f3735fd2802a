#include "ulna/batch/batch.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <map>

#include "block_kernel.hpp"
#include "dynamics/threads.hpp"
#include "lane_columns.hpp"
#include "quaternion_guard.hpp"
#include "ulna/base/error.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

namespace {

using batch::BlockKernel;
using batch::KernelShape;
using trace::Kernel;

template <class S>
using LanesOf = std::conditional_t<std::is_same_v<S, double>, batch::DoubleLanes, batch::FloatLanes>;

/// One quantity on one thread.
template <class S>
class Worker {
 public:
  using T = LanesOf<S>;
  static constexpr std::size_t lanes = T::lanes;

  Worker(const Model& model, std::unique_ptr<BlockKernel<T>> kernel) : kernel_(std::move(kernel)), guard_(model) {
    std::size_t most = 0;
    for (const auto* arrays : {&kernel_->inputs, &kernel_->outputs})
      for (const std::vector<T>& array : *arrays) most = std::max(most, array.size());
    partial_.resize(most * lanes);
  }

  /// The states [first, last), which begins a pack.
  void run(std::span<const MatrixView<const S>> in, std::span<const MatrixView<S>> out, std::size_t first,
           std::size_t last) {
    for (; first + lanes <= last; first += lanes) {
      for (std::size_t k = 0; k < in.size(); ++k)
        batch::gather(column(in[k], first), in[k].rows, kernel_->inputs[k].data());
      evaluate();
      for (std::size_t k = 0; k < out.size(); ++k)
        batch::scatter(kernel_->outputs[k].data(), out[k].rows, column(out[k], first));
    }
    if (first < last) run_partial(in, out, first, last - first);
  }

 private:
  void evaluate() {
    guard_.before(kernel_->inputs[0]);
    kernel_->evaluate();
    guard_.after(kernel_->outputs);
  }

  template <class Number>
  static Number* column(const MatrixView<Number>& matrix, std::size_t k) {
    return matrix.data + k * static_cast<std::size_t>(matrix.rows);
  }

  void run_partial(std::span<const MatrixView<const S>> in, std::span<const MatrixView<S>> out, std::size_t first,
                   std::size_t count) {
    for (std::size_t k = 0; k < in.size(); ++k) {
      const auto rows = static_cast<std::size_t>(in[k].rows);
      batch::gather(filled_up(column(in[k], first), rows, count), in[k].rows, kernel_->inputs[k].data());
    }
    evaluate();
    for (std::size_t k = 0; k < out.size(); ++k) {
      batch::scatter(kernel_->outputs[k].data(), out[k].rows, partial_.data());
      std::copy_n(partial_.data(), count * static_cast<std::size_t>(out[k].rows), column(out[k], first));
    }
  }

  /// The last state stands in for those that a whole pack lacks.
  const S* filled_up(const S* columns, std::size_t rows, std::size_t count) {
    std::copy_n(columns, count * rows, partial_.data());
    for (std::size_t lane = count; lane < lanes; ++lane)
      std::copy_n(columns + (count - 1) * rows, rows, &partial_[lane * rows]);
    return partial_.data();
  }

  std::unique_ptr<BlockKernel<T>> kernel_;
  batch::QuaternionGuard<T> guard_;
  std::vector<S> partial_;
};

/// One quantity on all threads.
template <class S>
struct Prepared {
  KernelShape shape;
  std::vector<Worker<S>> workers;
  std::string note;
};

template <class S>
Prepared<S> prepare_kernel(const Model& model, const BatchOptions& options, Kernel kernel, int threads) {
  using T = LanesOf<S>;
  Prepared<S> prepared{batch::shape_of(model, kernel), {}, ""};
  const bool derivatives = kernel == Kernel::inverse_derivatives || kernel == Kernel::forward_derivatives;
  if (derivatives && model.has_general_joints())
    throw InputError("derivatives are for robots whose joints have one degree of freedom");
  const bool kinematic = kernel == Kernel::pose || kernel == Kernel::jacobian;
  trace::LoadedKernel loaded;
  if (options.compiled && kinematic && options.frame) {
    prepared.note = "generated code knows the tip only; the generic path is used";
  } else if (options.compiled) {
    const trace::CodeScalar scalar{std::is_same_v<S, float>, T::lanes};
    loaded = trace::load_kernel(model, kernel, scalar, options.method);
    prepared.note = loaded.note;
  }
  for (int k = 0; k < threads; ++k) {
    prepared.workers.emplace_back(model, loaded.function != nullptr
                                             ? batch::make_compiled_kernel<T>(model, kernel, loaded)
                                             : batch::make_generic_kernel<T>(model, kernel, options));
  }
  return prepared;
}

/// No more than there are cores: oneTBB has no others.
int threads_of(int wanted) {
  const int cores = tbb::this_task_arena::max_concurrency();
  return wanted > 0 ? std::min(wanted, cores) : cores;
}

template <class S>
void expect_shape(const batch::ArrayShape& wanted, const MatrixView<S>& matrix, int columns) {
  if (matrix.rows != wanted.rows || matrix.cols != columns) {
    throw std::invalid_argument(
        fmt::format("{} is {} × {} and must be {} × {}", wanted.name, matrix.rows, matrix.cols, wanted.rows, columns));
  }
}

}  // namespace

template <std::floating_point S>
struct Batch<S>::Implementation {
  Implementation(const Model& m, BatchOptions o)
      : model(m), options(std::move(o)), threads(threads_of(options.threads)), arena(threads) {
    if (options.threads < 0) throw InputError(fmt::format("{} threads cannot work", options.threads));
    if (options.method != "auto") method_info(options.method);
    if (options.frame) model.expect_frame(*options.frame);
  }

  Prepared<S>& prepare(Kernel kernel) {
    const auto found = prepared.find(kernel);
    if (found != prepared.end()) return found->second;
    return prepared.emplace(kernel, prepare_kernel<S>(model, options, kernel, threads)).first->second;
  }

  template <std::size_t I, std::size_t O>
  void run(Kernel kernel, const std::array<In, I>& in, const std::array<Out, O>& out) {
    Prepared<S>& own = prepare(kernel);
    const int columns = in[0].cols;
    if (columns < 0) throw std::invalid_argument("a matrix has a negative number of columns");
    for (std::size_t k = 0; k < I; ++k) expect_shape(own.shape.inputs[k], in[k], columns);
    for (std::size_t k = 0; k < O; ++k) expect_shape(own.shape.outputs[k], out[k], columns);
    const auto n = static_cast<std::size_t>(columns);
    constexpr std::size_t piece = 32 * Worker<S>::lanes;  // some microseconds: waking a thread takes as long
    if (threads == 1 || n <= piece) return own.workers[0].run(in, out, 0, n);
    arena.execute([&] {
      Threads{1}(static_cast<std::ptrdiff_t>((n + piece - 1) / piece), [&](std::ptrdiff_t k) {
        const auto thread = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
        const std::size_t first = static_cast<std::size_t>(k) * piece;
        own.workers[thread].run(in, out, first, std::min(first + piece, n));
      });
    });
  }

  const Model& model;
  BatchOptions options;
  int threads;
  tbb::task_arena arena;
  std::map<Kernel, Prepared<S>> prepared;
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
void Batch<S>::inverse_dynamics(In q, In v, In a, Out tau) {
  implementation_->run(Kernel::inverse_dynamics, std::array{q, v, a}, std::array{tau});
}
template <std::floating_point S>
void Batch<S>::forward_dynamics(In q, In v, In tau, Out a) {
  implementation_->run(Kernel::forward_dynamics, std::array{q, v, tau}, std::array{a});
}
template <std::floating_point S>
void Batch<S>::mass_matrix(In q, Out M) {
  implementation_->run(Kernel::inertia_matrix, std::array{q}, std::array{M});
}
template <std::floating_point S>
void Batch<S>::coriolis_matrix(In q, In v, Out C) {
  implementation_->run(Kernel::coriolis_matrix, std::array{q, v}, std::array{C});
}
template <std::floating_point S>
void Batch<S>::gravity(In q, Out g) {
  implementation_->run(Kernel::gravity, std::array{q}, std::array{g});
}
template <std::floating_point S>
void Batch<S>::pose(In q, Out R, Out p) {
  implementation_->run(Kernel::pose, std::array{q}, std::array{R, p});
}
template <std::floating_point S>
void Batch<S>::jacobian(In q, Out J) {
  implementation_->run(Kernel::jacobian, std::array{q}, std::array{J});
}
template <std::floating_point S>
void Batch<S>::inverse_derivatives(In q, In v, In a, Out dq, Out dv) {
  implementation_->run(Kernel::inverse_derivatives, std::array{q, v, a}, std::array{dq, dv});
}
template <std::floating_point S>
void Batch<S>::forward_derivatives(In q, In v, In tau, Out a, Out dq, Out dv, Out dtau) {
  implementation_->run(Kernel::forward_derivatives, std::array{q, v, tau}, std::array{a, dq, dv, dtau});
}

template <std::floating_point S>
void Batch<S>::prepare(Kernel quantity) {
  implementation_->prepare(quantity);
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
std::string Batch<S>::note(Kernel quantity) const {
  const auto found = implementation_->prepared.find(quantity);
  return found != implementation_->prepared.end() ? found->second.note : "";
}

template class Batch<double>;
template class Batch<float>;

}  // namespace ulna

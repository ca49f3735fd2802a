#include <fmt/format.h>

#include <algorithm>

#include "chain_groups.hpp"
#include "threads.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/parallel.hpp"
#include "ulna/dynamics/constraint_force/parallel.hpp"
#include "ulna/dynamics/parallel_method.hpp"

namespace ulna {

namespace {

/// A parallel solver with the threads it may use.
template <class Solver>
class OnThreads final : public Method<double> {
 public:
  OnThreads(const Model& model, int threads) : solver_(model), arena_(std::min(threads, most_threads())) {}
  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external) override {
    arena_.execute([&] { solver_.forward_dynamics(q, v, tau, a, external); });
  }

 private:
  Solver solver_;
  Arena arena_;
};

}  // namespace

ChainPath fastest_chain_path(const Model& model, int threads) {
  // Measured on chain:N (Zen 4, g++ 12): segments win from 400 links on, on one thread (1.06 times as fast) and
  // on two (1.3). Long chains gain twofold from full lanes alone, so one lane in four wants three threads.
  constexpr std::size_t crossing = 400;
  if (!model.is_serial() || model.has_coupled_joints() || model.bodies().size() < crossing) return ChainPath::serial;
  const double occupied = threads * articulated_body::lanes_used(articulated_body::share_lanes(model));
  return occupied > 0.7 ? ChainPath::segments : ChainPath::serial;
}

std::unique_ptr<Method<double>> make_parallel_method(std::string_view name, const Model& model, int threads) {
  if (threads < 1) throw InputError(fmt::format("{} threads; at least one is needed", threads));
  const MethodInfo& info = resolve_method(name, Quantity::forward_dynamics, model);
  if (name == "auto" && fastest_chain_path(model, threads) == ChainPath::serial)
    return make_method<double>(info.name, Quantity::forward_dynamics, model);
  if (info.name != "articulated_body" && info.name != "constraint_force")
    throw InputError(fmt::format("{} has no path on threads; articulated_body and constraint_force have", info.name));
  if (!model.is_serial())
    throw InputError(
        fmt::format("{} on threads is for serial arms, and this robot branches; leave threads out", info.name));
  if (info.name == "constraint_force")
    return std::make_unique<OnThreads<constraint_force::ParallelSolver>>(model, threads);
  return std::make_unique<OnThreads<articulated_body::ParallelSolver>>(model, threads);
}

}  // namespace ulna

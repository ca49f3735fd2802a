// The C++ side of bench/python_calls: nanoseconds per call of one state and per state of a batch, as JSON.
// Usage: bench_python_calls ROBOT STATES
#include <chrono>
#include <cstdio>
#include <random>

#include "ulna/ulna.hpp"

namespace {

using namespace ulna;

/// The shortest of some rounds, per item.
template <class Work>
double nanoseconds(int items, const Work& work) {
  double best = 1e300;
  for (int round = 0; round < 15; ++round) {
    const auto began = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count());
  }
  return best / items;
}

}  // namespace

int main(int, char** argument) {
  const Model model = load(argument[1]);
  const int n = std::atoi(argument[2]), calls = 20'000, nv = model.nv();
  std::mt19937 generator(1);
  std::vector<double> q, v, x;
  for (int k = 0; k < n; ++k) {
    for (auto* list : {&q, &v, &x}) {
      const std::vector<double> numbers =
          list == &q ? random_position(model, generator) : random_velocity(model, generator);
      list->insert(list->end(), numbers.begin(), numbers.end());
    }
  }
  std::vector<double> out(x.size()), one(static_cast<std::size_t>(nv)), M(static_cast<std::size_t>(nv * nv));
  const auto size = static_cast<std::size_t>(nv);
  const VectorView<const double> q1(q.data(), static_cast<std::size_t>(model.nq())), v1(v.data(), size),
      x1(x.data(), size);
  const auto repeat = [&](const auto& call) {
    return nanoseconds(calls, [&] {
      for (int k = 0; k < calls; ++k) call();
    });
  };
  const auto id = make_method<double>("auto", Quantity::inverse_dynamics, model);
  const auto fd = make_method<double>("auto", Quantity::forward_dynamics, model);
  const auto gim = make_method<double>("auto", Quantity::mass_matrix, model);
  std::printf("{\"one\": {\"inverse_dynamics\": %.1f, \"forward_dynamics\": %.1f, \"mass_matrix\": %.1f}",
              repeat([&] { id->inverse_dynamics(q1, v1, x1, one); }),
              repeat([&] { fd->forward_dynamics(q1, v1, x1, one); }), repeat([&] {
                gim->mass_matrix(q1, {M.data(), nv, nv});
              }));
  const MatrixView<const double> Q(q.data(), model.nq(), n), V(v.data(), nv, n), X(x.data(), nv, n);
  const MatrixView<double> result(out.data(), nv, n);
  for (const bool compiled : {false, true}) {
    Batch<double> batch(model, {.compiled = compiled});
    batch.prepare(Quantity::inverse_dynamics);
    batch.prepare(Quantity::forward_dynamics);
    std::printf(", \"%s\": {\"inverse_dynamics\": %.2f, \"forward_dynamics\": %.2f}", compiled ? "compiled" : "batch",
                nanoseconds(n, [&] { batch.inverse_dynamics(Q, V, X, result); }),
                nanoseconds(n, [&] { batch.forward_dynamics(Q, V, X, result); }));
  }
  std::printf("}\n");
}

#include "fma_peak.hpp"

#include <algorithm>

#include "peers/rounds.hpp"

namespace ulna::bench {

#if defined(__x86_64__)
namespace {

/// Twelve chains: two units times a latency of four to five cycles, and registers for all of them. A
/// macro, because a template would not be compiled for the function's target.
#define ULNA_FMA_CHAINS(LANES)                                                         \
  using Vector [[gnu::vector_size(LANES * sizeof(double))]] = double;                  \
  constexpr int chains = 12;                                                           \
  Vector sum[chains] = {}, factor = Vector{} + 0.999, term = Vector{} + 0.1;           \
  asm volatile("" : "+x"(factor), "+x"(term));                                         \
  for (Vector & s : sum) asm volatile("" : "+x"(s)); /* or one chain stands for all */ \
  for (int k = 0; k < repeats; ++k)                                                    \
    for (Vector & s : sum) s = s * factor + term;                                      \
  double all = 0.0;                                                                    \
  for (const Vector& s : sum) all += s[0];                                             \
  return all;

[[gnu::target("avx2,fma"), gnu::noinline]] double by_avx2(int repeats) { ULNA_FMA_CHAINS(4) }
[[gnu::target("avx512f"), gnu::noinline]] double by_avx512(int repeats) { ULNA_FMA_CHAINS(8) }

double rate(double (*run)(int), int lanes) {
  constexpr int repeats = 4000;
  volatile double sink = 0.0;
  const double ns = time_block(40, [&] { sink = run(repeats); });
  return 12.0 * 2.0 * lanes * repeats / ns;
}

}  // namespace

double fma_peak() {
  double best = 0.0;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) best = std::max(best, rate(by_avx2, 4));
  if (__builtin_cpu_supports("avx512f")) best = std::max(best, rate(by_avx512, 8));
  return best;
}
#else
double fma_peak() { return 0.0; }
#endif

}  // namespace ulna::bench

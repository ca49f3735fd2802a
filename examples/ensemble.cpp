// A thousand throws of a free swing, each from a start of its own: where the arm can be after two seconds.
#include <algorithm>
#include <cstdio>
#include <random>

#include "ulna/ulna.hpp"

int main() {
  const ulna::Model model = ulna::build(ulna::load_graph("puma560"));
  const auto n = static_cast<std::size_t>(model.nv());
  ulna::EnsembleSetup setup{.runs = 1000};
  setup.nominal.duration = 2.0;
  setup.nominal.accuracy = {.relative = 1e-7, .absolute = 1e-7};
  setup.vary = [n](std::size_t run) {  // by its number alone, so that it comes out the same on any number of threads
    std::mt19937_64 generator(run);
    std::normal_distribution<double> spread(0.0, 0.05);
    ulna::EnsembleRun own;
    own.q0.resize(n);
    for (double& q : own.q0) q = spread(generator);
    return own;
  };
  const ulna::EnsembleResult result = ulna::simulate_ensemble(model, setup);

  std::vector<double> last;
  for (const ulna::EnsembleRunResult& run : result.runs)
    if (run.status == ulna::RunStatus::completed) last.push_back(run.q[1]);
  std::sort(last.begin(), last.end());
  const auto at = [&](double part) {
    return last[static_cast<std::size_t>(part * static_cast<double>(last.size() - 1))];
  };
  std::printf("%zu of %zu runs in %.2f s (%s, %d threads)\n", last.size(), result.runs.size(), result.wall,
              result.packed ? "in packs" : "one by one", result.threads);
  std::printf("joint 2 after 2 s: 5 %% below %.3f rad, half below %.3f, 95 %% below %.3f\n", at(0.05), at(0.5),
              at(0.95));
  return last.size() == result.runs.size() ? 0 : 1;
}

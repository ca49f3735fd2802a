// Ten seconds of free fall of an arm from many starts: an ensemble on one core against as many calls of simulate().
// Contestants in turn, minimum and median of the time per run.
//
// Everybody has the same starts, integrator and tolerance, and keeps the joint positions ten times a second. Single
// runs take their share of an ensemble's starts per round and are compared by the time per run, which does not depend
// on how many there are. Processor time, less that for loading compiled code before single runs.
//
// Usage: bench_ensemble [ROUNDS [RUNS [SINGLE_RUNS]]]. Exit 1: somebody's run did not complete.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <functional>
#include <random>

#include "contest.hpp"
#include "peers/rounds.hpp"
#include "ulna/batch/ensemble.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/trace/compiled.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

constexpr double speed_bar = 5.0, tolerance = 1e-6, seconds = 10.0, every = 0.1;

class Nowhere final : public Recorder {
 public:
  void record(std::span<const double>) override {}
};

class Falls {
 public:
  explicit Falls(std::size_t runs) : model_(load("ur5_like")) {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> spread(-1.0, 1.0);
    for (std::size_t k = 0; k < runs; ++k) {
      starts_.emplace_back();
      for (int i = 0; i < model_.nq(); ++i) starts_.back().push_back(spread(generator));
    }
  }

  /// Seconds per run.
  double by_ensemble(const std::string& integrator, EnsembleCode code) const {
    EnsembleSetup setup;
    setup.nominal = nominal(integrator);
    setup.runs = starts_.size();
    setup.vary = [&](std::size_t k) { return EnsembleRun{.q0 = starts_[k]}; };
    for (int i = 1; i <= model_.nq(); ++i) setup.keep.push_back(fmt::format("q{}", i));
    setup.threads = 1;
    setup.code = code;
    const double began = processor_seconds();
    const EnsembleResult result = simulate_ensemble(model_, setup);
    const double took = processor_seconds() - began;
    for (const EnsembleRunResult& run : result.runs) expect(run.status, run.reason);
    if (!result.note.empty()) fmt::print("{}\n", result.note);
    return took / static_cast<double>(setup.runs);
  }

  double by_single_runs(const std::string& integrator, bool compiled, std::size_t first, std::size_t count) const {
    SimulationSetup setup = nominal(integrator);
    double loading = 0.0;  // of compiled code, which nobody would do for every run
    if (compiled) {
      setup.forward = [&](const Model& model) {
        const double before = processor_seconds();
        std::unique_ptr<Method<double>> method = compile<double>(model, Quantity::forward_dynamics).method;
        loading += processor_seconds() - before;
        return method;
      };
    }
    Nowhere nowhere;
    const double began = processor_seconds();
    for (std::size_t k = first; k < first + count; ++k) {
      setup.q0 = starts_[k % starts_.size()];
      const RunResult run = simulate(model_, setup, nowhere);
      expect(run.status, run.reason);
    }
    return (processor_seconds() - began - loading) / static_cast<double>(count);
  }

 private:
  /// Of this process, which has one thread that works: neighbours on the machine do not count.
  static double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
  static void expect(RunStatus status, const std::string& reason) {
    if (status != RunStatus::completed) throw std::runtime_error("a run did not complete: " + reason);
  }
  static SimulationSetup nominal(const std::string& integrator) {
    SimulationSetup setup;
    setup.duration = seconds;
    setup.every = every;
    setup.integrator = integrator;
    setup.accuracy.relative = setup.accuracy.absolute = tolerance;
    setup.at_limits = EventAction::ignore;
    return setup;
  }

  Model model_;
  std::vector<std::vector<double>> starts_;
};

struct Entry {
  std::string name;
  std::function<double(int round)> run;
  Times milliseconds{};
};

void compare(const Falls& falls, const std::string& integrator, int rounds, std::size_t singles) {
  const auto single = [&](bool compiled) {
    return [&, compiled](int round) {
      return falls.by_single_runs(integrator, compiled, static_cast<std::size_t>(round) * singles, singles);
    };
  };
  const auto packs = [&](EnsembleCode code) { return [&, code](int) { return falls.by_ensemble(integrator, code); }; };
  std::vector<Entry> entries{{"simulate(), generic: its default", single(false)},
                             {"simulate(), compiled", single(true)},
                             {"ensemble, generic packs", packs(EnsembleCode::generic)},
                             {"ensemble, compiled packs", packs(EnsembleCode::compiled)},
                             {"ensemble, its default", packs(EnsembleCode::automatic)}};
  falls.by_ensemble(integrator, EnsembleCode::compiled);  // so that the code is in the cache
  for (int round = 0; round < rounds; ++round)
    for (Entry& entry : entries) entry.milliseconds.add(1e3 * entry.run(round));
  fmt::print("\n## {}, tolerance {:g}\n\n", integrator, tolerance);
  fmt::print("| | min ms per run | median | times the throughput of single runs (min) | (median) |\n");
  fmt::print("|---|---:|---:|---:|---:|\n");
  const Times& base = entries.front().milliseconds;
  for (const Entry& entry : entries) {
    const Times& own = entry.milliseconds;
    fmt::print("| {} | {:.3f} | {:.3f} | {:.2f} | {:.2f} |\n", entry.name, own.minimum(), own.median(),
               base.minimum() / own.minimum(), base.median() / own.median());
  }
  const Times& own = entries.back().milliseconds;
  const double ratio = std::min(base.minimum() / own.minimum(), base.median() / own.median());
  fmt::print("\nBar, default against default: ≥ {} ×; {:.2f} ×, {}.\n", speed_bar, ratio,
             ratio >= speed_bar ? "met" : "**missed**");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? rounds_of(argv[1]) : 5;
  const int runs = argc > 2 ? rounds_of(argv[2]) : 10'000;
  const int singles = argc > 3 ? rounds_of(argv[3]) : std::max(1, runs / 20);
  if (rounds == 0 || runs == 0 || singles == 0 || argc > 4) {
    fmt::print(stderr,
               "error: bench_ensemble takes how many rounds (5 without), runs (10000) and single runs per round\n");
    return 2;
  }
  try {
    if (!is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
    fmt::print(
        "ur5_like, {} s of free fall, {} starts; single runs: {} per round, time per run. One core, {} rounds.\n",
        seconds, runs, singles, rounds);
    const Falls falls(static_cast<std::size_t>(runs));
    for (const char* integrator : {"dp5", "rkf45"})
      compare(falls, integrator, rounds, static_cast<std::size_t>(singles));
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
  return 0;
}

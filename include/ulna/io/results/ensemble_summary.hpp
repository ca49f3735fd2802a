// An ensemble in numbers that do not grow with it: how many runs ended how, spreads, percentiles over time.
#pragma once

#include <array>

#include "ulna/study/ensemble.hpp"

namespace ulna {

inline constexpr std::array<double, 5> band_percents{5, 25, 50, 75, 95};
/// Between two numbers by linear interpolation, as NumPy has it; NaN of none.
using Percentiles = std::array<double, band_percents.size()>;

/// Of finite numbers.
struct NumberSpread {
  std::size_t count = 0;
  double mean = 0.0, deviation = 0.0;  // NaN of too few
  Percentiles percentiles{};
};

struct FailedRun {
  std::size_t run = 0;
  RunStatus status = RunStatus::completed;
  double time = 0.0;
  std::string reason{};
};

/// Over the runs that came to each time; of at most 500 times, evenly spaced, the last among them.
struct Bands {
  std::vector<double> times{};
  std::size_t stride = 1;                      // every so many of the samples
  std::vector<std::vector<Percentiles>> of{};  // by kept column, then by time
};

struct EnsembleSummary {
  std::shared_ptr<const PreparedEnsemble> prepared{};
  EnsembleResult frame{};  // columns, times, method, threads, wall; no runs and no samples
  std::size_t runs = 0;
  std::vector<std::size_t> counts{};  // in the order of run_statuses()
  std::int64_t steps = 0, rejected = 0, repeated_draws = 0;
  std::vector<FailedRun> failures{};               // the first hundred that neither completed nor were interrupted
  std::vector<NumberSpread> parameters{}, ends{};  // of what was drawn; of the kept columns at the end
  Bands bands{};
  NominalRun nominal{};

  std::size_t count(RunStatus status) const;
  /// All completed, some not, or interrupted.
  RunStatus status() const;
};

}  // namespace ulna

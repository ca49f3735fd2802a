// Percentile bands of what an ensemble kept, over time.
#pragma once

#include <array>

#include "ulna/batch/ensemble.hpp"

namespace ulna {

inline constexpr std::array<double, 5> band_percents{5, 25, 50, 75, 95};

struct Band {
  std::array<std::vector<double>, band_percents.size()> percentiles;  // one number per time each; NaN without runs
};

struct Bands {
  std::vector<double> times;
  std::size_t stride = 1;   // every so many of the samples
  std::vector<Band> bands;  // one per kept column
};

/// Over the runs that came to each time; of at most so many times, evenly spaced, the last among them.
Bands bands_of(const EnsembleResult& result, std::size_t most_times);

/// Of numbers in any order, which it moves about: between two of them by linear interpolation, as NumPy has it.
/// Percents rise.
std::array<double, band_percents.size()> percentiles_of(std::vector<double>& values);

}  // namespace ulna

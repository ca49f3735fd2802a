#include "bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna {

std::array<double, band_percents.size()> percentiles_of(std::vector<double>& values) {
  std::array<double, band_percents.size()> result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  if (values.empty()) return result;
  auto from = values.begin();  // all before it are smaller
  for (std::size_t i = 0; i < band_percents.size(); ++i) {
    const double place = band_percents[i] / 100.0 * static_cast<double>(values.size() - 1);
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(from, low, values.end());
    const double part = place - std::floor(place);
    const double next = part > 0.0 ? *std::min_element(low + 1, values.end()) : *low;
    result[i] = *low + part * (next - *low);
    from = low;
  }
  return result;
}

Bands bands_of(const EnsembleResult& result, std::size_t most_times) {
  Bands bands;
  bands.bands.resize(result.columns.size());
  bands.stride = std::max<std::size_t>(1, (result.times.size() + most_times - 1) / most_times);
  std::vector<double> values;
  for (std::size_t i = (result.times.size() + bands.stride - 1) % bands.stride; i < result.times.size();
       i += bands.stride) {
    bands.times.push_back(result.times[i]);
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
      values.clear();
      for (std::size_t run = 0; run < result.runs.size(); ++run)
        if (const double x = result.sample(run, i)[c]; std::isfinite(x)) values.push_back(x);
      const auto own = percentiles_of(values);
      for (std::size_t p = 0; p < own.size(); ++p) bands.bands[c].percentiles[p].push_back(own[p]);
    }
  }
  return bands;
}

}  // namespace ulna

#include "percentiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ulna {

namespace {

/// Where a percentile of so many numbers lies among them.
struct RankedPlace {
  std::size_t low;
  double part;  // of the way to the next
};
RankedPlace place_of(std::size_t percent, std::size_t count) {
  const double place = band_percents[percent] / 100.0 * static_cast<double>(count - 1);
  return {static_cast<std::size_t>(place), place - std::floor(place)};
}

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// Whole numbers in the order of the doubles.
std::uint64_t key_of_double(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // one zero only
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

double double_of_key(std::uint64_t key) {
  return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

}  // namespace

Percentiles percentiles_of(std::vector<double>& values) {
  Percentiles result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  if (values.empty()) return result;
  auto from = values.begin();  // all before it are smaller
  for (std::size_t i = 0; i < band_percents.size(); ++i) {
    const RankedPlace place = place_of(i, values.size());
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(place.low);
    std::nth_element(from, at, values.end());
    const double low = *at + 0.0;
    const double next = place.part > 0.0 ? *std::min_element(at + 1, values.end()) + 0.0 : low;
    result[i] = low + place.part * (next - low);
    from = at;
  }
  return result;
}

PassingPercentiles::PassingPercentiles(std::size_t series) : series_(series) {}

void PassingPercentiles::add(std::size_t series, double x) {
  const std::uint64_t key = key_of_double(x);
  Series& own = series_[series];
  const int left = 64 - 8 * pass_;  // bits that are not settled
  const std::uint64_t prefix = left == 64 ? 0 : key >> left;
  const auto found = std::find(own.prefixes.begin(), own.prefixes.end(), prefix);
  if (found == own.prefixes.end()) return;
  const auto which = static_cast<std::size_t>(found - own.prefixes.begin());
  ++own.counts[which * bins + ((key >> (left - 8)) & (bins - 1))];
}

void PassingPercentiles::set_places(Series& series) {
  for (const std::int64_t count : series.counts) series.count += static_cast<std::size_t>(count);
  if (series.count == 0) return;
  for (std::size_t i = 0; i < band_percents.size(); ++i) {
    const RankedPlace place = place_of(i, series.count);
    series.wanted[2 * i].place = place.low;
    series.wanted[2 * i + 1].place = std::min(place.low + 1, series.count - 1);
  }
}

void PassingPercentiles::settle(Series& series, bool last) {
  for (Target& target : series.wanted) {
    const auto which = static_cast<std::size_t>(
        std::find(series.prefixes.begin(), series.prefixes.end(), target.prefix) - series.prefixes.begin());
    std::size_t bin = 0;
    for (; bin + 1 < bins; ++bin) {
      const auto here = static_cast<std::uint64_t>(series.counts[which * bins + bin]);
      if (target.place < here) break;
      target.place -= here;
    }
    target.prefix = target.prefix << 8 | bin;
  }
  series.prefixes.clear();
  for (const Target& target : series.wanted) series.prefixes.push_back(target.prefix);
  std::sort(series.prefixes.begin(), series.prefixes.end());
  series.prefixes.erase(std::unique(series.prefixes.begin(), series.prefixes.end()), series.prefixes.end());
  series.counts.assign(last ? 0 : series.prefixes.size() * bins, 0);
}

void PassingPercentiles::end_pass(Communicator& ranks) {
  std::vector<std::int64_t> all;  // of all series at once: ranks wait for each other once a pass
  for (const Series& series : series_) all.insert(all.end(), series.counts.begin(), series.counts.end());
  ranks.sum(all);
  auto from = all.begin();
  for (Series& series : series_) {
    std::copy_n(from, series.counts.size(), series.counts.begin());
    from += std::ssize(series.counts);
    if (pass_ == 0) set_places(series);
    if (series.count > 0) settle(series, pass_ + 1 == passes);
  }
  ++pass_;
}

Percentiles PassingPercentiles::of(std::size_t series) const {
  const Series& own = series_[series];
  Percentiles result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  if (own.count == 0) return result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double low = double_of_key(own.wanted[2 * i].prefix), next = double_of_key(own.wanted[2 * i + 1].prefix);
    const double part = place_of(i, own.count).part;
    result[i] = low + part * ((part > 0.0 ? next : low) - low);
  }
  return result;
}

}  // namespace ulna

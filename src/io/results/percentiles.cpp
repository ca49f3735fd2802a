#include "percentiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/packed_bytes.hpp"

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

PassingPercentiles::PassingPercentiles(std::size_t series, std::size_t most_collected)
    : series_(series), most_collected_(most_collected / std::max<std::size_t>(1, series)) {}

bool PassingPercentiles::is_done() const {
  return std::all_of(series_.begin(), series_.end(),
                     [](const Series& series) { return series.state == Series::State::settled; });
}

void PassingPercentiles::add(std::size_t series, double x) {
  Series& own = series_[series];
  if (own.state == Series::State::settled) return;
  const std::uint64_t key = key_of_double(x);
  const std::uint64_t prefix = pass_ == 0 ? 0 : key >> bits_left();
  const auto found = std::find(own.prefixes.begin(), own.prefixes.end(), prefix);
  if (found == own.prefixes.end()) return;
  if (own.state == Series::State::collecting) {
    own.collected.push_back(key);
    return;
  }
  const auto which = static_cast<std::size_t>(found - own.prefixes.begin());
  ++own.counts[which * bins + ((key >> (bits_left() - 8)) & (bins - 1))];
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

void PassingPercentiles::settle(Series& series) const {
  std::vector<std::size_t> chosen;  // bins, each once
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
    const std::size_t at = which * bins + bin;
    if (std::find(chosen.begin(), chosen.end(), at) == chosen.end()) chosen.push_back(at);
  }
  std::size_t left = 0;
  for (const std::size_t at : chosen) left += static_cast<std::size_t>(series.counts[at]);
  series.prefixes.clear();
  for (const Target& target : series.wanted) series.prefixes.push_back(target.prefix);
  std::sort(series.prefixes.begin(), series.prefixes.end());
  series.prefixes.erase(std::unique(series.prefixes.begin(), series.prefixes.end()), series.prefixes.end());
  if (pass_ + 1 == passes)
    series.state = Series::State::settled;
  else if (left <= most_collected_)
    series.state = Series::State::collecting;
  const bool counts_on = series.state == Series::State::counting;
  series.counts = std::vector<std::int64_t>(counts_on ? series.prefixes.size() * bins : 0);
}

void PassingPercentiles::settle_collected(Series& series) const {
  std::sort(series.collected.begin(), series.collected.end());
  for (Target& target : series.wanted) {
    const auto first = std::lower_bound(series.collected.begin(), series.collected.end(), target.prefix << bits_left());
    target.prefix = *(first + static_cast<std::ptrdiff_t>(target.place));
  }
  series.state = Series::State::settled;
  series.collected = {};
}

/// Of all series at once: ranks wait for each other once a pass.
void PassingPercentiles::sum_counts(Communicator& ranks) {
  std::vector<std::int64_t> all;
  std::size_t size = 0;
  for (const Series& series : series_) size += series.counts.size();
  all.reserve(size);
  for (const Series& series : series_) all.insert(all.end(), series.counts.begin(), series.counts.end());
  ranks.sum(all);
  auto from = all.begin();
  for (Series& series : series_) {
    std::copy_n(from, series.counts.size(), series.counts.begin());
    from += std::ssize(series.counts);
  }
}

/// All ranks then have what each has collected.
void PassingPercentiles::share_collected(Communicator& ranks) {
  Packer packer;
  for (Series& series : series_) {
    if (series.state != Series::State::collecting) continue;
    packer.number(std::uint64_t{series.collected.size()});
    for (const std::uint64_t key : series.collected) packer.number(key);
    series.collected.clear();
  }
  for (const std::string& text : ranks.gather(packer.take())) {
    Unpacker from(text);
    for (Series& series : series_) {
      if (series.state != Series::State::collecting) continue;
      for (auto left = from.number<std::uint64_t>(); left > 0; --left)
        series.collected.push_back(from.number<std::uint64_t>());
    }
  }
}

void PassingPercentiles::end_pass(Communicator& ranks) {
  sum_counts(ranks);
  share_collected(ranks);
  for (Series& series : series_) {
    if (pass_ == 0) set_places(series);
    if (series.count == 0)
      series.state = Series::State::settled;
    else if (series.state == Series::State::counting)
      settle(series);
    else if (series.state == Series::State::collecting)
      settle_collected(series);
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

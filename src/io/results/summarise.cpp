#include "summarise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/packed_bytes.hpp"
#include "exact_sum.hpp"
#include "percentiles.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_failures = 100, most_band_times = 500;
constexpr std::size_t series_at_once = 8192;  // of PassingPercentiles: up to 160 MB

/// A number of every run: what was drawn for it, or a kept column at one of a slice's times.
struct Series {
  bool drawn;
  std::size_t column, time;

  double of(const RunBlock& block, std::size_t run) const {
    return drawn ? block.runs[run].drawn.values[column] : block.sample(run, time)[column];
  }
};

RunParts parts_of(std::span<const Series> series, const TimeSlice& times) {
  const bool drawn = std::any_of(series.begin(), series.end(), [](const Series& s) { return s.drawn; });
  const bool kept = std::any_of(series.begin(), series.end(), [](const Series& s) { return !s.drawn; });
  return {drawn, kept ? times : TimeSlice{}};
}

/// Calls see(i, x) for every finite number x of series i.
template <class See>
void pass(const EnsembleRuns& runs, std::span<const Series> series, const TimeSlice& times, const See& see) {
  runs.visit(parts_of(series, times), [&](const RunBlock& block) {
    for (std::size_t run = 0; run < block.count; ++run) {
      for (std::size_t i = 0; i < series.size(); ++i)
        if (const double x = series[i].of(block, run); std::isfinite(x)) see(i, x);
    }
  });
}

std::vector<Percentiles> percentiles_in_memory(const EnsembleRuns& runs, std::span<const Series> series,
                                               const TimeSlice& times) {
  std::vector<Percentiles> result;
  result.reserve(series.size());
  std::vector<double> values;
  for (std::size_t i = 0; i < series.size(); ++i) {
    values.clear();
    pass(runs, series.subspan(i, 1), times, [&](std::size_t, double x) { values.push_back(x); });
    result.push_back(percentiles_of(values));
  }
  return result;
}

std::vector<Percentiles> percentiles_of(const EnsembleRuns& runs, std::span<const Series> series,
                                        const TimeSlice& times, Communicator& ranks) {
  if (runs.in_memory()) return percentiles_in_memory(runs, series, times);
  std::vector<Percentiles> result;
  result.reserve(series.size());
  for (std::size_t first = 0; first < series.size(); first += series_at_once) {
    const std::span<const Series> some = series.subspan(first, std::min(series_at_once, series.size() - first));
    PassingPercentiles passing(some.size());
    while (!passing.is_done()) {
      pass(runs, some, times, [&](std::size_t i, double x) { passing.add(i, x); });
      passing.end_pass(ranks);
    }
    for (std::size_t i = 0; i < some.size(); ++i) result.push_back(passing.of(i));
  }
  return result;
}

std::vector<NumberSpread> spreads_of(const EnsembleRuns& runs, std::span<const Series> series, const TimeSlice& times,
                                     Communicator& ranks) {
  if (series.empty()) return {};
  std::vector<NumberSpread> spreads(series.size());
  const auto summed = [&](const auto& term) {
    std::vector<ExactSum> sums(series.size());
    pass(runs, series, times, [&](std::size_t i, double x) { sums[i].add(term(i, x)); });
    std::vector<double> values;
    values.reserve(sums.size());
    for (ExactSum& sum : sums) {
      sum.carry();
      ranks.sum(sum.limbs());
      values.push_back(sum.value());
    }
    return values;
  };
  std::vector<std::int64_t> counts(series.size());
  pass(runs, series, times, [&](std::size_t i, double) { ++counts[i]; });
  ranks.sum(counts);
  const std::vector<double> sums = summed([](std::size_t, double x) { return x; });
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    spreads[i].count = static_cast<std::size_t>(counts[i]);
    spreads[i].mean = sums[i] / static_cast<double>(counts[i]);
  }
  const std::vector<double> squares = summed([&](std::size_t i, double x) {
    const double from_mean = x - spreads[i].mean;
    return from_mean * from_mean;
  });
  const std::vector<Percentiles> percentiles = percentiles_of(runs, series, times, ranks);
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const auto n = static_cast<double>(counts[i]);
    spreads[i].deviation = n > 1 ? std::sqrt(squares[i] / (n - 1.0)) : std::numeric_limits<double>::quiet_NaN();
    spreads[i].percentiles = percentiles[i];
  }
  return spreads;
}

Bands bands_of(const EnsembleResult& frame, const EnsembleRuns& runs, Communicator& ranks) {
  Bands bands;
  const std::size_t all = frame.times.size();
  bands.stride = std::max<std::size_t>(1, (all + most_band_times - 1) / most_band_times);
  TimeSlice times{(all + bands.stride - 1) % bands.stride, bands.stride, 0};
  for (std::size_t i = times.first; i < all; i += bands.stride, ++times.count) bands.times.push_back(frame.times[i]);
  std::vector<Series> series;
  series.reserve(frame.columns.size() * times.count);
  for (std::size_t c = 0; c < frame.columns.size(); ++c)
    for (std::size_t i = 0; i < times.count; ++i) series.push_back({false, c, i});
  const std::vector<Percentiles> found = percentiles_of(runs, series, times, ranks);
  for (std::size_t c = 0; c < frame.columns.size(); ++c) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(c * times.count);
    bands.of.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(times.count));
  }
  return bands;
}

/// How runs ended: sums over ranks, and the first failures of all of them.
void count_ends(EnsembleSummary& summary, const EnsembleRuns& runs, Communicator& ranks) {
  const std::span<const RunStatus> statuses = run_statuses();
  std::vector<std::int64_t> sums(statuses.size() + 3);
  Packer failures;
  std::size_t packed = 0;
  runs.visit({.ends = true}, [&](const RunBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      const EnsembleRunResult& run = block.runs[i];
      ++sums[static_cast<std::size_t>(std::find(statuses.begin(), statuses.end(), run.status) - statuses.begin())];
      const std::span<std::int64_t> others = std::span(sums).last(3);
      others[0] += run.steps;
      others[1] += run.rejected;
      others[2] += run.drawn.repeated;
      if (run.status == RunStatus::completed || run.status == RunStatus::interrupted || packed == most_failures)
        continue;
      ++packed;
      failures.number(std::uint64_t{block.first + i});
      failures.number(static_cast<std::uint64_t>(run.status));
      failures.number(run.time);
      failures.text(run.reason);
    }
  });
  ranks.sum(sums);
  for (std::size_t i = 0; i < statuses.size(); ++i) summary.counts.push_back(static_cast<std::size_t>(sums[i]));
  const std::span<const std::int64_t> others = std::span(sums).last(3);
  summary.steps = others[0];
  summary.rejected = others[1];
  summary.repeated_draws = others[2];
  for (const std::string& text : ranks.gather(failures.take())) {
    for (Unpacker from(text); !from.at_end();) {
      FailedRun& failed = summary.failures.emplace_back();
      failed.run = from.number<std::uint64_t>();
      failed.status = static_cast<RunStatus>(from.number<std::uint64_t>());
      failed.time = from.number<double>();
      failed.reason = from.text();
    }
  }
  std::sort(summary.failures.begin(), summary.failures.end(),
            [](const FailedRun& a, const FailedRun& b) { return a.run < b.run; });
  if (summary.failures.size() > most_failures) summary.failures.resize(most_failures);
}

}  // namespace

std::size_t EnsembleSummary::count(RunStatus status) const {
  const std::span<const RunStatus> all = run_statuses();
  return counts[static_cast<std::size_t>(std::find(all.begin(), all.end(), status) - all.begin())];
}

RunStatus EnsembleSummary::status() const {
  if (count(RunStatus::interrupted) > 0) return RunStatus::interrupted;
  for (const RunStatus status : run_statuses().subspan(1))
    if (count(status) > 0) return status;
  return RunStatus::completed;
}

EnsembleSummary summarise(EnsembleSummary about, const EnsembleRuns& runs, Communicator& ranks) {
  count_ends(about, runs, ranks);
  std::vector<Series> drawn, ends;
  for (std::size_t i = 0; i < about.prepared->varied.parameters().size(); ++i) drawn.push_back({true, i, 0});
  for (std::size_t c = 0; c < about.frame.columns.size(); ++c) ends.push_back({false, c, 0});
  about.parameters = spreads_of(runs, drawn, {}, ranks);
  if (ends.empty()) return about;
  about.ends = spreads_of(runs, ends, {about.frame.times.size() - 1, 1, 1}, ranks);
  about.bands = bands_of(about.frame, runs, ranks);
  return about;
}

EnsembleSummary summary_of(const EnsembleRecord& record) {
  EnsembleSummary about;
  about.prepared = record.prepared;
  const EnsembleResult& result = record.result;
  about.frame = {.columns = result.columns,
                 .times = result.times,
                 .method = result.method,
                 .note = result.note,
                 .packed = result.packed,
                 .threads = result.threads,
                 .wall = result.wall};
  about.runs = result.runs.size();
  about.nominal = record.nominal;
  AloneCommunicator alone;
  return summarise(std::move(about), RunsInMemory(result), alone);
}

}  // namespace ulna

// Percentiles of many series of numbers: of what is in memory, or of what passes by several times.
#pragma once

#include "ulna/io/results/ensemble_summary.hpp"
#include "ulna/study/communicator.hpp"

namespace ulna {

/// Of finite numbers in any order, which it moves about.
Percentiles percentiles_of(std::vector<double>& values);

/// The same, to the bit, in memory that does not depend on how many there are. All numbers pass by `passes` times, in
/// any order and over any number of ranks: each pass settles eight more bits of the numbers that are looked for.
class PassingPercentiles {
 public:
  static constexpr int passes = 8;

  explicit PassingPercentiles(std::size_t series);
  /// A finite number of a series.
  void add(std::size_t series, double x);
  /// After each pass, on all ranks.
  void end_pass(Communicator& ranks);
  std::size_t count(std::size_t series) const { return series_[series].count; }
  Percentiles of(std::size_t series) const;

 private:
  static constexpr std::size_t bins = 256, targets = 2 * band_percents.size();  // a number below, and the next
  struct Target {
    std::uint64_t prefix = 0;  // the bits that are settled
    std::uint64_t place = 0;   // among the numbers with these bits, in their order
  };
  struct Series {
    std::size_t count = 0;
    std::array<Target, targets> wanted{};
    std::vector<std::uint64_t> prefixes{0};                              // those of the targets, each once, rising
    std::vector<std::int64_t> counts = std::vector<std::int64_t>(bins);  // of the next eight bits behind each
  };
  static void set_places(Series& series);
  static void settle(Series& series, bool last);

  std::vector<Series> series_;
  int pass_ = 0;
};

}  // namespace ulna

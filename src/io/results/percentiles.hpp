// Percentiles of many series of numbers: of what is in memory, or of what passes by several times.
#pragma once

#include "ulna/io/results/ensemble_summary.hpp"
#include "ulna/study/communicator.hpp"

namespace ulna {

/// Of finite numbers in any order, which it moves about.
Percentiles percentiles_of(std::vector<double>& values);

/// The same, to the bit, in memory that does not depend on how many there are. All numbers pass by some times, in any
/// order and over any number of ranks, until is_done(): each pass settles eight more bits of the numbers that are
/// looked for, and where few numbers are left that have these bits, the next pass collects them.
class PassingPercentiles {
 public:
  /// `most_collected`: numbers of all series together.
  explicit PassingPercentiles(std::size_t series, std::size_t most_collected = std::size_t{1} << 18);
  bool is_done() const;
  /// A finite number of a series.
  void add(std::size_t series, double x);
  /// After each pass, on all ranks.
  void end_pass(Communicator& ranks);
  std::size_t count(std::size_t series) const { return series_[series].count; }
  Percentiles of(std::size_t series) const;

 private:
  static constexpr int passes = 8;                                              // that settle all bits
  static constexpr std::size_t bins = 256, targets = 2 * band_percents.size();  // a number below, and the next
  struct Target {
    std::uint64_t prefix = 0;  // the bits that are settled
    std::uint64_t place = 0;   // among the numbers with these bits, in their order
  };
  struct Series {
    enum class State { counting, collecting, settled } state = State::counting;
    std::size_t count = 0;
    std::array<Target, targets> wanted{};
    std::vector<std::uint64_t> prefixes{0};                              // those of the targets, each once, rising
    std::vector<std::int64_t> counts = std::vector<std::int64_t>(bins);  // of the next eight bits behind each
    std::vector<std::uint64_t> collected;                                // all that have one of the prefixes
  };
  int bits_left() const { return 64 - 8 * pass_; }  // that are not settled
  void sum_counts(Communicator& ranks);
  void share_collected(Communicator& ranks);
  static void set_places(Series& series);
  void settle(Series& series) const;
  void settle_collected(Series& series) const;

  std::vector<Series> series_;
  std::size_t most_collected_;  // of each
  int pass_ = 0;
};

}  // namespace ulna

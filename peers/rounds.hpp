// Measuring in rounds: blocks of calls, the times of a contestant.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace ulna::bench {

/// One time per round; neighbours on the machine push single ones up, never down.
class Times {
 public:
  void add(double time) { times_.push_back(time); }
  bool empty() const { return times_.empty(); }
  double minimum() const;
  double median() const { return quantile(0.5); }
  /// 0.25 and 0.75: the quartiles.
  double quantile(double part) const;

 private:
  std::vector<double> times_;
};

/// Nanoseconds per call.
template <class Call>
double time_block(int calls, Call&& call) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < calls; ++k) call();
  const std::chrono::duration<double, std::nano> took = Clock::now() - start;
  return took.count() / calls;
}

/// For blocks of about 1 ms: long against the clock, short against the neighbours' moods.
template <class Call>
int calls_per_block(Call&& call) {
  time_block(1, call);  // first touch of all memory
  return std::max(1, static_cast<int>(1e6 / time_block(1, call)));
}

/// A positive whole number, or 0 if the text is none.
int rounds_of(const char* text);

}  // namespace ulna::bench

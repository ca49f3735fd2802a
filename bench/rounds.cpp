#include "rounds.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ulna::bench {

double Times::minimum() const { return *std::min_element(times_.begin(), times_.end()); }

double Times::median() const {
  std::vector<double> sorted = times_;
  std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
  return sorted[sorted.size() / 2];
}

int rounds_of(const char* text) {
  int rounds = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, status] = std::from_chars(text, end, rounds);
  return status == std::errc{} && stop == end && rounds > 0 ? rounds : 0;
}

}  // namespace ulna::bench

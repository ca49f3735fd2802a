#include "peers/rounds.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ulna::bench {

double Times::minimum() const { return *std::min_element(times_.begin(), times_.end()); }

double Times::quantile(double part) const {
  std::vector<double> sorted = times_;
  const auto at =
      std::min(std::ssize(sorted) - 1, static_cast<std::ptrdiff_t>(part * static_cast<double>(sorted.size())));
  std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
  return sorted[static_cast<std::size_t>(at)];
}

int rounds_of(const char* text) {
  int rounds = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, status] = std::from_chars(text, end, rounds);
  return status == std::errc{} && stop == end && rounds > 0 ? rounds : 0;
}

}  // namespace ulna::bench

// Numbers as people write them: 1.5, "90 deg".
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace ulna {

/// A finite number, optionally followed by `deg` (converted to radians) or `rad`; nothing else.
std::optional<double> parse_number(std::string_view text);

int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word` by edit distance, empty when none is near.
template <class Range>
std::string_view nearest_word(std::string_view word, const Range& candidates) {
  std::string_view best;
  int best_distance = 1 + static_cast<int>(word.size()) / 3;
  for (const std::string_view candidate : candidates) {
    const auto longer = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (longer > static_cast<std::size_t>(best_distance)) continue;  // so a word of megabytes takes no time
    const int distance = edit_distance(word, candidate);
    if (distance <= best_distance) {
      if (distance < best_distance || best.empty()) best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace ulna

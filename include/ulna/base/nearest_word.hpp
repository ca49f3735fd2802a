// The word that was perhaps meant, for errors.
#pragma once

#include <string>
#include <string_view>

namespace ulna {

/// Letters to add, leave out, change or swap with their neighbours.
int edit_distance(std::string_view a, std::string_view b);

/// How many of them may be a slip.
int slips_in(std::string_view word);

/// The candidate nearest to `word` by edit distance, empty when none is near.
template <class Range>
std::string_view nearest_word(std::string_view word, const Range& candidates) {
  std::string_view best;
  int best_distance = slips_in(word) + 1;
  for (const std::string_view candidate : candidates) {
    const auto longer =
        word.size() > candidate.size() ? word.size() - candidate.size() : candidate.size() - word.size();
    if (longer >= static_cast<std::size_t>(best_distance)) continue;  // so a word of megabytes takes no time
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

/// "did you mean 'show'? ", or nothing.
template <class Range>
std::string guess_for(std::string_view word, const Range& candidates) {
  const std::string_view near = nearest_word(word, candidates);
  return near.empty() ? "" : "did you mean '" + std::string(near) + "'? ";
}

/// "a, b and 7 more": enough of them to know what names look like.
template <class Range>
std::string some_of(const Range& words) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t count = 0;
  for (const std::string_view word : words)
    if (count++ < most) text += (text.empty() ? "" : ", ") + std::string(word);
  if (count == 0) return "none";
  return count > most ? text + " and " + std::to_string(count - most) + " more" : text;
}

}  // namespace ulna

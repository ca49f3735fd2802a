// What is done about an event, in the words of scenario files and of the command line.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "ulna/simulate/simulation.hpp"

namespace ulna {

/// In the order of EventAction.
inline constexpr std::array<std::string_view, 3> event_words{"ignore", "record", "stop"};
static_assert(static_cast<std::size_t>(EventAction::stop) + 1 == event_words.size());

inline std::string_view word_of(EventAction action) { return event_words[static_cast<std::size_t>(action)]; }

inline std::optional<EventAction> event_action(std::string_view word) {
  const auto found = std::find(event_words.begin(), event_words.end(), word);
  if (found == event_words.end()) return std::nullopt;
  return static_cast<EventAction>(found - event_words.begin());
}

}  // namespace ulna

// The book of reproductions for people (one page with the figures redrawn) and for programs (JSON).
#pragma once

#include <nlohmann/json.hpp>

#include "papers/chapter.hpp"

namespace ulna::reproduction {

/// How many claims of the chapters have each verdict.
struct Tally {
  int agrees = 0, misprints = 0, not_determinable = 0, differs = 0;
};
Tally tally(const std::vector<Chapter>& chapters);
/// "12 agree, 3 misprints, …".
std::string text_of(const Tally& tally);

std::string book_page(const std::vector<Chapter>& chapters);
nlohmann::ordered_json book_json(const std::vector<Chapter>& chapters);

}  // namespace ulna::reproduction

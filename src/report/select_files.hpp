// A comparison of arms for people (a page with pictures) and for programs (JSON).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ulna/select/comparison.hpp"

namespace ulna::selection {

/// The value as it is printed: operations as "2M 4A", others with their error where they have one.
std::string criterion_text(const Comparison& comparison, const Criterion& row, std::size_t arm);

nlohmann::ordered_json select_json(const Comparison& comparison);
std::string select_page(const Comparison& comparison);

}  // namespace ulna::selection

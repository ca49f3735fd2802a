// A comparison of arms for people (texts, a page with pictures) and for programs (JSON).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "output_folder.hpp"
#include "ulna/study/select/selection.hpp"

namespace ulna::selection {

/// With the unit where it has one.
std::string label_of(const Criterion& row);
/// The value with as many digits as its error leaves.
std::string rounded_text(double value, double error);
std::string rounded_text(const Criterion& row, std::size_t arm);
/// The same, and the error where it has one.
std::string text_with_error(double value, double error);
/// The value as it is printed: operations as "2M 4A", others with their error where they have one.
std::string criterion_text(const Comparison& comparison, const Criterion& row, std::size_t arm);

/// Of an arm that can do the task.
std::string score_text(const Comparison& comparison, std::size_t arm);

/// Whether it leads the ranking.
inline bool is_first(const Comparison& comparison, std::size_t arm) {
  return !comparison.order.empty() && comparison.order[0] == arm;
}

/// The ranking in a sentence or two: scores, and how many criteria speak clearly for each arm.
std::string verdict(const Comparison& comparison);

nlohmann::ordered_json select_json(const SelectRecord& record);
/// Of robots side by side or, where numbers of theirs vary, tables and plots over what varies and the Pareto front.
std::string select_page(const SelectRecord& record);
std::string sweep_page(const Comparison& comparison, const Sweep& sweep);

/// report.html and select.json, the document of select_json(), in the place of an earlier result.
void put_in_place(const OutputFolder& folder, const SelectRecord& record, const nlohmann::ordered_json& document);

}  // namespace ulna::selection

// The criteria by which arms are compared: their rows, what each needs of an arm, and what a value is worth beside the
// best one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ulna/study/select/comparison.hpp"

namespace ulna::selection {

/// Those that every comparison has. `timed`: time is one of them.
std::vector<std::string> usual_criteria(bool timed);
/// And those that are there on request, but for those of joints.
std::vector<std::string> criterion_keys(bool timed);

/// What the user names, of all criteria.
std::vector<std::string> asked_criteria(const Weights& weights, const std::vector<Requirement>& require,
                                        std::span<const std::string> others);

/// The usual rows and those that are asked for, with the values of these candidates, none of them marked. `planar`:
/// they move in a plane.
std::vector<Criterion> criterion_rows(const std::vector<Candidate>& candidates, bool planar, bool timed,
                                      std::span<const std::string> asked);

/// Which of the rows are not known of an arm, and why, a sentence each.
std::vector<std::string> lacking(const Candidate& candidate, const std::vector<Criterion>& rows, std::size_t arm);

/// What of the requirements an arm does not meet, a sentence each.
std::vector<std::string> unmet(const std::vector<Criterion>& rows, const std::vector<Requirement>& require,
                               std::size_t arm);
void set_weights(std::vector<Criterion>& rows, const Weights& weights);

/// What is computed of an arm for these criteria.
WantedParts parts_for(std::span<const std::string> keys);

/// Whether value `a` is better than `b` in this row.
bool is_better(const Criterion& row, double a, double b);

/// A value beside the best of its row.
struct Share {
  bool alike = false;  // as good, within the errors or in the digits that are shown
  double part = 0.0;   // of the best, 0 … 1
};
Share share_of(const Criterion& row, double value, double error, double best, double best_error);

}  // namespace ulna::selection

// A paper's equations walked through on one arm at one state: every step with its equation numbers and the matrices
// that the library's own formulation holds there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulna/model/model.hpp"

namespace ulna::studio {

struct StepMatrix {
  std::string name;
  int link = 0;  // from 1; 0: of all links
  int rows = 0;
  std::vector<double> columns;  // column by column
};

struct Step {
  std::string title, formula;
  std::string equations;  // where the paper has it
  std::string note;       // axes, points, misprints
  std::vector<StepMatrix> matrices;
};

struct Walk {
  std::string paper;  // its key in doc/papers.md; empty: the equations of each step name theirs
  std::vector<Step> steps;
};

/// What the steps start from.
struct StepInput {
  const Model& model;
  const std::vector<double>&q, &v, &a, &tau;
};

/// The formulations that can be walked through.
std::vector<std::string> walkable();
/// Throws InputError for a formulation that has no steps, or that does not take the robot.
Walk walk(std::string_view formulation, const StepInput& input);

Walk denoc_walk(const StepInput& input);
Walk homogeneous_walk(const StepInput& input);
Walk spatial_operator_walk(const StepInput& input);
Walk constraint_force_walk(const StepInput& input);

/// Six numbers of each link as the columns of a matrix; `six` gives those of link i.
template <class Six>
StepMatrix per_link(std::string name, std::size_t links, const Six& six) {
  StepMatrix out{std::move(name), 0, 6, {}};
  for (std::size_t i = 0; i < links; ++i)
    for (const double x : six(i)) out.columns.push_back(x);
  return out;
}
/// What a step adds to its note where a joint's armature is in the inertia matrix that it shows.
inline std::string armature_note(const Model& model) {
  return model.has_armature() ? " Armature is added to the diagonal, which the paper does not have." : "";
}
inline StepMatrix row_of(std::string name, const std::vector<double>& values) {
  return {std::move(name), 0, 1, values};
}

}  // namespace ulna::studio

// Mass data for links that have none, guessed from what they look like.
#pragma once

#include <string>
#include <vector>

#include "ulna/model/graph.hpp"

namespace ulna {

struct Completion {
  double density = 0.0;                // kg/m³, the same for all
  std::vector<std::string> completed;  // links that have mass data, marked as guessed
  std::vector<std::string> shapeless;  // links that have neither mass nor a shape to guess from
};

/// Links without mass are filled with one density, such that the whole robot weighs `total_mass`: boxes, cylinders,
/// spheres, and what meshes enclose (an open mesh counts as its box). What overlaps counts twice. Throws InputError if
/// the others weigh as much already, if no link without mass has a shape, and for meshes that cannot be read.
Completion complete_masses(Graph& graph, double total_mass);

}  // namespace ulna

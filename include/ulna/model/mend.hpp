// Corrections of what check() finds suspicious and has a remedy for.
#pragma once

#include <string>
#include <vector>

#include "ulna/model/graph.hpp"

namespace ulna {

/// Corrects numbers that are likely in another unit or about another point: lengths in centimetres or millimetres,
/// masses in grams, inertias in g m², kg cm², kg mm², g cm² or g mm², or about the origin of the link instead of the
/// mass centre, limits in degrees, left-handed axes. Where several units fit, check() names them and the numbers stay.
/// Returns what was done and why, a line each; a robot that needs nothing stays as it is.
std::vector<std::string> mend(Graph& graph);

}  // namespace ulna

// Robots made by a rule instead of a file.
#pragma once

#include <string>

#include "ulna/model/finding.hpp"

namespace ulna {

/// "chain:N": N equal links. Throws InputError for any other family or a bad N.
Graph generate(const std::string& robot);

}  // namespace ulna

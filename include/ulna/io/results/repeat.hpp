// A run from what it left: run.json holds everything that is needed to repeat it.
#pragma once

#include <string>

#include "ulna/study/scenario.hpp"

namespace ulna {

/// The scenario of the run or ensemble that left this folder, all its options applied. Throws InputError: there is
/// none, or its robot or a table that it read has changed since or was not kept.
Scenario repeated_scenario(const std::string& folder);

}  // namespace ulna

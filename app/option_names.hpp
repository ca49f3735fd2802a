// The library's errors in the words of the command line.
#pragma once

#include <string>

namespace ulna::app {

/// The library speaks of parameters; where the command has an option for one, its name stands there instead.
std::string with_option_names(std::string message);

}  // namespace ulna::app

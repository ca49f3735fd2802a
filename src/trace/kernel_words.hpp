// The words for what can be recorded, counted and generated.
#pragma once

#include <string>
#include <vector>

namespace ulna::trace {

std::vector<std::string> kernel_words();

}  // namespace ulna::trace

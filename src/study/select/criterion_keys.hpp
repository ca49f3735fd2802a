// The keys of the criteria by which arms are compared.
#pragma once

#include <string>
#include <vector>

namespace ulna::selection {

/// `timed`: time is one of them.
std::vector<std::string> criterion_keys(bool timed);

}  // namespace ulna::selection

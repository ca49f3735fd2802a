// Errors of what knows no file, told at the place in a file that asked for it.
#pragma once

#include <utility>

#include "ulna/base/error.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// What `work` gives. Its InputErrors get the source where they have none.
template <class Work>
auto at_source(const Source& source, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    std::vector<Finding> findings = error.findings();
    for (Finding& finding : findings)
      if (finding.source.file.empty()) finding.source = source;
    throw InputError(std::move(findings));
  }
}

}  // namespace ulna
#pragma GCC visibility pop

// A part of the runs or arms of a study, which one process computes.
#pragma once

#include <cstddef>

namespace ulna {

/// Those from `first` on, `count` of them.
struct Chunk {
  std::size_t index = 0, first = 0, count = 0;
};

}  // namespace ulna

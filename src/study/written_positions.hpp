// Positions of all joints as files write them.
#pragma once

#include "ulna/base/number.hpp"
#include "ulna/model/model.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// One number for each joint. Throws InputError, at the source, that names the key.
std::vector<double> written_positions(const Model& model, const char* key, const JointNumbers& list,
                                      const Source& source);

}  // namespace ulna
#pragma GCC visibility pop

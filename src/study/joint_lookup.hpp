// Joints as people name them.
#pragma once

#include <string>

#include "ulna/base/error.hpp"
#include "ulna/model/model.hpp"

namespace ulna {

/// The velocity index of a joint with one degree of freedom. Throws InputError that begins with `where` it was named.
int joint_index(const Model& model, const std::string& name, const std::string& where, const Source& source = {});

}  // namespace ulna

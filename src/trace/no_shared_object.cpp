// In the place of shared_object.cpp in a build without ULNA_OWN_CODE.
#include "trace/shared_object.hpp"

namespace ulna::trace {

SharedObject::~SharedObject() = default;

void* SharedObject::find(const std::string& /*name*/) const { return handle_; }

LoadedObject compile_and_load(const std::string& /*source*/, bool /*scheduled*/) {
  return {nullptr, "this build of Ulna loads no code; the generic path is used"};
}

}  // namespace ulna::trace

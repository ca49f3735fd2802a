// One kernel of a robot, generated, compiled and loaded.
#pragma once

#include "shared_object.hpp"
#include "ulna/trace/emit_c.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::trace {

/// The kernel's function with the code that it lives in; nullptr, with a note, where the generic path
/// must do.
struct LoadedKernel {
  std::shared_ptr<SharedObject> object;
  void* function = nullptr;
  std::string note;
};

LoadedKernel load_kernel(const Model& model, Quantity quantity, CodeScalar scalar, const std::string& method = "auto",
                         const RecordOptions& inputs = {});

}  // namespace ulna::trace
#pragma GCC visibility pop

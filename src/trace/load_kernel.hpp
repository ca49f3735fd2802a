// One kernel of a robot, generated, compiled and loaded.
#pragma once

#include <span>
#include <vector>

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

/// What load() gives, or `count` notes where it throws: whatever it is, there is another way.
template <class Load>
std::vector<LoadedKernel> loaded_or_note(std::size_t count, const Load& load) {
  try {
    return load();
  } catch (const std::exception& e) {
    return {count, {nullptr, nullptr, std::string(e.what()) + "; the generic path is used"}};
  }
}

/// Throws InputError where recording a robot's computation would take too long already.
void expect_compilable_size(const Model& model);
/// The functions of a file, from one shared object. Throws InputError if one is too large.
std::vector<LoadedKernel> load_functions(const CodeFile& file);

/// One for each quantity, all from one shared object.
std::vector<LoadedKernel> load_kernels(const Model& model, std::span<const Quantity> quantities, CodeScalar scalar,
                                       const std::string& method = "auto", const RecordOptions& inputs = {});
LoadedKernel load_kernel(const Model& model, Quantity quantity, CodeScalar scalar, const std::string& method = "auto",
                         const RecordOptions& inputs = {});

}  // namespace ulna::trace
#pragma GCC visibility pop

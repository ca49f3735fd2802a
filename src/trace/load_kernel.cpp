#include "load_kernel.hpp"

#include <fmt/format.h>

#include <array>

#include "ulna/base/error.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna::trace {

namespace {

[[noreturn]] void refuse_size(const std::string& robot) {
  throw InputError(fmt::format("'{}' is too large to be compiled in reasonable time", robot));
}

}  // namespace

void expect_compilable_size(const Model& model) {
  constexpr int most_degrees = 100;
  if (model.nv() > most_degrees) refuse_size(model.name());
}

std::vector<LoadedKernel> load_functions(const CodeFile& file) {
  constexpr int most_operations = 20'000;  // compilers take 5 s for these
  for (const Function& function : file.functions)
    if (function.recording.counts().arithmetic() > most_operations) refuse_size(file.robot);
  // Packs that fill 16 registers: 5 to 10 % faster so; wider ones have 32 and gain nothing.
  const int bytes = file.scalar.lanes * (file.scalar.single ? 4 : 8);
  const LoadedObject loaded = compile_and_load(c_source(file, ""), file.scalar.is_pack() && bytes <= 32);
  std::vector<LoadedKernel> kernels(file.functions.size(), {loaded.object, nullptr, loaded.note});
  if (loaded.object == nullptr) return kernels;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    kernels[k].function = loaded.object->find(fmt::format("{}_{}", file.prefix, file.functions[k].word));
    if (kernels[k].function == nullptr)
      kernels[k].note = "the compiled code lacks its function; the generic path is used";
  }
  return kernels;
}

std::vector<LoadedKernel> load_kernels(const Model& model, std::span<const Quantity> quantities, CodeScalar scalar,
                                       const std::string& method, const RecordOptions& inputs) {
  return loaded_or_note(quantities.size(), [&] {
    expect_compilable_size(model);
    CodeFile file = generate_code(model, quantities, scalar, {.method = method, .inputs = inputs, .prefix = "robot"});
    file.checks.clear();
    return load_functions(file);
  });
}

LoadedKernel load_kernel(const Model& model, Quantity quantity, CodeScalar scalar, const std::string& method,
                         const RecordOptions& inputs) {
  return load_kernels(model, std::array{quantity}, scalar, method, inputs)[0];
}

}  // namespace ulna::trace

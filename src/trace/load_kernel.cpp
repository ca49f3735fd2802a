#include "load_kernel.hpp"

#include <fmt/format.h>

#include <array>

#include "ulna/base/error.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna::trace {

namespace {

CodeFile generate_small(const Model& model, Quantity quantity, CodeScalar scalar, const std::string& method,
                        const RecordOptions& inputs) {
  constexpr int most_degrees = 100, most_operations = 20'000;  // compilers take 5 s for these
  if (model.nv() <= most_degrees) {
    CodeFile file = generate_code(model, std::array{quantity}, scalar, {.method = method, .inputs = inputs});
    if (file.functions[0].recording.counts().arithmetic() <= most_operations) return file;
  }
  throw InputError(fmt::format("'{}' is too large to be compiled in reasonable time", model.name()));
}

}  // namespace

LoadedKernel load_kernel(const Model& model, Quantity quantity, CodeScalar scalar, const std::string& method,
                         const RecordOptions& inputs) {
  LoadedObject loaded;
  try {
    CodeFile file = generate_small(model, quantity, scalar, method, inputs);
    file.prefix = "robot";
    file.checks.clear();
    // Packs that fill 16 registers: 5 to 10 % faster so; wider ones have 32 and gain nothing.
    const int bytes = scalar.lanes * (scalar.single ? 4 : 8);
    loaded = compile_and_load(c_source(file, ""), scalar.is_pack() && bytes <= 32);
  } catch (const std::exception& e) {  // whatever it is, there is another way
    return {nullptr, nullptr, fmt::format("{}; the generic path is used", e.what())};
  }
  if (loaded.object == nullptr) return {nullptr, nullptr, loaded.note};
  void* function = loaded.object->find(fmt::format("robot_{}", word_of(quantity)));
  if (function == nullptr) loaded.note = "the compiled code lacks its function; the generic path is used";
  return {loaded.object, function, loaded.note};
}

}  // namespace ulna::trace

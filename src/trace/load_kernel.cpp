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

LoadedKernel load_function(const CodeFile& file) {
  constexpr int most_operations = 20'000;  // compilers take 5 s for these
  const Function& function = file.functions[0];
  if (function.recording.counts().arithmetic() > most_operations) refuse_size(file.robot);
  // Packs that fill 16 registers: 5 to 10 % faster so; wider ones have 32 and gain nothing.
  const int bytes = file.scalar.lanes * (file.scalar.single ? 4 : 8);
  LoadedObject loaded = compile_and_load(c_source(file, ""), file.scalar.is_pack() && bytes <= 32);
  if (loaded.object == nullptr) return {nullptr, nullptr, loaded.note};
  void* found = loaded.object->find(fmt::format("{}_{}", file.prefix, function.word));
  if (found == nullptr) loaded.note = "the compiled code lacks its function; the generic path is used";
  return {loaded.object, found, loaded.note};
}

LoadedKernel load_kernel(const Model& model, Quantity quantity, CodeScalar scalar, const std::string& method,
                         const RecordOptions& inputs) {
  return loaded_or_note([&] {
    expect_compilable_size(model);
    CodeFile file =
        generate_code(model, std::array{quantity}, scalar, {.method = method, .inputs = inputs, .prefix = "robot"});
    file.checks.clear();
    return load_function(file);
  });
}

}  // namespace ulna::trace

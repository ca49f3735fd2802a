#include "ulna/trace/compiled_function.hpp"

#include <fmt/format.h>

#include "call_arrays.hpp"
#include "load_kernel.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna {

namespace {

std::vector<int> sizes_of(const std::vector<std::vector<double>>& arrays) {
  std::vector<int> sizes;
  sizes.reserve(arrays.size());
  for (const std::vector<double>& array : arrays) sizes.push_back(static_cast<int>(array.size()));
  return sizes;
}

trace::RecordOptions at_frame(const FunctionOptions& options) {
  return {.frames = options.frame == nullptr ? std::vector<Frame>{} : std::vector{*options.frame}};
}

/// What the library computes itself, behind the same call.
class GenericCall {
 public:
  GenericCall(const Model& model, Quantity quantity, const FunctionOptions& options, std::vector<int> input_sizes)
      : model_(&model), quantity_(quantity), input_sizes_(std::move(input_sizes)), at_(at_frame(options)) {
    if (options.wrench != nullptr && trace::has_wrench(quantity)) pushed_ = options.wrench->body;
  }

  void operator()(double* const* arrays) const {
    std::vector<std::vector<double>> in;
    for (const int size : input_sizes_) {
      in.emplace_back(*arrays, *arrays + size);
      ++arrays;
    }
    std::vector<Force<double>> external;
    if (pushed_ >= 0) {
      external.resize(model_->bodies().size(), Force<double>::zero());
      external[static_cast<std::size_t>(pushed_)] = {Vec3<double>::load(in.back().data()),
                                                     Vec3<double>::load(in.back().data() + 3)};
      in.pop_back();
    }
    for (const std::vector<double>& result : trace::generic_result(*model_, quantity_, in, "auto", at_, external))
      std::copy(result.begin(), result.end(), *arrays++);
  }

 private:
  const Model* model_;
  Quantity quantity_;
  std::vector<int> input_sizes_;
  trace::RecordOptions at_;
  int pushed_ = -1;  // the body
};

}  // namespace

void CompiledFunction::operator()(std::span<const VectorIn<double>> inputs,
                                  std::span<const VectorOut<double>> outputs) {
  if (inputs.size() != input_sizes_.size() || outputs.size() != output_sizes_.size())
    throw std::invalid_argument(fmt::format("a function of {} arrays to {} was called with {} and {}",
                                            input_sizes_.size(), output_sizes_.size(), inputs.size(), outputs.size()));
  std::size_t n = 0;
  for (const VectorIn<double>& x : inputs) {
    expect_size("an input", x.size(), input_sizes_[n]);
    arrays_[n++] = const_cast<double*>(x.data());  // as the function has it, which only reads there
  }
  for (const VectorOut<double>& y : outputs) {
    expect_size("an output", y.size(), output_sizes_[n - inputs.size()]);
    arrays_[n++] = y.data();
  }
  expect_unit_quaternions<double>(*model_, inputs[0]);
  call_(arrays_.data());
}

CompiledFunction compile_function(const Model& model, Quantity quantity, const FunctionOptions& options) {
  CompiledFunction made(model);
  const std::vector<std::vector<double>> some = trace::random_inputs(model, quantity, 1);
  made.input_sizes_ = sizes_of(some);
  made.output_sizes_ = sizes_of(trace::generic_result(model, quantity, some));
  if (options.wrench != nullptr && trace::has_wrench(quantity)) made.input_sizes_.push_back(6);
  made.arrays_.resize(made.input_sizes_.size() + made.output_sizes_.size());
  trace::RecordOptions inputs = at_frame(options);
  inputs.wrench = options.wrench;
  const trace::LoadedKernel loaded = trace::load_kernel(model, quantity, {}, "auto", inputs);
  made.note_ = loaded.note;
  if (loaded.function == nullptr) {
    made.call_ = GenericCall(model, quantity, options, made.input_sizes_);
  } else {
    made.call_ = [loaded, call = trace::call_of_arrays<double>(made.arrays_.size())](double* const* arrays) {
      call(loaded.function, arrays);
    };
  }
  return made;
}

}  // namespace ulna

// Any quantity of a robot by its own compiled code, arrays in and arrays out: what has no function of Method, such as
// poses, Jacobians and derivatives, or takes a wrench.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/dynamics/quantity.hpp"

namespace ulna {

struct FunctionOptions {
  /// Of the pose and the Jacobian; nullptr: the tip.
  const Frame* frame = nullptr;
  /// A link that an external wrench acts on: the last input is then moment x, y, z and force x, y, z at the mass centre
  /// of its moving body, in world axes. For inverse and forward dynamics.
  const Frame* wrench = nullptr;
};

/// Use one per thread. Nothing is allocated by a call, but on the generic path.
class CompiledFunction {
 public:
  /// The arrays of the quantity in the order of the list in quantity.hpp, matrices column by column; a rotation before
  /// its position. std::invalid_argument for arrays of other numbers and sizes, and for quaternions that are not of
  /// unit length.
  void operator()(std::span<const VectorIn<double>> inputs, std::span<const VectorOut<double>> outputs);
  void operator()(std::initializer_list<VectorIn<double>> inputs, std::initializer_list<VectorOut<double>> outputs) {
    (*this)(std::span(inputs.begin(), inputs.size()), std::span(outputs.begin(), outputs.size()));
  }

  const std::vector<int>& input_sizes() const { return input_sizes_; }
  const std::vector<int>& output_sizes() const { return output_sizes_; }
  /// Why it is the generic path after all, or why it was not cached; else empty.
  const std::string& note() const { return note_; }

 private:
  friend CompiledFunction compile_function(const Model&, Quantity, const FunctionOptions&);
  explicit CompiledFunction(const Model& model) : model_(&model) {}

  const Model* model_;
  std::vector<int> input_sizes_, output_sizes_;
  std::vector<double*> arrays_;  // inputs, then outputs
  std::function<void(double* const*)> call_;
  std::string note_;
};

/// The code holds the model's numbers of this call. Cached as compile()'s is (compiled.hpp).
CompiledFunction compile_function(const Model& model, Quantity quantity, const FunctionOptions& options = {});
CompiledFunction compile_function(Model&& model, Quantity quantity, const FunctionOptions& options = {}) = delete;

}  // namespace ulna

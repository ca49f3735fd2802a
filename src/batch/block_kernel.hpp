// One quantity for some packs of states.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/instantiate/level_packs.hpp"
#include "trace/load_kernel.hpp"
#include "ulna/batch/batch.hpp"
#include "ulna/real/scalars.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::batch {

/// As many lanes as fill the registers.
#ifdef ULNA_LEVEL_PACKS
using DoubleLanes = LevelPackDouble;
using FloatLanes = LevelPackFloat;
#else
using DoubleLanes = PackDouble;
using FloatLanes = PackFloat;
#endif

/// An argument or a result: so many numbers per state.
struct ArrayShape {
  const char* name;
  int rows;
};
struct KernelShape {
  std::vector<ArrayShape> inputs, outputs;
};

/// What a kernel computes.
struct Task {
  enum class Kind {
    quantity,  // as formulations, recordings and generated code have it
    // what only the generic path knows
    pose_matrix,  // of frames, 4×4
    velocity,     // of frames
    com,
    potential_energy,
    kinetic_energy,
    momentum,
  };
  Kind kind = Kind::quantity;
  Quantity quantity{};  // of the first kind
  // One more input each, the last ones, in this order.
  bool wrenches = false;  // of all bodies
  bool payload = false;   // what BatchLoads says of it

  auto operator<=>(const Task&) const = default;
};
KernelShape shape_of(const Model& model, const Task& task, const BatchOptions& options);

/// The frames of the options; the tip where there is none.
std::vector<Frame> frames_of(const Model& model, const BatchOptions& options);

/// Fill the inputs of one pack after the other, `most_packs` at most, evaluate() so many, read the outputs; the arrays
/// of the shape, in its order.
template <Real T>
class BlockKernel {
 public:
  explicit BlockKernel(const KernelShape& shape, std::size_t most = 1) : most_packs(most) {
    for (const ArrayShape& array : shape.inputs) inputs.emplace_back(size_of(array), T(0.0));
    for (const ArrayShape& array : shape.outputs) outputs.emplace_back(size_of(array), T(0.0));
  }
  virtual ~BlockKernel() = default;
  virtual void evaluate(std::size_t packs) = 0;

  const std::size_t most_packs;
  std::vector<std::vector<T>> inputs, outputs;

 private:
  std::size_t size_of(const ArrayShape& array) const { return most_packs * static_cast<std::size_t>(array.rows); }
};

/// By the formulations of the library, one pack at a time.
template <Real T>
std::unique_ptr<BlockKernel<T>> make_generic_kernel(const Model& model, const Task& task, const BatchOptions& options);

/// By the robot's own code.
template <Real T>
std::unique_ptr<BlockKernel<T>> make_compiled_kernel(const Model& model, const Task& task, const BatchOptions& options,
                                                     const trace::LoadedKernel& loaded);

}  // namespace ulna::batch
#pragma GCC visibility pop

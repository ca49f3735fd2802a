// Forward dynamics of robots that differ in the inertias of some bodies, one in each lane of a pack, by one code that
// takes these inertias as inputs.
#pragma once

#include <array>
#include <vector>

#include "trace/load_kernel.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/real/scalars.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// The code, for robots that differ from the model in the inertias of these bodies; a note where there is none.
trace::LoadedKernel load_varied_forward(const Model& model, std::span<const int> bodies);

/// One per thread. External wrenches are not supported.
class [[gnu::visibility("hidden")]] VariedForward final : public Method<PackDouble> {
 public:
  VariedForward(const Model& model, std::span<const int> bodies, trace::LoadedKernel code);

  /// Throws InputError for a robot that differs from the model in more than that.
  void set_robot(int lane, const Model& robot);
  void forward_dynamics(VectorIn<PackDouble> q, VectorIn<PackDouble> v, VectorIn<PackDouble> tau,
                        VectorOut<PackDouble> a, Wrenches<PackDouble> external) override;

 private:
  const Model& model_;
  std::vector<int> bodies_;
  trace::LoadedKernel code_;
  std::vector<PackDouble> inertias_;  // beside the model's
};

}  // namespace ulna
#pragma GCC visibility pop

// Many states of one mechanism with closed loops, over threads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {

struct LoopBatchOptions {
  std::string method = "auto";  // of forward dynamics: schur or independent
  std::vector<int> actuated{};  // velocity indices that have a motor, for inverse dynamics; none: all
  int threads = 0;              // at most; 0: as many as the machine has cores
  bool compiled = false;        // forward dynamics by the mechanism's own code (compiled_loops.hpp)
  /// Asked now and then on the caller's thread; after false the states that are left keep what stands in their results.
  std::function<bool()> proceed{};
};

/// One per caller's thread: it keeps the workspaces.
///
/// State k is column k of every matrix: q is nq × n, the others nv × n. What comes out of a state depends on that state
/// alone, and is what ConstrainedDynamics, or its compiled code, gives for it, to the last bit. A state whose loops are
/// not closed, or whose motion the drives cannot make, gets NaN; the others are none the worse. The model must stay
/// alive.
class LoopBatch {
 public:
  using In = MatrixView<const double>;
  using Out = MatrixView<double>;

  /// Throws InputError for a robot without loops, an unknown method and a negative number of threads.
  explicit LoopBatch(const Model& model, LoopBatchOptions options = {});
  explicit LoopBatch(Model&&, LoopBatchOptions = {}) = delete;
  LoopBatch(LoopBatch&&) noexcept;
  LoopBatch& operator=(LoopBatch&&) noexcept;
  ~LoopBatch();

  /// `wrenches`: at the mass centres of the bodies in world axes, moment first, 6·bodies × n; or none.
  void forward_dynamics(In q, In v, In tau, Out a, const In* wrenches = nullptr);
  void inverse_dynamics(In q, In v, In a, Out tau, const In* wrenches = nullptr);
  /// Why compiled code is the generic path after all; else empty.
  const std::string& note() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ulna

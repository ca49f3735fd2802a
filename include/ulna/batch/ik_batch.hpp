// Inverse kinematics of many poses: packs across poses, over threads.
#pragma once

#include <functional>
#include <memory>

#include "ulna/kinematics/inverse_kinematics.hpp"

namespace ulna {

struct IkBatchOptions : IkOptions {
  int threads = 0;  // at most; 0: as many as the machine has cores
  /// Asked now and then on the caller's thread; after false the poses that are left keep what stands in their results.
  std::function<bool()> proceed{};
};

/// One per caller's thread: it keeps the workspaces, and allocates nothing after it is made.
///
/// Each lane of a pack follows one pose from start to start; where it arrives, the next pose takes its place. What
/// comes out of a pose depends on that pose (and its start) alone, to the last bit: not on the others, their number or
/// the number of threads. It need not be what InverseKinematics::solve() finds, whose lanes follow many starts of one
/// pose.
class IkBatch {
 public:
  using In = MatrixView<const double>;
  using Out = MatrixView<double>;

  /// Throws as InverseKinematics does, and InputError for a negative number of threads.
  IkBatch(const Model& model, std::vector<IkTarget> targets, IkBatchOptions options = {});
  IkBatch(Model&&, std::vector<IkTarget>, IkBatchOptions = {}) = delete;
  IkBatch(IkBatch&&) noexcept;
  IkBatch& operator=(IkBatch&&) noexcept;
  ~IkBatch();

  /// `poses` is 16·targets × n: of each target [R p; 0 1], column by column. q is nq × n and receives a position that
  /// reaches the pose, or the nearest that was found. A pose that is not finite or has no rotation gets
  /// NaN.
  void solve(In poses, Out q, std::span<IkResult> results);
  /// Tries a start of each first: starts is nq × n.
  void solve(In poses, In starts, Out q, std::span<IkResult> results);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ulna

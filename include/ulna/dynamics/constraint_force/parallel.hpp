// The parallel path of the constraint-force algorithm: O(log N) steps with O(N) processors, here on
// oneTBB's threads. Results are the same bits for any number of threads: what is cut into pieces is
// cut by N alone.
//
// Newton–Euler bias by prefix scans over chunks of the chain; A formed joint by joint; the block
// tridiagonal system in segments, four of them side by side in SIMD lanes, and their separators by
// cyclic reduction (segments.hpp); the refinement of the serial path again.
#pragma once

#include <memory>

#include "ulna/dynamics/arguments.hpp"

namespace ulna::constraint_force {

class ParallelSolver {
 public:
  /// For one model, with all memory it needs. Throws InputError for a robot that
  /// `constraint_force` does not take.
  explicit ParallelSolver(const Model& model);
  explicit ParallelSolver(Model&& model) = delete;
  ~ParallelSolver();
  ParallelSolver(const ParallelSolver&) = delete;
  ParallelSolver& operator=(const ParallelSolver&) = delete;

  /// Uses the threads of the calling task arena; limit them with tbb::task_arena or
  /// tbb::global_control.
  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external = {});

  std::size_t bytes() const;  // of its workspace, without the model

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ulna::constraint_force

// Forward dynamics of long serial chains by articulated bodies in parallel: O(N/p + log N) steps on p
// processors, here oneTBB's threads. Results are the same bits for any number of threads: what is cut
// into segments is cut by the model alone.
//
// Each segment becomes an articulated body with two handles (segment.hpp), four segments side by side
// in SIMD lanes; they are joined two by two (segment_tree.hpp), and the accelerations follow inside
// each. For fixed and free bases, all joint kinds, friction, springs, armature, external wrenches.
//
// Cuts go through solid links, whose principal moments are above a thousandth of their sum, so that every chain that
// the serial recursion takes is taken; without such links there is one segment and nothing is gained. Lanes are shared
// by segments of equal length whose joints have the same number of degrees, place by place: a chain that mixes
// one-degree and other joints without a period computes the same with empty lanes.
#pragma once

#include <memory>

#include "ulna/dynamics/arguments.hpp"

namespace ulna::articulated_body {

class ParallelSolver {
 public:
  /// For one model, with all memory it needs. Throws InputError for a robot that branches.
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
  std::size_t segment_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ulna::articulated_body

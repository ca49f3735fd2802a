// A mechanism's own code up to the Schur complement, and the motion from there on.
#pragma once

#include "schur_complement.hpp"
#include "trace/call_arrays.hpp"
#include "trace/load_kernel.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class [[gnu::visibility("hidden")]] LoopCode {
 public:
  /// `function` is compiled from this recording (loop_recording.hpp), of this model but for regrouping.
  LoopCode(const Model& model, trace::LoadedKernel function, const trace::Recording& recording);
  LoopCode(const LoopCode&) = delete;  // the code writes to arrays of this
  LoopCode& operator=(const LoopCode&) = delete;

  void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                        std::span<double> a);

 private:
  std::vector<int> parent_;  // of velocity indices
  std::size_t n_;
  int rows_;
  SchurComplement schur_;
  trace::LoadedKernel code_;
  trace::ArrayCall<double> call_;
  std::vector<double> a_, r_, A_, L_, lambda_, x_;
  std::vector<double*> arrays_;
};

}  // namespace ulna
#pragma GCC visibility pop

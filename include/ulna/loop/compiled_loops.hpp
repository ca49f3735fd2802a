// A mechanism's own code for its forward dynamics, several times faster than the generic path.
#pragma once

#include <functional>

#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {

struct CompiledLoops {
  std::function<std::unique_ptr<Method<double>>()> make;  // one per thread
  std::string note;  // why it is the generic path after all, or why it was not cached; else empty
  bool own = false;  // the mechanism's own code, and not the generic path
};

/// Forward dynamics with closed loops behind Method, as ConstrainedDynamics has it by the Schur complement: everything
/// up to it is straight-line code of this mechanism, with the sparse factor of M; which equations are redundant is
/// found at every call. External wrenches go to the generic path, and so does everything where there is no compiler, it
/// fails, or the mechanism is too large: then `note` says so. The code is cached as compile()'s is (trace/compiled.hpp)
/// and holds the model's numbers of this call. The model must live as long as what is made.
CompiledLoops compile_loops(const Model& model);
CompiledLoops compile_loops(Model&& model) = delete;

}  // namespace ulna

// The ways to solve closed loops, by name.
#include <fmt/format.h>

#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {

std::string_view name_of(LoopMethod method) { return method == LoopMethod::schur ? "schur" : "independent"; }

LoopMethod loop_method(std::string_view name) {
  if (name == "auto" || name == "schur") return LoopMethod::schur;
  if (name == "independent") return LoopMethod::independent;
  throw InputError(
      fmt::format("method '{}' is not for robots with closed loops; known: auto, schur, independent", name));
}

}  // namespace ulna

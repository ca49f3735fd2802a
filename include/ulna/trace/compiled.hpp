// The robot's own code, compiled with the system's C compiler and loaded: a Method like any other,
// several times faster.
#pragma once

#include <memory>
#include <string>

#include "ulna/dynamics/method.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna {

template <Real T>
struct Compiled {
  std::unique_ptr<Method<T>> method;
  std::string note;  // why it is the generic path after all, or why it was not cached; else empty
};

/// Inverse or forward dynamics or the mass matrix of the model by generated code, for double and
/// PackDouble. External wrenches go to the generic path, and so does everything where there is no
/// compiler, it fails, or the robot is too large to trace: then `note` says so.
///
/// Compiled code is kept in $ULNA_CACHE, $XDG_CACHE_HOME/ulna or ~/.cache/ulna by the hash of its
/// source, compiler, flags and processor; what is found there is used only if its checksum is right.
template <Real T>
Compiled<T> compile(const Model& model, Quantity what);
template <Real T>
Compiled<T> compile(Model&& model, Quantity what) = delete;

extern template Compiled<double> compile<double>(const Model&, Quantity);
extern template Compiled<PackDouble> compile<PackDouble>(const Model&, Quantity);

}  // namespace ulna

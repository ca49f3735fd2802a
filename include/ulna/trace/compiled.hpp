// The robot's own code, compiled with the system's C compiler and loaded: a Method like any other,
// several times faster.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "ulna/dynamics/method.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna {

template <Real T>
struct Compiled {
  std::unique_ptr<Method<T>> method;
  std::string note;  // why it is the generic path after all, or why it was not cached; else empty
  bool own = false;  // the robot's own code, and not the generic path
};

struct CompileOptions {
  /// Where the robot may carry a payload: the code takes it as an input, and a call computes with what
  /// Model::set_payload() has let that frame's body carry at the time. Without it the code holds the payload of the
  /// time it was made.
  const Frame* payload = nullptr;
};

/// Inverse or forward dynamics, M, M⁻¹, C, the convective inertia or gravity of the model by generated code, for
/// double, PackDouble and PackFloat; compile_function() has the other quantities. External wrenches go to the generic
/// path, and so does everything where there is no compiler, it fails, or the robot is too large: then `note` says so.
/// The code holds the model's numbers of this call, friction_speed() too.
///
/// Compiled code is kept in $ULNA_CACHE, $XDG_CACHE_HOME/ulna or ~/.cache/ulna by the hash of its
/// source, compiler, flags and processor; what is found there is used only if its checksum is right.
template <Real T>
Compiled<T> compile(const Model& model, Quantity what, const CompileOptions& options = {});
template <Real T>
Compiled<T> compile(Model&& model, Quantity what, const CompileOptions& options = {}) = delete;

/// Several of them behind one Method, compiled at once into one shared object. All or none by own code.
template <Real T>
Compiled<T> compile(const Model& model, std::span<const Quantity> what, const CompileOptions& options = {});
template <Real T>
Compiled<T> compile(Model&& model, std::span<const Quantity> what, const CompileOptions& options = {}) = delete;

/// a with ∂a/∂q, ∂a/∂v and ∂a/∂τ, as articulated_body::forward_derivatives gives them.
struct CompiledDerivatives {
  std::function<void(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                     MatrixOut<double> dq, MatrixOut<double> dv, MatrixOut<double> dtau)>
      evaluate;
  std::string note;  // as above
};

CompiledDerivatives compile_derivatives(const Model& model, const CompileOptions& options = {});
CompiledDerivatives compile_derivatives(Model&& model, const CompileOptions& options = {}) = delete;

extern template Compiled<double> compile<double>(const Model&, Quantity, const CompileOptions&);
extern template Compiled<PackDouble> compile<PackDouble>(const Model&, Quantity, const CompileOptions&);
extern template Compiled<PackFloat> compile<PackFloat>(const Model&, Quantity, const CompileOptions&);
extern template Compiled<double> compile<double>(const Model&, std::span<const Quantity>, const CompileOptions&);
extern template Compiled<PackDouble> compile<PackDouble>(const Model&, std::span<const Quantity>,
                                                         const CompileOptions&);
extern template Compiled<PackFloat> compile<PackFloat>(const Model&, std::span<const Quantity>, const CompileOptions&);

}  // namespace ulna

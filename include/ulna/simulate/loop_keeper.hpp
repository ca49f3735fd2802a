// Closed loops in a run: forward dynamics with them, and what keeps them closed on the way.
#pragma once

#include <stdexcept>

#include "ulna/loop/loop_derivatives.hpp"

namespace ulna {

/// How a run keeps its loops closed. Integrators see A a = b only, so that errors of theirs would add up.
struct LoopControl {
  LoopMethod method = LoopMethod::schur;
  double baumgarte = 0.0;  // 1/s; 0: states are projected onto the loops instead
  double drift = 1e-11;    // what an integrator may be off before its state is projected
};

/// The loops could not be closed again.
class LoopsOpened : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class LoopKeeper {
 public:
  LoopKeeper(const Model& model, const LoopControl& control);

  /// Forward dynamics behind the interface of the formulations, with a workspace of its own.
  std::unique_ptr<Method<double>> forward_dynamics() const;
  /// The same with its derivatives, where loops are held by projection.
  std::unique_ptr<Method<Dual4>> derivatives() const { return make_loop_derivatives(model_); }

  bool projects() const { return control_.baumgarte == 0.0; }
  bool has_drifted(std::span<const double> q, std::span<const double> v);
  /// Onto the loops, where they are held by projection. Throws LoopsOpened.
  void close(std::span<double> q, std::span<double> v);

  /// Accelerations at a state.
  void accelerations(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                     std::span<double> a, Wrenches<double> external);
  /// What those came from, for residuals and reactions.
  ConstrainedDynamics& dynamics() { return dynamics_; }
  std::size_t count() const { return model_.loops().size(); }

 private:
  const Model& model_;
  LoopControl control_;
  ConstrainedDynamics dynamics_;
};

}  // namespace ulna

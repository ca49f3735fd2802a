// Dynamics of mechanisms with closed loops: M a + h = τ + Aᵀλ, A a = b.
#pragma once

#include "ulna/dynamics/method.hpp"
#include "ulna/loop/loop_equations.hpp"

namespace ulna {

class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const ClosedModel& model);
  explicit ConstrainedDynamics(ClosedModel&&) = delete;
  ~ConstrainedDynamics();

  /// By the Schur complement A M⁻¹ Aᵀ on the O(n) solution of the tree. Redundant equations are
  /// recognised; λ is then the shortest of all that give the same motion.
  void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                        std::span<double> a, Wrenches<double> external = {});
  /// The same in independent coordinates: a = N y + what A a = b asks for, N a basis of A's null space.
  void forward_dynamics_independent(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                    std::span<double> a, Wrenches<double> external = {});

  /// Torques at the actuated velocity indices for a motion that keeps the loops closed; the shortest
  /// where there are more drives than freedoms. The others are zero. Throws InputError when the drives
  /// cannot make the motion.
  void inverse_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                        std::span<const int> actuated, std::span<double> tau, Wrenches<double> external = {});

  /// Of the last call.
  std::span<const double> lambda() const { return lambda_; }
  const LoopEquations& equations() const { return equations_; }

 private:
  struct Dense;
  void update(std::span<const double> q, std::span<const double> v);

  const ClosedModel& model_;
  LoopEquations equations_;
  std::unique_ptr<Method<double>> forward_, inverse_, inertia_;
  std::vector<double> lambda_, zero_, work_, column_;
  std::unique_ptr<Dense> dense_;
};

}  // namespace ulna

// Dynamics of mechanisms with closed loops: M a + h = τ + Aᵀλ, A a = b.
#pragma once

#include "ulna/dynamics/method.hpp"
#include "ulna/loop/loop_equations.hpp"

namespace ulna {

/// The ways to the forward dynamics of closed loops.
enum class LoopMethod { schur, independent };
std::string_view name_of(LoopMethod method);
/// `auto` is the Schur complement. Throws InputError with the known names.
LoopMethod loop_method(std::string_view name);

class SchurComplement;
class TreeFactor;

class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const Model& model);
  explicit ConstrainedDynamics(Model&&) = delete;
  ~ConstrainedDynamics();

  /// By either method.
  void forward_dynamics(LoopMethod method, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                        VectorOut<double> a, Wrenches<double> external = {}, double pull = 0.0);
  /// By the Schur complement A M⁻¹ Aᵀ on the solution of the tree alone: by the sparse factor of M for
  /// mechanisms of a common size, O(n) for long chains. Redundant equations are recognised. `pull` asks for A a = b − 2
  /// pull ṙ − pull² r instead, Baumgarte's way to keep the residual r from growing.
  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external = {}, double pull = 0.0);
  /// The same in independent coordinates: a = N y + what A a = b asks for, N a basis of A's null space.
  void forward_dynamics_independent(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                    Wrenches<double> external = {}, double pull = 0.0);

  /// Torques at the actuated velocity indices for a motion that keeps the loops closed; the shortest
  /// where there are more drives than freedoms. The others are zero. Throws InputError when the drives
  /// cannot make the motion.
  void inverse_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, std::span<const int> actuated,
                        VectorOut<double> tau, Wrenches<double> external = {});

  /// At the position of the last forward dynamics by the Schur complement: a with M a = f + Aᵀλ and
  /// A a = r. lambda() is that of this a then.
  void respond(VectorIn<double> f, VectorIn<double> r, VectorOut<double> a);

  /// Moves a position and a velocity onto the loops by impulses in the cut joints, which leave the
  /// momentum of a free mechanism as it is. For states nearby: a few Newton steps. False when the
  /// loops could not be closed; q and v are then somewhere on the way.
  bool project(VectorOut<double> q, VectorOut<double> v);
  /// The velocity alone.
  void project_velocity(VectorIn<double> q, VectorOut<double> v);
  /// How far a state is off the loops: the larger of residual and A v.
  double drift(VectorIn<double> q, VectorIn<double> v);

  /// λ of the last dynamics, the shortest where redundant equations leave a choice.
  std::span<const double> lambda();
  /// The equations at the last state.
  const LoopEquations& equations() const { return equations_; }

 private:
  void update(std::span<const double> q, std::span<const double> v, double pull);
  void prepare(std::span<const double> q);
  void multiply(std::span<const double> x);
  void act(std::span<double> x);

  Model model_;  // with its loops open
  LoopEquations equations_;
  std::unique_ptr<Method<double>> inverse_, inertia_;
  std::unique_ptr<TreeFactor> tree_;
  std::unique_ptr<SchurComplement> schur_;
  std::vector<double> b_, r_, lambda_;              // by equation
  std::vector<double> zero_, force_, work_, step_;  // by degree of freedom
};

}  // namespace ulna

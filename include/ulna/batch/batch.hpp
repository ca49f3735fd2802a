// Many states of one robot at once: packs across states, over threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna {

struct BatchOptions {
  std::string method = "auto";
  bool compiled = true;                         // by the robot's own code where that can be had, see note()
  int threads = 0;                              // at most; 0: as many as the machine has cores
  std::vector<Frame> frames{};                  // whose poses, Jacobians and velocities; none: the tip alone
  Reference reference = Reference::world_axes;  // of Jacobians and velocities
  std::optional<Frame> payload = std::nullopt;  // where each state may have a payload of its own
  /// Asked now and then on the caller's thread; after false the states that are left keep what stands in their results.
  std::function<bool()> proceed{};
};

/// What states have besides, each its own. What is left empty, none has.
template <std::floating_point S>
struct BatchLoads {
  /// At the mass centres of the bodies, as they are without the payload, in world axes, moment first: 6·bodies × n.
  MatrixView<const S> wrenches{nullptr, 0, 0};
  /// At the payload frame of the options, in its axes, instead of what the model carries there: mass, mass centre
  /// x y z, inertia about it xx yy zz xy xz yz: 10 × n. A state with a mass below zero or a number that is
  /// not finite gets NaN for all its results.
  MatrixView<const S> payload{nullptr, 0, 0};
};

/// One per caller's thread: it keeps the workspaces. S is double or float.
///
/// State k is column k of every matrix, an Eigen::MatrixXd for example: q is nq × n, v, a and tau are nv × n, and where
/// the result of a state is a matrix, that is stored column by column in one column. n is any number, also 0; the
/// widths of all matrices must agree. A result may take the place of an argument of its size.
///
/// What comes out of a state depends on that state alone: not on n, on its place, on the other states
/// (a NaN stays where it is) or on the number of threads, to the last bit. A state with a quaternion that is not of
/// unit length gets NaN for all its results; the others are none the worse.
///
/// The first call for a quantity prepares it (and compiles, for a second or so); after that nothing is
/// allocated. The model must stay alive and unchanged.
template <std::floating_point S>
class Batch {
 public:
  using In = MatrixView<const S>;
  using Out = MatrixView<S>;

  /// Throws InputError for an unknown method, for a payload on the ground or with a method that computes with inertias
  /// beforehand, and when a quantity is prepared that the method does not give; std::invalid_argument for a frame on a
  /// body that this model lacks.
  explicit Batch(const Model& model, BatchOptions options = {});
  explicit Batch(Model&&, BatchOptions = {}) = delete;
  Batch(Batch&&) noexcept;  // what was moved from can only be destroyed or assigned to
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  void inverse_dynamics(In q, In v, In a, Out tau, const BatchLoads<S>& loads = {});
  void forward_dynamics(In q, In v, In tau, Out a, const BatchLoads<S>& loads = {});
  void mass_matrix(In q, Out M, const BatchLoads<S>& loads = {});  // of which wrenches make no difference
  void inverse_mass_matrix(In q, Out inverse);
  void coriolis_matrix(In q, In v, Out C);                     // Ṁ − 2C is skew-symmetric
  void convective_inertia(In q, In v, Out MCI);                // MCI v = C v, and no more than that
  void gravity(In q, Out g, const BatchLoads<S>& loads = {});  // nor here
  /// R is 9 × n, p is 3 × n: the rotation to world axes and the origin of the frame. With several frames, of each after
  /// the other: so many times as many rows, here and in the next three.
  void pose(In q, Out R, Out p);
  /// 16 × n: the same as [R p; 0 1], column by column. By the generic path.
  void pose(In q, Out T);
  /// 6·nv × n, in the reference of the options, angular rows first.
  void jacobian(In q, Out J);
  /// 6 × n: of the frame in the same reference, angular part first. By the generic path.
  void velocity(In q, In v, Out velocity);
  /// 3 × n: the mass centre of the moving bodies in the world. This and the next three are by the generic path.
  void com(In q, Out com);
  /// n numbers: in gravity and springs.
  void potential_energy(In q, VectorView<S> energy);
  /// n numbers: rotors (armature) included.
  void kinetic_energy(In q, In v, VectorView<S> energy);
  /// 6 × n: angular momentum about the mass centre, then linear momentum, in world axes.
  void momentum(In q, In v, Out momentum);
  /// ∂τ/∂q and ∂τ/∂v, as in newton_euler::inverse_derivatives.
  void inverse_derivatives(In q, In v, In a, Out dq, Out dv);
  /// a, ∂a/∂q, ∂a/∂v and ∂a/∂τ.
  void forward_derivatives(In q, In v, In tau, Out a, Out dq, Out dv, Out dtau);

  /// So that the first call need not. Throws InputError if the robot is not supported.
  void prepare(Quantity quantity);
  /// Several at once, the robot's own code of them in one shared object.
  void prepare(std::span<const Quantity> quantities);

  int lanes() const;  // states per pack on this processor
  int threads() const;
  /// Empty, or why a quantity that was prepared takes the generic path after all, with or without loads.
  std::string note(Quantity quantity) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

extern template class Batch<double>;
extern template class Batch<float>;

}  // namespace ulna

// A robot near a motion: ẋ = A x + B u, with u the change of the torques.
//
// x has two halves, the change of the position, in the directions of v, and of v itself. A quaternion is no place for
// sums: q∘exp(x) is the position, and where a body turns at v its change is carried along, ẋ = δv − v × x (the adjoint
// of v). Mechanisms with closed loops have x of independent joints alone, which move the others.
#pragma once

#include <memory>

#include "ulna/control/linear_system.hpp"
#include "ulna/model/model.hpp"
#include "ulna/real/vector_view.hpp"

namespace ulna {

struct LinearisedRobot : LinearSystem {
  std::vector<int> independent{};  // velocity indices: x is their change, then that of their rates
  std::vector<int> actuated{};     // velocity indices: u is the change of their torques
  std::vector<double> a{};         // nv numbers: the accelerations there; not an equilibrium where they are not zero
};

/// Velocity indices of all joints but a free base, which has no motor.
std::vector<int> motor_indices(const Model& model);

/// For one robot; it keeps the workspaces. The model must stay alive.
class Lineariser {
 public:
  /// `actuated`: velocity indices with a motor; none: motor_indices(). `independent`: of a robot with closed loops;
  /// none: `actuated` where they determine the others, else the best that there are. Throws InputError for indices that
  /// are not there or twice.
  explicit Lineariser(const Model& model, std::vector<int> actuated = {}, std::vector<int> independent = {});
  explicit Lineariser(Model&&, std::vector<int> = {}, std::vector<int> = {}) = delete;
  Lineariser(Lineariser&&) noexcept;
  Lineariser& operator=(Lineariser&&) noexcept;
  ~Lineariser();

  /// Exact, by the analytic derivatives of forward dynamics. With closed loops the change with the position is by
  /// differences of sixth order, to nine digits; all else is exact. Throws InputError where loops are open or the
  /// independent joints do not determine the others.
  LinearisedRobot operator()(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau);
  /// The torques of the actuated joints, zero elsewhere, that give the accelerations, as far as they can; without any
  /// those that keep v as it is.
  std::vector<double> torques(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a = {});

  const std::vector<int>& actuated() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// For one call.
LinearisedRobot linearise(const Model& model, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                          std::vector<int> actuated = {}, std::vector<int> independent = {});

}  // namespace ulna

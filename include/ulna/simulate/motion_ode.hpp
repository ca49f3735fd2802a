// The system that integrators see.
#pragma once

#include <optional>

#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/integrate/ode.hpp"
#include "ulna/simulate/action_schedule.hpp"
#include "ulna/simulate/loop_keeper.hpp"

namespace ulna {

/// y' of Equations, with its derivatives; position, velocity and torque of a state can be asked for.
class MotionOde : public Ode<double> {
 public:
  /// With `loops` the model is the tree of a mechanism; `method` is theirs then.
  MotionOde(const Model& model, std::string_view method, const Actions& actions,
            std::unique_ptr<LoopKeeper> loops = nullptr);
  MotionOde(Model&&, std::string_view, const Actions&) = delete;

  /// Another way to the accelerations than the formulation given: compiled code.
  void set_forward(std::unique_ptr<Method<double>> method) { equations_->set_forward_dynamics(std::move(method)); }

  std::size_t size() const override { return 2 * nv_ + work_count; }
  std::size_t controlled() const override { return 2 * nv_; }
  void rhs(const double& t, std::span<const double> y, std::span<double> dy) override;
  bool jacobian(const double& t, std::span<const double> y, MatrixView<double> J) override;
  bool recentre(std::span<double> y) override;

  /// The state of a robot at q, v with no work done; centres the local coordinates at q.
  virtual void set_state(std::span<const double> q, std::span<const double> v, std::span<double> y);
  /// As the integrator has it: the loops may have drifted.
  virtual void integrated_state(std::span<const double> y, std::span<double> q, std::span<double> v);
  /// With the loops closed.
  void get_state(std::span<const double> y, std::span<double> q, std::span<double> v);
  /// Null for trees.
  LoopKeeper* loops() { return loops_.get(); }
  /// Accelerations and torques at a state.
  void accelerations(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                     std::span<double> tau);

  double next_break(double t) const { return schedule_.next_break(t); }
  /// From t on, to the next break.
  void enter(double t, std::span<const double> q, std::span<const double> v);
  /// Instead: these torques and wrenches act from now on, beside the loads that follow the state.
  void hold(std::span<const double> torque, Wrenches<double> wrenches);

 protected:
  const Model& model_;
  std::size_t nq_, nv_;
  Equations<double>& equations() { return *equations_; }
  std::unique_ptr<LoopKeeper> loops_;
  void set_reference(std::span<const double> q);

 private:
  void add_accelerations(std::span<const double> y, MatrixView<double> J);

  ActionSchedule schedule_;
  std::unique_ptr<Equations<double>> equations_;
  std::unique_ptr<Equations<Dual4>>
      derivatives_;  // null: a user's drive or load without derivatives, or Baumgarte's loops
  std::vector<double> q_;
  std::vector<Dual4> y_dual_, dy_dual_;
  /// For joints with plain numbers: duals only for the torques, which cost little beside the dynamics.
  std::optional<articulated_body::DerivativeWorkspace<double>> recursion_;
  std::vector<double> torque_, a_, dq_, dv_, dtau_, column_;
};

}  // namespace ulna

// The system in positions and momenta, for symplectic methods.
#pragma once

#include "ulna/simulate/motion_ode.hpp"

namespace ulna {

/// y = (x, p, w) with the momenta p that belong to ẋ: ẋ = ∂H/∂p, ṗ = −∂H/∂x + what the actions do.
/// A change of the reference changes coordinates by a cotangent lift, so that a symplectic step in
/// x and p is a symplectic step of the robot, free and spherical joints included.
class CanonicalOde final : public MotionOde {
 public:
  CanonicalOde(const Model& model, std::string_view method, const Actions& actions,
               std::unique_ptr<LoopKeeper> loops = nullptr);
  CanonicalOde(Model&&, std::string_view, const Actions&) = delete;

  void rhs(const double& t, std::span<const double> y, std::span<double> dy) override;
  bool jacobian(const double&, std::span<const double>, MatrixView<double>) override { return false; }
  bool recentre(std::span<double> y) override;
  void set_state(std::span<const double> q, std::span<const double> v, std::span<double> y) override;
  void integrated_state(std::span<const double> y, std::span<double> q, std::span<double> v) override;

 private:
  /// q_, mu_ and v_ = M⁻¹ μ of a state.
  void update(std::span<const double> y);
  /// M v̇ into mu_rate_, with torques as they are.
  void force();
  /// mu_ = M v of q_ and v_.
  void momenta_of_velocities();
  void differentiate_along(std::span<const double> x, std::span<const double> dx);

  std::unique_ptr<Method<double>> inverse_, forward_;
  std::unique_ptr<Method<Dual4>> inverse_dual_;
  std::vector<double> zero_, q_, v_, a_, mu_, mu_rate_, static_;
  std::vector<Dual4> x_dual_, q_dual_, v_dual_, zero_dual_, moving_dual_, static_dual_, mu_dual_, p_dual_;
};

}  // namespace ulna

#include "ulna/simulate/loop_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ulna/loop/mobility.hpp"

namespace ulna {

namespace {

void solve(ConstrainedDynamics& dynamics, const LoopControl& control, std::span<const double> q,
           std::span<const double> v, std::span<const double> tau, std::span<double> a, Wrenches<double> external) {
  if (control.method == LoopMethod::schur)
    dynamics.forward_dynamics(q, v, tau, a, external, control.baumgarte);
  else
    dynamics.forward_dynamics_independent(q, v, tau, a, external, control.baumgarte);
}

class ClosedForwardDynamics final : public Method<double> {
 public:
  ClosedForwardDynamics(const ClosedModel& model, const LoopControl& control) : dynamics_(model), control_(control) {}

  void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                        std::span<double> a, Wrenches<double> external) override {
    solve(dynamics_, control_, q, v, tau, a, external);
  }

 private:
  ConstrainedDynamics dynamics_;
  LoopControl control_;
};

}  // namespace

std::string_view name_of(LoopMethod method) { return method == LoopMethod::schur ? "schur" : "independent"; }

LoopMethod loop_method(std::string_view name) {
  if (name == "auto" || name == "schur") return LoopMethod::schur;
  if (name == "independent") return LoopMethod::independent;
  throw InputError(
      fmt::format("method '{}' is not for robots with closed loops; known: auto, schur, independent", name));
}

LoopKeeper::LoopKeeper(const ClosedModel& model, const LoopControl& control)
    : model_(model), control_(control), dynamics_(model) {}

std::unique_ptr<Method<double>> LoopKeeper::forward_dynamics() const {
  return std::make_unique<ClosedForwardDynamics>(model_, control_);
}

bool LoopKeeper::has_drifted(std::span<const double> q, std::span<const double> v) {
  return projects() && dynamics_.drift(q, v) > control_.drift;
}

void LoopKeeper::close(std::span<double> q, std::span<double> v) {
  if (!projects() || dynamics_.drift(q, v) <= closed_residual || dynamics_.project(q, v)) return;
  const std::span<const double> r = dynamics_.equations().residual();
  const auto worst =
      std::max_element(r.begin(), r.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
  throw LoopsOpened(fmt::format("loop joint '{}' could not be closed again (off by {:.2g})",
                                dynamics_.equations().joint_of_row(static_cast<int>(worst - r.begin())).name,
                                std::abs(*worst)));
}

void LoopKeeper::accelerations(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                               std::span<double> a, Wrenches<double> external) {
  solve(dynamics_, control_, q, v, tau, a, external);
}

}  // namespace ulna

#include "ulna/simulate/loop_keeper.hpp"

#include <fmt/format.h>

#include "ulna/loop/assembly.hpp"

namespace ulna {

namespace {

class ClosedForwardDynamics final : public Method<double> {
 public:
  ClosedForwardDynamics(const Model& model, const LoopControl& control) : dynamics_(model), control_(control) {}

  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external) override {
    dynamics_.forward_dynamics(control_.method, q, v, tau, a, external, control_.baumgarte);
  }

 private:
  ConstrainedDynamics dynamics_;
  LoopControl control_;
};

}  // namespace

LoopKeeper::LoopKeeper(const Model& model, const LoopControl& control)
    : model_(model), control_(control), dynamics_(model) {}

std::unique_ptr<Method<double>> LoopKeeper::forward_dynamics() const {
  return std::make_unique<ClosedForwardDynamics>(model_, control_);
}

bool LoopKeeper::has_drifted(std::span<const double> q, std::span<const double> v) {
  return projects() && dynamics_.drift(q, v) > control_.drift;
}

void LoopKeeper::close(std::span<double> q, std::span<double> v) {
  if (!projects() || dynamics_.drift(q, v) <= closed_residual || dynamics_.project(q, v)) return;
  throw LoopsOpened(fmt::format("loop joint '{}' could not be closed again (off by {:.2g})",
                                dynamics_.equations().worst_joint().name, dynamics_.equations().largest_residual()));
}

void LoopKeeper::accelerations(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                               std::span<double> a, Wrenches<double> external) {
  dynamics_.forward_dynamics(control_.method, q, v, tau, a, external, control_.baumgarte);
}

}  // namespace ulna

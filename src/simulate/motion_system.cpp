#include "motion_system.hpp"

#include <algorithm>

#include "ulna/simulate/canonical_ode.hpp"

namespace ulna {

std::unique_ptr<MotionOde> make_system(const Model& model, const Model& tree, const SimulationSetup& setup) {
  const IntegratorInfo& integrator = integrator_info(setup.integrator);
  std::unique_ptr<LoopKeeper> loops;
  if (!model.loops().empty()) {
    LoopControl control{loop_method(setup.method), setup.baumgarte};
    // each restart costs a method that remembers dozens of small steps; samples are projected anyway
    if (integrator.remembers)
      control.drift = std::max(control.drift, 100.0 * std::max(setup.accuracy.relative, setup.accuracy.absolute));
    loops = std::make_unique<LoopKeeper>(model, control);
  }
  if (integrator.canonical) return std::make_unique<CanonicalOde>(tree, setup.method, setup.actions, std::move(loops));
  auto system = std::make_unique<MotionOde>(tree, setup.method, setup.actions, std::move(loops));
  if (setup.forward) system->set_forward(setup.forward(tree));
  return system;
}

}  // namespace ulna

// A scenario as Python holds it.
#pragma once

#include "robot.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna::python {

/// With its robot, where that was given as a model: the scenario itself has no more than its name.
struct HeldScenario : Scenario {
  HeldScenario(Scenario scenario, std::shared_ptr<Robot> given)
      : Scenario(std::move(scenario)), model(std::move(given)) {}

  std::shared_ptr<Robot> model;
};

}  // namespace ulna::python

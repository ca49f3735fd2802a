// MuJoCo as the other engine, where it was there when Ulna was built.
#pragma once

#include <string>

#include "papers/pd_task.hpp"

namespace ulna::reproduction {

struct EngineAnswer {
  PdSamples samples;
  std::string refusal;  // empty, or why there are no samples
};

EngineAnswer simulate_with_mujoco(const PdTask& task);

}  // namespace ulna::reproduction

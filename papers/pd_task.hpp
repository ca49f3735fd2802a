// What another engine is asked to do: a robot under a PD drive.
#pragma once

#include <vector>

#include "ulna/model/model.hpp"
#include "ulna/simulate/drive.hpp"

namespace ulna::reproduction {

struct PdTask {
  const Graph* graph;
  const Model* model;  // of the graph: where in q and v each joint is
  const PdDrive* drive;
  std::vector<double> q, v;  // the start
  double every;              // between samples
  std::vector<long> steps;   // from each sample to the next, by a Runge–Kutta method of order 4
};

/// One row per sample and one for the start: t, q…, v…, a….
struct PdSamples {
  std::vector<std::vector<double>> rows;
};

/// Nullptr, or a text that stays why not.
extern "C" using SimulatePd = const char * (const PdTask* task, PdSamples* samples);

/// What MuJoCo's module (bench/peer_module.hpp) holds under this name.
inline constexpr const char* simulate_pd_function = "ulna_mujoco_simulate_pd";

}  // namespace ulna::reproduction

// The command line of `simulate`: a scenario, and what the options change about it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ulna/study/scenario.hpp"

namespace ulna::app {

struct SimulateOptions {
  std::string scenario, again, output;
  std::vector<std::string> also;  // formats beside CSV
  bool json = false, compiled = false, resume = false, merge = false;
  std::size_t chunk = 0;  // runs in a shard; 0: none, or the usual number where several processes share the work
  int threads = 0;        // of an ensemble; 0: as many as there are

  void add_to(CLI::App& command);
  /// The scenario with all options applied. Throws InputError.
  Scenario applied() const;

 private:
  void add_run_options(CLI::App& command);
  void add_drive_options(CLI::App& command);
  void add_ensemble_options(CLI::App& command);
  void override_robot(Scenario& scenario) const;
  void override_run(Scenario& scenario) const;
  void start_at(Scenario& scenario) const;
  void override_drive(Scenario& scenario) const;
  void override_ensemble(Scenario& scenario) const;

  std::string q0, v0, tau, gravity, nonphysical, method, integrator, drive, limits;
  std::vector<std::string> wrenches, vary, payloads;
  std::string keep;
  double duration = 0.0, every = 0.0, tolerance = 0.0, step = 0.0, sample = 0.0, baumgarte = 0.0, most_steps = 0.0;
  long seed = -1, runs = -1;
  bool free_base = false, saturate = false;
};

}  // namespace ulna::app

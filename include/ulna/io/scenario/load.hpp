// Scenarios as TOML files. doc/scenario_files.md describes them.
#pragma once

#include "ulna/study/scenario.hpp"

namespace ulna {

/// From a bundled name, the path of a scenario file, or a robot (which then falls freely for ten
/// seconds). Throws InputError.
Scenario load_scenario(const std::string& name);
Scenario parse_scenario(const std::string& text, const std::string& file);
/// A file that reads back as the same scenario.
std::string to_toml(const Scenario& scenario);

struct BundledScenario {
  std::string name, title;
};
std::vector<BundledScenario> bundled_scenarios();

}  // namespace ulna

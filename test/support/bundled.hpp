// The names of the bundled robots: trees, mechanisms with closed loops and the arms of the catalogue apart. Generated
// families, which have a number in their names, are none of these.
#pragma once

#include <string>
#include <vector>

#include "ulna/io/robot/load.hpp"

namespace ulna::test {

inline std::vector<std::string> bundled_names(bool with_loops) {
  std::vector<std::string> names;
  for (const BundledRobot& bundled : bundled_robots())
    if (bundled.name.find(':') == std::string::npos && (bundled.loops > 0) == with_loops && !bundled.is_in_use)
      names.push_back(bundled.name);
  return names;
}

inline std::vector<std::string> bundled_trees() { return bundled_names(false); }
inline std::vector<std::string> bundled_mechanisms() { return bundled_names(true); }

inline std::vector<std::string> catalogue() {
  std::vector<std::string> names;
  for (const BundledRobot& bundled : bundled_robots())
    if (bundled.is_in_use) names.push_back(bundled.name);
  return names;
}

}  // namespace ulna::test

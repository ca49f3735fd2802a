// The names of the bundled robots: trees and mechanisms with closed loops apart. Generated families,
// which have a number in their names, are neither.
#pragma once

#include <string>
#include <vector>

#include "ulna/io/robot/load.hpp"

namespace ulna::test {

inline std::vector<std::string> bundled_names(bool with_loops) {
  std::vector<std::string> names;
  for (const BundledRobot& bundled : bundled_robots())
    if (bundled.name.find(':') == std::string::npos && (bundled.loops > 0) == with_loops) names.push_back(bundled.name);
  return names;
}

inline std::vector<std::string> bundled_trees() { return bundled_names(false); }
inline std::vector<std::string> bundled_mechanisms() { return bundled_names(true); }

}  // namespace ulna::test

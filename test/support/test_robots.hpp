// All robots that tests run over: the bundled ones, a chain, and random ones of every shape.
#pragma once

#include "support/random_robot.hpp"
#include "ulna/import/load.hpp"

namespace ulna::test {

inline std::vector<Graph> test_robots() {
  std::vector<Graph> robots;
  for (const BundledRobot& bundled : bundled_robots())
    if (bundled.name.find(':') == std::string::npos) robots.push_back(load_graph(bundled.name));
  robots.push_back(load_graph("chain:12"));
  for (Graph& robot : random_robots()) robots.push_back(std::move(robot));
  return robots;
}

inline bool is_positive_definite(const Graph& graph) { return graph.name != "puma560_printed"; }

}  // namespace ulna::test

// All robots that tests of trees run over: the bundled ones without loops, a chain, and random ones of every shape.
#pragma once

#include "support/bundled.hpp"
#include "support/random_robot.hpp"

namespace ulna::test {

inline std::vector<Graph> test_robots() {
  std::vector<Graph> robots;
  for (const std::string& name : bundled_trees()) robots.push_back(load_graph(name));
  robots.push_back(load_graph("chain:12"));
  for (Graph& robot : random_robots()) robots.push_back(std::move(robot));
  return robots;
}

inline bool is_positive_definite(const Graph& graph) { return graph.name != "puma560_printed"; }

}  // namespace ulna::test

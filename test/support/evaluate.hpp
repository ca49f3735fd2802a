// A recording computed with numbers, node by node: what its graph means.
#pragma once

#include <cmath>

#include "ulna/trace/recording.hpp"

namespace ulna::test {

inline std::vector<std::vector<double>> evaluate(const trace::Recording& recording,
                                                 const std::vector<std::vector<double>>& inputs) {
  const trace::OpGraph& graph = *recording.graph;
  std::vector<double> value(graph.size(), std::nan(""));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t k = 0; k < inputs[i].size(); ++k) value[recording.inputs[i].elements[k].node] = inputs[i][k];
  const auto at = [&](trace::Ref r) { return r.negative ? -value[r.node] : value[r.node]; };
  for (const std::uint32_t index : trace::live_nodes(graph, recording.results())) {
    const trace::Node& node = graph[index];
    double& x = value[index];
    switch (node.operation) {
      case Operation::input: break;
      case Operation::constant: x = node.value; break;
      case Operation::add: x = at(node.a) + at(node.b); break;
      case Operation::multiply: x = at(node.a) * at(node.b); break;
      case Operation::divide: x = at(node.a) / at(node.b); break;
      case Operation::sine: x = std::sin(at(node.a)); break;
      case Operation::cosine: x = std::cos(at(node.a)); break;
      case Operation::square_root: x = std::sqrt(at(node.a)); break;
      case Operation::absolute: x = std::fabs(at(node.a)); break;
      case Operation::arc_tangent: x = std::atan2(at(node.a), at(node.b)); break;
      case Operation::less: x = at(node.a) < at(node.b) ? 1.0 : 0.0; break;
      case Operation::select: x = at(node.a) != 0.0 ? at(node.b) : at(node.c); break;
    }
  }
  std::vector<std::vector<double>> outputs;
  for (const trace::Array& array : recording.outputs) {
    outputs.emplace_back();
    for (const trace::Ref& r : array.elements) outputs.back().push_back(at(r));
  }
  return outputs;
}

}  // namespace ulna::test

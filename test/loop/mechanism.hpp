// A mechanism, with its joints by name and what drives it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"

namespace ulna::test {

/// Of the bundled ones what their files say; else every joint that moves.
inline std::vector<std::string> drives_of(const Graph& graph) {
  const std::string& robot = graph.name;
  if (robot == "slider_crank") return {"crank_pin"};
  if (robot == "four_bar") return {"crank_pivot"};
  if (robot == "five_bar") return {"left_motor", "right_motor"};
  if (robot == "palletizer") return {"turn", "shoulder", "crank", "flange"};
  if (robot == "stewart") return {"leg1", "leg2", "leg3", "leg4", "leg5", "leg6"};
  std::vector<std::string> all;
  for (const GraphJoint& joint : graph.joints)
    if (joint.kind != JointKind::fixed) all.push_back(joint.name);
  return all;
}

struct Mechanism {
  Model model;
  std::vector<int> drives;  // velocity indices

  explicit Mechanism(const Graph& graph) : model(build(graph)) {
    for (const std::string& drive : drives_of(graph)) {
      const Body& body = body_of(drive);
      for (int k = 0; k < degrees_of(body.kind); ++k) drives.push_back(body.v_index + k);
    }
  }
  explicit Mechanism(const std::string& bundled) : Mechanism(load_graph(bundled)) {}
  Mechanism(const Mechanism&) = delete;  // whoever computes refers to the model
  Mechanism& operator=(const Mechanism&) = delete;

  double& at(std::vector<double>& q, const std::string& joint) const {
    return q[static_cast<std::size_t>(body_of(joint).q_index)];
  }
  const Frame& frame(const std::string& name) const { return *model.find_frame(name); }

 private:
  const Body& body_of(const std::string& joint) const {
    for (const JointInfo& one : model.joints())
      if (one.name == joint) return model.bodies()[static_cast<std::size_t>(one.body)];
    throw std::logic_error("no joint " + joint);
  }
};

}  // namespace ulna::test

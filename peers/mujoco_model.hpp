// A graph as MuJoCo's compiled model. Bodies and joints are called after their place in the graph, which
// needs no escaping. Loops are equality constraints: see mujoco_mechanism.hpp.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "peers/mechanism_peer.hpp"

namespace ulna::peers {

struct ModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelHandle = std::unique_ptr<mjModel, ModelDeleter>;
using DataHandle = std::unique_ptr<mjData, DataDeleter>;

/// Nothing if MuJoCo cannot have the robot; its reason is then in `refusal`.
ModelHandle make_mujoco_model(const Graph& graph, std::string& refusal, Hinge hinge = Hinge::two_points);

/// The ground has none: it is MuJoCo's world.
std::string mujoco_body_name(const Graph& graph, const std::string& body);

}  // namespace ulna::peers

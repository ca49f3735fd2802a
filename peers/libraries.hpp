// The peers that tests and benchmarks are linked with.
#pragma once

#include "peers/peer.hpp"

namespace ulna::peers {

/// `make` builds from the graph, so that build() is tested too; of the model it takes only where
/// in q and v each joint is, by name, and what the tip is called.
struct Library {
  std::string name;
  Made (*make)(const Graph& graph, const Model& model);
};

/// The peers that this build found.
std::vector<Library> libraries();

}  // namespace ulna::peers

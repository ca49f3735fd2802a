// A graph that is a tree, from its root outwards, for those who write it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class GraphOutward {
 public:
  /// Throws InputError unless all joints form one tree. The graph lives as long as this.
  explicit GraphOutward(const Graph& graph);

  const GraphBody& root() const { return *root_; }
  const GraphBody& body(const std::string& name) const { return *bodies_.at(name); }
  /// In the order of the file.
  const std::vector<const GraphJoint*>& joints_on(const std::string& body) const;
  /// The joint that carries a body; nullptr for the root.
  const GraphJoint* carrier(const std::string& body) const;

 private:
  const GraphBody* root_ = nullptr;
  std::unordered_map<std::string, const GraphBody*> bodies_;
  std::unordered_map<std::string, const GraphJoint*> carriers_;
  std::unordered_map<std::string, std::vector<const GraphJoint*>> joints_;
};

}  // namespace ulna
#pragma GCC visibility pop

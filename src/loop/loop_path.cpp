#include "loop_path.hpp"

#include <algorithm>
#include <functional>

namespace ulna {

LoopPath loop_path(const Model& tree, const LoopJoint& joint) {
  LoopPath path;
  for (const int end : {joint.a.body, joint.b.body})
    for (int i = end; i >= 0; i = tree.bodies()[static_cast<std::size_t>(i)].parent) path.bodies.push_back(i);
  std::sort(path.bodies.begin(), path.bodies.end(), std::greater<>());
  path.bodies.erase(std::unique(path.bodies.begin(), path.bodies.end()), path.bodies.end());
  if (tree.has_coupled_joints()) {  // with bodies elsewhere: the factor of M couples all
    for (int k = tree.nv(); k-- > 0;) path.degrees.push_back(k);
    return path;
  }
  for (const int i : path.bodies) {
    const Body& body = tree.bodies()[static_cast<std::size_t>(i)];
    for (int k = degrees_of(body.kind); k-- > 0;) path.degrees.push_back(body.v_index + k);
  }
  return path;
}

}  // namespace ulna

#include "ulna/model/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "opened.hpp"
#include "ulna/model/cut_loops.hpp"

namespace ulna {

namespace {

template <class List>
auto find_named(List& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const GraphBody* find_body(const Graph& graph, std::string_view name) { return find_named(graph.bodies, name); }
GraphBody* find_body(Graph& graph, std::string_view name) { return find_named(graph.bodies, name); }
const GraphJoint* find_joint(const Graph& graph, std::string_view name) { return find_named(graph.joints, name); }
GraphJoint* find_joint(Graph& graph, std::string_view name) { return find_named(graph.joints, name); }
const GraphFrame* find_frame(const Graph& graph, std::string_view name) { return find_named(graph.frames, name); }

std::vector<std::string> guessed_links(const Graph& graph) {
  std::vector<std::string> names;
  for (const GraphBody& body : graph.bodies)
    if (body.is_guessed) names.push_back(body.name);
  return names;
}

bool lacks_base(const Graph& graph) {
  const bool named = std::any_of(graph.joints.begin(), graph.joints.end(),
                                 [](const GraphJoint& joint) { return joint.parent == "base"; });
  return named && find_body(graph, "base") == nullptr;
}

void add_base(Graph& graph) {
  if (lacks_base(graph)) graph.bodies.insert(graph.bodies.begin(), {.name = "base", .source = graph.source});
}

namespace {

void refuse_double_names(const Graph& graph, const Graph& added) {
  const auto refuse = [](const std::string& name) {
    throw InputError(fmt::format("there is a '{}' already; attach the robot with another prefix", name));
  };
  for (const GraphBody& body : added.bodies)
    if (find_body(graph, body.name) != nullptr || find_frame(graph, body.name) != nullptr) refuse(body.name);
  for (const GraphFrame& frame : added.frames)
    if (find_body(graph, frame.name) != nullptr || find_frame(graph, frame.name) != nullptr) refuse(frame.name);
  for (const GraphJoint& joint : added.joints)
    if (find_joint(graph, joint.name) != nullptr) refuse(joint.name);
  for (const GraphLoop& loop : added.loops)
    if (find_named(graph.loops, loop.name) != nullptr) refuse(loop.name);
  for (const GraphCoupling& coupling : added.couplings)
    if (find_named(graph.couplings, coupling.name) != nullptr) refuse(coupling.name);
}

template <class List>
void append(List& to, List& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void attach(Graph& graph, const Graph& other, const std::string& prefix, const std::string& frame,
            const Pose<double>& pose) {
  add_base(graph);
  const GraphFrame* named = find_frame(graph, frame);
  const std::string carrier = named != nullptr ? named->body : frame;
  if (find_body(graph, carrier) == nullptr)
    throw InputError(fmt::format("there is no link or frame '{}' to attach '{}' to", frame, other.name));
  Graph added = other;
  add_base(added);
  added = cut_loops(std::move(added));
  GraphJoint weld{.name = prefix + "attached", .kind = JointKind::fixed, .parent = carrier};
  weld.child = prefix + root_of(added).name;
  weld.in_parent = named != nullptr ? named->pose * pose : pose;
  for (GraphBody& body : added.bodies) body.name = prefix + body.name;
  for (GraphFrame& one : added.frames) {
    one.name = prefix + one.name;
    one.body = prefix + one.body;
  }
  const auto rename = [&](auto& joint) {
    joint.name = prefix + joint.name;
    joint.parent = prefix + joint.parent;
    joint.child = prefix + joint.child;
  };
  for (GraphJoint& joint : added.joints) {
    rename(joint);
    if (joint.mimic) joint.mimic->joint = prefix + joint.mimic->joint;
  }
  for (GraphLoop& loop : added.loops) rename(loop);
  for (GraphCoupling& coupling : added.couplings) {
    coupling.name = prefix + coupling.name;
    for (std::string& joint : coupling.joints) joint.insert(0, prefix);
  }
  added.joints.insert(added.joints.begin(), weld);
  refuse_double_names(graph, added);
  append(graph.bodies, added.bodies);
  append(graph.joints, added.joints);
  graph.postures.clear();  // they were of one of the two
  append(graph.loops, added.loops);
  append(graph.couplings, added.couplings);
  append(graph.frames, added.frames);
  append(graph.notices, added.notices);
}

}  // namespace ulna

// Graphs whose joints form loops.
#include <gtest/gtest.h>

#include "ulna/io/robot/load.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/model/cut_loops.hpp"

namespace ulna {
namespace {

/// The bundled four-bar with its cut joint written as a joint like the others.
Graph ring() {
  Graph graph = load_graph("four_bar");
  GraphJoint last;
  last.name = graph.loops[0].name;
  last.kind = JointKind::revolute;
  last.parent = graph.loops[0].parent;
  last.child = graph.loops[0].child;
  last.in_parent = graph.loops[0].in_parent;
  last.in_child = graph.loops[0].in_child;
  graph.joints.push_back(last);
  graph.loops.clear();
  return graph;
}

std::vector<double> acceleration_of_crank(const Graph& graph, std::vector<double> q) {
  const Model model = build(graph);
  q = assemble(model, q, std::vector{0}).q;
  ConstrainedDynamics dynamics(model);
  std::vector<double> v(q.size(), 0.0), tau(q.size(), 0.0), a(q.size());
  tau[0] = 2.0;
  dynamics.forward_dynamics(q, v, tau, a);
  return a;
}

TEST(CutLoops, LeavesATreeAsItIs) {
  const Graph graph = load_graph("puma560");
  const Graph same = cut_loops(graph);
  EXPECT_EQ(same.joints.size(), graph.joints.size());
  EXPECT_TRUE(same.loops.empty());
}

TEST(CutLoops, TheLastJointOfALoopIsCut) {
  const Graph cut = cut_loops(ring());
  ASSERT_EQ(cut.loops.size(), 1u);
  EXPECT_EQ(cut.joints.size(), 3u);
  EXPECT_EQ(cut.loops[0].name, load_graph("four_bar").loops[0].name);
  const std::vector<double> start{0.6, 0.0, 0.0};
  const auto whole = acceleration_of_crank(load_graph("four_bar"), start), own = acceleration_of_crank(ring(), start);
  for (std::size_t k = 0; k < own.size(); ++k) EXPECT_NEAR(own[k], whole[k], 1e-10 * std::max(1.0, std::abs(whole[k])));
}

/// With a spring in the last joint another one is cut, and the rocker hangs on the coupler then, against
/// the way its own joint was written.
TEST(CutLoops, AJointWithASpringStaysInTheTree) {
  Graph graph = ring();
  graph.joints[3].passive.armature = 1e-300;  // acts, but does nothing
  const Graph cut = cut_loops(graph);
  ASSERT_EQ(cut.loops.size(), 1u);
  EXPECT_EQ(cut.loops[0].name, graph.joints[2].name);
  EXPECT_EQ(cut.loops[0].kind, JointKind::revolute);
  const Model model = build(graph);
  const std::vector<double> start(static_cast<std::size_t>(model.nq()), 0.0);
  EXPECT_NEAR(acceleration_of_crank(graph, start)[0], acceleration_of_crank(load_graph("four_bar"), {0, 0, 0})[0],
              1e-9);
}

/// A ring in which every link hangs on another: the first joint's parent is the ground.
TEST(CutLoops, ARingOfJointsHasARoot) {
  Graph graph = ring();
  graph.joints[2].passive.viscous = 1e-300;
  std::swap(graph.joints[2].parent, graph.joints[2].child);  // rocker -> base
  std::swap(graph.joints[2].in_parent, graph.joints[2].in_child);
  graph.joints[2].axis = -graph.joints[2].axis;
  graph.joints[2].offset = 0.0;
  const Graph cut = cut_loops(graph);
  ASSERT_EQ(cut.loops.size(), 1u);
  EXPECT_EQ(cut.joints[2].parent, graph.joints[2].child) << "turned round";
  EXPECT_NO_THROW(build(graph));
}

TEST(CutLoops, RefusesALoopThatCannotBeCut) {
  Graph graph = ring();
  for (GraphJoint& joint : graph.joints) joint.passive.viscous = 0.1;
  try {
    build(graph);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("one joint of a loop is cut"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace ulna

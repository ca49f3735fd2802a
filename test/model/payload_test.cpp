// Payloads: against a body fixed by a joint, which build() merges by its own way.
#include "ulna/model/payload.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"
#include "ulna/spatial/rotation.hpp"

namespace ulna {
namespace {

std::vector<double> torques(const Graph& graph) {
  const Model model = build(graph);
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> q(n, 0.4), v(n, -0.7), a(n, 1.1), tau(n);
  make_method<double>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, tau);
  return tau;
}

const MassData box{2.0, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04, 0.001, -0.002, 0.003}};

TEST(Payload, is_a_body_that_is_fixed_there) {
  for (const char* name : {"puma560", "kuka_lwr4", "panda_like"}) {
    Graph loaded = load_graph(name), fixed = loaded;
    const Pose<double> pose{rotation_x(Turn<double>{std::cos(0.7), std::sin(0.7)}), {0.1, 0.2, 0.3}};
    const std::string body = build(fixed).joints().back().child;
    for (Graph* graph : {&loaded, &fixed}) graph->frames.push_back({"grip", body, pose, {}});
    fixed.bodies.push_back({"box", box, {}, {}});
    GraphJoint joint;
    joint.name = "hold";
    joint.kind = JointKind::fixed;
    joint.parent = body;
    joint.child = "box";
    joint.in_parent = pose;
    fixed.joints.push_back(joint);
    add_payload(loaded, {"grip", box});
    const std::vector<double> got = torques(loaded), want = torques(fixed);
    // torques of some 100 N m, sums of some hundred terms
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-11) << name << " " << k;
  }
}

TEST(Payload, is_at_the_tip_without_a_name) {
  for (const char* name : {"puma560", "kuka_lwr4", "ur5_like"}) {
    Graph here = load_graph(name), there = here;
    EXPECT_EQ(tip_of(here), build(here).tip().name) << name;
    add_payload(here, {"", box});
    add_payload(there, {build(there).tip().name, box});
    EXPECT_EQ(torques(here), torques(there)) << name;
    EXPECT_NE(torques(here), torques(load_graph(name))) << name;
  }
}

TEST(Payload, is_refused_where_it_cannot_be) {
  Graph graph = load_graph("planar2r");
  EXPECT_THROW(add_payload(graph, {"elbow", box}), InputError);
  EXPECT_THROW(add_payload(graph, {"", {-1.0}}), InputError);
  EXPECT_THROW(add_payload(graph, {"", {std::nan("")}}), InputError);
  const MassData flat{1.0, {0, 0, 0}, {1, 0, 0, 0, 0, 0}};
  EXPECT_THROW(add_payload(graph, {"", flat}), InputError);
  graph.allow_nonphysical = true;
  EXPECT_NO_THROW(add_payload(graph, {"", flat}));
}

}  // namespace
}  // namespace ulna

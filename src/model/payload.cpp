#include "ulna/model/payload.hpp"

#include <fmt/format.h>

#include "expect_payload.hpp"
#include "opened.hpp"
#include "principal_moments.hpp"
#include "tree.hpp"
#include "ulna/spatial/inertia.hpp"

namespace ulna {

MassData merged(const MassData& a, const MassData& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0.0) return {0.0, a.com, a.inertia + b.inertia};
  const auto about = RigidInertia<double>::m_skew_squared;
  const Vec3<double> com = (1.0 / mass) * (a.mass * a.com + b.mass * b.com);
  return {mass, com, a.inertia + b.inertia + about(a.mass, a.com - com) + about(b.mass, b.com - com)};
}

std::string tip_of(const Graph& graph) {
  if (!graph.tip.empty()) return graph.tip;
  if (lacks_base(graph)) {
    Graph with_base = graph;
    add_base(with_base);
    return tip_of(with_base);
  }
  std::vector<Finding> findings;
  const Tree tree = walk(graph, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return graph.bodies[static_cast<std::size_t>(farthest_body(graph, tree))].name;
}

void add_payload(Graph& graph, const Payload& payload) {
  const std::string name = payload.frame.empty() ? tip_of(graph) : payload.frame;
  const MassData& own = payload.mass;
  expect_payload(own, name);
  if (const PrincipalMoments principal = principal_moments(own.inertia);
      !graph.allow_nonphysical && (principal.is_negative() || principal.is_impossible())) {
    const auto& [x, y, z] = principal.moments;
    throw InputError(fmt::format(
        "no body has the inertia of the payload of '{}': its principal moments are {:.4g}, {:.4g} and {:.4g} kg m²",
        name, x, y, z));
  }
  const GraphFrame* frame = find_frame(graph, name);
  GraphBody* body = find_body(graph, frame != nullptr ? frame->body : name);
  if (body == nullptr) throw InputError(fmt::format("there is no link or frame '{}' for a payload", name));
  const Pose<double> pose = frame != nullptr ? frame->pose : Pose<double>::identity();
  body->mass = merged(body->mass, {own.mass, pose * own.com, rotate(pose.R, own.inertia)});
}

}  // namespace ulna

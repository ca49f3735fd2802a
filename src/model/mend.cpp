#include "ulna/model/mend.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "doubts.hpp"
#include "opened.hpp"

namespace ulna {

namespace {

constexpr double milli = 1e-3;

void mend_axes(Mat3<double>& axes, const std::string& name, std::vector<std::string>& done) {
  if (!is_left_handed(axes)) return;
  axes = Mat3<double>::from_columns(axes.column_x(), axes.column_y(), cross(axes.column_x(), axes.column_y()));
  done.push_back(fmt::format("'{}': its axes were left-handed; the third is the cross product of the others", name));
}

void mend_limits(GraphJoint& joint, std::vector<std::string>& done) {
  if (!has_degrees(joint)) return;
  const double widest = widest_limit(joint), radians = std::numbers::pi / 180.0;
  joint.limits.lower *= radians;
  joint.limits.upper *= radians;
  if (std::isfinite(joint.limits.velocity) && joint.limits.velocity > 45.0) joint.limits.velocity *= radians;
  done.push_back(fmt::format("'{}': limits as degrees; {:.4g} rad would be {:.0f} turns", joint.name, widest,
                             widest / (2.0 * std::numbers::pi)));
}

/// All lengths but those of meshes, which have their own scale.
void scale_lengths(Graph& graph, double factor) {
  const auto scale = [&](Pose<double>& pose) { pose.p = factor * pose.p; };
  for (GraphBody& body : graph.bodies) {
    body.mass.com = factor * body.mass.com;
    for (Shape& shape : body.shapes) {
      scale(shape.pose);
      if (shape.kind != Shape::Kind::mesh)
        for (double& size : shape.size) size *= factor;
    }
  }
  for (GraphJoint& joint : graph.joints) {
    scale(joint.in_parent);
    scale(joint.in_child);
    joint.pitch *= factor;
    if (!has_one_degree(joint.kind) || turns(joint.kind)) continue;
    joint.offset *= factor;
    for (double* limit : {&joint.limits.lower, &joint.limits.upper, &joint.limits.velocity}) *limit *= factor;
  }
  for (GraphLoop& loop : graph.loops) {
    scale(loop.in_parent);
    scale(loop.in_child);
    loop.pitch *= factor;
  }
  for (GraphFrame& frame : graph.frames) scale(frame.pose);
}

void mend_inertias(Graph& graph, const Measures& measures, std::vector<std::string>& done) {
  const InertiaUnit unit = likely_unit(graph, measures);
  if (unit.factor == 1.0) return;
  for (std::size_t b = 0; b < measures.size.size(); ++b) {
    GraphBody& body = graph.bodies[b];
    const double length = measures.length(body, b);
    if (!has_far_gyration(body.mass, length)) continue;
    done.push_back(
        fmt::format("'{}': inertia as {}; its radius of gyration would be {:.3g} m, and the link measures "
                    "{:.3g} m",
                    body.name, unit.name, gyration(body.mass), length));
    Sym3<double>& i = body.mass.inertia;
    for (double* x : {&i.xx, &i.yy, &i.zz, &i.xy, &i.xz, &i.yz}) *x *= unit.factor;
  }
}

/// Of the bodies of this graph. Throws InputError where its joints form no tree and no loops.
Measures measures_of(const Graph& graph) {
  std::optional<Graph> own;
  Tree tree;
  const Graph& open = opened(graph, own, tree);
  std::vector<Finding> findings;
  if (tree.nodes.empty()) tree = walk(open, findings);
  Measures measures = measures_of(open, tree);
  if (lacks_base(graph)) measures.size.erase(measures.size.begin());  // the ground was put before the others
  measures.size.resize(graph.bodies.size(), 0.0);
  return measures;
}

}  // namespace

std::vector<std::string> mend(Graph& graph) {
  std::vector<std::string> done;
  for (GraphJoint& joint : graph.joints) {
    mend_axes(joint.in_parent.R, joint.name, done);
    mend_axes(joint.in_child.R, joint.name, done);
    mend_limits(joint, done);
  }
  for (GraphFrame& frame : graph.frames) mend_axes(frame.pose.R, frame.name, done);
  Measures measures = measures_of(graph);
  if (has_millimetres(measures)) {
    scale_lengths(graph, milli);
    done.push_back(fmt::format("lengths as millimetres; the links would add up to {:.3g} m", measures.reach));
    measures = measures_of(graph);
  }
  if (has_grams(measures)) {
    for (GraphBody& body : graph.bodies) body.mass.mass *= milli;
    done.push_back(fmt::format("masses as grams; {:.3g} kg would be within {:.3g} m", measures.mass, measures.reach));
  }
  mend_inertias(graph, measures, done);
  if (are_about_origins(graph)) {
    for (GraphBody& body : graph.bodies) body.mass.inertia = moved_to_centre(body.mass);
    done.emplace_back("inertias from the links' origins to their mass centres: all hold m c² of the distance c");
  }
  return done;
}

}  // namespace ulna

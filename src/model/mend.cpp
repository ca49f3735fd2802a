#include "ulna/model/mend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "doubts.hpp"
#include "opened.hpp"
#include "ulna/model/effort_by_speed.hpp"

namespace ulna {

namespace {

constexpr double milli = 1e-3;

void mend_axes(Mat3<double>& axes, const std::string& name, std::vector<std::string>& done) {
  if (!is_left_handed(axes)) return;
  axes = Mat3<double>::from_columns(axes.column_x(), axes.column_y(), cross(axes.column_x(), axes.column_y()));
  done.push_back(fmt::format("'{}': its axes were left-handed; the third is the cross product of the others", name));
}

/// A file has degrees throughout: then what is beyond a turn is in degrees too.
void mend_limits(Graph& graph, std::vector<std::string>& done) {
  constexpr double turn = 2.0 * std::numbers::pi, radians = std::numbers::pi / 180.0;
  if (!std::any_of(graph.joints.begin(), graph.joints.end(), has_degrees)) return;
  for (GraphJoint& joint : graph.joints) {
    const double widest = widest_limit(joint);
    if (!is_hinge(joint.kind) || !(widest > turn) || !(widest < 1000.0)) continue;
    joint.limits.lower *= radians;
    joint.limits.upper *= radians;
    if (std::isfinite(joint.limits.velocity) && joint.limits.velocity > turn) joint.limits.velocity *= radians;
    done.push_back(
        fmt::format("'{}': limits as degrees; {:.4g} rad would be {:.0f} turns", joint.name, widest, widest / turn));
  }
}

bool is_slide(const GraphJoint& joint) { return has_one_degree(joint.kind) && !turns(joint.kind); }

/// Metres of a slide for millimetres, where it follows or leads.
void scale_following(GraphJoint& joint, const Graph& graph, double factor) {
  const GraphJoint* leader = find_joint(graph, joint.mimic->joint);
  const bool follows = is_slide(joint), leads = leader != nullptr && is_slide(*leader);
  if (follows) joint.mimic->offset *= factor;
  if (follows != leads) joint.mimic->multiplier *= follows ? factor : 1.0 / factor;
}

/// All lengths but those of postures and of meshes, which have their own scale.
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
    if (joint.mimic) scale_following(joint, graph, factor);
    if (!is_slide(joint)) continue;
    joint.offset *= factor;
    joint.passive.rest *= factor;
    for (double* limit : {&joint.limits.lower, &joint.limits.upper, &joint.limits.velocity}) *limit *= factor;
    scale_effort_by_speed(joint.limits, factor, 1.0);
  }
  for (GraphCoupling& coupling : graph.couplings) {
    for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
      const GraphJoint* joint = find_joint(graph, coupling.joints[j]);
      if (joint == nullptr || !is_slide(*joint)) continue;
      for (GraphMotor& motor : coupling.motors)
        if (j < motor.gears.size()) motor.gears[j] /= factor;  // turns for a metre
    }
  }
  for (GraphLoop& loop : graph.loops) {
    scale(loop.in_parent);
    scale(loop.in_child);
    loop.pitch *= factor;
  }
  for (GraphFrame& frame : graph.frames) scale(frame.pose);
}

/// Of the bodies of this graph. Throws InputError where its joints form no tree and no loops.
Measures measures_of(const Graph& graph) {
  std::optional<Graph> own;
  Tree tree;
  const Graph& open = opened(graph, own, tree);
  std::vector<Finding> findings;
  if (tree.nodes.empty()) tree = walk(open, findings);
  Measures measures = measures_of(open, tree);
  if (lacks_base(graph)) {  // the ground was put before the others
    measures.size.erase(measures.size.begin());
    for (std::size_t& body : measures.moving) --body;
  }
  measures.size.resize(graph.bodies.size(), 0.0);
  return measures;
}

/// By the links' middle density and radius of gyration, all links alike. Where several units fit, none.
void mend_units(Graph& graph, std::vector<std::string>& done) {
  const Measures measures = measures_of(graph);
  const LikelyUnits likely = likely_units(graph, measures);
  Units units = likely.sure();
  if (measures.reach > 100.0 * static_cast<double>(measures.size.size()) && likely.fitting.empty())
    units.length = milli, units.length_name = "millimetres";
  const std::string evidence = fmt::format(
      "a density of {:.2g} kg/m³ and a radius of gyration of {:.2g} of their length", likely.density, likely.gyration);
  if (units.length != 1.0) {
    scale_lengths(graph, units.length);
    done.push_back(fmt::format("lengths as {}; the links would add up to {:.3g} m", units.length_name, measures.reach));
    if (!graph.postures.empty() && std::any_of(graph.joints.begin(), graph.joints.end(), is_slide))
      done.push_back(
          fmt::format("postures stay as they are; correct those of slides, which may be in {} too", units.length_name));
  }
  if (units.mass != 1.0)
    done.push_back(fmt::format("masses as {}; the links would have {}", units.mass_name, evidence));
  if (units.inertia != 1.0)
    done.push_back(fmt::format("inertias as {}; the links would have {}", units.inertia_name, evidence));
  for (GraphBody& body : graph.bodies) {
    body.mass.mass *= units.mass;
    Sym3<double>& i = body.mass.inertia;
    for (double* x : {&i.xx, &i.yy, &i.zz, &i.xy, &i.xz, &i.yz}) *x *= units.inertia;
  }
}

}  // namespace

std::vector<std::string> mend(Graph& graph) {
  std::vector<std::string> done;
  for (GraphJoint& joint : graph.joints) {
    mend_axes(joint.in_parent.R, joint.name, done);
    mend_axes(joint.in_child.R, joint.name, done);
  }
  for (GraphLoop& loop : graph.loops) {
    mend_axes(loop.in_parent.R, loop.name, done);
    mend_axes(loop.in_child.R, loop.name, done);
  }
  mend_limits(graph, done);
  for (GraphFrame& frame : graph.frames) mend_axes(frame.pose.R, frame.name, done);
  mend_units(graph, done);
  if (are_about_origins(graph)) {
    for (GraphBody& body : graph.bodies) body.mass.inertia = moved_to_centre(body.mass);
    done.emplace_back("inertias from the links' origins to their mass centres: all hold m c² of the distance c");
  }
  return done;
}

}  // namespace ulna

// What build() refuses and what is legal but suspicious. Each rule is one function.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>

#include "check.hpp"
#include "coupling.hpp"
#include "doubts.hpp"
#include "following.hpp"
#include "is_finite.hpp"
#include "opened.hpp"
#include "principal_moments.hpp"
#include "ulna/model/build.hpp"

namespace ulna {

namespace {

using Severity = Finding::Severity;

std::string numbers(const Vec3<double>& a) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", a.x, a.y, a.z); }

bool is_rotation(const Mat3<double>& R) {
  const Mat3<double> e = transpose(R) * R - Mat3<double>::identity();
  const double off =
      std::fabs(e.xx) + std::fabs(e.yy) + std::fabs(e.zz) + std::fabs(e.xy) + std::fabs(e.xz) + std::fabs(e.yz);
  return off < 1e-9 && dot(cross(R.column_x(), R.column_y()), R.column_z()) > 0.0;
}

class Checker {
 public:
  Checker(const Graph& graph, Tree tree) : graph_(graph), leaders_(graph), tree_(std::move(tree)) {
    for (std::size_t b = 0; b < graph.bodies.size(); ++b) body_of_.emplace(graph.bodies[b].name, b);
  }

  Checked run() {
    for (const GraphBody& body : graph_.bodies) check_numbers(body);
    for (const GraphJoint& joint : graph_.joints) check_joint(joint);
    for (const GraphLoop& loop : graph_.loops) check_loop(loop);
    check_couplings();
    for (const GraphFrame& frame : graph_.frames) check_frame(frame);
    if (!is_finite(graph_.gravity))
      structural("", graph_.source, "gravity is not a number", "give three finite numbers");
    if (!(graph_.friction_speed > 0.0) || !std::isfinite(graph_.friction_speed))
      structural("", graph_.source, "the friction speed is not positive", "give a speed such as 1e-3");
    check_permission();
    check_names();
    if (tree_.nodes.empty()) tree_ = walk(graph_, findings_);
    const bool sound = !has_errors();  // mass data are told of all the same
    for (const GraphBody& body : graph_.bodies) check_mass(body);
    if (!tree_.nodes.empty()) check_motion();
    if (!sound) return {std::move(findings_), std::move(tree_)};
    measures_ = measures_of(graph_, tree_);
    units_ = likely_units(graph_, measures_);
    for (const Tree::Node& node : tree_.nodes) check_size(node);
    check_units();
    for (const Tree::Node& node : tree_.nodes) check_right_angles(node);
    return {std::move(findings_), std::move(tree_)};
  }

 private:
  void add(Severity severity, bool physics, const std::string& link, const Source& source, std::string reason,
           std::string remedy) {
    findings_.push_back({severity, link, std::move(reason), std::move(remedy), source, physics});
  }
  void structural(const std::string& link, const Source& source, std::string reason, std::string remedy) {
    add(Severity::error, false, link, source, std::move(reason), std::move(remedy));
  }
  void physical(Severity severity, const GraphBody& body, std::string reason, std::string remedy) {
    add(severity, true, body.name, body.source, std::move(reason), std::move(remedy));
  }
  bool has_errors() const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [](const Finding& f) { return f.severity == Severity::error; });
  }

  void check_permission() {
    if (graph_.allow_nonphysical && graph_.nonphysical_reason.empty())
      structural("", graph_.source, "allow_nonphysical is set without a reason",
                 "add nonphysical_reason = \"why this robot is kept as it is\"");
  }

  void check_numbers(const GraphBody& body) {
    if (!is_finite(body.mass))
      structural(body.name, body.source, "its mass data hold a number that is not finite",
                 "give finite mass, com and inertia");
  }

  void check_loop(const GraphLoop& loop) {
    const auto bad = [&](std::string reason, std::string remedy) {
      structural(loop.name, loop.source, std::move(reason), std::move(remedy));
    };
    if (!is_finite(loop.in_parent) || !is_finite(loop.in_child) || !std::isfinite(loop.pitch))
      return bad("its pose or pitch hold a number that is not finite", "give finite numbers");
    if (is_left_handed(loop.in_parent.R) || is_left_handed(loop.in_child.R))
      bad("its axes are left-handed: z is not x × y but points the other way", "turn the third axis round");
    else if (!is_rotation(loop.in_parent.R) || !is_rotation(loop.in_child.R))
      bad("its orientation is not a rotation (orthonormal, right-handed)",
          "check the rotation matrix or the quaternion");
    if (!closes_loops(loop.kind)) bad(fmt::format("a {} joint closes no loop", name_of(loop.kind)), "leave it out");
    if (has_pitch(loop.kind) && loop.pitch == 0.0)
      bad("a screw that closes a loop needs a pitch", "give one, or make it revolute");
    const auto same = [&](const auto& other) { return other.name == loop.name; };
    if (std::count_if(graph_.loops.begin(), graph_.loops.end(), same) > 1 ||
        std::any_of(graph_.joints.begin(), graph_.joints.end(), same))
      bad("two joints have this name", "rename one");
  }

  void check_couplings() {
    for (Finding& finding : coupling_findings(graph_)) findings_.push_back(std::move(finding));
    for (const GraphCoupling& coupling : graph_.couplings)
      for (const GraphMotor& motor : coupling.motors) check_effort(coupling.name, coupling.source, motor.limits);
  }

  /// Of a motor whose torque falls with its speed.
  void check_effort(const std::string& name, const Source& source, const Limits& limits) {
    const std::vector<EffortPoint>& points = limits.effort_by_speed;
    if (points.empty()) return;
    bool falls = points.size() > 1 && points.front().speed == 0.0 && points.back().effort >= 0.0;
    for (std::size_t k = 1; falls && k < points.size(); ++k)
      falls = points[k].speed > points[k - 1].speed && points[k].effort <= points[k - 1].effort;
    for (const EffortPoint& point : points) falls = falls && std::isfinite(point.speed) && std::isfinite(point.effort);
    if (!falls || !(points.back().effort < points[points.size() - 2].effort))
      structural(name, source, "its effort by speed must be points whose speeds rise from 0 and whose efforts fall",
                 "write [[0, stall torque], …, [speed without load, 0]]; the last two must differ");
  }

  void check_joint(const GraphJoint& joint) {
    const auto bad = [&](std::string reason, std::string remedy) {
      structural(joint.name, joint.source, std::move(reason), std::move(remedy));
    };
    if (!is_finite(joint.in_parent) || !is_finite(joint.in_child) || !is_finite(joint.axis) ||
        !std::isfinite(joint.offset) || !std::isfinite(joint.pitch))
      return bad("its pose, axis, offset or pitch hold a number that is not finite", "give finite numbers");
    if (is_left_handed(joint.in_parent.R) || is_left_handed(joint.in_child.R))
      bad("its axes are left-handed: z is not x × y but points the other way", "turn the third axis round");
    else if (!is_rotation(joint.in_parent.R) || !is_rotation(joint.in_child.R))
      bad("its orientation is not a rotation (orthonormal, right-handed)",
          "check the rotation matrix or the quaternion");
    if (has_axis(joint.kind) && !(norm(joint.axis) > 1e-12))
      bad("its axis has no direction", "give a unit vector such as [0, 0, 1]");
    const Limits& limits = joint.limits;
    if (std::isnan(limits.lower) || std::isnan(limits.upper) || !(limits.velocity >= 0.0) || !(limits.effort >= 0.0))
      return bad("its limits must be numbers, those of velocity and effort not negative", "correct or leave them out");
    if (limits.lower > limits.upper)
      bad(fmt::format("its lower limit {} is above its upper limit {}", limits.lower, limits.upper), "swap them");
    const bool bounded = std::isfinite(limits.lower) || std::isfinite(limits.upper);
    if (bounded && degrees_of(joint.kind) > 1)
      bad(fmt::format("lower and upper limits are for joints of one degree, not {}", name_of(joint.kind)),
          "leave them out or use several joints");
    check_effort(joint.name, joint.source, limits);
    if (!limits.effort_by_speed.empty() && !has_one_degree(joint.kind))
      bad("an effort by speed is for joints of one degree", "leave it out");
    const Passive& p = joint.passive;
    for (const double x : {p.viscous, p.coulomb, p.stiffness, p.armature})
      if (!(x >= 0.0) || !std::isfinite(x))
        return bad("friction, stiffness and armature must be finite and not negative", "correct the sign");
    if (!std::isfinite(p.rest)) bad("the spring's rest position is not finite", "give a number");
    if (!has_one_degree(joint.kind) && (p.coulomb != 0.0 || p.stiffness != 0.0))
      bad(fmt::format("Coulomb friction and springs are for joints of one degree, not {}", name_of(joint.kind)),
          "leave them out or use several joints");
    if (turns(joint.kind) && slides(joint.kind) && (p.viscous != 0.0 || p.armature != 0.0))
      bad(fmt::format("a {} joint has neither friction nor armature", name_of(joint.kind)), "leave them out");
    if (joint.offset != 0.0 && degrees_of(joint.kind) > 1)
      bad(fmt::format("an offset is for joints of one degree, not {}", name_of(joint.kind)),
          "leave it out and turn the joint's pose");
    if (joint.mimic) check_following(joint);
  }

  void check_following(const GraphJoint& joint) {
    const Following following = leaders_.of(joint);
    if (following.leader == nullptr) return structural(joint.name, joint.source, following.problem, following.remedy);
    Limits both = following.leader->limits;
    if (!narrow(both, joint.limits, following)) {
      add(Severity::warning, false, joint.name, joint.source,
          fmt::format("its limits and those of '{}', which it follows, leave no position", following.leader->name),
          "correct the limits or the multiplier; its own are not watched");
    }
  }

  void check_frame(const GraphFrame& frame) {
    if (is_finite(frame.pose) && is_left_handed(frame.pose.R)) {
      structural(frame.name, frame.source, "its axes are left-handed: z is not x × y but points the other way",
                 "turn the third axis round");
    } else if (!is_finite(frame.pose) || !is_rotation(frame.pose.R)) {
      structural(frame.name, frame.source, "its pose is not a finite position and a rotation", "correct it");
    }
    if (!body_of_.contains(frame.body))
      structural(frame.name, frame.source, fmt::format("its link '{}' does not exist", frame.body),
                 "check the spelling");
  }

  void check_names() {
    std::set<std::string> names;
    for (const GraphBody& body : graph_.bodies) names.insert(body.name);
    for (const GraphFrame& frame : graph_.frames)
      if (!names.insert(frame.name).second)
        structural(frame.name, frame.source, "two links or frames have this name", "rename one");
    if (!graph_.tip.empty() && names.count(graph_.tip) == 0)
      structural(graph_.tip, graph_.source, "the tip is not a link or frame of this robot", "check the spelling");
  }

  std::set<std::string> joints_with_shared_rotors() const {
    std::set<std::string> names;
    for (const GraphCoupling& coupling : graph_.couplings) {
      for (const GraphMotor& motor : coupling.motors) {
        for (std::size_t j = 0; j < std::min(motor.gears.size(), coupling.joints.size()); ++j)
          if (motor.gears[j] * motor.inertia != 0.0) names.insert(coupling.joints[j]);
      }
    }
    return names;
  }

  void check_motion() {
    const bool moves = graph_.free_base || std::any_of(graph_.joints.begin(), graph_.joints.end(),
                                                       [](const GraphJoint& j) { return j.kind != JointKind::fixed; });
    if (!moves) structural("", graph_.source, "the robot has no joint that moves", "add one, or let the base float");
    const std::set<std::string> driven = joints_with_shared_rotors();
    // Mass of a moving body together with all that is fixed to it.
    std::vector<double> mass(tree_.nodes.size(), 0.0);
    std::vector<bool> carries(tree_.nodes.size(), false);
    for (std::size_t n = tree_.nodes.size(); n-- > 0;) {
      const Tree::Node& node = tree_.nodes[n];
      const GraphBody& body = graph_.bodies[static_cast<std::size_t>(node.body)];
      mass[n] += body.mass.mass;
      const bool has_inertia = body.mass.inertia.xx != 0 || body.mass.inertia.yy != 0 || body.mass.inertia.zz != 0;
      carries[n] = carries[n] || body.mass.mass != 0.0 || has_inertia;
      if (node.joint < 0) {
        if (graph_.free_base && mass[n] == 0.0) massless(body, carries[n]);
        continue;
      }
      const GraphJoint& joint = graph_.joints[static_cast<std::size_t>(node.joint)];
      const auto parent = static_cast<std::size_t>(node.parent);
      if (joint.kind == JointKind::fixed) {
        mass[parent] += mass[n];
      } else if (mass[n] == 0.0 && joint.passive.armature == 0.0 && !driven.contains(joint.name)) {
        // A spring holds the body where it is; what it carries then has its inertia in one pose or in none.
        if (!(carries[n] && joint.passive.stiffness > 0.0)) massless(body, carries[n]);
      }
      carries[parent] = carries[parent] || carries[n];
    }
  }

  void massless(const GraphBody& body, bool carries) {
    if (carries) {
      physical(Severity::warning, body,
               "moves but has no mass; the links it carries must make its inertia up in every pose",
               "give it mass and inertia, or its joint an armature");
    } else {
      physical(Severity::error, body,
               "moves but neither it nor anything it carries has mass or inertia: "
               "forward dynamics divides by zero",
               "give it mass and inertia, fix its joint, or give the joint an armature");
    }
  }

  void check_mass(const GraphBody& body) {
    const MassData& m = body.mass;
    if (!is_finite(m)) return;
    if (m.mass < 0.0)
      physical(Severity::error, body, fmt::format("mass {:.6g} kg is negative", m.mass), "give a positive mass");
    const PrincipalMoments principal = principal_moments(m.inertia);
    if (m.mass == 0.0 && principal.rounding > 0.0)
      physical(Severity::warning, body, "has moments of inertia but no mass", "give it its mass");
    if (principal.is_negative()) {
      physical(Severity::error, body,
               fmt::format("the inertia tensor is not positive definite: principal moments {} kg m²",
                           numbers(principal.moments)),
               "check signs and the order of the six numbers");
    } else if (principal.is_impossible()) {
      physical(Severity::error, body,
               fmt::format("principal moments {} kg m² break the triangle inequality by {:.3g}: "
                           "no body has them",
                           numbers(principal.moments), principal.excess()),
               "check for a misplaced decimal point, or moments taken about another point");
    } else if (m.mass > 0.0 && principal.moments.x <= principal.rounding) {
      physical(
          Severity::warning, body,
          fmt::format("principal moments {} kg m²: a point or a rod without thickness", numbers(principal.moments)),
          "fine as an idealisation; forward dynamics may become singular in some poses");
    }
  }

  void check_size(const Tree::Node& node) {
    const auto index = static_cast<std::size_t>(node.body);
    const GraphBody& body = graph_.bodies[index];
    const MassData& m = body.mass;
    if (!(m.mass > 0.0) || node.joint < 0) return;
    const double reach = measures_.reach;
    check_gyration(body, measures_.length(body, index), measures_.size[index] > 0.2 * reach && units_.gyration < 0.5);
    if (reach > 0.0 && norm(m.com) > 2.0 * reach) {
      physical(Severity::warning, body,
               fmt::format("its mass centre is {:.3g} m away, the whole arm measures {:.3g} m", norm(m.com), reach),
               "check the unit (metres) and the decimal point");
    }
  }

  void check_gyration(const GraphBody& body, double length, bool is_rod) {
    // Frames may stand close to each other within a bulky link: of the published arms in robots/catalogue that of the
    // Franka arms has 1.53. A long link of an arm whose others are as an arm's has 0.5 with its mass at both ends, and
    // little more with what it has beyond them.
    constexpr double far = 10.0;
    const double bulky = is_rod ? 0.75 : 1.6, radius = gyration(body.mass);
    if (length > 0.0 && radius > far * length) {
      const Units units = units_.sure();
      physical(Severity::warning, body,
               fmt::format("radius of gyration {:.3g} m is {:.0f} times the link's size {:.3g} m", radius,
                           radius / length, length),
               units.inertia == 1.0 ? "the inertia may be in kg mm² or have a misplaced decimal point"
                                    : fmt::format("inertias are in kg m²; is this one in {}?", units.inertia_name));
    } else if (length > 0.0 && radius > bulky * length) {
      physical(Severity::warning, body,
               fmt::format("radius of gyration {:.3g} m is much for the link's size of {:.3g} m", radius, length),
               "check the inertia for a misplaced decimal point: a uniform rod has 0.29 of its length");
    }
  }

  /// Of the robot as a whole.
  void doubt(std::string reason, std::string remedy) {
    add(Severity::warning, true, "", graph_.source, std::move(reason), std::move(remedy));
  }

  void check_units() {
    const Units units = units_.sure();
    const std::string evidence = fmt::format(
        "the links have a density of {:.2g} kg/m³ and a radius of gyration of {:.2g} of their length, in "
        "the middle, and add up to {:.3g} m",
        units_.density, units_.gyration, measures_.reach);
    if (units_.fitting.size() > 1) {
      std::vector<std::string> texts;
      for (const Units& one : units_.fitting) texts.push_back(one.text());
      doubt(evidence,
            fmt::format("several units fit, and only their author can tell which: {}; write the file in metres, "
                        "kilograms and kg m²",
                        fmt::join(texts, "; or ")));
    } else if (units.length != 1.0 || measures_.reach > 100.0 * static_cast<double>(measures_.size.size())) {
      add(Severity::warning, false, "", graph_.source, fmt::format("the links add up to {:.3g} m", measures_.reach),
          fmt::format("lengths are in metres; are these {}?", units.length != 1.0 ? units.length_name : "millimetres"));
    }
    if (are_about_origins(graph_)) {
      doubt(
          "the moments of inertia of all links hold m c² of the mass centre's distance c: they seem to be about the "
          "links' origins",
          "give them about the mass centres");
    }
    if (units.mass != 1.0) doubt(evidence, fmt::format("masses are in kilograms; are these {}?", units.mass_name));
    if (units.inertia != 1.0)
      doubt(evidence, fmt::format("inertias are in kg m²; are these in {}?", units.inertia_name));
    check_placeholders();
    check_single_bodies();
    check_degrees();
  }

  void check_placeholders() {
    const Placeholders alike = placeholders(graph_, measures_);
    if (alike.links.empty()) return;
    const GraphBody& first = graph_.bodies[alike.links.front()];
    physical(
        Severity::warning, first,
        alike.have_same_mass
            ? fmt::format("{} links have mass {:.4g} kg and moment {:.4g} kg m² about every axis: placeholders, it "
                          "seems",
                          alike.links.size(), first.mass.mass, first.mass.inertia.xx)
            : fmt::format("{} links have the same inertia tensor, {:.4g} kg m² about x, though their masses differ: "
                          "placeholders, it seems",
                          alike.links.size(), first.mass.inertia.xx),
        "take the maker's numbers, or leave these out and let them be guessed from shapes and the robot's weight");
  }

  void check_single_bodies() {
    for (const GraphBody& body : graph_.bodies) {
      if (body.mass.mass > 1e5)
        physical(Severity::warning, body, fmt::format("weighs {:.3g} kg", body.mass.mass),
                 "masses are in kilograms; are these grams?");
      if (body.is_guessed)
        physical(Severity::warning, body, "its mass data are guessed from its shape",
                 "weigh it, or take torques as rough");
    }
  }

  void check_degrees() {
    for (const GraphJoint& joint : graph_.joints) {
      const double widest = widest_limit(joint);
      if (has_degrees(joint)) {
        add(Severity::warning, false, joint.name, joint.source,
            fmt::format("a limit of {:.4g} rad is {:.0f} turns", widest, widest / 6.283185307179586),
            "angles are in radians; write \"… deg\" for degrees");
      }
    }
  }

  /// The angle between this joint's axis and the one before it within 1e-4 of a right angle but not
  /// on it: 1.5708 and the like. Nine digits and more are taken as meant.
  void check_right_angles(const Tree::Node& node) {
    if (node.joint < 0) return;
    const GraphJoint& joint = graph_.joints[static_cast<std::size_t>(node.joint)];
    for (const double angle : joint.written_angles)
      if (nearly_right(angle)) return warn_right_angle(joint, angle);
    if (joint.kind == JointKind::fixed) return;
    Vec3<double> before{0, 0, 1};  // in the parent body
    if (const int inner = tree_.nodes[static_cast<std::size_t>(node.parent)].joint; inner >= 0) {
      const GraphJoint& parent = graph_.joints[static_cast<std::size_t>(inner)];
      before = parent.in_child.R * parent.axis;
    }
    const Vec3<double> axis = joint.in_parent.R * joint.axis;
    const double angle = std::atan2(norm(cross(before, axis)), dot(before, axis));
    if (nearly_right(angle)) warn_right_angle(joint, angle);
  }
  static bool nearly_right(double angle) {
    const double off = std::fabs(angle - std::round(angle / (M_PI / 2)) * (M_PI / 2));
    return off > 1e-9 && off < 1e-4;
  }
  void warn_right_angle(const GraphJoint& joint, double angle) {
    add(Severity::warning, false, joint.name, joint.source,
        fmt::format("an angle of {:.9g} rad is nearly, but not quite, a right angle", angle),
        "write \"90 deg\" (or more digits) if a right angle is meant: zeros then stay zeros");
  }

  const Graph& graph_;
  Leaders leaders_;
  std::unordered_map<std::string_view, std::size_t> body_of_;
  Tree tree_;
  std::vector<Finding> findings_;
  Measures measures_;
  LikelyUnits units_;
};

}  // namespace

Checked check_tree(const Graph& graph, Tree tree) { return Checker(graph, std::move(tree)).run(); }

std::vector<Finding> check(const Graph& graph) {
  try {
    std::optional<Graph> own;
    Tree tree;
    const Graph& open = opened(graph, own, tree);
    return check_tree(open, std::move(tree)).findings;
  } catch (const InputError& refused) {
    return refused.findings();
  }
}

}  // namespace ulna

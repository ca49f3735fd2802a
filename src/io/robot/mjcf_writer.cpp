#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "io/robot/graph_outward.hpp"
#include "io/robot/joint_offset.hpp"
#include "io/robot/mjcf_rotors.hpp"
#include "io/robot/positive_definite.hpp"
#include "io/robot/writer_notices.hpp"
#include "io/robot/xml_text.hpp"
#include "model/axis_frame.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna {

namespace {

constexpr std::size_t deepest_body = 400, deepest_of_mujoco = 90;
const std::string mjcf_world = "world";
constexpr double least = least_of_mujoco;

std::string place_text(const Pose<double>& pose) {
  const Quaternion<double> q = quaternion_of(pose.R);
  std::string out;
  if (norm(pose.p) != 0.0) out += fmt::format(" pos=\"{}\"", xml_triple(pose.p));
  if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0)
    out += fmt::format(" quat=\"{} {} {} {}\"", q.w + 0.0, q.x + 0.0, q.y + 0.0, q.z + 0.0);
  return out;
}

/// MuJoCo's start, where it measures from, is q = 0. Bodies keep their frames, but for those on ball and free joints,
/// whose velocities are in the axes of the body: these are written in the axes of the joint.
class MjcfWriter {
 public:
  MjcfWriter(const Graph& graph, std::vector<std::string>& notices)
      : graph_(graph), outward_(graph), notices_(notices) {
    for (const GraphFrame& frame : graph.frames) {
      referred_.insert(frame.body);
      frames_on_[frame.body].push_back(&frame);
    }
    for (const GraphLoop& loop : graph.loops) referred_.insert({loop.parent, loop.child});
  }

  std::string text() {
    for (const GraphJoint& joint : graph_.joints) refuse_inexpressible(joint);
    note_left_out();
    std::string bodies;
    write_root(bodies);
    bodies += rotors();
    const std::string bounds = has_thin_bodies_ ? fmt::format(" boundmass=\"{0}\" boundinertia=\"{0}\"", least) : "";
    std::string out = fmt::format(
        "<mujoco model=\"{}\">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"{}/>\n  <option "
        "gravity=\"{}\"/>\n  <worldbody>\n{}  </worldbody>\n{}{}{}{}</mujoco>\n",
        xml_name(graph_.name), bounds, xml_triple(graph_.gravity), bodies, tendons(), equalities(), actuators(),
        keyframes());
    if (deepest_ > deepest_of_mujoco)
      notices_.push_back(fmt::format("bodies are nested {} deep, and MuJoCo reads a hundred", deepest_));
    return out;
  }

 private:
  // ---- what cannot be said

  void refuse_inexpressible(const GraphJoint& joint) const {
    const auto refuse = [&](const std::string& what) {
      throw InputError(
          {{Finding::Severity::error, joint.name, "MJCF has no " + what, "write TOML instead", joint.source, false}});
    };
    if (has_pitch(joint.kind)) refuse("screw joints");
    if (joint.kind != JointKind::free) return;
    const Mat3<double>& R = joint.in_parent.R;
    const bool is_plain = norm(joint.in_parent.p) == 0.0 && R.xx == 1.0 && R.yy == 1.0 && R.zz == 1.0;
    if (joint.parent != outward_.root().name || graph_.free_base || !is_plain)
      refuse("free joint but from the origin of the world");
  }

  void note_left_out() {
    ulna::note_left_out(graph_, "MJCF", notices_);
    note_motor_speeds();
    const auto has_mesh = [](const GraphBody& body) {
      return std::any_of(body.shapes.begin(), body.shapes.end(),
                         [](const Shape& shape) { return shape.kind == Shape::Kind::mesh; });
    };
    if (std::any_of(graph_.bodies.begin(), graph_.bodies.end(), has_mesh))
      notices_.emplace_back("meshes are left out: MuJoCo does not load a robot whose mesh files it does not find");
    for (const GraphJoint& joint : graph_.joints) {
      if (std::isfinite(joint.limits.velocity)) {
        notices_.emplace_back("MJCF holds no limits of velocity; they are left out");
        break;
      }
    }
  }

  void note_motor_speeds() {
    for (const GraphCoupling& coupling : graph_.couplings) {
      const bool limited = std::any_of(coupling.motors.begin(), coupling.motors.end(),
                                       [](const GraphMotor& motor) { return std::isfinite(motor.limits.velocity); });
      if (!limited) continue;
      return notices_.push_back(
          fmt::format("MJCF holds no speeds of motors; those of '{}' are left out", coupling.name));
    }
  }

  // ---- motors that joints share

  /// In the world, as bodies that nothing but their inertia is left of. A motor without a rotor gets the least.
  std::string rotors() {
    std::string out;
    for (const GraphCoupling& coupling : graph_.couplings) {
      for (std::size_t m = 0; m < coupling.motors.size(); ++m) {
        const GraphMotor& motor = coupling.motors[m];
        const std::string name = rotor_name(coupling, m);
        if (find_body(graph_, name) != nullptr || find_joint(graph_, name) != nullptr) {
          throw InputError(coupling.source,
                           fmt::format("MJCF wants a body for each motor of '{}', and '{}' is there already; rename it",
                                       coupling.name, name));
        }
        std::string data;
        for (const auto& [key, value] : {std::pair{"armature", std::max(motor.inertia - least, 0.0)},
                                         {"damping", motor.viscous},
                                         {"frictionloss", motor.coulomb}})
          if (value != 0.0) data += fmt::format(" {}=\"{}\"", key, value);
        out += fmt::format(
            "    <body name=\"{0}\">\n      <joint name=\"{0}\" type=\"hinge\" axis=\"0 0 1\"{1}/>\n      <inertial "
            "pos=\"0 0 0\" mass=\"{2}\" diaginertia=\"{2} {2} {2}\"/>\n    </body>\n",
            xml_name(name), data, least);
        has_thin_bodies_ = true;
      }
    }
    return out;
  }

  /// What an equality holds at zero: what the gears make of the joints, without what the rotor has turned.
  std::string tendons() const {
    std::string out;
    for (const GraphCoupling& coupling : graph_.couplings) {
      for (std::size_t m = 0; m < coupling.motors.size(); ++m) {
        const std::string name = xml_name(rotor_name(coupling, m));
        out += fmt::format("    <fixed name=\"{0}\">\n      <joint joint=\"{0}\" coef=\"-1\"/>\n", name);
        for (std::size_t j = 0; j < coupling.joints.size(); ++j)
          out += fmt::format("      <joint joint=\"{}\" coef=\"{}\"/>\n", xml_name(coupling.joints[j]),
                             coupling.motors[m].gears[j]);
        out += "    </fixed>\n";
      }
    }
    return out.empty() ? "" : "  <tendon>\n" + out + "  </tendon>\n";
  }

  // ---- bodies

  void write_root(std::string& out) {
    const GraphBody& root = outward_.root();
    const bool has_free_joint =
        !outward_.joints_on(root.name).empty() && outward_.joints_on(root.name).front()->kind == JointKind::free;
    if (!graph_.free_base && (root.name == mjcf_world || has_free_joint)) {
      out += contents(root, Pose<double>::identity(), 2);
      write_children(root.name, Pose<double>::identity(), 2, out);
      return;
    }
    out += open_body(root, Pose<double>::identity(), 2);
    if (graph_.free_base) out += "      <freejoint name=\"free_base\"/>\n";
    out += inertial(root, Pose<double>::identity(), 3) + contents(root, Pose<double>::identity(), 3);
    write_children(root.name, Pose<double>::identity(), 3, out);
    out += "    </body>\n";
  }

  static std::string indent(std::size_t depth) { return std::string(2 * depth, ' '); }

  std::string open_body(const GraphBody& body, const Pose<double>& pose, std::size_t depth) const {
    if (body.name == mjcf_world)
      throw InputError(body.source, "a link is called 'world', which MJCF keeps for the ground; rename it");
    return fmt::format("{}<body name=\"{}\"{}>\n", indent(depth), xml_name(body.name), place_text(pose));
  }

  /// The frame in which a body is written, in its own.
  Pose<double> written_frame(const std::string& body) const {
    const GraphJoint* joint = outward_.carrier(body);
    if (joint == nullptr) return Pose<double>::identity();
    if (joint->kind == JointKind::free) return joint->in_child;
    if (joint->kind == JointKind::spherical) return {joint->in_child.R, Vec3<double>::zero()};
    return Pose<double>::identity();
  }

  static Pose<double> child_in_parent(const GraphJoint& joint) {
    return joint.in_parent * motion_by_offset(joint) * inverse(joint.in_child);
  }

  void write_children(const std::string& body, const Pose<double>& frame, std::size_t depth, std::string& out) {
    deepest_ = std::max(deepest_, depth);
    if (depth > deepest_body)
      throw InputError(graph_.source, fmt::format("MJCF nests bodies, and {} in a row are too many; write TOML instead",
                                                  deepest_body));
    for (const GraphJoint* joint : outward_.joints_on(body)) write_branch(*joint, frame, depth, out);
  }

  /// A body without mass between two joints is no body of MuJoCo: it has several joints on one.
  bool is_between(const std::string& body, const GraphJoint& carrier) const {
    const GraphBody& b = outward_.body(body);
    const auto& joints = outward_.joints_on(body);
    return has_one_degree(carrier.kind) && !has_mass_or_inertia(b.mass) && b.shapes.empty() &&
           referred_.count(body) == 0 && joints.size() == 1 && joints[0]->kind != JointKind::fixed &&
           joints[0]->kind != JointKind::free;
  }

  void write_branch(const GraphJoint& first, const Pose<double>& frame, std::size_t depth, std::string& out) {
    std::vector<const GraphJoint*> joints{&first};
    int degrees = degrees_of(first.kind);
    while (is_between(joints.back()->child, *joints.back())) {
      const GraphJoint* next = outward_.joints_on(joints.back()->child)[0];
      degrees += degrees_of(next->kind);
      if (degrees > 6) break;
      joints.push_back(next);
    }
    const GraphBody& body = outward_.body(joints.back()->child);
    const Pose<double> own = written_frame(body.name);
    Pose<double> pose = inverse(frame);
    for (const GraphJoint* joint : joints) pose = pose * child_in_parent(*joint);
    out += open_body(body, first.kind == JointKind::free ? Pose<double>::identity() : pose * own, depth);
    Pose<double> outside = own;  // of the body in the one that the joint carries
    std::vector<std::string> lines;
    for (std::size_t k = joints.size(); k-- > 0;) {
      lines.push_back(joint_text(*joints[k], inverse(outside) * joints[k]->in_child, depth + 1));
      outside = child_in_parent(*joints[k]) * outside;
    }
    for (std::size_t k = lines.size(); k-- > 0;) out += lines[k];
    written_.insert(written_.end(), joints.begin(), joints.end());
    if (degrees > 0 && !is_positive_definite(body.mass.inertia - Sym3<double>::diagonal(least), 0.0))
      has_thin_bodies_ = true;
    out += inertial(body, own, depth + 1) + contents(body, own, depth + 1);
    write_children(body.name, own, depth + 1, out);
    out += indent(depth) + "</body>\n";
  }

  static std::string inertial(const GraphBody& body, const Pose<double>& frame, std::size_t depth) {
    const MassData& m = body.mass;
    if (!has_mass_or_inertia(m)) return "";
    const Sym3<double> i = rotate(transpose(frame.R), m.inertia);
    const bool is_diagonal = i.xy == 0.0 && i.xz == 0.0 && i.yz == 0.0;
    const std::string inertia =
        is_diagonal ? fmt::format("diaginertia=\"{} {} {}\"", i.xx, i.yy, i.zz)
                    : fmt::format("fullinertia=\"{} {} {} {} {} {}\"", i.xx, i.yy, i.zz, i.xy, i.xz, i.yz);
    return fmt::format("{}<inertial pos=\"{}\" mass=\"{}\" {}/>\n", indent(depth), xml_triple(inverse(frame) * m.com),
                       m.mass, inertia);
  }

  /// Shapes, which neither weigh nor touch, and frames.
  std::string contents(const GraphBody& body, const Pose<double>& frame, std::size_t depth) const {
    std::string out;
    for (const Shape& shape : body.shapes) {
      if (shape.kind == Shape::Kind::mesh) continue;
      static constexpr std::array names{"box", "cylinder", "sphere"};
      const auto kind = static_cast<std::size_t>(shape.kind);
      std::string size;
      const bool is_box = shape.kind == Shape::Kind::box;
      for (std::size_t k = 0; k < 3 - kind; ++k)
        size += fmt::format("{}{}", k == 0 ? "" : " ", (is_box || k == 1 ? 0.5 : 1.0) * shape.size[k]);
      const std::string colour =
          shape.colour ? fmt::format(" rgba=\"{}\"", fmt::join(*shape.colour, " ")) : std::string();
      out +=
          fmt::format("{}<geom type=\"{}\" size=\"{}\"{}{} mass=\"0\" contype=\"0\" conaffinity=\"0\" group=\"1\"/>\n",
                      indent(depth), names[kind], size, place_text(inverse(frame) * shape.pose), colour);
    }
    const auto sites = frames_on_.find(body.name);
    if (sites == frames_on_.end()) return out;
    for (const GraphFrame* site : sites->second)
      out += fmt::format("{}<site name=\"{}\"{}/>\n", indent(depth), xml_name(site->name),
                         place_text(inverse(frame) * site->pose));
    return out;
  }

  // ---- joints

  static std::string joint_text(const GraphJoint& joint, const Pose<double>& place, std::size_t depth) {
    if (joint.kind == JointKind::fixed) return "";
    if (joint.kind == JointKind::free)
      return fmt::format("{}<freejoint name=\"{}\"/>\n", indent(depth), xml_name(joint.name));
    const Passive& p = joint.passive;
    std::string data;
    for (const auto& [key, value] : {std::pair{"armature", p.armature},
                                     {"damping", p.viscous},
                                     {"frictionloss", p.coulomb},
                                     {"stiffness", p.stiffness}})
      if (value != 0.0) data += fmt::format(" {}=\"{}\"", key, value);
    if (p.stiffness != 0.0) data += fmt::format(" springref=\"{}\"", p.rest);
    data += range_text(joint.limits);
    const auto line = [&](const std::string& name, const std::string& motion) {
      return fmt::format("{}<joint name=\"{}\" {} pos=\"{}\"{}/>\n", indent(depth), xml_name(name), motion,
                         xml_triple(place.p), data);
    };
    if (joint.kind == JointKind::spherical) return line(joint.name, "type=\"ball\"");
    const Mat3<double> axes = has_axis(joint.kind) && !has_one_degree(joint.kind)
                                  ? rotation_to((1.0 / norm(joint.axis)) * joint.axis)
                                  : Mat3<double>::identity();
    const std::array columns{axes.column_x(), axes.column_y(), axes.column_z()};
    const Directions directions = with_any_joint(joint.kind, [](auto kind) { return kind.directions; });
    const auto degrees = static_cast<std::size_t>(degrees_of(joint.kind));
    std::string out;
    for (std::size_t k = 0; k < degrees; ++k) {  // one after the other
      const std::size_t along = directions[6 - degrees + k];
      const Vec3<double> axis = place.R * (degrees == 1 ? joint.axis : columns[along % 3]);
      out += line(joint.name + (degrees == 1 ? "" : rate_numbers(joint.kind)[k].suffix),
                  fmt::format("type=\"{}\" axis=\"{}\"", along < 3 ? "hinge" : "slide", xml_triple(axis)));
    }
    return out;
  }

  static std::string range_text(const Limits& limits) {
    const double far = 1e9;  // MJCF wants both ends
    if (!std::isfinite(limits.lower) && !std::isfinite(limits.upper)) return "";
    return fmt::format(" limited=\"true\" range=\"{} {}\"", std::isfinite(limits.lower) ? limits.lower : -far,
                       std::isfinite(limits.upper) ? limits.upper : far);
  }

  static std::string motor_text(const std::string& joint, double effort) {
    const std::string range =
        std::isfinite(effort) ? fmt::format(" ctrllimited=\"true\" ctrlrange=\"{} {}\"", -effort, effort) : "";
    return fmt::format("    <motor name=\"{0}\" joint=\"{0}\"{1}/>\n", xml_name(joint), range);
  }

  bool is_coupled(const std::string& joint) const {
    return std::any_of(graph_.couplings.begin(), graph_.couplings.end(), [&](const GraphCoupling& coupling) {
      return std::find(coupling.joints.begin(), coupling.joints.end(), joint) != coupling.joints.end();
    });
  }

  /// A motor for each joint that has a drive, and for those that joints share; what it can give is its range.
  std::string actuators() const {
    std::string out;
    for (const GraphJoint& joint : graph_.joints) {
      if (!has_one_degree(joint.kind) || joint.mimic) continue;
      if (!is_coupled(joint.name) || std::isfinite(joint.limits.effort))
        out += motor_text(joint.name, joint.limits.effort);
    }
    for (const GraphCoupling& coupling : graph_.couplings)
      for (std::size_t m = 0; m < coupling.motors.size(); ++m)
        out += motor_text(rotor_name(coupling, m), coupling.motors[m].limits.effort);
    return out.empty() ? "" : "  <actuator>\n" + out + "  </actuator>\n";
  }

  // ---- postures

  /// The numbers of a joint's position, of quaternions w first.
  static void add_position(const Model& model, const JointInfo& joint, const std::vector<double>& q,
                           std::vector<double>& qpos) {
    const auto from = q.begin() + model.bodies()[static_cast<std::size_t>(joint.body)].q_index;
    qpos.insert(qpos.end(), from, from + static_cast<std::ptrdiff_t>(position_numbers(joint.kind).size()));
    if (has_quaternion(joint.kind)) std::rotate(qpos.end() - 4, qpos.end() - 1, qpos.end());
  }

  /// Positions in the order of the bodies; joints that follow others have theirs too.
  std::vector<double> qpos_of(const Model& model, const std::vector<double>& q) const {
    std::vector<double> qpos;
    if (graph_.free_base) add_position(model, model.joints().front(), q, qpos);
    for (const GraphJoint* joint : written_) {
      if (joint->kind == JointKind::fixed) continue;
      if (const JointInfo* own = model.find_joint(joint->name)) {
        add_position(model, *own, q, qpos);
        continue;
      }
      const auto follower = std::find_if(model.followers().begin(), model.followers().end(),
                                         [&](const FollowerJoint& one) { return one.joint.name == joint->name; });
      add_position(model, *model.find_joint(follower->leader), q, qpos);
      qpos.back() = follower->multiplier * qpos.back() + follower->offset;
    }
    for (const Coupling& coupling : model.couplings()) {
      for (const CoupledMotor& motor : coupling.motors) {
        double turned = 0.0;
        for (std::size_t j = 0; j < coupling.v.size(); ++j)
          turned +=
              motor.gears[j] * q[static_cast<std::size_t>(model.q_of_v()[static_cast<std::size_t>(coupling.v[j])])];
        qpos.push_back(turned);
      }
    }
    return qpos;
  }

  std::string keyframes() const {
    if (graph_.postures.empty()) return "";
    const Model model = build(graph_);
    std::string out;
    for (const Posture& posture : model.postures())
      out += fmt::format("    <key name=\"{}\" qpos=\"{}\"/>\n", xml_name(posture.name),
                         fmt::join(qpos_of(model, posture.q), " "));
    return "  <keyframe>\n" + out + "  </keyframe>\n";
  }

  // ---- equalities

  /// MuJoCo's constraints give way; by default those that weigh against small inertias so much that a robot moves
  /// otherwise. As hard as it takes them (mjMAXIMP).
  static constexpr std::string_view hard = " solimp=\"0.9999 0.9999 0.001 0.5 2\"";

  std::string equalities() {
    std::string out;
    for (const GraphJoint& joint : graph_.joints) {
      if (!joint.mimic) continue;
      out += fmt::format("    <joint joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\"{}/>\n", xml_name(joint.name),
                         xml_name(joint.mimic->joint), joint.mimic->offset, joint.mimic->multiplier, hard);
    }
    for (const GraphLoop& loop : graph_.loops) out += loop_text(loop);
    for (const GraphCoupling& coupling : graph_.couplings)
      for (std::size_t m = 0; m < coupling.motors.size(); ++m)
        out += fmt::format("    <tendon tendon1=\"{}\"{}/>\n", xml_name(rotor_name(coupling, m)), hard);
    return out.empty() ? "" : "  <equality>\n" + out + "  </equality>\n";
  }

  /// At q = 0.
  Pose<double> start_of(const std::string& body) const {
    Pose<double> pose = Pose<double>::identity();
    for (const GraphJoint* joint = outward_.carrier(body); joint != nullptr; joint = outward_.carrier(joint->parent))
      pose = child_in_parent(*joint) * pose;
    return pose;
  }

  std::string loop_text(const GraphLoop& loop) const {
    const Pose<double> parent = inverse(written_frame(loop.parent)) * loop.in_parent,
                       child = inverse(written_frame(loop.child)) * loop.in_child;
    const std::string head = fmt::format("name=\"{}\" body1=\"{}\" body2=\"{}\"", xml_name(loop.name),
                                         xml_name(loop.parent), xml_name(loop.child));
    if (loop.kind == JointKind::fixed) {
      const Pose<double> between = parent * inverse(child);
      const Quaternion<double> q = quaternion_of(between.R);
      return fmt::format("    <weld {} relpose=\"{} {} {} {} {}\"{}/>\n", head, xml_triple(between.p), q.w, q.x, q.y,
                         q.z, hard);
    }
    if (loop.kind != JointKind::spherical)
      throw InputError(loop.source, fmt::format("MJCF closes no loop by a {} joint ('{}'); write TOML instead",
                                                name_of(loop.kind), loop.name));
    const Vec3<double> one = start_of(loop.parent) * loop.in_parent.p, other = start_of(loop.child) * loop.in_child.p;
    if (norm(one - other) > 1e-9 * (1.0 + norm(one))) {
      throw InputError(loop.source, fmt::format("loop '{}' is open at q = 0, from where MuJoCo takes its second point; "
                                                "write TOML instead",
                                                loop.name));
    }
    return fmt::format("    <connect {} anchor=\"{}\"{}/>\n", head, xml_triple(parent.p), hard);
  }

  const Graph& graph_;
  GraphOutward outward_;
  std::vector<std::string>& notices_;
  std::unordered_set<std::string> referred_;  // bodies with frames or loops
  std::vector<const GraphJoint*> written_;    // in the order of the file
  std::unordered_map<std::string, std::vector<const GraphFrame*>> frames_on_;
  std::size_t deepest_ = 0;
  bool has_thin_bodies_ = false;
};

}  // namespace

std::string to_mjcf(const Graph& graph, std::vector<std::string>& notices) {
  Graph whole = graph;
  add_base(whole);
  return MjcfWriter(whole, notices).text();
}

}  // namespace ulna

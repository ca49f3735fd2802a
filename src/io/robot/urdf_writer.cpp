#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/robot/joint_offset.hpp"
#include "io/robot/writer_notices.hpp"
#include "io/robot/xml_text.hpp"
#include "ulna/io/robot/write.hpp"

namespace ulna {

namespace {

std::string origin_text(const Pose<double>& pose) {
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", xml_triple(pose.p), xml_triple(rpy_of_rotation(pose.R)));
}

/// URDF's link frame is the joint frame. So each body is written in the frame of its joint.
class Writer {
 public:
  Writer(const Graph& graph, std::vector<std::string>& notices, const Dropped& dropped)
      : graph_(graph), notices_(notices), dropped_(dropped) {}

  std::string text() {
    if (!graph_.loops.empty())
      throw InputError(graph_.loops[0].source,
                       fmt::format("joint '{}' closes a loop, and URDF has none; write TOML", graph_.loops[0].name));
    for (const GraphJoint& joint : graph_.joints) {
      refuse_inexpressible(joint);
      link_in_body_.emplace(joint.child, joint.in_child);
    }
    note_left_out();
    std::string out = fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", xml_name(graph_.name));
    for (const GraphBody& body : graph_.bodies) out += link_text(body);
    for (const GraphJoint& joint : graph_.joints) out += joint_text(joint);
    for (const GraphFrame& frame : graph_.frames) out += frame_text(frame);
    for (const GraphBody& body : graph_.bodies) {
      const Pose<double> place = body_in_link(body.name);
      const bool displaced = norm(place.p) > 0.0 || place.R.xx + place.R.yy + place.R.zz != 3.0;
      // A link's own frame, where that is not its joint's: URDF has no other place for it.
      if (displaced) out += frame_text({body.name + "_frame", body.name, Pose<double>::identity(), body.source});
    }
    return out + "</robot>\n";
  }

 private:
  void refuse_inexpressible(const GraphJoint& joint) {
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      throw InputError({{Finding::Severity::error, joint.name, "URDF has no " + what, remedy, joint.source, false}});
    };
    const auto drop = [&](const std::string& what, double value, bool allowed) {
      if (value == 0.0) return;
      if (!allowed) refuse(what, fmt::format("write TOML instead, or drop the {}", what));
      notices_.push_back(fmt::format("the {} of '{}', {}, is left out", what, joint.name, value));
    };
    if (!urdf_type(joint)) refuse(fmt::format("{} joints", name_of(joint.kind)), "write TOML instead");
    drop("springs", joint.passive.stiffness, dropped_.springs);
    drop("armature", joint.passive.armature, dropped_.armature);
  }

  void note_left_out() {
    const Vec3<double>& g = graph_.gravity;
    if (!(g.x == 0 && g.y == 0 && g.z == -9.81))
      notices_.push_back(fmt::format("URDF does not hold gravity; here it is ({})", xml_triple(g)));
    ulna::note_left_out(graph_, "URDF", notices_);
    note_postures(graph_, "URDF", notices_);
    refuse_couplings(graph_, "URDF", dropped_.armature, notices_);
    if (graph_.free_base) notices_.emplace_back("URDF does not say that the base floats; say so where it is read");
  }

  Pose<double> body_in_link(const std::string& body) const {
    const auto found = link_in_body_.find(body);
    return found == link_in_body_.end() ? Pose<double>::identity() : inverse(found->second);
  }

  std::string link_text(const GraphBody& body) const {
    const Pose<double> place = body_in_link(body.name);
    std::string out = fmt::format("  <link name=\"{}\">\n", xml_name(body.name));
    const MassData& m = body.mass;
    if (has_mass_or_inertia(m)) {
      const Sym3<double> i = rotate(place.R, m.inertia);
      out += fmt::format(
          "    <inertial>\n      {}\n      <mass value=\"{}\"/>\n"
          "      <inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" ixz=\"{}\" iyz=\"{}\"/>\n    </inertial>\n",
          origin_text({Mat3<double>::identity(), place * m.com}), m.mass, i.xx, i.yy, i.zz, i.xy, i.xz, i.yz);
    }
    for (const Shape& shape : body.shapes) out += visual_text(place, shape);
    return out + "  </link>\n";
  }

  static std::string visual_text(const Pose<double>& place, const Shape& shape) {
    std::string geometry;
    switch (shape.kind) {
      case Shape::Kind::box:
        geometry = fmt::format("<box size=\"{} {} {}\"/>", shape.size[0], shape.size[1], shape.size[2]);
        break;
      case Shape::Kind::cylinder:
        geometry = fmt::format("<cylinder radius=\"{}\" length=\"{}\"/>", shape.size[0], shape.size[1]);
        break;
      case Shape::Kind::sphere: geometry = fmt::format("<sphere radius=\"{}\"/>", shape.size[0]); break;
      case Shape::Kind::mesh:
        geometry = fmt::format("<mesh filename=\"{}\" scale=\"{} {} {}\"/>", xml_name(shape.mesh), shape.size[0],
                               shape.size[1], shape.size[2]);
        break;
    }
    std::string material;
    if (shape.colour)
      material =
          fmt::format("      <material name=\"{0}\"><color rgba=\"{0}\"/></material>\n", fmt::join(*shape.colour, " "));
    return fmt::format("    <visual>\n      {}\n      <geometry>{}</geometry>\n{}    </visual>\n",
                       origin_text(place * shape.pose), geometry, material);
  }

  static bool is_continuous(const GraphJoint& joint) {
    const bool bounded = std::isfinite(joint.limits.lower) || std::isfinite(joint.limits.upper);
    return is_hinge(joint.kind) && (joint.continuous || !bounded);
  }

  /// URDF's word for a kind, if it has one.
  static std::optional<std::string_view> urdf_type(const GraphJoint& joint) {
    if (is_continuous(joint)) return "continuous";
    if (joint.kind == JointKind::free) return "floating";
    for (const JointKind same : {JointKind::revolute, JointKind::prismatic, JointKind::planar, JointKind::fixed})
      if (joint.kind == same) return name_of(same);
    return std::nullopt;
  }

  std::string joint_text(const GraphJoint& joint) const {
    const Limits& l = joint.limits;
    const bool continuous = is_continuous(joint);
    std::string out =
        fmt::format("  <joint name=\"{}\" type=\"{}\">\n    {}\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n",
                    xml_name(joint.name), *urdf_type(joint),
                    origin_text(body_in_link(joint.parent) * joint.in_parent * motion_by_offset(joint)),
                    xml_name(joint.parent), xml_name(joint.child));
    if (has_axis(joint.kind)) out += fmt::format("    <axis xyz=\"{}\"/>\n", xml_triple(joint.axis));
    if (has_one_degree(joint.kind)) {
      const double far = 1e9;  // URDF wants a limit of every joint that is not continuous
      const auto effort = std::isfinite(l.effort) ? l.effort : far,
                 velocity = std::isfinite(l.velocity) ? l.velocity : far;
      if (continuous && (std::isfinite(l.effort) || std::isfinite(l.velocity))) {
        out += fmt::format("    <limit effort=\"{}\" velocity=\"{}\"/>\n", effort, velocity);
      }
      if (!continuous) {
        out += fmt::format("    <limit lower=\"{}\" upper=\"{}\" effort=\"{}\" velocity=\"{}\"/>\n",
                           std::isfinite(l.lower) ? l.lower : -far, std::isfinite(l.upper) ? l.upper : far, effort,
                           velocity);
      }
      if (joint.passive.viscous != 0 || joint.passive.coulomb != 0)
        out += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", joint.passive.viscous,
                           joint.passive.coulomb);
      if (joint.mimic)
        out += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>\n", xml_name(joint.mimic->joint),
                           joint.mimic->multiplier, joint.mimic->offset);
    }
    return out + "  </joint>\n";
  }

  std::string frame_text(const GraphFrame& frame) const {
    return fmt::format(
        "  <link name=\"{0}\"/>\n  <joint name=\"{0}_frame\" type=\"fixed\">\n    {1}\n"
        "    <parent link=\"{2}\"/>\n    <child link=\"{0}\"/>\n  </joint>\n",
        xml_name(frame.name), origin_text(body_in_link(frame.body) * frame.pose), xml_name(frame.body));
  }

  const Graph& graph_;
  std::vector<std::string>& notices_;
  Dropped dropped_;
  std::map<std::string, Pose<double>> link_in_body_;
};

}  // namespace

std::string to_urdf(const Graph& graph, std::vector<std::string>& notices, const Dropped& dropped) {
  Graph whole = graph;
  add_base(whole);
  return Writer(whole, notices, dropped).text();
}

}  // namespace ulna

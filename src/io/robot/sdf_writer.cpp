#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "io/robot/graph_outward.hpp"
#include "io/robot/joint_offset.hpp"
#include "io/robot/writer_notices.hpp"
#include "io/robot/xml_text.hpp"
#include "ulna/io/robot/write.hpp"

namespace ulna {

namespace {

const std::string sdf_world = "world";

std::string sdf_pose_text(const Pose<double>& pose, const std::string& relative_to = "") {
  const std::string where = relative_to.empty() ? "" : fmt::format(" relative_to=\"{}\"", relative_to);
  return fmt::format("<pose{}>{} {}</pose>", where, xml_triple(pose.p), xml_triple(rpy_of_rotation(pose.R)));
}

class SdfWriter {
 public:
  SdfWriter(const Graph& graph, std::vector<std::string>& notices, const Dropped& dropped)
      : graph_(graph),
        outward_(graph),
        notices_(notices),
        dropped_(dropped),
        on_free_joint_(is_on_free_joint()),
        floats_(graph.free_base || on_free_joint_) {
    for (const GraphBody& body : graph.bodies) name(links_, body.name, "_link");
    for (const GraphFrame& frame : graph.frames) name(frames_, frame.name, "_frame");
    for (const GraphJoint& joint : graph.joints) name(joints_, joint.name, "_joint");
  }

  std::string text() {
    if (!graph_.loops.empty()) {
      throw InputError(graph_.loops[0].source,
                       fmt::format("joint '{}' closes a loop, which is not written as SDF; write "
                                   "TOML",
                                   graph_.loops[0].name));
    }
    for (const GraphJoint& joint : graph_.joints) refuse_inexpressible(joint);
    note_left_out();
    std::string out = fmt::format("<?xml version=\"1.0\"?>\n<sdf version=\"{}\">\n<model name=\"{}\">\n", version(),
                                  xml_name(graph_.name));
    for (const GraphBody& body : graph_.bodies)
      if (!is_world(body)) out += link_text(body);
    for (const GraphJoint& joint : graph_.joints)
      if (joint.kind != JointKind::free) out += joint_text(joint);
    if (!floats_ && !is_world(outward_.root())) {
      out += fmt::format(
          "  <joint name=\"{0}_to_world\" type=\"fixed\">\n    <parent>world</parent>\n    "
          "<child>{0}</child>\n  </joint>\n",
          links_.at(outward_.root().name));
    }
    for (const GraphFrame& frame : graph_.frames) out += frame_text(frame);
    return out + "</model>\n</sdf>\n";
  }

 private:
  using Names = std::unordered_map<std::string, std::string>;

  /// Links, joints and frames have names of one kind in SDF, and '::' is not of them.
  void name(Names& names, const std::string& own, const char* ending) {
    std::string word = own;
    for (std::size_t at = word.find("::"); at != std::string::npos; at = word.find("::", at)) word.replace(at, 2, "_");
    const bool is_ground = &names == &links_ && own == outward_.root().name && is_world(outward_.root());
    while (!is_ground && !taken_.insert(word).second) word += ending;
    names.emplace(own, is_ground ? sdf_world : xml_name(word));
  }

  /// The oldest that has all that is written: Debian 12's libsdformat knows 1.9.
  std::string_view version() const {
    std::string_view oldest = "1.9";
    for (const GraphJoint& joint : graph_.joints) {
      if (joint.mimic) return "1.11";
      if (joint.kind == JointKind::screw) oldest = "1.10";
    }
    return oldest;
  }

  /// The ground as SDF has it already.
  bool is_world(const GraphBody& body) const {
    const bool is_ground = body.name == sdf_world || on_free_joint_;
    return &body == &outward_.root() && is_ground && !graph_.free_base && !has_mass_or_inertia(body.mass);
  }

  /// Whether all of the robot hangs on a joint that leaves it free: what is not joined to the world is so in SDF.
  bool is_on_free_joint() const {
    const auto& joints = outward_.joints_on(outward_.root().name);
    if (graph_.free_base || joints.size() != 1 || joints[0]->kind != JointKind::free) return false;
    const Pose<double>&a = joints[0]->in_parent, &b = joints[0]->in_child;
    const auto is_plain = [](const Pose<double>& x) {
      return norm(x.p) == 0.0 && x.R.xx == 1.0 && x.R.yy == 1.0 && x.R.zz == 1.0;
    };
    return is_plain(a) && is_plain(b);
  }

  void refuse_inexpressible(const GraphJoint& joint) {
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      throw InputError({{Finding::Severity::error, joint.name, "SDF has no " + what, remedy, joint.source, false}});
    };
    if (joint.kind == JointKind::free && on_free_joint_) return;
    if (sdf_type(joint).empty()) refuse(fmt::format("{} joints", name_of(joint.kind)), "write TOML instead");
    if (joint.passive.armature != 0.0) {
      if (!dropped_.armature) refuse("armature", "write TOML instead, or drop the armature");
      notices_.push_back(fmt::format("the armature of '{}', {}, is left out", joint.name, joint.passive.armature));
    }
    if (!has_axis(joint.kind) && joint.passive.viscous != 0.0)
      refuse(fmt::format("friction of {} joints", name_of(joint.kind)), "write TOML instead");
  }

  void note_left_out() {
    const Vec3<double>& g = graph_.gravity;
    if (!(g.x == 0 && g.y == 0 && g.z == -9.81))
      notices_.push_back(fmt::format("an SDF model does not hold gravity; here it is ({})", xml_triple(g)));
    ulna::note_left_out(graph_, "SDF", notices_);
    note_postures(graph_, "SDF", notices_);
    refuse_couplings(graph_, "SDF", dropped_.armature, notices_);
    if (floats_) notices_.emplace_back("SDF lets float what is not joined to the world; say so where Ulna reads it");
  }

  std::string frame_text(const GraphFrame& frame) {
    if (is_world(outward_.body(frame.body))) {
      notices_.push_back(fmt::format("the frame '{}' on the ground is left out", frame.name));
      return "";
    }
    return fmt::format("  <frame name=\"{}\" attached_to=\"{}\">\n    {}\n  </frame>\n", frames_.at(frame.name),
                       links_.at(frame.body), sdf_pose_text(frame.pose));
  }

  static std::string sdf_type(const GraphJoint& joint) {
    switch (joint.kind) {
      case JointKind::revolute: return joint.continuous ? "continuous" : "revolute";
      case JointKind::prismatic: return "prismatic";
      case JointKind::screw: return "screw";
      case JointKind::spherical: return "ball";
      case JointKind::universal: return "universal";
      case JointKind::fixed: return "fixed";
      default: return "";
    }
  }

  /// Each link stands relative to its parent, so that no rounding gathers along the arm.
  std::string link_text(const GraphBody& body) const {
    std::string out = fmt::format("  <link name=\"{}\">\n", links_.at(body.name));
    const GraphJoint* joint = outward_.carrier(body.name);
    if (joint != nullptr && joint->kind != JointKind::free) {
      const Pose<double> place = joint->in_parent * motion_by_offset(*joint) * inverse(joint->in_child);
      out +=
          "    " + sdf_pose_text(place, is_world(outward_.body(joint->parent)) ? "" : links_.at(joint->parent)) + "\n";
    }
    const MassData& m = body.mass;
    out += fmt::format(
        "    <inertial>\n      {}\n      <mass>{}</mass>\n      <inertia>\n        <ixx>{}</ixx><iyy>{}</iyy>"
        "<izz>{}</izz><ixy>{}</ixy><ixz>{}</ixz><iyz>{}</iyz>\n      </inertia>\n    </inertial>\n",
        sdf_pose_text({Mat3<double>::identity(), m.com}), m.mass, m.inertia.xx, m.inertia.yy, m.inertia.zz,
        m.inertia.xy, m.inertia.xz, m.inertia.yz);
    for (std::size_t k = 0; k < body.shapes.size(); ++k) out += visual_text(body.shapes[k], k);
    return out + "  </link>\n";
  }

  static std::string visual_text(const Shape& shape, std::size_t number) {
    std::string form;
    switch (shape.kind) {
      case Shape::Kind::box:
        form = fmt::format("<box><size>{} {} {}</size></box>", shape.size[0], shape.size[1], shape.size[2]);
        break;
      case Shape::Kind::cylinder:
        form = fmt::format("<cylinder><radius>{}</radius><length>{}</length></cylinder>", shape.size[0], shape.size[1]);
        break;
      case Shape::Kind::sphere: form = fmt::format("<sphere><radius>{}</radius></sphere>", shape.size[0]); break;
      case Shape::Kind::mesh:
        form = fmt::format("<mesh><uri>{}</uri><scale>{} {} {}</scale></mesh>", xml_name(shape.mesh), shape.size[0],
                           shape.size[1], shape.size[2]);
        break;
    }
    std::string material;
    if (shape.colour)
      material = fmt::format("      <material><ambient>{0}</ambient><diffuse>{0}</diffuse></material>\n",
                             fmt::join(*shape.colour, " "));
    return fmt::format("    <visual name=\"shape{}\">\n      {}\n      <geometry>{}</geometry>\n{}    </visual>\n",
                       number, sdf_pose_text(shape.pose), form, material);
  }

  std::string joint_text(const GraphJoint& joint) const {
    std::string out =
        fmt::format("  <joint name=\"{}\" type=\"{}\">\n    {}\n    <parent>{}</parent>\n    <child>{}</child>\n",
                    joints_.at(joint.name), sdf_type(joint), sdf_pose_text(joint.in_child), links_.at(joint.parent),
                    links_.at(joint.child));
    if (joint.kind == JointKind::universal)
      out += "    <axis><xyz>1 0 0</xyz></axis>\n    <axis2><xyz>0 1 0</xyz></axis2>\n";
    if (has_axis(joint.kind)) out += axis_text(joint);
    if (has_pitch(joint.kind))
      out += fmt::format("    <screw_thread_pitch>{}</screw_thread_pitch>\n", joint.pitch * (2.0 * std::numbers::pi));
    return out + "  </joint>\n";
  }

  std::string axis_text(const GraphJoint& joint) const {
    std::string out = fmt::format("    <axis>\n      <xyz>{}</xyz>\n", xml_triple(joint.axis)), limits;
    const Limits& l = joint.limits;
    for (const auto& [tag, value] :
         {std::pair{"lower", l.lower}, {"upper", l.upper}, {"effort", l.effort}, {"velocity", l.velocity}})
      if (std::isfinite(value)) limits += fmt::format("<{0}>{1}</{0}>", tag, value);
    if (!limits.empty()) out += fmt::format("      <limit>{}</limit>\n", limits);
    const Passive& p = joint.passive;
    if (p.viscous != 0 || p.coulomb != 0 || p.stiffness != 0) {
      out += fmt::format(
          "      <dynamics><damping>{}</damping><friction>{}</friction><spring_reference>{}</spring_reference>"
          "<spring_stiffness>{}</spring_stiffness></dynamics>\n",
          p.viscous, p.coulomb, p.rest, p.stiffness);
    }
    if (joint.mimic) {
      out += fmt::format(
          "      <mimic joint=\"{}\" axis=\"axis\"><multiplier>{}</multiplier><offset>{}</offset>"
          "<reference>0</reference></mimic>\n",
          joints_.at(joint.mimic->joint), joint.mimic->multiplier, joint.mimic->offset);
    }
    return out + "    </axis>\n";
  }

  const Graph& graph_;
  GraphOutward outward_;
  std::vector<std::string>& notices_;
  Dropped dropped_;
  bool on_free_joint_, floats_;
  std::unordered_set<std::string> taken_{sdf_world};
  Names links_, joints_, frames_;
};

}  // namespace

std::string to_sdf(const Graph& graph, std::vector<std::string>& notices, const Dropped& dropped) {
  Graph whole = graph;
  add_base(whole);
  return SdfWriter(whole, notices, dropped).text();
}

}  // namespace ulna

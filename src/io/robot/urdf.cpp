// URDF: links and joints that form a tree, in the order of the file from the root outwards.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "io/robot/left_out.hpp"
#include "io/robot/mesh_file.hpp"
#include "io/xml/xml.hpp"
#include "io/xml/xml_numbers.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/spatial/rotation.hpp"

namespace ulna {

namespace {

constexpr std::string_view unknown_tags = "tags that URDF does not know are skipped";

const std::map<std::string, JointKind, std::less<>>& urdf_joint_types() {
  static const std::map<std::string, JointKind, std::less<>> types{
      {"revolute", JointKind::revolute}, {"continuous", JointKind::revolute}, {"prismatic", JointKind::prismatic},
      {"fixed", JointKind::fixed},       {"floating", JointKind::free},       {"planar", JointKind::planar}};
  return types;
}

Pose<double> urdf_origin(const XmlElement& owner) {
  const XmlElement* origin = owner.child("origin");
  if (origin == nullptr) return Pose<double>::identity();
  const Vec3<double> zero = Vec3<double>::zero();
  return {rotation_of_rpy(vec3_or(zero, *origin, "rpy")), vec3_or(zero, *origin, "xyz")};
}

const XmlElement& needed_child(const XmlElement& owner, std::string_view tag) {
  const XmlElement* child = owner.child(tag);
  if (child == nullptr)
    throw InputError(owner.source(),
                     fmt::format("<{}> '{}' has no <{}>; give it", owner.name, owner.attribute("name"), tag));
  return *child;
}

class UrdfReader {
 public:
  explicit UrdfReader(const XmlElement& root) : root_(root) {}

  Graph read() {
    refuse_xacro(root_);
    graph_.name = root_.attribute("name");
    graph_.source = {*root_.file, 0};
    graph_.provenance = *root_.file;
    sort_parts();
    expect_tree();
    add_from_root();
    for (const XmlElement& child : root_.children)
      if (child.name == "transmission") add_transmission(child);
    graph_.notices = left_out_.notices();
    return std::move(graph_);
  }

 private:
  struct Joint {
    const XmlElement* element;
    std::string parent, child;
  };

  static void refuse_xacro(const XmlElement& element) {
    if (element.name.starts_with("xacro:")) {
      throw InputError(element.source(), fmt::format("<{0}> belongs to xacro, and a file with it is a template for "
                                                     "robots; run `xacro {1} -o robot.urdf` and read what it writes, "
                                                     "or let its name end in .xacro",
                                                     element.name, *element.file));
    }
    for (const XmlElement& child : element.children) refuse_xacro(child);
  }

  // ---- which links and joints there are

  void sort_parts() {
    for (const XmlElement& child : root_.children) {
      if (child.name == "link") {
        keep_name(child, links_);
      } else if (child.name == "joint") {
        keep_name(child, joint_names_);
        joints_.push_back({&child, name_attribute(needed_child(child, "parent"), "link"),
                           name_attribute(needed_child(child, "child"), "link")});
      } else if (child.name == "gazebo") {
        left_out_.add("gazebo tags are skipped", child.find("reference") ? child.attribute("reference") : "robot");
      } else if (child.name == "material") {
        keep_material(child);
      } else if (child.name != "transmission") {
        left_out_.add(std::string(unknown_tags), fmt::format("<{}>", child.name));
      }
    }
    if (links_.empty()) throw InputError(root_.source(), "<robot> has no <link>; give it its links");
  }

  using Named = std::unordered_map<std::string, const XmlElement*>;

  static void keep_name(const XmlElement& element, Named& names) {
    const auto [found, is_new] = names.emplace(name_attribute(element), &element);
    if (!is_new)
      throw InputError(element.source(), fmt::format("there are two {}s '{}', the other one on line {}; rename one",
                                                     element.name, found->first, found->second->line));
  }

  void expect_tree() {
    std::unordered_map<std::string, const Joint*> carried;
    for (const Joint& joint : joints_) {
      const std::string name = joint.element->attribute("name");
      for (const std::string* link : {&joint.parent, &joint.child}) {
        if (links_.count(*link) == 0) {
          throw InputError(joint.element->source(), fmt::format("joint '{}' is on link '{}', which is not there; "
                                                                "correct the name or add the link",
                                                                name, *link));
        }
      }
      const auto [found, is_new] = carried.emplace(joint.child, &joint);
      if (!is_new) {
        throw InputError(
            joint.element->source(),
            fmt::format("link '{}' is the child of joint '{}' and of '{}' on line {}; a URDF is a tree: "
                        "leave one out",
                        joint.child, name, found->second->element->attribute("name"), found->second->element->line));
      }
      joints_on_[joint.parent].push_back(&joint);
    }
    for (const XmlElement& child : root_.children)
      if (child.name == "link" && carried.count(child.attribute("name")) == 0) keep_root(child);
    if (trunk_ == nullptr) {
      throw InputError(joints_.front().element->source(),
                       "no link is the root: every link is the child of a joint, so the joints form a cycle; leave "
                       "out the joint that closes it");
    }
  }

  void keep_root(const XmlElement& link) {
    if (trunk_ != nullptr) {
      throw InputError(link.source(), fmt::format("links '{}' (line {}) and '{}' are both the child of no joint; join "
                                                  "them, or leave one out",
                                                  trunk_->attribute("name"), trunk_->line, link.attribute("name")));
    }
    trunk_ = &link;
  }

  // ---- from the root outwards, children in the order of the file

  void add_from_root() {
    std::vector<const XmlElement*> stack{trunk_};
    while (!stack.empty()) {
      const XmlElement& link = *stack.back();
      stack.pop_back();
      add_link(link);
      const std::vector<const Joint*>& joints = joints_on_[link.attribute("name")];
      for (const Joint* joint : joints) {
        add_joint(*joint);
        reached_.insert(joint->child);
      }
      for (std::size_t k = joints.size(); k-- > 0;) stack.push_back(links_.at(joints[k]->child));
    }
    for (const Joint& joint : joints_) {
      if (reached_.count(joint.child) == 0) {
        throw InputError(joint.element->source(),
                         fmt::format("joint '{}' does not hang on the root '{}': it is of a cycle of joints, or behind "
                                     "one; leave out the joint that closes it",
                                     joint.element->attribute("name"), trunk_->attribute("name")));
      }
    }
  }

  void add_link(const XmlElement& link) {
    GraphBody body;
    body.name = link.attribute("name");
    body.source = link.source();
    for (const XmlElement& child : link.children) {
      if (child.name == "inertial") {
        body.mass = mass_of(child);
      } else if (child.name == "visual") {
        if (const std::optional<Shape> shape = shape_of(child, body.name)) body.shapes.push_back(*shape);
      } else if (child.name != "collision") {
        left_out_.add(std::string(unknown_tags), fmt::format("<{}>", child.name));
      }
    }
    graph_.bodies.push_back(std::move(body));
  }

  static MassData mass_of(const XmlElement& inertial) {
    const Pose<double> origin = urdf_origin(inertial);
    const XmlElement& mass = needed_child(inertial, "mass");
    const XmlElement& i = needed_child(inertial, "inertia");
    const Sym3<double> inertia{number_of(i, "ixx"),      number_of(i, "iyy"),      number_of(i, "izz"),
                               number_or(0.0, i, "ixy"), number_or(0.0, i, "ixz"), number_or(0.0, i, "iyz")};
    return {number_of(mass, "value"), origin.p, rotate(origin.R, inertia)};
  }

  std::optional<Shape> shape_of(const XmlElement& visual, const std::string& link) {
    const XmlElement* geometry = visual.child("geometry");
    Shape shape;
    shape.pose = urdf_origin(visual);
    if (geometry == nullptr || geometry->children.empty()) {
      left_out_.add("visuals without a geometry are skipped", link);
      return std::nullopt;
    }
    const XmlElement& form = geometry->children.front();
    if (form.name == "box") {
      const Vec3<double> size = vec3_or(Vec3<double>::zero(), form, "size");
      shape.size = {size.x, size.y, size.z};
    } else if (form.name == "cylinder") {
      shape.kind = Shape::Kind::cylinder;
      shape.size = {number_of(form, "radius"), number_of(form, "length"), 0.0};
    } else if (form.name == "sphere") {
      shape.kind = Shape::Kind::sphere;
      shape.size = {number_of(form, "radius"), 0.0, 0.0};
    } else if (form.name == "mesh") {
      shape.kind = Shape::Kind::mesh;
      shape.mesh = kept_mesh_name(name_attribute(form, "filename"), *root_.file);
      const Vec3<double> scale = vec3_or({1, 1, 1}, form, "scale");
      shape.size = {scale.x, scale.y, scale.z};
    } else {
      left_out_.add("shapes other than URDF's are not drawn", link);
      return std::nullopt;
    }
    if (const XmlElement* material = visual.child("material")) shape.colour = colour_of(*material);
    return shape;
  }

  /// One that is given a colour has it from there on.
  void keep_material(const XmlElement& material) {
    const XmlElement* colour = material.child("color");
    if (colour == nullptr) return;
    if (const std::optional<Colour> rgba = rgba_of(*colour)) materials_.emplace(material.attribute("name"), *rgba);
  }

  /// A picture is no reason to refuse a robot.
  std::optional<Colour> rgba_of(const XmlElement& colour) {
    try {
      const auto c = find_numbers(colour, "rgba", 3, 4);
      if (c) return Colour{(*c)[0], (*c)[1], (*c)[2], c->size() == 4 ? (*c)[3] : 1.0};
    } catch (const InputError&) {
      left_out_.add("colours that are not four numbers are left out", fmt::format("line {}", colour.line));
    }
    return std::nullopt;
  }

  std::optional<Colour> colour_of(const XmlElement& material) {
    if (const XmlElement* colour = material.child("color")) {
      keep_material(material);
      return rgba_of(*colour);
    }
    const auto found = materials_.find(material.attribute("name"));
    return found == materials_.end() ? std::nullopt : std::optional(found->second);
  }

  void add_joint(const Joint& in) {
    const XmlElement& element = *in.element;
    const std::string type = name_attribute(element, "type");
    GraphJoint joint;
    joint.name = element.attribute("name");
    joint.source = element.source();
    const auto kind = urdf_joint_types().find(type);
    if (kind == urdf_joint_types().end()) refuse_type(joint, type);
    joint.kind = kind->second;
    joint.continuous = type == "continuous";
    joint.parent = in.parent;
    joint.child = in.child;
    joint.in_parent = urdf_origin(element);
    if (has_axis(joint.kind)) joint.axis = {1, 0, 0};  // where the file says nothing
    bool is_limited = false;
    for (const XmlElement& child : element.children) {
      if (child.name == "limit") is_limited = true;
      read_part(child, joint);
    }
    if (has_one_degree(joint.kind) && !joint.continuous && !is_limited) {
      throw InputError(joint.source,
                       fmt::format("{} joint '{}' has no <limit>; give one with lower and upper{}", type, joint.name,
                                   joint.kind == JointKind::revolute ? ", or make it continuous" : ""));
    }
    joint_index_.emplace(joint.name, graph_.joints.size());
    graph_.joints.push_back(std::move(joint));
  }

  [[noreturn]] static void refuse_type(const GraphJoint& joint, const std::string& type) {
    std::vector<std::string> known;
    for (const auto& [name, kind] : urdf_joint_types()) known.push_back(name);
    throw InputError({{Finding::Severity::error, joint.name, fmt::format("joint type '{}' is not supported", type),
                       fmt::format("use one of: {}", fmt::join(known, ", ")), joint.source, false}});
  }

  void read_part(const XmlElement& part, GraphJoint& joint) {
    if (part.name == "axis") {
      if (has_axis(joint.kind)) joint.axis = vec3_or(joint.axis, part, "xyz");
    } else if (part.name == "limit") {
      if (has_one_degree(joint.kind)) read_limit(part, joint);
    } else if (part.name == "dynamics") {
      if (!has_one_degree(joint.kind)) return;
      joint.passive.viscous = number_or(0.0, part, "damping");
      joint.passive.coulomb = number_or(0.0, part, "friction");
    } else if (part.name == "mimic") {
      if (has_one_degree(joint.kind)) {
        joint.mimic = {name_attribute(part, "joint"), number_or(1.0, part, "multiplier"),
                       number_or(0.0, part, "offset")};
      } else {
        left_out_.add("mimic of joints without one degree of freedom is left out", joint.name);
      }
    } else if (part.name == "safety_controller") {
      left_out_.add("safety controllers are left out, their soft limits too", joint.name);
    } else if (part.name == "calibration") {
      left_out_.add("calibrations are left out", joint.name);
    } else if (part.name != "origin" && part.name != "parent" && part.name != "child") {
      left_out_.add(std::string(unknown_tags), fmt::format("<{}>", part.name));
    }
  }

  /// A velocity or an effort of zero is none: files that do not know them write so.
  static void read_limit(const XmlElement& limit, GraphJoint& joint) {
    if (!joint.continuous) {
      joint.limits.lower = number_or(0.0, limit, "lower");
      joint.limits.upper = number_or(0.0, limit, "upper");
    }
    const double velocity = number_or(0.0, limit, "velocity"), effort = number_or(0.0, limit, "effort");
    if (velocity > 0) joint.limits.velocity = velocity;
    if (effort > 0) joint.limits.effort = effort;
  }

  // ---- motors

  /// A rotor's inertia J behind a gear of ratio n weighs n² J at the joint. The plain spelling of URDF has no inertia;
  /// others do.
  void add_transmission(const XmlElement& transmission) {
    const std::string name = transmission.attribute("name");
    const std::vector<const XmlElement*> joints = by_role(transmission, "joint");
    if (joints.size() > 1) return add_shared_motors(transmission, name, joints);
    double inertia = 0.0, ratio = 1.0;
    read_motor(transmission, inertia, ratio);
    for (const XmlElement& child : transmission.children)
      if (child.name == "actuator" || child.name == "joint") read_motor(child, inertia, ratio);
    GraphJoint* joint = joints.size() == 1 ? driven_joint(joints[0]->attribute("name")) : nullptr;
    if (joint == nullptr) {
      left_out_.add("transmissions to no joint of one degree are skipped", name);
    } else if (inertia == 0.0) {
      left_out_.add("transmissions are skipped where they have no motor inertia", name);
    } else {
      joint->passive.armature += ratio * ratio * inertia;
    }
  }

  /// Its joints or actuators, in the order of their roles (joint1, joint2), or as they are written.
  static std::vector<const XmlElement*> by_role(const XmlElement& transmission, const std::string& tag) {
    const auto role = [](const XmlElement* element) {
      const XmlElement* child = element->child("role");
      return std::string(child == nullptr ? "" : trimmed_words(child->words));
    };
    std::vector<const XmlElement*> found;
    for (const XmlElement& child : transmission.children)
      if (child.name == tag) found.push_back(&child);
    std::stable_sort(found.begin(), found.end(),
                     [&](const XmlElement* a, const XmlElement* b) { return role(a) < role(b); });
    return found;
  }

  /// As transmission_interface of ROS has them, for reductions a of actuators and j of joints: motors turn by a₁(j₁q₁ +
  /// j₂q₂) and a₂(j₁q₁ − j₂q₂) in a differential, and by a₁j₁q₁ and a₂(q₁ + j₂q₂) where the second of two bars carries
  /// its motor's belt.
  void add_shared_motors(const XmlElement& transmission, const std::string& name,
                         const std::vector<const XmlElement*>& joints) {
    const std::vector<const XmlElement*> actuators = by_role(transmission, "actuator");
    const XmlElement* type_tag = transmission.child("type");
    const std::string type = type_tag == nullptr ? transmission.attribute("type") : type_tag->words;
    const bool is_differential = type.find("DifferentialTransmission") != std::string::npos;
    const bool is_four_bar = type.find("FourBarLinkageTransmission") != std::string::npos;
    if (joints.size() != 2 || actuators.size() != 2 || !(is_differential || is_four_bar))
      return left_out_.add("transmissions to several joints are skipped, but for two of ROS's kinds", name);
    std::array<double, 2> a{1.0, 1.0}, j{1.0, 1.0}, inertia{0.0, 0.0};
    GraphCoupling coupling{.name = name, .source = transmission.source()};
    for (std::size_t k = 0; k < 2; ++k) {
      double none = 0.0;
      read_motor(*actuators[k], inertia[k], a[k]);
      read_motor(*joints[k], none, j[k]);
      coupling.joints.push_back(joints[k]->attribute("name"));
      if (driven_joint(coupling.joints[k]) == nullptr)
        return left_out_.add("transmissions to no joint of one degree are skipped", name);
    }
    if (inertia[0] == 0.0 && inertia[1] == 0.0)
      return left_out_.add("transmissions are skipped where they have no motor inertia", name);
    if (is_differential)
      coupling.motors = {{.gears = {a[0] * j[0], a[0] * j[1]}}, {.gears = {a[1] * j[0], -a[1] * j[1]}}};
    else
      coupling.motors = {{.gears = {a[0] * j[0], 0.0}}, {.gears = {a[1], a[1] * j[1]}}};
    for (std::size_t k = 0; k < 2; ++k) coupling.motors[k].inertia = inertia[k];
    graph_.couplings.push_back(std::move(coupling));
  }

  GraphJoint* driven_joint(const std::string& name) {
    const auto found = joint_index_.find(name);
    if (found == joint_index_.end() || !has_one_degree(graph_.joints[found->second].kind)) return nullptr;
    return &graph_.joints[found->second];
  }

  static void read_motor(const XmlElement& element, double& inertia, double& ratio) {
    for (const XmlElement& child : element.children) {
      const bool is_inertia = child.name == "motorInertia" || child.name == "drake:rotor_inertia";
      const bool is_ratio = child.name == "mechanicalReduction" || child.name == "drake:gear_ratio";
      if (!is_inertia && !is_ratio) continue;
      const double value = child.find("value") != nullptr ? number_of(child, "value") : number_between(child);
      (is_inertia ? inertia : ratio) = value;
    }
  }

  const XmlElement& root_;
  Graph graph_;
  LeftOut left_out_;
  Named links_, joint_names_;
  std::vector<Joint> joints_;
  std::unordered_map<std::string, std::vector<const Joint*>> joints_on_;
  std::unordered_set<std::string> reached_;
  std::unordered_map<std::string, std::size_t> joint_index_;
  std::unordered_map<std::string, Colour> materials_;
  const XmlElement* trunk_ = nullptr;
};

}  // namespace

Graph parse_urdf(const std::string& text, const std::string& file) {
  if (text.find("<robot") == std::string::npos)
    throw InputError(Source{file, 0}, "not a URDF file: there is no <robot> in it");
  const XmlElement root = parse_xml(text, file);
  if (root.name != "robot")
    throw InputError(root.source(), fmt::format("not a URDF file: it begins with <{}>, not with <robot>", root.name));
  return UrdfReader(root).read();
}

}  // namespace ulna

// MJCF, MuJoCo's files: nested bodies with their joints, geoms that may give the mass, and sections beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "io/robot/left_out.hpp"
#include "io/robot/mjcf_assets.hpp"
#include "io/robot/mjcf_defaults.hpp"
#include "io/robot/mjcf_geometry.hpp"
#include "io/robot/mjcf_rotors.hpp"
#include "io/robot/mjcf_source.hpp"
#include "io/robot/positive_definite.hpp"
#include "io/robot/xml_rotation.hpp"
#include "io/xml/xml_numbers.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {

namespace {

const std::string mjcf_ground = "world";
constexpr std::size_t most_equalities = 1000, most_joints = 6;
constexpr double rounding_of_inertias = 1e-12;
constexpr int first_hidden_group = 3;  // by custom: what collides, and is not to be seen

Pose<double> shifted_by(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }

class MjcfReader {
 public:
  explicit MjcfReader(const XmlElement& root)
      : root_(root), defaults_(root), compiler_(mjcf_compiler(root, left_out_)), assets_(root, defaults_, compiler_) {}

  Graph read() {
    graph_.name = root_.attribute("model");
    graph_.source = {*root_.file, 0};
    graph_.provenance = *root_.file;
    collect_names(root_);
    graph_.bodies.push_back({.name = mjcf_ground, .source = root_.source()});
    Parts world;
    for (const XmlElement& section : root_.children) read_section(section, world);
    add_ground(world);
    set_total_mass();
    for (const XmlElement& section : root_.children) {
      if (section.name == "actuator") read_actuators(section);
      if (section.name == "equality") read_equalities(section);
    }
    apply_efforts();
    rotors_ = coupled_rotors(graph_, ties_);
    for (const MjcfTie& tie : ties_)
      if (!rotors_.ties.contains(tie.name))
        left_out_.add("equalities other than connect, weld and joint are left out", "<tendon>");
    for (const auto& [name, tendon] : fixed_tendons_)
      if (!rotors_.ties.contains(name))
        left_out_.add("sections that dynamics here does without are left out", "<tendon>");
    for (const XmlElement& section : root_.children)
      if (section.name == "keyframe")
        for (const XmlElement& key : section.children) read_keyframe(key);
    remove_rotors(graph_, rotors_.joints);
    graph_.couplings = rotors_.couplings;
    if (!graph_.frames.empty()) graph_.tip = graph_.frames.back().name;
    graph_.notices = left_out_.notices();
    return std::move(graph_);
  }

 private:
  /// An element in its body, by way of <frame>s.
  struct Placed {
    const XmlElement* element;
    Pose<double> frame;
    std::string around;  // the class of what it stands in
  };
  struct Parts {
    const XmlElement* inertial = nullptr;
    std::vector<Placed> joints, geoms, sites, bodies;
  };
  struct Parent {
    std::string name;
    Pose<double> at_start;  // in the world
    bool moves;
  };

  // ---- sections

  void read_section(const XmlElement& section, Parts& world) {
    static const std::unordered_set<std::string> elsewhere{"compiler", "default", "actuator", "equality", "keyframe"};
    static const std::unordered_set<std::string> for_pictures{"asset", "visual", "statistic", "size"};
    if (section.name == "worldbody") {
      collect(section, Pose<double>::identity(), "", world);
    } else if (section.name == "option") {
      read_option(section);
    } else if (section.name == "tendon" && read_fixed_tendons(section)) {
      return;
    } else if (elsewhere.count(section.name) == 0 && for_pictures.count(section.name) == 0) {
      left_out_.add("sections that dynamics here does without are left out", fmt::format("<{}>", section.name));
    }
  }

  /// Whether these are all of the section.
  bool read_fixed_tendons(const XmlElement& section) {
    bool all = !section.children.empty();
    for (const XmlElement& tendon : section.children) {
      all = all && tendon.name == "fixed" && tendon.find("name") != nullptr;
      if (!all) continue;
      MjcfTie& tie = fixed_tendons_[tendon.attribute("name")];
      tie = {tendon.attribute("name"), {}, tendon.source()};
      for (const XmlElement& joint : tendon.children)
        tie.joints.emplace_back(name_attribute(joint, "joint"), number_or(0.0, joint, "coef"));
    }
    return all;
  }

  /// One that holds the sum of a tendon where it is.
  bool is_tie(const XmlElement& equality) const {
    const std::string* tendon = equality.find("tendon1");
    const auto offset = find_numbers(equality, "polycoef", 1, 5);
    return equality.name == "tendon" && tendon != nullptr && equality.find("tendon2") == nullptr &&
           fixed_tendons_.contains(*tendon) && (!offset || offset->front() == 0.0);
  }

  void read_option(const XmlElement& option) {
    graph_.gravity = vec3_or(graph_.gravity, option, "gravity");
    for (const std::string_view key : {"density", "viscosity"})
      if (number_or(0.0, option, key) != 0.0)
        left_out_.add("what a medium does to the bodies is left out", std::string(key));
    for (const XmlElement& flag : option.children) {
      for (const XmlAttribute& word : flag.attributes) {
        if (flag.name != "flag" || word.value != "disable") continue;
        if (word.key == "gravity")
          graph_.gravity = Vec3<double>::zero();
        else
          left_out_.add("flags that switch something off are left out", word.key);
      }
    }
  }

  /// Positions in the order of the bodies, quaternions as w, x, y, z; joints that follow others have theirs too. A free
  /// joint's are in the world, and here in its joint frame: left out.
  void read_keyframe(const XmlElement& key) {
    const std::string name = key.find("name") != nullptr ? key.attribute("name") : "";
    std::size_t wanted = 0;
    for (const GraphJoint& joint : graph_.joints) wanted += position_numbers(joint.kind).size();
    const auto qpos = find_numbers(key, "qpos", wanted, wanted);
    if (!qpos || name.empty()) return left_out_.add("keyframes without a name or positions are left out", name);
    if (std::any_of(graph_.joints.begin(), graph_.joints.end(),
                    [](const GraphJoint& joint) { return joint.kind == JointKind::free; }))
      return left_out_.add("keyframes of bodies that float are left out", name);
    GraphPosture posture{name, {}, key.source()};
    auto next = qpos->begin();
    for (const GraphJoint& joint : graph_.joints) {
      const std::size_t count = position_numbers(joint.kind).size();
      std::vector<double> own(next, next + static_cast<std::ptrdiff_t>(count));
      next += static_cast<std::ptrdiff_t>(count);
      if (const int w = quaternion_of(joint.kind); w >= 0) std::rotate(own.begin() + w, own.begin() + w + 1, own.end());
      if (!joint.mimic && !rotors_.joints.contains(joint.name))
        posture.q.insert(posture.q.end(), own.begin(), own.end());
    }
    graph_.postures.push_back(std::move(posture));
  }

  /// Names that elements have themselves, so that those which are made up differ from all of them.
  void collect_names(const XmlElement& element) {
    for (const XmlElement& child : element.children) {
      if (child.name == "default" || child.name == "asset" || child.name == "actuator" || child.name == "equality" ||
          child.name == "tendon" || child.name == "sensor" || child.name == "contact" || child.name == "keyframe")
        continue;
      const bool is_body = child.name == "body", is_joint = child.name == "joint" || child.name == "freejoint";
      const std::string* name = child.find("name");
      if (name != nullptr && (is_body || is_joint || child.name == "site")) {
        auto& names = is_body ? body_names_ : is_joint ? joint_names_ : site_names_;
        if (!names.insert(*name).second)
          throw InputError(child.source(), fmt::format("{} '{}' is there already; rename one", child.name, *name));
      }
      collect_names(child);
    }
  }

  static std::string free_name(const std::string& wish, std::unordered_set<std::string>& taken) {
    std::string name = wish;
    for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{}_{}", wish, number);
    return name;
  }

  // ---- bodies

  std::string class_in(const XmlElement& element, const std::string& around) const {
    const std::string* named = element.find("childclass");
    if (named == nullptr) return around;
    defaults_.expect_class(element, *named);
    return *named;
  }

  /// The parts of a body, those within <frame>s too.
  void collect(const XmlElement& owner, const Pose<double>& frame, const std::string& around, Parts& parts) {
    for (const XmlElement& child : owner.children) {
      if (child.name == "frame") {
        collect(child, frame * mjcf_pose(child, compiler_), class_in(child, around), parts);
      } else if (child.name == "body") {
        parts.bodies.push_back({&child, frame, around});
      } else if (child.name == "geom") {
        parts.geoms.push_back({&child, frame, around});
      } else if (child.name == "site") {
        parts.sites.push_back({&child, frame, around});
      } else if (child.name == "joint" || child.name == "freejoint" || child.name == "inertial") {
        if (owner.name != "body")
          throw InputError(child.source(),
                           fmt::format("<{}> stands in <{}>, not in a <body>; move it", child.name, owner.name));
        if (child.name == "inertial")
          parts.inertial = &child;
        else
          parts.joints.push_back({&child, frame, around});
      } else if (child.name == "replicate" || child.name == "attach" || child.name == "composite" ||
                 child.name == "flexcomp") {
        throw InputError(child.source(), fmt::format("<{0}> makes bodies, which is not done here; let MuJoCo write the "
                                                     "whole file (mj_saveLastXML) and read that",
                                                     child.name));
      } else if (child.name != "camera" && child.name != "light") {
        left_out_.add("parts of bodies that dynamics here does without are left out", fmt::format("<{}>", child.name));
      }
    }
  }

  void add_ground(const Parts& world) {
    add_geoms(world, graph_.bodies.front());
    add_sites(world, mjcf_ground);
    for (const Placed& body : world.bodies) add_body(body, {mjcf_ground, Pose<double>::identity(), false});
  }

  void add_body(const Placed& placed, const Parent& parent) {
    const XmlElement& element = *placed.element;
    const std::string* given = element.find("name");
    const std::string name =
        given != nullptr ? *given : free_name(fmt::format("body{}", graph_.bodies.size()), body_names_);
    const std::string around = class_in(element, placed.around);
    const Pose<double> in_parent = placed.frame * mjcf_pose(element, compiler_);
    Parts parts;
    collect(element, Pose<double>::identity(), around, parts);
    note_body(element, name);
    const Parent self{name, parent.at_start * in_parent, parent.moves || !parts.joints.empty()};
    at_start_.emplace(name, self.at_start);
    add_joints(parts, in_parent, parent.name, name, element);
    GraphBody body{.name = name, .source = element.source()};
    body.mass = mass_of(parts, self);
    add_geoms(parts, body);
    graph_.bodies.push_back(std::move(body));
    add_sites(parts, name);
    for (const Placed& child : parts.bodies) add_body(child, self);
  }

  void note_body(const XmlElement& element, const std::string& name) {
    if (element.attribute("mocap") == "true") left_out_.add("mocap bodies are fixed here", name);
    if (number_or(0.0, element, "gravcomp") != 0.0) left_out_.add("gravity compensation is left out", name);
  }

  void add_geoms(const Parts& parts, GraphBody& body) {
    for (const Placed& placed : parts.geoms) {
      const XmlElement whole = defaults_.completed(*placed.element, placed.around);
      MjcfGeom geom = mjcf_geom(whole, compiler_);
      geom.pose = placed.frame * geom.pose;
      if (geom.group >= first_hidden_group) continue;
      if (geom.type == MjcfGeom::Type::plane) continue;
      if (const std::string* material = whole.find("material"); material != nullptr && !geom.colour)
        geom.colour = assets_.colour(*material);
      if (geom.type == MjcfGeom::Type::mesh) {
        if (const std::optional<Shape> shape = assets_.shape(whole.attribute("mesh"), geom))
          body.shapes.push_back(*shape);
        else
          left_out_.add("meshes that are no files are not drawn", body.name);
      }
      if (geom.type == MjcfGeom::Type::ellipsoid) left_out_.add("ellipsoids are not drawn", body.name);
      for (const Shape& shape : shapes_of_geom(geom)) body.shapes.push_back(shape);
    }
  }

  /// Sites are frames. Links and frames have names of one kind.
  void add_sites(const Parts& parts, const std::string& body) {
    for (const Placed& placed : parts.sites) {
      if (placed.element->find("name") == nullptr) continue;
      const XmlElement whole = defaults_.completed(*placed.element, placed.around);
      Pose<double> pose = mjcf_pose(whole, compiler_);
      if (whole.find("fromto") != nullptr) {
        MjcfGeom stretched = mjcf_geom(with_type(whole), compiler_);
        pose = stretched.pose;
      }
      graph_.frames.push_back(
          {free_name(whole.attribute("name"), body_names_), body, placed.frame * pose, whole.source()});
    }
  }

  /// As a geom that can be stretched, for its place alone.
  static XmlElement with_type(XmlElement site) {
    std::erase_if(site.attributes, [](const XmlAttribute& a) { return a.key == "type" || a.key == "size"; });
    site.attributes.push_back({"type", "capsule"});
    site.attributes.push_back({"size", "1"});
    return site;
  }

  // ---- masses

  MassData mass_of(const Parts& parts, const Parent& body) {
    using From = MjcfCompiler::FromGeoms;
    const bool from_geoms =
        compiler_.from_geoms == From::always || (compiler_.from_geoms == From::missing && parts.inertial == nullptr);
    MassData mass;
    if (from_geoms)
      mass = mass_of_geoms(parts, body);
    else if (parts.inertial != nullptr)
      mass = mass_of_inertial(*parts.inertial);
    mass.mass = std::max(mass.mass, compiler_.least_mass);
    raise_inertia(mass, body.name);
    const double half_trace = 0.5 * (mass.inertia.xx + mass.inertia.yy + mass.inertia.zz);
    if (compiler_.balances &&
        !is_positive_definite(Sym3<double>::diagonal(half_trace) - mass.inertia, rounding_of_inertias * half_trace))
      mass.inertia = Sym3<double>::diagonal(half_trace * (2.0 / 3.0));
    return mass;
  }

  void raise_inertia(MassData& mass, const std::string& body) const {
    const double least = compiler_.least_inertia;
    Sym3<double>& i = mass.inertia;
    const double trace = i.xx + i.yy + i.zz;
    if (!(least > 0.0) || is_positive_definite(i - Sym3<double>::diagonal(least), rounding_of_inertias * trace)) return;
    if (least <= 1e-9 * trace) {  // which is there for MuJoCo's sake, and moves nothing
      i += Sym3<double>::diagonal(least);
      return;
    }
    if (i.xy != 0.0 || i.xz != 0.0 || i.yz != 0.0) {
      throw InputError(graph_.source,
                       fmt::format("'boundinertia' would raise some principal moments of body '{}' about "
                                   "axes that are not its own; give its inertia as it should be",
                                   body));
    }
    i = {std::max(i.xx, least), std::max(i.yy, least), std::max(i.zz, least), 0, 0, 0};
  }

  MassData mass_of_inertial(const XmlElement& inertial) const {
    const Pose<double> pose = mjcf_pose(inertial, compiler_);
    Sym3<double> inertia = Sym3<double>::zero();
    if (const auto full = find_numbers(inertial, "fullinertia", 6, 6)) {
      const std::vector<double>& i = *full;
      inertia = {i[0], i[1], i[2], i[3], i[4], i[5]};
    } else {
      const Vec3<double> d = vec3_or(Vec3<double>::zero(), inertial, "diaginertia");
      inertia = {d.x, d.y, d.z, 0, 0, 0};
    }
    return {number_of(inertial, "mass"), pose.p, rotate(pose.R, inertia)};
  }

  MassData mass_of_geoms(const Parts& parts, const Parent& body) {
    RigidInertia<double> sum = RigidInertia<double>::zero();
    for (const Placed& placed : parts.geoms) {
      const XmlElement whole = defaults_.completed(*placed.element, placed.around);
      const MjcfGeom geom = mjcf_geom(whole, compiler_);
      const bool counts = geom.group >= compiler_.groups[0] && geom.group <= compiler_.groups[1] && !geom.is_massless();
      if (!counts || geom.type == MjcfGeom::Type::plane) continue;
      if (geom.type == MjcfGeom::Type::mesh || geom.is_shell) {
        if (!body.moves && compiler_.total_mass <= 0.0) continue;
        throw InputError(whole.source(), fmt::format("body '{}' takes its mass from a {}, which is not read; give it "
                                                     "an <inertial>",
                                                     body.name, geom.is_shell ? "shell" : "mesh"));
      }
      const MassData m = mass_of_geom(geom);
      sum += (placed.frame * geom.pose).to_outer(RigidInertia<double>::from_centre(m.mass, m.com, m.inertia));
    }
    if (sum.mass == 0.0) return {};
    const Vec3<double> centre = (1.0 / sum.mass) * sum.h;
    return {sum.mass, centre, sum.about_centre(centre)};
  }

  /// `settotalmass`: all masses and inertias in the same proportion.
  void set_total_mass() {
    double total = 0.0;
    for (const GraphBody& body : graph_.bodies) total += body.mass.mass;
    if (!(compiler_.total_mass > 0.0) || !(total > 0.0)) return;
    const double factor = compiler_.total_mass / total;
    for (GraphBody& body : graph_.bodies) {
      Sym3<double>& i = body.mass.inertia;
      body.mass.mass *= factor;
      for (double* part : {&i.xx, &i.yy, &i.zz, &i.xy, &i.xz, &i.yz}) *part *= factor;
    }
  }

  // ---- joints

  /// A body on several joints hangs on as many, with bodies without mass between them.
  void add_joints(const Parts& parts, const Pose<double>& in_parent, const std::string& parent, const std::string& body,
                  const XmlElement& element) {
    if (parts.joints.empty()) {
      GraphJoint joint{.name = free_name(body + "_weld", joint_names_), .kind = JointKind::fixed};
      joint.parent = parent;
      joint.child = body;
      joint.in_parent = in_parent;
      joint.source = element.source();
      graph_.joints.push_back(std::move(joint));
      return;
    }
    if (parts.joints.size() > most_joints)
      throw InputError(element.source(), fmt::format("body '{}' hangs on {} joints; a body has at most {}", body,
                                                     parts.joints.size(), most_joints));
    std::string carrier = parent;
    Pose<double> place = in_parent;
    for (std::size_t k = 0; k < parts.joints.size(); ++k) {
      GraphJoint joint = joint_of(parts.joints[k], body);
      if (joint.kind == JointKind::free) {
        if (parent != mjcf_ground || parts.joints.size() > 1) {
          throw InputError(joint.source, fmt::format("a free joint is the only one of a body in the world, and '{}' is "
                                                     "not; leave it out",
                                                     body));
        }
        place = Pose<double>::identity();  // its positions are those in the world
      }
      joint.parent = carrier;
      const bool is_last = k + 1 == parts.joints.size();
      joint.child = is_last ? body : free_name(fmt::format("{}_behind_{}", body, joint.name), body_names_);
      joint.in_parent = place * joint.in_child;
      if (!is_last) graph_.bodies.push_back({joint.child, {}, {}, joint.source});
      carrier = joint.child;
      place = Pose<double>::identity();
      joint_index_.emplace(joint.name, graph_.joints.size());
      graph_.joints.push_back(std::move(joint));
    }
  }

  GraphJoint joint_of(const Placed& placed, const std::string& body) {
    const bool is_free_joint = placed.element->name == "freejoint";  // which takes no defaults
    const XmlElement whole = is_free_joint ? *placed.element : defaults_.completed(*placed.element, placed.around);
    const std::string* name = whole.find("name");
    GraphJoint joint;
    joint.name = name != nullptr ? *name : free_name(body + "_joint", joint_names_);
    joint.source = whole.source();
    joint.kind = is_free_joint ? JointKind::free : kind_of_mjcf(whole);
    if (joint.kind == JointKind::free) {
      if (!is_free_joint) note_free(whole, joint.name);
      return joint;
    }
    joint.in_child = shifted_by(vec3_or(Vec3<double>::zero(), whole, "pos"));
    if (has_axis(joint.kind)) joint.axis = vec3_or(joint.axis, whole, "axis");
    joint.passive.armature = number_or(0.0, whole, "armature");
    joint.passive.viscous = number_or(0.0, whole, "damping");
    if (whole.find("springdamper") != nullptr && norm_of(find_numbers(whole, "springdamper", 2, 2)) > 0.0)
      left_out_.add("springs by 'springdamper' are left out; give stiffness and damping", joint.name);
    if (joint.kind == JointKind::spherical)
      note_ball(whole, joint.name);
    else
      read_one_degree(whole, joint);
    return joint;
  }

  static double norm_of(const std::optional<std::vector<double>>& numbers) {
    return numbers ? std::accumulate(numbers->begin(), numbers->end(), 0.0,
                                     [](double sum, double x) { return sum + std::fabs(x); })
                   : 0.0;
  }

  static JointKind kind_of_mjcf(const XmlElement& joint) {
    const std::string* word = joint.find("type");
    if (word == nullptr || *word == "hinge") return JointKind::revolute;
    if (*word == "slide") return JointKind::prismatic;
    if (*word == "ball") return JointKind::spherical;
    if (*word == "free") return JointKind::free;
    throw InputError(joint.source(),
                     fmt::format("joints of type '{}' are not known; use hinge, slide, ball or free", *word));
  }

  void note_free(const XmlElement& joint, const std::string& name) {
    for (const std::string_view key : {"armature", "damping", "stiffness", "frictionloss"})
      if (number_or(0.0, joint, key) != 0.0)
        left_out_.add("friction, springs and armature of free joints are left out", name);
  }

  void note_ball(const XmlElement& joint, const std::string& name) {
    for (const std::string_view key : {"stiffness", "frictionloss"})
      if (number_or(0.0, joint, key) != 0.0)
        left_out_.add("springs and Coulomb friction of ball joints are left out", name);
    if (is_limited(joint, "limited", "range")) left_out_.add("limits of ball joints are left out", name);
  }

  void read_one_degree(const XmlElement& whole, GraphJoint& joint) {
    const bool turns_round = joint.kind == JointKind::revolute;
    const auto in_units = [&](double written) { return turns_round ? compiler_.angle(written) : written; };
    const double reference = in_units(number_or(0.0, whole, "ref"));
    joint.offset = 0.0 - reference;  // it stands at its start where q is the reference
    joint.passive.coulomb = number_or(0.0, whole, "frictionloss");
    joint.passive.stiffness = number_or(0.0, whole, "stiffness");
    joint.passive.rest = joint.passive.stiffness != 0.0 ? in_units(number_or(0.0, whole, "springref")) : 0.0;
    reference_.emplace(joint.name, reference);
    if (is_limited(whole, "limited", "range")) {
      const std::vector<double> range = find_numbers(whole, "range", 2, 2).value_or(std::vector<double>{0, 0});
      joint.limits.lower = in_units(range[0]);
      joint.limits.upper = in_units(range[1]);
    } else {
      joint.continuous = turns_round;
    }
    if (is_limited(whole, "actuatorfrclimited", "actuatorfrcrange"))
      joint.limits.effort = norm_of_range(whole, "actuatorfrcrange");
  }

  bool is_limited(const XmlElement& element, std::string_view flag, std::string_view range) const {
    const std::string word = element.find(flag) != nullptr ? element.attribute(flag) : "auto";
    if (word == "auto") return compiler_.auto_limits && element.find(range) != nullptr;
    if (word != "true" && word != "false")
      throw InputError(element.source(),
                       fmt::format("'{}' of <{}> is '{}'; write true, false or auto", flag, element.name, word));
    return word == "true";
  }

  static double norm_of_range(const XmlElement& element, std::string_view key) {
    const std::vector<double> range = find_numbers(element, key, 2, 2).value_or(std::vector<double>{0, 0});
    return std::max(std::fabs(range[0]), std::fabs(range[1]));
  }

  // ---- actuators

  /// An actuator is a drive, which a scenario chooses; what it can give is a limit of the joint.
  void read_actuators(const XmlElement& section) {
    for (const XmlElement& actuator : section.children) {
      const XmlElement whole = defaults_.completed(actuator, "");
      const std::string* joint = whole.find("joint") != nullptr ? whole.find("joint") : whole.find("jointinparent");
      const std::string name = whole.find("name") != nullptr ? whole.attribute("name") : joint ? *joint : whole.name;
      if (joint == nullptr || !is_mjcf_actuator(whole.name)) {
        left_out_.add("actuators of anything but a joint are left out", name);
        continue;
      }
      const auto found = joint_index_.find(*joint);
      if (found == joint_index_.end())
        throw InputError(whole.source(), fmt::format("<{}> drives joint '{}', which is not there; correct the name",
                                                     whole.name, *joint));
      if (!has_one_degree(graph_.joints[found->second].kind)) {
        left_out_.add("limits of actuators of ball and free joints are left out", name);
        continue;
      }
      const double gear = std::fabs(find_numbers(whole, "gear", 1, 6).value_or(std::vector<double>{1.0}).front());
      if (whole.name != "motor") left_out_.add("gains of actuators are left out; a drive is the scenario's", name);
      efforts_[found->second] += gear * force_of(whole);
    }
  }

  double force_of(const XmlElement& actuator) const {
    double most = std::numeric_limits<double>::infinity();
    if (is_limited(actuator, "forcelimited", "forcerange")) most = norm_of_range(actuator, "forcerange");
    if (actuator.name == "motor" && is_limited(actuator, "ctrllimited", "ctrlrange"))
      most = std::min(most, norm_of_range(actuator, "ctrlrange"));
    return most;
  }

  void apply_efforts() {
    for (const auto& [joint, effort] : efforts_) {
      Limits& limits = graph_.joints[joint].limits;
      if (!std::isnan(effort)) limits.effort = std::min(limits.effort, effort);
    }
  }

  // ---- equalities

  void read_equalities(const XmlElement& section) {
    if (section.children.size() > most_equalities)
      throw InputError(section.source(), fmt::format("more than {} equalities; that is no robot", most_equalities));
    for (const XmlElement& equality : section.children) {
      const std::string name =
          equality.find("name") != nullptr ? equality.attribute("name") : free_name(equality.name, joint_names_);
      if (equality.attribute("active") == "false") {
        left_out_.add("equalities that are not active are left out", name);
      } else if (equality.find("site1") != nullptr || equality.find("site2") != nullptr) {
        left_out_.add("equalities between sites are left out", name);
      } else if (equality.name == "connect") {
        add_connect(equality, name);
      } else if (equality.name == "weld") {
        add_weld(equality, name);
      } else if (equality.name == "joint") {
        add_follower(equality, name);
      } else if (is_tie(equality)) {
        ties_.push_back(fixed_tendons_.at(equality.attribute("tendon1")));
      } else {
        left_out_.add("equalities other than connect, weld and joint are left out", fmt::format("<{}>", equality.name));
      }
    }
  }

  /// joint1 stands at a polynomial of joint2, both counted from their references. Lines are followed; nothing else is.
  void add_follower(const XmlElement& equality, const std::string& name) {
    const std::string follower = name_attribute(equality, "joint1");
    const std::string* leader = equality.find("joint2");
    const auto polynomial = find_numbers(equality, "polycoef", 1, 5).value_or(std::vector<double>{0.0, 1.0});
    const bool is_line = polynomial.size() >= 2 &&
                         std::all_of(polynomial.begin() + 2, polynomial.end(), [](double c) { return c == 0.0; });
    const auto own = reference_.find(follower), other = leader == nullptr ? reference_.end() : reference_.find(*leader);
    GraphJoint* joint = own == reference_.end() ? nullptr : &graph_.joints[joint_index_.at(follower)];
    if (joint == nullptr || other == reference_.end() || !is_line || joint->mimic) {
      left_out_.add("equalities of joints other than lines between two joints of one degree are left out", name);
      return;
    }
    joint->mimic = {*leader, polynomial[1], own->second + polynomial[0] - polynomial[1] * other->second};
  }

  std::string body_of(const XmlElement& equality, std::string_view key, bool is_optional) const {
    if (is_optional && equality.find(key) == nullptr) return mjcf_ground;
    std::string name = name_attribute(equality, key);
    if (name != mjcf_ground && at_start_.count(name) == 0)
      throw InputError(equality.source(),
                       fmt::format("<{}> is on body '{}', which is not there; correct the name", equality.name, name));
    return name;
  }

  Pose<double> start_of(const std::string& body) const {
    return body == mjcf_ground ? Pose<double>::identity() : at_start_.at(body);
  }

  GraphLoop loop_of(const XmlElement& equality, const std::string& name, JointKind kind) const {
    GraphLoop loop;
    loop.name = name;
    loop.kind = kind;
    loop.parent = body_of(equality, "body1", false);
    loop.child = body_of(equality, "body2", true);
    loop.source = equality.source();
    return loop;
  }

  /// The point is one of the first body; the second has it where it lies at the start.
  void add_connect(const XmlElement& equality, const std::string& name) {
    GraphLoop loop = loop_of(equality, name, JointKind::spherical);
    name_attribute(equality, "anchor");
    const Vec3<double> anchor = vec3_or(Vec3<double>::zero(), equality, "anchor");
    loop.in_parent = shifted_by(anchor);
    loop.in_child = shifted_by(inverse(start_of(loop.child)) * (start_of(loop.parent) * anchor));
    graph_.loops.push_back(std::move(loop));
  }

  void add_weld(const XmlElement& equality, const std::string& name) {
    GraphLoop loop = loop_of(equality, name, JointKind::fixed);
    const auto given = find_numbers(equality, "relpose", 7, 7);
    const bool is_given =
        given && ((*given)[3] != 0.0 || (*given)[4] != 0.0 || (*given)[5] != 0.0 || (*given)[6] != 0.0);
    if (is_given) {
      const std::vector<double>& p = *given;
      loop.in_parent = {rotation_of_any_quaternion(equality, p[4], p[5], p[6], p[3]), {p[0], p[1], p[2]}};
    } else {
      loop.in_parent = inverse(start_of(loop.parent)) * start_of(loop.child);
    }
    graph_.loops.push_back(std::move(loop));
  }

  const XmlElement& root_;
  LeftOut left_out_;
  MjcfDefaults defaults_;
  MjcfCompiler compiler_;
  MjcfAssets assets_;
  Graph graph_;
  std::unordered_set<std::string> body_names_{mjcf_ground}, joint_names_, site_names_;
  std::unordered_map<std::string, Pose<double>> at_start_;  // of bodies in the world
  std::unordered_map<std::string, std::size_t> joint_index_;
  std::unordered_map<std::string, double> reference_;  // of joints of one degree
  std::unordered_map<std::size_t, double> efforts_;    // by joint, of all its actuators
  std::unordered_map<std::string, MjcfTie> fixed_tendons_;
  std::vector<MjcfTie> ties_;
  CoupledRotors rotors_;
};

}  // namespace

Graph parse_mjcf(const std::string& text, const std::string& file) {
  const XmlElement root = read_mjcf(text, file);
  return MjcfReader(root).read();
}

}  // namespace ulna

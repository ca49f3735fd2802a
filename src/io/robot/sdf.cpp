// SDF, the files of Gazebo: a model of links and joints, models within it, frames relative to each other.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <unordered_set>

#include "io/robot/left_out.hpp"
#include "io/robot/mesh_file.hpp"
#include "io/robot/sdf_frames.hpp"
#include "io/xml/xml.hpp"
#include "io/xml/xml_numbers.hpp"
#include "ulna/base/number.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/spatial/rotation.hpp"

namespace ulna {

namespace {

constexpr double unbounded = 1e16;  // SDF's word for no limit, beside inf
const Vec3<double> gravity_of_worlds{0, 0, -9.8};

std::string words_of_child(const XmlElement& owner, std::string_view tag) {
  const XmlElement* child = owner.child(tag);
  if (child == nullptr) return "";
  return std::string(trimmed_words(child->words));
}

bool sdf_flag(const XmlElement& owner, std::string_view tag) {
  const std::string word = words_of_child(owner, tag);
  return word == "true" || word == "1";
}

/// A limit may be infinite.
double sdf_limit(const XmlElement& owner, std::string_view tag, double fallback) {
  const XmlElement* child = owner.child(tag);
  if (child == nullptr) return fallback;
  const std::string_view word = trimmed_words(child->words);
  const double infinity = std::numeric_limits<double>::infinity();
  if (word == "inf" || word == "+inf" || word == "Inf") return infinity;
  if (word == "-inf" || word == "-Inf") return -infinity;
  const double value = number_between(*child);
  return std::fabs(value) >= unbounded ? std::copysign(infinity, value) : value;
}

class SdfReader {
 public:
  explicit SdfReader(const XmlElement& root) : root_(root) {}

  Graph read() {
    graph_.source = {*root_.file, 0};
    graph_.provenance = *root_.file;
    read_version();
    const XmlElement& model = the_model();
    graph_.name = model.attribute("name");
    collect(model, "", "");
    for (const Link& link : links_) add_link(link);
    for (const Scoped& joint : joints_) add_joint(joint);
    for (const Scoped& frame : named_frames_) add_frame(frame);
    ground();
    graph_.notices = left_out_.notices();
    return std::move(graph_);
  }

 private:
  struct Scoped {
    const XmlElement* element;
    std::string scope;
    std::size_t entry;
  };
  using Link = Scoped;
  using Kind = SdfFrames::Entry::Kind;

  void read_version() {
    const std::string version = root_.attribute("version");
    const std::optional<double> number =
        version.starts_with("1.") ? parse_number(std::string_view(version).substr(2)) : std::nullopt;
    if (!number)
      throw InputError(root_.source(), fmt::format("'version' of <sdf> is '{}'; write 1.4 to 1.11", version));
    axes_of_model_ = *number < 5;  // where an axis does not say what it is expressed in
  }

  // ---- which model

  const XmlElement& the_model() {
    std::vector<const XmlElement*> models;
    const XmlElement* world = root_.child("world");
    if (world != nullptr) {
      graph_.gravity = gravity_of_worlds;
      if (const XmlElement* gravity = world->child("gravity")) {
        const std::vector<double> g = numbers_between(*gravity, 3, 3);
        graph_.gravity = {g[0], g[1], g[2]};
      }
    }
    for (const XmlElement& child : (world != nullptr ? *world : root_).children) {
      if (child.name == "include") refuse_include(child);
      if (child.name != "model") continue;
      if (sdf_flag(child, "static"))
        left_out_.add("static models are left out", child.attribute("name"));
      else
        models.push_back(&child);
    }
    if (models.empty()) throw InputError(root_.source(), "there is no <model> that moves in it; give one");
    if (models.size() > 1)
      throw InputError(models[1]->source(), fmt::format("there are {} models, '{}' and others; leave one in the file",
                                                        models.size(), models[0]->attribute("name")));
    return *models.front();
  }

  [[noreturn]] static void refuse_include(const XmlElement& include) {
    throw InputError(include.source(),
                     fmt::format("<include> of '{}' is not read; let `gz sdf -p` write the whole file",
                                 words_of_child(include, "uri")));
  }

  // ---- names and places

  /// A model, its parts and the models in it. `scope` is around it; `within` in it.
  void collect(const XmlElement& model, const std::string& scope, const std::string& within) {
    const std::string own_frame = sdf_name(within, "__model__");
    const std::size_t entry = frames_.entries().size();
    const bool is_outermost = within.empty();
    const std::string around = is_outermost ? "world" : "__model__";
    const std::string given = sdf_relative_to(model);
    frames_.add({Kind::model, own_frame, scope, &model, given.empty() ? around : given, "", sdf_pose_in(model)});
    const std::size_t first_link = links_.size();
    for (const XmlElement& child : model.children) collect_part(child, within);
    std::string canonical = model.attribute("canonical_link");
    if (!canonical.empty())
      canonical = sdf_name(within, canonical);
    else if (links_.size() > first_link)
      canonical = frames_.entries()[links_[first_link].entry].name;
    else
      throw InputError(model.source(), fmt::format("model '{}' has no link; give it one", model.attribute("name")));
    const std::string behind = scope.empty() ? canonical : canonical.substr(scope.size() + 2);
    frames_.attach(entry, behind);
    if (const std::string* frame = model.find("placement_frame"); frame != nullptr && !frame->empty())
      frames_.place_by(entry, frames_.find(within, *frame, model));
  }

  void collect_part(const XmlElement& part, const std::string& scope) {
    if (part.name == "link") {
      links_.push_back(add_entry(part, scope, Kind::link, "__model__", ""));
    } else if (part.name == "joint") {
      const std::string child = name_between(part, "child");
      joints_.push_back(add_entry(part, scope, Kind::joint, child, child));
    } else if (part.name == "frame") {
      const std::string* attached = part.find("attached_to");
      const std::string to = attached == nullptr || attached->empty() ? "__model__" : *attached;
      named_frames_.push_back(add_entry(part, scope, Kind::frame, to, to));
    } else if (part.name == "model") {
      collect(part, scope, sdf_name(scope, name_attribute(part)));
    } else if (part.name == "include") {
      refuse_include(part);
    } else {
      note_part(part);
    }
  }

  void note_part(const XmlElement& part) {
    static const std::unordered_set<std::string> plain{"pose",        "static", "self_collide", "allow_auto_disable",
                                                       "enable_wind", "link"};
    if (plain.count(part.name) == 0)
      left_out_.add("tags that dynamics here does without are skipped", fmt::format("<{}>", part.name));
  }

  Scoped add_entry(const XmlElement& element, const std::string& scope, Kind kind, const std::string& usual,
                   const std::string& attached) {
    const std::string given = sdf_relative_to(element);
    const std::size_t entry = frames_.entries().size();
    frames_.add({kind, sdf_name(scope, name_attribute(element)), scope, &element, given.empty() ? usual : given,
                 attached, sdf_pose_in(element)});
    return {&element, scope, entry};
  }

  static std::string name_between(const XmlElement& owner, std::string_view tag) {
    std::string name = words_of_child(owner, tag);
    if (name.empty())
      throw InputError(owner.source(),
                       fmt::format("<{}> '{}' has no <{}>; give it", owner.name, owner.attribute("name"), tag));
    return name;
  }

  // ---- links

  const std::string& name_of_entry(std::size_t entry) const { return frames_.entries()[entry].name; }

  void add_link(const Link& link) {
    GraphBody body;
    body.name = name_of_entry(link.entry);
    body.source = link.element->source();
    body.mass = mass_of(*link.element, body.name);
    for (const XmlElement& child : link.element->children) {
      if (child.name == "visual") add_shape(child, link, body);
      if (child.name == "gravity" && (child.words == "false" || child.words == "0"))
        left_out_.add("links without gravity have it here", body.name);
    }
    graph_.bodies.push_back(std::move(body));
  }

  MassData mass_of(const XmlElement& link, const std::string& name) {
    const XmlElement* inertial = link.child("inertial");
    if (inertial == nullptr) {
      left_out_.add("links without <inertial> weigh 1 kg and have unit inertia, as SDF says", name);
      return {1.0, {0, 0, 0}, Sym3<double>::diagonal(1.0)};
    }
    if (inertial->attribute("auto") == "true") {
      throw InputError(inertial->source(),
                       fmt::format("the inertia of link '{}' is left to the simulator; give mass and "
                                   "inertia",
                                   name));
    }
    if (inertial->child("fluid_added_mass") != nullptr) left_out_.add("added mass of fluids is left out", name);
    const Pose<double> pose = sdf_pose_in(*inertial);
    Sym3<double> inertia = Sym3<double>::diagonal(1.0);
    if (inertial->child("inertia") == nullptr)
      left_out_.add("an <inertial> without <inertia> has 1 kg m² about every axis, as SDF says", name);
    if (const XmlElement* i = inertial->child("inertia")) {
      inertia = {number_between_or(1.0, *i, "ixx"), number_between_or(1.0, *i, "iyy"),
                 number_between_or(1.0, *i, "izz"), number_between_or(0.0, *i, "ixy"),
                 number_between_or(0.0, *i, "ixz"), number_between_or(0.0, *i, "iyz")};
    }
    return {number_between_or(1.0, *inertial, "mass"), pose.p, rotate(pose.R, inertia)};
  }

  void add_shape(const XmlElement& visual, const Link& link, GraphBody& body) {
    const XmlElement* geometry = visual.child("geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    const XmlElement& form = geometry->children.front();
    Pose<double> pose = sdf_pose_in(visual);
    if (const std::string frame = sdf_relative_to(visual); !frame.empty())
      pose = inverse(frames_.pose(link.entry)) * frames_.pose(frames_.find(link.scope, frame, visual)) * pose;
    const auto number = [&](std::string_view tag) { return number_between_or(0.0, form, tag); };
    const auto three = [&](std::string_view tag) {
      const XmlElement* found = form.child(tag);
      const std::vector<double> s = found == nullptr ? std::vector<double>{1, 1, 1} : numbers_between(*found, 3, 3);
      return std::array<double, 3>{s[0], s[1], s[2]};
    };
    Shape shape{.pose = pose, .colour = colour_of(visual)};
    if (form.name == "box") {
      shape.size = three("size");
    } else if (form.name == "sphere") {
      shape.kind = Shape::Kind::sphere;
      shape.size = {number("radius"), 0, 0};
    } else if (form.name == "cylinder" || form.name == "capsule") {
      shape.kind = Shape::Kind::cylinder;
      shape.size = {number("radius"), number("length"), 0};
    } else if (const XmlElement* uri = form.child("uri"); form.name == "mesh" && uri != nullptr) {
      shape.kind = Shape::Kind::mesh;
      shape.size = three("scale");
      shape.mesh = kept_mesh_name(std::string(trimmed_words(uri->words)), *visual.file);
    } else {
      return left_out_.add("shapes other than boxes, cylinders, spheres and meshes are not drawn", body.name);
    }
    body.shapes.push_back(std::move(shape));
  }

  static std::optional<Colour> colour_of(const XmlElement& visual) {
    const XmlElement* material = visual.child("material");
    const XmlElement* diffuse = material == nullptr ? nullptr : material->child("diffuse");
    if (diffuse == nullptr) return std::nullopt;
    const std::vector<double> c = numbers_between(*diffuse, 3, 4);
    return Colour{c[0], c[1], c[2], c.size() == 4 ? c[3] : 1.0};
  }

  // ---- joints

  /// The joint as far as all types have it.
  GraphJoint joint_at(const Scoped& in) {
    const XmlElement& element = *in.element;
    GraphJoint joint;
    joint.name = name_of_entry(in.entry);
    joint.source = element.source();
    const std::size_t parent = frames_.link(frames_.find(in.scope, name_between(element, "parent"), element));
    const std::size_t child_frame = frames_.find(in.scope, name_between(element, "child"), element);
    const std::size_t child = frames_.link(child_frame);
    if (child == 0)
      throw InputError(joint.source,
                       fmt::format("the child of joint '{}' is the world; make that the parent", joint.name));
    joint.parent = name_of_entry(parent);
    joint.child = name_of_entry(child);
    const bool is_plain = sdf_relative_to(element).empty() && child == child_frame;
    joint.in_child = is_plain ? sdf_pose_in(element) : inverse(frames_.pose(child)) * frames_.pose(in.entry);
    joint.in_parent = inverse(frames_.pose(parent)) * frames_.pose(child) * joint.in_child;
    return joint;
  }

  void add_joint(const Scoped& in) {
    const XmlElement& element = *in.element;
    const std::string type = name_attribute(element, "type");
    GraphJoint joint = joint_at(in);
    if (type == "gearbox") return left_out_.add("gearbox joints are left out", joint.name);
    if (element.child("gearbox_ratio") != nullptr) left_out_.add("gearbox ratios are left out", joint.name);
    if (type == "universal" || type == "revolute2") return add_two_axes(in, std::move(joint));
    joint.kind = kind_of_sdf(element, type);
    if (has_axis(joint.kind)) read_axis(in, "axis", joint);
    if (has_pitch(joint.kind)) joint.pitch = pitch_of(element);
    if (type == "continuous") {
      joint.limits.lower = -std::numeric_limits<double>::infinity();
      joint.limits.upper = std::numeric_limits<double>::infinity();
    }
    joint.continuous =
        joint.kind == JointKind::revolute && !std::isfinite(joint.limits.lower) && !std::isfinite(joint.limits.upper);
    graph_.joints.push_back(std::move(joint));
  }

  static JointKind kind_of_sdf(const XmlElement& element, const std::string& type) {
    for (const auto& [word, kind] : {std::pair{"revolute", JointKind::revolute},
                                     {"continuous", JointKind::revolute},
                                     {"prismatic", JointKind::prismatic},
                                     {"ball", JointKind::spherical},
                                     {"screw", JointKind::screw},
                                     {"fixed", JointKind::fixed}})
      if (type == word) return kind;
    throw InputError(element.source(), fmt::format("joint type '{}' is not known; use revolute, continuous, prismatic, "
                                                   "ball, universal, screw, fixed or revolute2",
                                                   type));
  }

  /// Metres per revolution to the right; before 1.10 radians per metre to the left.
  static double pitch_of(const XmlElement& joint) {
    if (const XmlElement* pitch = joint.child("screw_thread_pitch"))
      return number_between(*pitch) / (2.0 * std::numbers::pi);
    const double turns = number_between_or(0.0, joint, "thread_pitch");
    if (turns == 0.0)
      throw InputError(joint.source(),
                       fmt::format("screw joint '{}' has no <screw_thread_pitch>; give it", joint.attribute("name")));
    return -1.0 / turns;
  }

  /// By one joint where the axes are square and have nothing of their own, else by two with a body between them.
  void add_two_axes(const Scoped& in, GraphJoint joint) {
    GraphJoint first = joint, second = joint;
    read_axis(in, "axis", first);
    read_axis(in, "axis2", second);
    const auto is_bare = [](const GraphJoint& j) {
      const Passive& p = j.passive;
      return !std::isfinite(j.limits.lower) && !std::isfinite(j.limits.upper) && !std::isfinite(j.limits.velocity) &&
             !std::isfinite(j.limits.effort) && p.viscous == 0 && p.coulomb == 0 && p.stiffness == 0 && !j.mimic;
    };
    const double along = dot(first.axis, second.axis) / (norm(first.axis) * norm(second.axis));
    if (std::fabs(along) < 1e-12 && is_bare(first) && is_bare(second)) {
      const Vec3<double> x = (1.0 / norm(first.axis)) * first.axis, y = (1.0 / norm(second.axis)) * second.axis;
      const Pose<double> turn{Mat3<double>::from_columns(x, y, cross(x, y)), Vec3<double>::zero()};
      joint.kind = JointKind::universal;
      joint.in_parent = joint.in_parent * turn;
      joint.in_child = joint.in_child * turn;
      graph_.joints.push_back(std::move(joint));
      return;
    }
    const std::string between = joint.name + "::cross";
    graph_.bodies.push_back({between, {}, {}, joint.source});
    first.child = second.parent = between;
    first.in_child = second.in_parent = Pose<double>::identity();
    second.name += "::2";
    for (GraphJoint* part : {&first, &second})
      part->continuous = !std::isfinite(part->limits.lower) && !std::isfinite(part->limits.upper);
    graph_.joints.push_back(std::move(first));
    graph_.joints.push_back(std::move(second));
  }

  void read_axis(const Scoped& in, std::string_view tag, GraphJoint& joint) {
    const XmlElement* axis = in.element->child(tag);
    if (axis == nullptr)
      throw InputError(joint.source, fmt::format("joint '{}' has no <{}>; give it", joint.name, tag));
    joint.axis = axis_of(in, *axis);
    if (!(norm(joint.axis) > 1e-12))
      throw InputError(axis->source(), fmt::format("the axis of joint '{}' has no direction; give one", joint.name));
    if (const XmlElement* limit = axis->child("limit")) {
      joint.limits.lower = sdf_limit(*limit, "lower", joint.limits.lower);
      joint.limits.upper = sdf_limit(*limit, "upper", joint.limits.upper);
      const double velocity = sdf_limit(*limit, "velocity", -1.0), effort = sdf_limit(*limit, "effort", -1.0);
      if (velocity >= 0.0) joint.limits.velocity = velocity;
      if (effort >= 0.0) joint.limits.effort = effort;
    }
    if (const XmlElement* dynamics = axis->child("dynamics")) {
      joint.passive.viscous = number_between_or(0.0, *dynamics, "damping");
      joint.passive.coulomb = number_between_or(0.0, *dynamics, "friction");
      joint.passive.stiffness = number_between_or(0.0, *dynamics, "spring_stiffness");
      if (joint.passive.stiffness != 0.0) joint.passive.rest = number_between_or(0.0, *dynamics, "spring_reference");
    }
    if (const XmlElement* mimic = axis->child("mimic")) read_mimic(*mimic, in, joint);
  }

  /// It stands at multiplier · (q − reference) + offset.
  void read_mimic(const XmlElement& mimic, const Scoped& in, GraphJoint& joint) {
    if (mimic.attribute("axis") == "axis2") {
      left_out_.add("mimic of second axes is left out", joint.name);
      return;
    }
    const double multiplier = number_between_or(1.0, mimic, "multiplier");
    joint.mimic = {sdf_name(in.scope, name_attribute(mimic, "joint")), multiplier,
                   number_between_or(0.0, mimic, "offset") - multiplier * number_between_or(0.0, mimic, "reference")};
  }

  Vec3<double> axis_of(const Scoped& in, const XmlElement& axis) {
    const XmlElement* xyz = axis.child("xyz");
    Vec3<double> direction{0, 0, 1};
    if (xyz != nullptr) {
      const std::vector<double> x = numbers_between(*xyz, 3, 3);
      direction = {x[0], x[1], x[2]};
    }
    std::string frame = xyz == nullptr ? "" : xyz->attribute("expressed_in");
    if (sdf_flag(axis, "use_parent_model_frame") || (frame.empty() && axes_of_model_)) frame = "__model__";
    if (frame.empty()) return direction;
    const Mat3<double> other = frames_.pose(frames_.find(in.scope, frame, axis)).R;
    return transpose_times(frames_.pose(in.entry).R, other * direction);
  }

  // ---- what is left

  void add_frame(const Scoped& in) {
    const std::size_t link = frames_.link(in.entry);
    const Pose<double> pose = inverse(frames_.pose(link)) * frames_.pose(in.entry);
    if (link != 0) graph_.frames.push_back({name_of_entry(in.entry), name_of_entry(link), pose, in.element->source()});
  }

  /// The world as a link, if a joint is on it or the root does not stand as it does.
  void ground() {
    std::unordered_set<std::string> carried;
    bool is_joined = false;
    for (const GraphJoint& joint : graph_.joints) {
      carried.insert(joint.child);
      is_joined = is_joined || joint.parent == "world";
    }
    const GraphBody world{"world", {}, {}, root_.source()};
    if (is_joined) {
      graph_.bodies.insert(graph_.bodies.begin(), world);
      return;
    }
    for (const Link& link : links_) {
      if (carried.count(name_of_entry(link.entry)) != 0) continue;
      const Pose<double>& place = frames_.pose(link.entry);
      const Vec3<double> turn = rpy_of_rotation(place.R);
      if (norm(place.p) == 0.0 && norm(turn) == 0.0) return;
      GraphJoint weld{.name = "world::weld", .kind = JointKind::fixed};
      weld.parent = world.name;
      weld.child = name_of_entry(link.entry);
      weld.in_parent = place;
      weld.source = link.element->source();
      graph_.bodies.insert(graph_.bodies.begin(), world);
      graph_.joints.insert(graph_.joints.begin(), std::move(weld));
      return;
    }
  }

  const XmlElement& root_;
  Graph graph_;
  LeftOut left_out_;
  SdfFrames frames_;
  bool axes_of_model_ = false;
  std::vector<Link> links_;
  std::vector<Scoped> joints_, named_frames_;
};

}  // namespace

Graph parse_sdf(const std::string& text, const std::string& file) {
  if (text.find("<sdf") == std::string::npos)
    throw InputError(Source{file, 0}, "not an SDF file: there is no <sdf> in it");
  const XmlElement root = parse_xml(text, file);
  if (root.name != "sdf")
    throw InputError(root.source(), fmt::format("not an SDF file: it begins with <{}>, not with <sdf>", root.name));
  return SdfReader(root).read();
}

}  // namespace ulna

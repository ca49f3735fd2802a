// URDF through urdfdom. What it does not tell (lines, transmissions) is read from the tags.
#include <console_bridge/console.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include "io/robot/xml_tags.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/spatial/rotation.hpp"

namespace ulna {

namespace {

/// Collects what urdfdom would print, for the error message.
class Listener : public console_bridge::OutputHandler {
 public:
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) errors.push_back(text);
  }
  std::vector<std::string> errors;
};

/// console_bridge has one handler for the process.
class Listening {
 public:
  explicit Listening(Listener& listener) : lock_(mutex()) { console_bridge::useOutputHandler(&listener); }
  ~Listening() { console_bridge::restorePreviousOutputHandler(); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  std::lock_guard<std::mutex> lock_;
};

/// Line of each child of <robot> that is such a tag and has a name.
std::map<std::string, int> lines_of(const std::vector<XmlTag>& tags, std::string_view name) {
  std::map<std::string, int> lines;
  for (const XmlTag& tag : tags)
    if (tag.depth == 1 && tag.name == name) lines.emplace(tag.attribute("name"), tag.line);
  return lines;
}

/// urdfdom goes through quaternions; what rounding left of a right angle is taken off again.
double cleaned(double x) {
  for (const double exact : {0.0, 1.0, -1.0})
    if (std::fabs(x - exact) < 1e-15) return exact;
  return x;
}

Pose<double> pose_of(const urdf::Pose& p) {
  const urdf::Rotation& r = p.rotation;
  Mat3<double> R = rotation_of_quaternion(r.x, r.y, r.z, r.w);
  for (double* x : {&R.xx, &R.xy, &R.xz, &R.yx, &R.yy, &R.yz, &R.zx, &R.zy, &R.zz}) *x = cleaned(*x);
  return {R, {p.position.x, p.position.y, p.position.z}};
}

class Importer {
 public:
  Importer(const std::string& text, const std::string& file)
      : text_(text),
        file_(file),
        tags_(xml_tags(text, file)),
        link_lines_(lines_of(tags_, "link")),
        joint_lines_(lines_of(tags_, "joint")) {}

  Graph read() {
    const urdf::ModelInterfaceSharedPtr model = parse();
    graph_.name = model->getName();
    graph_.source = {file_, 0};
    graph_.provenance = file_;
    add(*model);
    note("mimic joints move on their own here", mimics_);
    note("meshes are not drawn", meshes_);
    if (has_tag("transmission")) graph_.notices.emplace_back("transmissions are skipped");
    if (has_tag("gazebo")) graph_.notices.emplace_back("gazebo tags are skipped");
    return std::move(graph_);
  }

 private:
  urdf::ModelInterfaceSharedPtr parse() const {
    const Source whole{file_, 0};
    check_joint_types();
    check_percents();
    Listener listener;
    const Listening listening(listener);
    urdf::ModelInterfaceSharedPtr model;
    try {
      std::string text = text_;
      std::replace(text.begin(), text.end(), '%', '_');
      model = urdf::parseURDF(text);
    } catch (const std::exception& e) {
      throw InputError(whole, fmt::format("not a valid URDF: {}", e.what()));
    }
    if (model == nullptr || model->getRoot() == nullptr || !listener.errors.empty()) {
      const std::string words = first_words(listener.errors);
      throw InputError(place_of(words), fmt::format("not a valid URDF: {}", words));
    }
    try {
      check_reached(*model);
    } catch (const InputError&) {
      for (const auto& [name, link] : model->links_) link->child_links.clear();  // links in a ring keep each other
      throw;
    }
    return model;
  }

  static std::string first_words(const std::vector<std::string>& errors) {
    if (errors.empty()) return "the parser gives no reason; check that it is well-formed XML";
    std::string text = errors.front();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  /// urdfdom names no line, but the culprit in brackets: the first tag with that value.
  Source place_of(const std::string& words) const {
    for (std::size_t open = words.find('['); open != std::string::npos; open = words.find('[', open + 1)) {
      const std::string culprit = words.substr(open + 1, words.find(']', open) - open - 1);
      for (const XmlTag& tag : tags_)
        for (const auto& [key, value] : tag.attributes)
          if (value == culprit) return {file_, tag.line};
    }
    return {file_, 0};
  }

  /// urdfdom's own word for an unknown type names no joint.
  void check_joint_types() const {
    static const std::set<std::string> known{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    for (const XmlTag& tag : tags_) {
      const std::string type = tag.attribute("type"), name = tag.attribute("name");
      if (tag.depth != 1 || tag.name != "joint" || type.empty() || known.count(type) != 0) continue;
      throw InputError({{Finding::Severity::error, name, fmt::format("joint type '{}' is not supported", type),
                         fmt::format("use one of: {}", fmt::join(known, ", ")), Source{file_, tag.line}, false}});
    }
  }

  /// urdfdom prints its errors with what it read as the format of printf: no '%' may reach it, nor a letter by its
  /// number, which could be one. Names of files may have one and are not read.
  void check_percents() const {
    for (const XmlTag& tag : tags_) {
      for (const auto& [key, value] : tag.attributes) {
        const bool number = value.find("&#") != std::string::npos;
        if (number || (key != "filename" && value.find('%') != std::string::npos))
          throw InputError(Source{file_, tag.line},
                           fmt::format("'{}' of <{}> has a '{}'; leave it out", key, tag.name, number ? "&#" : "%"));
      }
    }
  }

  /// urdfdom builds its tree from the root and drops what it does not reach: a cycle.
  void check_reached(const urdf::ModelInterface& model) const {
    std::size_t reached = 0;
    std::vector<const urdf::Link*> stack{model.getRoot().get()};
    while (!stack.empty()) {
      const urdf::Link* link = stack.back();
      stack.pop_back();
      if (++reached > model.links_.size()) break;
      for (const auto& child : link->child_links) stack.push_back(child.get());
    }
    if (reached != model.links_.size()) {
      throw InputError(Source{file_, 0},
                       fmt::format("of {} links only {} hang on the root '{}': the joints form a cycle; "
                                   "leave out the joint that closes it",
                                   model.links_.size(), reached, model.getRoot()->name));
    }
  }

  bool has_tag(std::string_view name) const {
    return std::any_of(tags_.begin(), tags_.end(), [&](const XmlTag& tag) { return tag.name == name; });
  }

  Source source(const std::map<std::string, int>& lines, const std::string& name) const {
    const auto found = lines.find(name);
    return {file_, found == lines.end() ? 0 : found->second};
  }

  /// Links and joints from the root, children in the order of the file.
  void add(const urdf::ModelInterface& model) {
    std::vector<urdf::LinkConstSharedPtr> stack{model.getRoot()};
    while (!stack.empty()) {
      const urdf::LinkConstSharedPtr link = stack.back();
      stack.pop_back();
      add_link(*link);
      std::vector<urdf::JointSharedPtr> joints = link->child_joints;
      std::sort(joints.begin(), joints.end(), [&](const auto& a, const auto& b) {
        return source(joint_lines_, a->name).line < source(joint_lines_, b->name).line;
      });
      for (const auto& joint : joints) add_joint(*joint);
      for (std::size_t k = joints.size(); k-- > 0;) stack.push_back(model.getLink(joints[k]->child_link_name));
    }
  }

  void add_link(const urdf::Link& link) {
    GraphBody body;
    body.name = link.name;
    body.source = source(link_lines_, link.name);
    if (link.inertial != nullptr) {
      const urdf::Inertial& i = *link.inertial;
      const Pose<double> origin = pose_of(i.origin);
      body.mass = {i.mass, origin.p, rotate(origin.R, Sym3<double>{i.ixx, i.iyy, i.izz, i.ixy, i.ixz, i.iyz})};
    }
    for (const auto& visual : link.visual_array)
      if (visual != nullptr && visual->geometry != nullptr) add_shape(link, *visual, body);
    graph_.bodies.push_back(std::move(body));
  }

  void add_shape(const urdf::Link& link, const urdf::Visual& visual, GraphBody& body) {
    Shape shape;
    shape.pose = pose_of(visual.origin);
    if (const auto* box = dynamic_cast<const urdf::Box*>(visual.geometry.get())) {
      shape.size = {box->dim.x, box->dim.y, box->dim.z};
    } else if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(visual.geometry.get())) {
      shape.kind = Shape::Kind::cylinder;
      shape.size = {cylinder->radius, cylinder->length, 0.0};
    } else if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(visual.geometry.get())) {
      shape.kind = Shape::Kind::sphere;
      shape.size = {sphere->radius, 0.0, 0.0};
    } else {
      meshes_.push_back(link.name);
      return;
    }
    body.shapes.push_back(shape);
  }

  void add_joint(const urdf::Joint& in) {
    GraphJoint joint;
    joint.name = in.name;
    joint.source = source(joint_lines_, in.name);
    joint.parent = in.parent_link_name;
    joint.child = in.child_link_name;
    joint.in_parent = pose_of(in.parent_to_joint_origin_transform);
    joint.axis = {in.axis.x, in.axis.y, in.axis.z};
    switch (in.type) {
      case urdf::Joint::PRISMATIC: joint.kind = JointKind::prismatic; break;
      case urdf::Joint::FIXED: joint.kind = JointKind::fixed; break;
      case urdf::Joint::FLOATING: joint.kind = JointKind::free; break;
      case urdf::Joint::PLANAR: joint.kind = JointKind::planar; break;  // its axis is the normal
      case urdf::Joint::CONTINUOUS: joint.continuous = true; break;
      default: break;
    }
    if (in.limits != nullptr && has_one_degree(joint.kind)) {
      const double infinity = std::numeric_limits<double>::infinity();
      if (!joint.continuous) joint.limits = {in.limits->lower, in.limits->upper, infinity, infinity};
      if (in.limits->velocity > 0) joint.limits.velocity = in.limits->velocity;
      if (in.limits->effort > 0) joint.limits.effort = in.limits->effort;
    }
    if (in.dynamics != nullptr && has_one_degree(joint.kind)) {
      joint.passive.viscous = in.dynamics->damping;
      joint.passive.coulomb = in.dynamics->friction;
    }
    if (in.mimic != nullptr) mimics_.push_back(in.name);
    graph_.joints.push_back(std::move(joint));
  }

  void note(const std::string& what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    const std::size_t shown = std::min<std::size_t>(names.size(), 3);
    graph_.notices.push_back(fmt::format(
        "{} ({}{})", what, fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : ""));
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<XmlTag> tags_;
  std::map<std::string, int> link_lines_, joint_lines_;
  Graph graph_;
  std::vector<std::string> mimics_, meshes_;
};

}  // namespace

Graph parse_urdf(const std::string& text, const std::string& file) {
  const std::string uncommented = without_comments(text);
  if (uncommented.find("<robot") == std::string::npos)
    throw InputError(Source{file, 0}, "not a URDF file: there is no <robot> in it");
  return Importer(uncommented, file).read();
}

}  // namespace ulna

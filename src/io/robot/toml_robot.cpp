// Robot files in TOML: a DH table ([[link]]) or explicit frames ([[body]], [[joint]]).
// doc/robot_files.md describes both.
#include "toml_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "io/robot/mesh_file.hpp"
#include "model/number_uses.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/effort_by_speed.hpp"
#include "ulna/model/elastic_joint.hpp"
#include "ulna/model/flexible_base.hpp"

namespace ulna {

namespace {

constexpr std::string_view continuous_word = "continuous";  // a hinge without limits

/// The words for the kinds that a table may name.
template <class Fits>
std::vector<std::string_view> words_for(Fits fits) {
  std::vector<std::string_view> words;
  for (const JointKind kind : joint_kinds) {
    if (!fits(kind)) continue;
    words.emplace_back(name_of(kind));
    if (kind == JointKind::revolute) words.push_back(continuous_word);
  }
  return words;
}

JointKind kind_of(std::string_view word) {
  const auto named = [&](JointKind kind) { return word == name_of(kind); };
  const auto found = std::find_if(joint_kinds.begin(), joint_kinds.end(), named);
  return found == joint_kinds.end() ? JointKind::revolute : *found;
}

class Reader {
 public:
  Reader(const toml::table& root, const std::string& file) : problems_{file, {}}, root_(root, "robot", problems_) {
    graph_.source = {file, 0};
  }

  Graph read() {
    if (root_.has("robot")) {
      root_.problem("robot", "this is a scenario, not a robot", "simulate it, or name the robot itself");
      throw InputError(std::move(problems_.findings));
    }
    read_head();
    const auto links = root_.tables("link"), bodies = root_.tables("body"), joints = root_.tables("joint");
    if (!links.empty() && !(bodies.empty() && joints.empty())) {
      root_.problem("link", "has both a DH table [[link]] and explicit [[body]]/[[joint]]", "use one of the two");
    } else if (!links.empty()) {
      read_dh(links);
    } else {
      read_explicit(bodies, joints);
    }
    for (const toml::table* frame : root_.tables("frame")) read_frame(*frame);
    for (const toml::table* loop : root_.tables("loop")) read_loop(*loop);
    for (const toml::table* coupling : root_.tables("coupling")) read_coupling(*coupling);
    for (const toml::table* posture : root_.tables("posture")) read_posture(*posture);
    move_masses_to_bodies();
    if (const toml::table* base = root_.table("flexible_base")) read_flexible_base(*base);
    root_.finish();
    if (!problems_.findings.empty()) throw InputError(std::move(problems_.findings));
    return std::move(graph_);
  }

 private:
  void read_head() {
    graph_.name = root_.text("name");
    graph_.title = root_.text("title");
    graph_.provenance = root_.text("source");
    graph_.gravity = root_.vec3("gravity", graph_.gravity);
    graph_.friction_speed = root_.positive("friction_speed", graph_.friction_speed);
    graph_.free_base = root_.choice("base", {"fixed", "free"}) == 1;
    graph_.allow_nonphysical = root_.flag("allow_nonphysical", false);
    graph_.nonphysical_reason = root_.text("nonphysical_reason");
    graph_.tip = root_.text("tip");
    dh_ = root_.choice("dh", {"standard", "modified"});
    graph_.modified_dh = is_modified();
  }

  // ---- the DH table

  void read_dh(const std::vector<const toml::table*>& links) {
    if (!root_.has("dh"))
      root_.problem("link", "'dh' is missing: the table's convention",
                    "add dh = \"standard\" (the papers', Rz Tz Tx Rx) or dh = \"modified\" (Craig's, Rx Tx Rz Tz)");
    graph_.bodies.push_back({.name = "base", .source = graph_.source});
    const Pose<double> base = read_pose(root_, "base_pose");
    for (std::size_t i = 0; i < links.size(); ++i) read_dh_link(*links[i], i + 1);
    graph_.joints.front().in_parent = base * graph_.joints.front().in_parent;
    if (graph_.tip.empty()) graph_.tip = graph_.bodies.back().name;
  }

  void read_dh_link(const toml::table& table, std::size_t number) {
    const std::string fallback = fmt::format("link{}", number);
    TomlTable t(table, fallback, problems_);
    GraphJoint joint;
    joint.source = t.source();
    joint.parent = graph_.bodies.back().name;
    joint.child = t.text("name", fallback);
    joint.name = t.text("joint_name", fmt::format("joint{}", number));
    t.require("joint");
    read_kind(t, "joint", words_for(has_one_degree), joint);
    const double theta = t.angle("theta", 0.0), b = t.number("b", 0.0), a = t.number("a", 0.0);
    const double alpha = t.angle("alpha", 0.0);
    joint.written_angles = {theta, alpha};
    expect_radians(t, "theta", theta);
    expect_radians(t, "alpha", alpha);
    place_dh_joint({theta, b, a, alpha}, joint);
    joint.pitch = read_pitch(t, has_pitch(joint.kind));
    read_joint_data(t, joint);

    GraphBody body{.name = joint.child, .mass = read_mass(t), .source = t.source()};
    if (t.has("r")) {
      if (t.has("com")) t.problem("r", "has both 'r' and 'com'", "give one: com = −r");
      if (is_modified()) t.problem("r", "'r' belongs to standard DH", "give 'com' in the link's frame");
      body.mass.com = -t.vec3("r", Vec3<double>::zero());
    }
    for (const toml::table* shape : t.tables("shape")) body.shapes.push_back(read_shape(*shape));
    add_joint(t, std::move(joint));  // before its child, which the next link hangs on
    t.finish();
    graph_.bodies.push_back(std::move(body));
  }

  bool is_modified() const { return dh_ == 1; }

  struct DhRow {
    double theta, b, a, alpha;
  };

  /// The frames of a joint on both sides. What the joint's variable adds to is its offset.
  void place_dh_joint(const DhRow& row, GraphJoint& joint) const {
    const Pose<double> x{rotation_x(exact_turn(row.alpha)), {row.a, 0, 0}};  // Tx(a) Rx(α), which commute
    const Pose<double> turned{rotation_z(exact_turn(row.theta)), Vec3<double>::zero()};
    const Pose<double> raised{Mat3<double>::identity(), {0, 0, row.b}};
    Pose<double> after = is_modified() ? Pose<double>::identity() : x;  // from the joint to the body
    joint.in_parent = is_modified() ? x : Pose<double>::identity();
    if (is_hinge(joint.kind)) {
      joint.offset = row.theta;
    } else {
      joint.in_parent = joint.in_parent * turned;
    }
    if (slides(joint.kind)) {
      joint.offset = row.b;
    } else {
      after = raised * after;
    }
    joint.in_child = inverse(after);
  }

  // ---- explicit frames

  void read_explicit(const std::vector<const toml::table*>& bodies, const std::vector<const toml::table*>& joints) {
    if (bodies.empty() && joints.empty())
      root_.problem("link", "no links", "add a DH table ([[link]]) or [[body]] and [[joint]] tables");
    if (dh_ >= 0) root_.problem("dh", "'dh' belongs to a DH table ([[link]])");
    for (const toml::table* body : bodies) read_body(*body);
    for (const toml::table* joint : joints) read_joint(*joint);
    add_base(graph_);  // the ground needs no [[body]]
  }

  void read_body(const toml::table& table) {
    TomlTable t(table, "body", problems_);
    t.require("name");
    GraphBody body{.name = t.text("name"), .mass = read_mass(t), .source = t.source()};
    mass_frames_.push_back({graph_.bodies.size(), t.text("frame"), t.source()});
    body.is_guessed = t.flag("guessed", false);
    for (const toml::table* shape : t.tables("shape")) body.shapes.push_back(read_shape(*shape));
    t.finish();
    graph_.bodies.push_back(std::move(body));
  }

  Shape read_shape(const toml::table& table) {
    TomlTable t(table, "shape", problems_);
    t.require("kind");
    const int kind = t.choice("kind", {"box", "cylinder", "sphere", "mesh"});
    Shape shape;
    shape.kind = static_cast<Shape::Kind>(std::max(kind, 0));
    if (shape.kind == Shape::Kind::mesh) {
      t.require("file");
      shape.mesh = kept_mesh_name(t.text("file"), problems_.file);
      const Vec3<double> scale = t.vec3("scale", {1, 1, 1});
      shape.size = {scale.x, scale.y, scale.z};
    } else {
      const std::size_t wanted = kind == 0 ? 3 : kind == 1 ? 2 : 1;
      t.require("size");
      const std::vector<double> size = t.numbers("size", {wanted});
      std::copy(size.begin(), size.end(), shape.size.begin());
    }
    if (const std::vector<double> c = t.numbers("colour", {3, 4}); !c.empty())
      shape.colour = {c[0], c[1], c[2], c.size() == 4 ? c[3] : 1.0};
    shape.pose = read_pose(t, "pose");
    t.finish();
    return shape;
  }

  void read_joint(const toml::table& table) {
    TomlTable t(table, "joint", problems_);
    for (const char* key : {"name", "kind", "parent", "child"}) t.require(key);
    GraphJoint joint;
    joint.source = t.source();
    joint.name = t.text("name");
    read_kind(t, "kind", words_for([](JointKind) { return true; }), joint);
    joint.parent = t.text("parent");
    joint.child = t.text("child");
    joint.in_parent = read_pose(t, "pose");
    joint.in_child = read_pose(t, "child_pose");
    joint.axis = t.vec3("axis", joint.axis);
    joint.pitch = read_pitch(t, has_pitch(joint.kind));
    joint.offset = t.number("offset", 0.0, number_use(joint));
    read_joint_data(t, joint);
    add_joint(t, std::move(joint));
    t.finish();
  }

  static void read_kind(TomlTable& t, std::string_view key, std::span<const std::string_view> words,
                        GraphJoint& joint) {
    const int choice = t.choice(key, words);
    const std::string_view word = words[static_cast<std::size_t>(std::max(choice, 0))];
    joint.kind = kind_of(word);
    joint.continuous = word == continuous_word;
  }

  static double read_pitch(TomlTable& t, bool is_screw) {
    if (is_screw) t.require("pitch");
    if (t.has("pitch") && !is_screw) t.problem("pitch", "only a screw joint has a pitch", "leave it out");
    return t.number("pitch", 0.0);
  }

  void read_posture(const toml::table& table) {
    TomlTable t(table, "posture", problems_);
    for (const char* key : {"name", "q"}) t.require(key);
    graph_.postures.push_back({t.text("name"), t.joint_numbers("q"), t.source()});
    t.finish();
  }

  void read_loop(const toml::table& table) {
    TomlTable t(table, "loop", problems_);
    for (const char* key : {"name", "kind", "parent", "child"}) t.require(key);
    GraphLoop loop;
    loop.source = t.source();
    loop.name = t.text("name");
    std::vector<std::string_view> words = words_for(closes_loops);
    std::erase(words, continuous_word);
    loop.kind = kind_of(words[static_cast<std::size_t>(std::max(t.choice("kind", words), 0))]);
    loop.parent = t.text("parent");
    loop.child = t.text("child");
    loop.in_parent = read_pose(t, "pose");
    loop.in_child = read_pose(t, "child_pose");
    loop.pitch = read_pitch(t, has_pitch(loop.kind));
    t.finish();
    graph_.loops.push_back(std::move(loop));
  }

  void read_frame(const toml::table& table) {
    TomlTable t(table, "frame", problems_);
    t.require("name");
    t.require("body");
    GraphFrame frame{t.text("name"), t.text("body"), read_pose(t, "pose"), t.source()};
    t.finish();
    graph_.frames.push_back(std::move(frame));
  }

  // ---- parts that both forms share

  MassData read_mass(TomlTable& t) {
    MassData m;
    m.mass = t.number("mass", 0.0);
    m.com = t.vec3("com", m.com);
    const std::vector<double> i = t.numbers("inertia", {3, 6});
    if (i.size() == 3) m.inertia = {i[0], i[1], i[2], 0, 0, 0};
    if (i.size() == 6) m.inertia = {i[0], i[1], i[2], i[3], i[4], i[5]};
    return m;
  }

  /// Radians were hardly meant where the geometry turns more than once.
  void expect_radians(const TomlTable& t, std::string_view key, double angle) {
    if (std::abs(angle) <= 2.0 * std::numbers::pi + 1e-9) return;
    graph_.notices.push_back(fmt::format("line {}: '{}' is {} rad, {:.1f} turns; degrees are written \"{} deg\"",
                                         t.source().line, key, angle, std::abs(angle) / (2.0 * std::numbers::pi),
                                         angle));
  }

  void read_joint_data(TomlTable& t, GraphJoint& joint) {
    if (const toml::table* table = t.table("limits")) {
      TomlTable limits(*table, joint.name + ".limits", problems_);
      joint.limits.lower = limits.number("lower", joint.limits.lower, number_use(joint));
      joint.limits.upper = limits.number("upper", joint.limits.upper, number_use(joint));
      joint.limits.velocity = limits.number("velocity", joint.limits.velocity, number_use(joint));
      joint.limits.effort = limits.number("effort", joint.limits.effort);
      read_effort_by_speed(limits, "effort_by_speed", joint.limits);
      limits.finish();
    }
    if (const toml::table* table = t.table("friction")) {
      TomlTable friction(*table, joint.name + ".friction", problems_);
      joint.passive.viscous = friction.number("viscous", 0.0);
      joint.passive.coulomb = friction.number("coulomb", 0.0);
      friction.finish();
    }
    if (const toml::table* table = t.table("spring")) {
      TomlTable spring(*table, joint.name + ".spring", problems_);
      joint.passive.stiffness = spring.number("stiffness", 0.0);
      joint.passive.rest = spring.number("rest", 0.0, number_use(joint));
      spring.finish();
    }
    joint.passive.armature = t.number("armature", 0.0);
    if (const toml::table* table = t.table("motor")) read_own_motor(t, *table, joint);
    if (const toml::table* table = t.table("mimic")) read_mimic(*table, joint);
  }

  /// Points of speed and effort; the first is the largest effort.
  static void read_effort_by_speed(TomlTable& t, const char* key, Limits& limits) {
    for (const JointNumbers& row : t.joint_rows(key)) {
      if (row.size() != 2)
        return t.problem(key, fmt::format("'{}' must be points of two numbers", key), "write [[0, 1.5], [400, 0]]");
      limits.effort_by_speed.push_back({row[0].in_si(), row[1].in_si()});
    }
    if (!limits.effort_by_speed.empty()) limits.effort = std::min(limits.effort, limits.effort_by_speed[0].effort);
  }

  /// On the motor's own side of its gears.
  static GraphMotor read_motor(TomlTable& t) {
    GraphMotor motor;
    const double efficiency = t.positive("efficiency", 1.0);
    if (efficiency > 1.0) t.problem("efficiency", "is above 1", "give the share of the torque that comes through");
    const double unlimited = std::numeric_limits<double>::infinity();
    motor.inertia = t.number("inertia", 0.0);
    motor.viscous = t.number("viscous", 0.0);
    motor.coulomb = t.number("coulomb", 0.0);
    motor.limits.effort = t.positive("torque", unlimited);
    motor.limits.velocity = t.positive("speed", unlimited);
    read_effort_by_speed(t, "torque_by_speed", motor.limits);
    motor.limits.effort *= efficiency;
    scale_effort_by_speed(motor.limits, 1.0, efficiency);
    return motor;
  }

  /// What stands before the gear, seen behind it.
  void read_own_motor(TomlTable& of, const toml::table& table, GraphJoint& joint) {
    if (of.has("armature"))
      of.problem("motor", "has both 'motor' and 'armature'", "give one: armature = gear² · inertia");
    TomlTable t(table, joint.name + ".motor", problems_);
    // A motor that turns against its joint does so alike: what stands behind the gear is the same either way.
    const double gear = std::fabs(t.number("gear", 1.0));
    if (!(gear > 0.0))
      t.problem("gear", "has a 'gear' of 0", "give the motor's turns for one of the joint (or one metre)");
    GraphMotor motor = read_motor(t);
    t.finish();
    joint.passive.armature = gear * gear * motor.inertia;
    joint.passive.viscous += gear * gear * motor.viscous;
    joint.passive.coulomb += gear * motor.coulomb;
    joint.limits.effort = std::min(joint.limits.effort, gear * motor.limits.effort);
    joint.limits.velocity = std::min(joint.limits.velocity, motor.limits.velocity / gear);
    if (motor.limits.effort_by_speed.empty()) return;
    if (!joint.limits.effort_by_speed.empty())
      of.problem("motor", "has both 'torque_by_speed' and the limits' 'effort_by_speed'", "give one of them");
    scale_effort_by_speed(motor.limits, 1.0 / gear, gear);
    joint.limits.effort_by_speed = std::move(motor.limits.effort_by_speed);
  }

  void read_coupling(const toml::table& table) {
    TomlTable t(table, "coupling", problems_);
    for (const char* key : {"name", "joints", "motor"}) t.require(key);
    GraphCoupling coupling{.name = t.text("name"), .source = t.source()};
    for (TomlTable::Text& joint : t.texts("joints")) coupling.joints.push_back(std::move(joint.text));
    for (const toml::table* one : t.tables("motor")) {
      TomlTable of(*one, coupling.name + ".motor", problems_);
      of.require("gears");
      GraphMotor motor = read_motor(of);
      motor.gears = of.number_list("gears");
      of.finish();
      coupling.motors.push_back(std::move(motor));
    }
    t.finish();
    graph_.couplings.push_back(std::move(coupling));
  }

  void read_flexible_base(const toml::table& table) {
    TomlTable t(table, "flexible_base", problems_);
    FlexibleBase base;
    base.slide = t.vec3("slide", base.slide);
    base.turn = t.vec3("turn", base.turn);
    base.slide_damping = t.vec3("slide_damping", base.slide_damping);
    base.turn_damping = t.vec3("turn_damping", base.turn_damping);
    base.mass = read_mass(t);
    base.pose = read_pose(t, "pose");
    t.finish();
    if (!problems_.findings.empty()) return;  // its root may be among what is wrong
    try {
      graph_.source = t.source();
      add_flexible_base(graph_, base);
      graph_.source = {problems_.file, 0};
    } catch (const InputError& e) {
      problems_.add(e);
    }
  }

  void add_joint(TomlTable& t, GraphJoint joint) {
    const toml::table* table = t.table("elastic");
    if (table == nullptr) return graph_.joints.push_back(std::move(joint));
    TomlTable elastic(*table, joint.name + ".elastic", problems_);
    elastic.require("stiffness");
    const Elasticity elasticity{elastic.number("stiffness", 1.0), elastic.number("damping", 0.0)};
    elastic.finish();
    try {
      add_elastic_joint(graph_, std::move(joint), elasticity);
    } catch (const InputError& e) {
      problems_.add(e);
    }
  }

  void read_mimic(const toml::table& table, GraphJoint& joint) {
    TomlTable t(table, joint.name + ".mimic", problems_);
    t.require("joint");
    joint.mimic = {t.text("joint"), t.number("multiplier", 1.0), t.number("offset", 0.0, number_use(joint))};
    t.finish();
  }

  Pose<double> read_pose(TomlTable& parent, std::string_view key) {
    Pose<double> pose = Pose<double>::identity();
    const toml::table* table = parent.table(key);
    if (table == nullptr) return pose;
    TomlTable t(*table, std::string(key), problems_);
    pose.p = t.vec3("xyz", pose.p);
    if (t.has("rpy") + t.has("rotation") + t.has("quaternion") > 1)
      t.problem("rpy", "give one of rpy, rotation, quaternion");
    if (t.has("rpy")) {
      const Vec3<double> rpy = t.vec3("rpy", Vec3<double>::zero(), {NumberUse::Kind::angle});
      for (const double angle : {rpy.x, rpy.y, rpy.z}) expect_radians(t, "rpy", angle);
      pose.R = rotation_of_rpy(rpy);
    }
    if (t.has("rotation")) pose.R = t.mat3("rotation");
    if (t.has("quaternion")) pose.R = read_quaternion(t);
    for (const char* form : {"rpy", "rotation", "quaternion"}) t.mention(form);
    t.finish();
    return pose;
  }

  Mat3<double> read_quaternion(TomlTable& t) {
    const std::vector<double> q = t.numbers("quaternion", {4});
    if (q.empty()) return Mat3<double>::identity();
    const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (std::fabs(n - 1.0) > 1e-6) t.problem("quaternion", "is not of unit length", "order is x, y, z, w");
    return rotation_of_quaternion(q[0] / n, q[1] / n, q[2] / n, q[3] / n);
  }

  /// Mass data given in a named frame, moved to the body's own.
  void move_masses_to_bodies() {
    using NameAndBody = std::pair<std::string_view, std::string_view>;  // of strings that the graph holds
    std::map<NameAndBody, const GraphFrame*> frames;
    for (const GraphFrame& frame : graph_.frames) frames.emplace(NameAndBody(frame.name, frame.body), &frame);
    for (const MassFrame& given : mass_frames_) {
      if (given.frame.empty()) continue;
      GraphBody& body = graph_.bodies[index_of(given.body)];
      const auto found = frames.find(NameAndBody(given.frame, body.name));
      if (found == frames.end()) {
        problems_.findings.push_back(
            {Finding::Severity::error, body.name,
             fmt::format("its mass data name a frame '{}' that is not on this body", given.frame),
             "add a [[frame]] with this name and body", given.source, false});
        continue;
      }
      const Pose<double>& pose = found->second->pose;
      body.mass.com = pose * body.mass.com;
      body.mass.inertia = rotate(pose.R, body.mass.inertia);
    }
  }

  struct MassFrame {
    std::size_t body;
    std::string frame;
    Source source;
  };
  /// Position of the i-th [[body]], whether or not the ground was put before them.
  std::size_t index_of(std::size_t i) const { return i + (graph_.bodies.size() - mass_frames_.size()); }

  TomlProblems problems_;
  TomlTable root_;
  Graph graph_;
  int dh_ = -1;
  std::vector<MassFrame> mass_frames_;
};

}  // namespace

Graph read_robot(const toml::table& root, const std::string& file) { return Reader(root, file).read(); }

Graph parse_toml(const std::string& text, const std::string& file) {
  return read_robot(parse_toml_text(text, file), file);
}

}  // namespace ulna

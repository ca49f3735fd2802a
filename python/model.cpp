// Robots: made of names, files and text, and what can be asked about them.
#include <pybind11/stl.h>

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "arrays.hpp"
#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"
#include "ulna/io/robot/format.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/loop/check_loops.hpp"
#include "ulna/model/cut_loops.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::python {

Robot::Robot(Graph given)
    : graph(std::make_shared<const Graph>(cut_loops(given))),
      model(std::make_shared<const Model>(build(*graph))),
      tree(model->loops().empty() ? model : std::make_shared<const Model>(model->tree())) {}

std::string Robot::essence() const { return to_explicit_toml(*graph); }

const Frame& Robot::frame(const std::string& name) const {
  const Frame* found = name.empty() ? &tree->tip() : tree->find_frame(name);
  if (found != nullptr) return *found;
  std::string known;
  for (const Frame& frame : tree->frames()) known += (known.empty() ? "" : ", ") + frame.name;
  throw InputError(fmt::format("'{}' has no link or frame '{}'; it has {}", model->name(), name, known));
}

int Robot::velocity_index(const std::string& name) const {
  const JointInfo* joint = model->find_joint(name);
  if (joint == nullptr) throw InputError(fmt::format("'{}' has no joint '{}'", model->name(), name));
  const Body& body = model->bodies()[static_cast<std::size_t>(joint->body)];
  if (position_numbers(joint->kind).size() != 1)
    throw InputError(fmt::format("the joint '{}' has several degrees of freedom; one of one degree is wanted", name));
  return body.v_index;
}

namespace {

using Vector = std::vector<double>;

Vec3<double> vec3_of(const py::object& object, const char* name) {
  return Vec3<double>::load(OneState(object, name, 3).data<double>());
}

/// xx, yy, zz, or these and xy, xz, yz.
Sym3<double> inertia_of(const py::object& object) {
  const bool diagonal = PyObject_Size(object.ptr()) == 3;
  PyErr_Clear();  // what has no size is none of the two
  const OneState numbers(object, "inertia", diagonal ? 3 : 6);
  const double* x = numbers.data<double>();
  if (diagonal) return {x[0], x[1], x[2], 0, 0, 0};
  return {x[0], x[1], x[2], x[3], x[4], x[5]};
}

std::shared_ptr<Robot> changed(const Robot& robot, const py::object& gravity, bool free_base,
                               const std::optional<double>& friction_speed) {
  Graph graph = *robot.graph;
  if (!gravity.is_none()) graph.gravity = vec3_of(gravity, "gravity");
  graph.free_base |= free_base;
  if (friction_speed) graph.friction_speed = *friction_speed;
  return std::make_shared<Robot>(std::move(graph));
}

std::shared_ptr<Robot> with_payload(const Robot& robot, double mass, const py::object& com, const py::object& inertia,
                                    const std::string& frame) {
  Graph graph = *robot.graph;
  add_payload(graph, {frame, {mass, vec3_of(com, "com"), inertia_of(inertia)}});
  return std::make_shared<Robot>(std::move(graph));
}

std::shared_ptr<Robot> attached(const Robot& robot, const Robot& other, const std::string& prefix,
                                const std::string& frame) {
  Graph graph = *robot.graph;
  attach(graph, *other.graph, prefix, robot.frame(frame).name);
  return std::make_shared<Robot>(std::move(graph));
}

py::dict joint_of(const Model& model, const JointInfo& joint) {
  const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
  py::dict dict;
  dict["name"] = joint.name;
  dict["kind"] = joint.continuous ? "continuous" : name_of(joint.kind);
  dict["parent"] = joint.parent;
  dict["child"] = joint.child;
  dict["q_index"] = body.q_index;
  dict["v_index"] = body.v_index;
  dict["lower"] = joint.limits.lower;
  dict["upper"] = joint.limits.upper;
  dict["velocity"] = joint.limits.velocity;
  dict["effort"] = joint.limits.effort;
  dict["viscous"] = joint.passive.viscous;
  dict["coulomb"] = joint.passive.coulomb;
  dict["stiffness"] = joint.passive.stiffness;
  dict["rest"] = joint.passive.rest;
  dict["armature"] = joint.passive.armature;
  return dict;
}

py::list joints_of(const Robot& robot) {
  py::list list;
  for (const JointInfo& joint : robot.model->joints()) list.append(joint_of(*robot.model, joint));
  return list;
}

py::list followers_of(const Robot& robot) {
  py::list list;
  for (const FollowerJoint& follower : robot.model->followers()) {
    py::dict dict = joint_of(*robot.model, follower.joint);
    dict["follows"] = follower.leader;
    dict["multiplier"] = follower.multiplier;
    dict["offset"] = follower.offset;
    list.append(dict);
  }
  return list;
}

py::list couplings_of(const Robot& robot) {
  py::list list;
  for (const Coupling& coupling : robot.model->couplings()) {
    py::list joints, gears, torques, speeds;
    for (const int k : coupling.v) joints.append(robot.model->joint_of(k).name);
    for (const CoupledMotor& motor : coupling.motors) {
      gears.append(array_of(motor.gears));
      torques.append(motor.limits.effort);
      speeds.append(motor.limits.velocity);
    }
    py::dict dict;
    dict["name"] = coupling.name;
    dict["joints"] = joints;
    dict["gears"] = gears;
    dict["torque"] = torques;
    dict["speed"] = speeds;
    list.append(dict);
  }
  return list;
}

py::dict postures_of(const Robot& robot) {
  py::dict dict;
  for (const Posture& posture : robot.model->postures()) dict[py::str(posture.name)] = array_of(posture.q);
  return dict;
}

py::list links_of(const Robot& robot) {
  py::list list;
  for (const GraphBody& body : robot.graph->bodies) {
    py::dict dict;
    const Vec3<double>& c = body.mass.com;
    const Sym3<double>& i = body.mass.inertia;
    dict["name"] = body.name;
    dict["mass"] = body.mass.mass;
    dict["com"] = array_of(Vector{c.x, c.y, c.z});
    dict["inertia"] = array_of(Vector{i.xx, i.yy, i.zz, i.xy, i.xz, i.yz});
    list.append(dict);
  }
  return list;
}

std::vector<std::string> frame_names(std::span<const Frame> frames) {
  std::vector<std::string> names;
  names.reserve(frames.size());
  for (const Frame& frame : frames) names.push_back(frame.name);
  return names;
}

/// Of a vector index the joint's name, with its number where it has several.
template <class Range>
std::vector<std::string> number_names(const Model& model, const Range& numbers_of) {
  std::vector<std::string> names;
  for (const JointInfo& joint : model.joints()) {
    const std::size_t count = numbers_of(joint.kind).size();
    for (std::size_t k = 0; k < count; ++k)
      names.push_back(count == 1 ? joint.name : fmt::format("{}[{}]", joint.name, k + 1));
  }
  return names;
}

py::object limits_of(const Robot& robot) {
  return py::make_tuple(array_of(robot.model->lower_limits()), array_of(robot.model->upper_limits()));
}

/// One number per degree of freedom.
py::object of_degrees(const Robot& robot, double Limits::*limit) {
  Vector all(static_cast<std::size_t>(robot.model->nv()));
  for (int k = 0; k < robot.model->nv(); ++k) all[static_cast<std::size_t>(k)] = robot.model->joint_of(k).limits.*limit;
  return array_of(all);
}

py::object random_state(const Robot& robot, const py::object& seed, double scale) {
  const unsigned long long number = PyLong_Check(seed.ptr()) ? PyLong_AsUnsignedLongLong(seed.ptr()) : 0;
  if (!PyLong_Check(seed.ptr()) || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    raise(PyExc_ValueError, "seed is %R; a whole number from 0 to 2**64 - 1 is wanted", seed.ptr());
  }
  if (!(std::isfinite(scale) && scale >= 0.0)) throw std::invalid_argument("scale must be a number from 0");
  std::mt19937_64 generator(number);
  const Vector q = random_position(*robot.model, generator), v = random_velocity(*robot.model, generator, scale);
  return py::make_tuple(array_of(q), array_of(v));
}

/// A position; throws ValueError for quaternions that are no rotations.
class Position : public OneState {
 public:
  Position(const py::object& object, const char* name, const Model& model) : OneState(object, name, model.nq()) {
    expect_unit_quaternions<double>(model, {vector().begin(), vector().end()});
  }
};

py::object integrated(const Robot& robot, const py::object& q, const py::object& step) {
  const Position from(q, "q", *robot.model);
  const OneState way(step, "step", robot.model->nv());
  Vector to(static_cast<std::size_t>(robot.model->nq()));
  integrate(*robot.model, from.vector(), way.vector(), to);
  return array_of(to);
}

py::object difference_of(const Robot& robot, const py::object& start, const py::object& end) {
  const Position from(start, "start", *robot.model), to(end, "end", *robot.model);
  Vector step(static_cast<std::size_t>(robot.model->nv()));
  difference(*robot.model, from.vector(), to.vector(), step);
  return array_of(step);
}

std::string repr_of(const Robot& robot) {
  const Model& model = *robot.model;
  std::string loops;
  if (robot.has_loops())
    loops = fmt::format(", {} closed loop{}", model.loops().size(), model.loops().size() == 1 ? "" : "s");
  return fmt::format("<ulna.Model '{}': {} joint{}, nq {}, nv {}, {} base{}, tip '{}'>", model.name(),
                     model.joints().size(), model.joints().size() == 1 ? "" : "s", model.nq(), model.nv(),
                     model.has_free_base() ? "free" : "fixed", loops, model.tip().name);
}

std::string written(const Robot& robot, const std::string& form) {
  if (form == "auto") return to_toml(*robot.graph);
  std::string known = "auto";
  std::vector<std::string> notices;
  for (const RobotFormat& format : robot_formats()) {
    for (const RobotForm& row : format.forms) {
      if (row.name == form) return row.write(*robot.graph, {}, notices);
      known += fmt::format(", {}", row.name);
    }
  }
  throw InputError(fmt::format("no form '{}'; there are {}", form, known));
}

Graph graph_of_text(const std::string& text, const std::string& format, const std::string& file) {
  return format == "auto" ? parse_robot(text, file) : robot_format_named(format).parse(text, file);
}

/// `reason`: not empty, impossible mass data are allowed.
std::shared_ptr<Robot> made(Graph graph, const std::string& reason) {
  if (!reason.empty()) {
    graph.allow_nonphysical = true;
    graph.nonphysical_reason = reason;
  }
  return std::make_shared<Robot>(std::move(graph));
}

using RobotClass = py::class_<Robot, std::shared_ptr<Robot>>;

void bind_origin(RobotClass& type) {
  type.def_property_readonly(
          "name", [](const Robot& r) { return r.model->name(); }, "The robot's name.")
      .def_property_readonly(
          "title", [](const Robot& r) { return r.graph->title; }, "One line about it.")
      .def_property_readonly(
          "source", [](const Robot& r) { return r.graph->provenance; }, "Where its numbers come from.")
      .def_property_readonly(
          "notices",
          [](const Robot& r) { return std::vector<std::string>(r.model->notices().begin(), r.model->notices().end()); },
          "What the reader of its file left out or read in its own way, one sentence each.");
}

void bind_parts(RobotClass& type) {
  type.def_property_readonly(
          "nq", [](const Robot& r) { return r.model->nq(); }, "How many numbers a position q has.")
      .def_property_readonly(
          "nv", [](const Robot& r) { return r.model->nv(); },
          "How many numbers v, a and tau have: the degrees of freedom (of the tree, with closed loops).")
      .def_property_readonly(
          "joints", &joints_of,
          "The joints in the order of q, as dicts: name, kind, parent, child, q_index, v_index, limits,\n"
          "friction, spring and armature in SI units.")
      .def_property_readonly(
          "followers", &followers_of,
          "The joints that follow others, as dicts like those of joints, with follows, multiplier and offset: such a\n"
          "joint stands at multiplier · q + offset, q that of the joint that it follows.")
      .def_property_readonly(
          "couplings", &couplings_of,
          "The motors that joints share, as dicts: name, joints, and by motor gears (its turns for a turn of each\n"
          "joint), torque and speed, infinite where they are not limited.")
      .def_property_readonly("postures", &postures_of,
                             "The positions that the robot file names, as a dict: name to q (nq,).")
      .def_property_readonly(
          "links", &links_of,
          "The links as dicts: name, mass in kg, com in m (3,) and inertia about it in kg m² (6,): xx, yy,\n"
          "zz, xy, xz, yz, each in the link's own frame.")
      .def_property_readonly(
          "joint_names",
          [](const Robot& r) {
            std::vector<std::string> names;
            for (const JointInfo& joint : r.model->joints()) names.push_back(joint.name);
            return names;
          },
          "Names of the joints, in the order of q.")
      .def_property_readonly(
          "q_names",
          [](const Robot& r) { return number_names(*r.model, [](JointKind k) { return position_numbers(k); }); },
          "What each number of q belongs to: nq names.")
      .def_property_readonly(
          "v_names", [](const Robot& r) { return number_names(*r.model, [](JointKind k) { return rate_numbers(k); }); },
          "What each number of v, a and tau belongs to: nv names.");
}

void bind_places(RobotClass& type) {
  type.def_property_readonly(
          "link_names", [](const Robot& r) { return frame_names(r.model->links()); }, "Names of the links.")
      .def_property_readonly(
          "frame_names", [](const Robot& r) { return frame_names(r.model->frames()); },
          "Names of links and frames: what pose() and jacobian() take.")
      .def_property_readonly(
          "tip", [](const Robot& r) { return r.model->tip().name; },
          "The link or frame that is meant where none is named.")
      .def_property_readonly(
          "loop_names",
          [](const Robot& r) {
            std::vector<std::string> names;
            for (const LoopJoint& loop : r.model->loops()) names.push_back(loop.name);
            return names;
          },
          "Names of the joints that close its loops; none for a tree.");
}

void bind_numbers(RobotClass& type) {
  type.def_property_readonly(
          "gravity_vector",
          [](const Robot& r) {
            const Vec3<double>& g = r.model->gravity();
            return array_of(Vector{g.x, g.y, g.z});
          },
          "Acceleration of gravity in world axes, m/s², shape (3,).")
      .def_property_readonly(
          "limits", &limits_of,
          "(lower, upper): limits of the positions, shape (nq,) each, rad or m; infinite where there are none.")
      .def_property_readonly(
          "velocity_limits", [](const Robot& r) { return of_degrees(r, &Limits::velocity); },
          "Shape (nv,), rad/s or m/s.")
      .def_property_readonly(
          "effort_limits", [](const Robot& r) { return of_degrees(r, &Limits::effort); }, "Shape (nv,), N m or N.")
      .def_property_readonly(
          "has_free_base", [](const Robot& r) { return r.model->has_free_base(); },
          "Whether the whole robot hangs on one free joint.")
      .def_property_readonly(
          "is_serial", [](const Robot& r) { return r.model->is_serial(); }, "Whether it has no branches.");
}

void bind_positions(const Methods& methods) {
  methods.def("neutral", "(self)", "The position at which all numbers are zero and quaternions are one, shape (nq,).",
              [](const Robot& r) { return array_of(r.model->neutral()); });
  methods.def("random_state", "(self, seed=1, scale=1.0)",
              "(q, v): a random position within the limits, shape (nq,), and velocities within ±scale, shape (nv,).\n"
              "The same seed gives the same state.",
              &random_state, py::arg("seed") = 1, py::arg("scale") = 1.0);
  methods.def("integrate", "(self, q, step)",
              "The position (nq,) that a step (nv,), given as velocities are, leads to from q (nq,).", &integrated,
              py::arg("q"), py::arg("step"));
  methods.def("difference", "(self, start, end)",
              "The step (nv,) that leads from one position (nq,) to another (nq,): integrate(start, step) is end.",
              &difference_of, py::arg("start"), py::arg("end"));
}

void bind_changes(const Methods& methods) {
  methods.def(
      "changed", "(self, *, gravity=None, free_base=False, friction_speed=None)",
      "Another model: with this gravity (3 numbers, m/s²), with a root that floats, or with Coulomb friction that\n"
      "fades below another speed (rad/s or m/s).",
      &changed, py::kw_only(), py::arg("gravity") = py::none(), py::arg("free_base") = false,
      py::arg("friction_speed") = py::none());
  methods.def(
      "with_payload", "(self, mass, com=(0, 0, 0), inertia=(0, 0, 0), frame='')",
      "Another model that carries a payload: mass in kg, com (3 numbers, m) and inertia about it (3 or 6 numbers,\n"
      "kg m²) in the axes of `frame`, which is the tip without it.",
      &with_payload, py::arg("mass"), py::arg("com") = py::make_tuple(0, 0, 0),
      py::arg("inertia") = py::make_tuple(0, 0, 0), py::arg("frame") = "");
  methods.def("attached", "(self, other, prefix, frame='')",
              "Another model with the robot `other` fixed to `frame` (the tip without it), its names with the prefix.",
              &attached, py::arg("other"), py::arg("prefix"), py::arg("frame") = "");
  methods.def("to_text", "(self, form='auto')",
              "The robot as the text of a file: form 'dh' or 'explicit' (TOML), 'urdf', 'mjcf', 'sdf', or 'auto' for "
              "the shorter TOML.",
              &written, py::arg("form") = "auto");
  methods.def(
      "check", "(self)",
      "Is it physical? All findings, as dicts with severity, link, reason, remedy, file and line; none is good.",
      [](const Robot& r) { return findings_of(without_gil([&] { return check_with_loops(*r.graph); })); });
}

}  // namespace

void bind_model(py::module_& module) {
  RobotClass type(
      module, "Model",
      "A robot ready to compute with. It never changes: share it between threads and send it to processes.\n\n"
      "Make one by ulna.load() or ulna.robot(). Arguments of its methods are arrays of one state, (nq,) or (nv,), or "
      "of\n"
      "many, (N, nq) or (N, nv), and results have the same leading shape. SI units, radians; angular parts first.");
  type.attr("__module__") = "ulna";
  refuse_new(type, "ulna.load() and ulna.robot() make models");
  bind_origin(type);
  bind_parts(type);
  bind_places(type);
  bind_numbers(type);
  bind_positions(Methods(type));
  bind_changes(Methods(type));
  type.def("__repr__", &repr_of)
      .def(
          "__eq__", [](const Robot& a, const Robot& b) { return &a == &b || a.essence() == b.essence(); },
          py::is_operator())
      .def("__hash__", [](const Robot& r) { return py::hash(py::str(r.essence())); })
      .def("__copy__", [](const std::shared_ptr<Robot>& r) { return r; })
      .def(
          "__deepcopy__", [](const std::shared_ptr<Robot>& r, const py::dict&) { return r; }, py::arg("memo"))
      .def("__reduce__", [](const Robot& r) {
        const py::object restore = py::module_::import("ulna._models").attr("restore");
        return py::make_tuple(restore, py::make_tuple(r.essence(), r.model->name()));
      });
  module.def(
      "load", [](const std::string& robot, const std::string& reason) { return made(load_graph(robot), reason); },
      py::arg("robot"), py::arg("allow_nonphysical") = "", py::call_guard<WithoutGil>());
  module.def(
      "parse",
      [](const std::string& text, const std::string& format, const std::string& file, const std::string& reason) {
        return made(graph_of_text(text, format, file), reason);
      },
      py::arg("text"), py::arg("format"), py::arg("file"), py::arg("allow_nonphysical") = "",
      py::call_guard<WithoutGil>());
  module.def(
      "check_text",
      [](const std::string& text, const std::string& format, const std::string& file) {
        return findings_of(without_gil([&] { return check_with_loops(cut_loops(graph_of_text(text, format, file))); }));
      },
      py::arg("text"), py::arg("format"), py::arg("file"));
  module.def(
      "check",
      [](const std::string& robot) {
        return findings_of(without_gil([&] { return check_with_loops(cut_loops(load_graph(robot))); }));
      },
      py::arg("robot"));
  module.def("bundled_robots", [] {
    py::list list;
    for (const BundledRobot& robot : bundled_robots()) list.append(py::make_tuple(robot.name, robot.title));
    return list;
  });
}

}  // namespace ulna::python

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "io/toml/toml_digits.hpp"
#include "toml_text.hpp"
#include "ulna/io/robot/write.hpp"

namespace ulna {

namespace {

std::string list_text(std::span<const double> values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const double x : values) texts.push_back(toml_digits(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string points_text(const std::vector<EffortPoint>& points) {
  std::vector<std::string> texts;
  texts.reserve(points.size());
  for (const EffortPoint& point : points) texts.push_back(list_text(std::array{point.speed, point.effort}));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

std::string toml_text(const Vec3<double>& a) { return list_text(std::array{a.x, a.y, a.z}); }

std::string toml_text(const Sym3<double>& a) {
  if (a.xy == 0 && a.xz == 0 && a.yz == 0) return list_text(std::array{a.xx, a.yy, a.zz});
  return list_text(std::array{a.xx, a.yy, a.zz, a.xy, a.xz, a.yz});
}

// A JSON string is a valid TOML basic string.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string toml_head(const Graph& graph) {
  std::string out = fmt::format("name = {}\n", quoted(graph.name));
  if (!graph.title.empty()) out += fmt::format("title = {}\n", quoted(graph.title));
  if (!graph.provenance.empty()) out += fmt::format("source = {}\n", quoted(graph.provenance));
  out += fmt::format("gravity = {}\n", toml_text(graph.gravity));
  if (graph.friction_speed != default_friction_speed)
    out += fmt::format("friction_speed = {}\n", toml_digits(graph.friction_speed));
  if (graph.free_base) out += "base = \"free\"\n";
  if (graph.allow_nonphysical)
    out += fmt::format("allow_nonphysical = true\nnonphysical_reason = {}\n", quoted(graph.nonphysical_reason));
  return out;
}

std::string toml_joint_data(const Limits& limits, const Passive& passive) {
  std::string out;
  std::vector<std::string> parts;
  const auto part = [&](const char* key, double value) {
    if (std::isfinite(value)) parts.push_back(fmt::format("{} = {}", key, toml_digits(value)));
  };
  const auto table = [&](const char* key) {
    if (!parts.empty()) out += fmt::format("{} = {{ {} }}\n", key, fmt::join(parts, ", "));
    parts.clear();
  };
  part("lower", limits.lower);
  part("upper", limits.upper);
  part("velocity", limits.velocity);
  part("effort", limits.effort);
  if (!limits.effort_by_speed.empty()) parts.push_back("effort_by_speed = " + points_text(limits.effort_by_speed));
  table("limits");
  if (passive.viscous != 0) part("viscous", passive.viscous);
  if (passive.coulomb != 0) part("coulomb", passive.coulomb);
  table("friction");
  if (passive.stiffness != 0) {
    part("stiffness", passive.stiffness);
    part("rest", passive.rest);
    table("spring");
  }
  if (passive.armature != 0) out += fmt::format("armature = {}\n", passive.armature);
  return out;
}

std::string toml_pose(const std::string& key, const Pose<double>& pose) {
  const Mat3<double>& R = pose.R;
  const bool turned = !(R.xx == 1 && R.yy == 1 && R.zz == 1 && R.xy == 0 && R.xz == 0 && R.yx == 0 && R.yz == 0 &&
                        R.zx == 0 && R.zy == 0);
  const bool moved = pose.p.x != 0 || pose.p.y != 0 || pose.p.z != 0;
  std::vector<std::string> parts;
  if (moved) parts.push_back("xyz = " + toml_text(pose.p));
  if (turned)
    parts.push_back(
        fmt::format("rotation = [{}, {}, {}]", toml_text(R.row_x()), toml_text(R.row_y()), toml_text(R.row_z())));
  return parts.empty() ? "" : fmt::format("{} = {{ {} }}\n", key, fmt::join(parts, ", "));
}

std::string toml_frame(const std::string& name, const std::string& body, const Pose<double>& pose) {
  return fmt::format("\n[[frame]]\nname = {}\nbody = {}\n", quoted(name), quoted(body)) + toml_pose("pose", pose);
}

std::string toml_couplings(const Graph& graph) {
  std::string out;
  for (const GraphCoupling& coupling : graph.couplings) {
    std::vector<std::string> joints;
    for (const std::string& joint : coupling.joints) joints.push_back(quoted(joint));
    out += fmt::format("\n[[coupling]]\nname = {}\njoints = [{}]\n", quoted(coupling.name), fmt::join(joints, ", "));
    for (const GraphMotor& motor : coupling.motors) {
      out += "[[coupling.motor]]\ngears = " + list_text(motor.gears) + "\n";
      const auto line = [&](const char* key, double value) {
        if (value != 0.0 && std::isfinite(value)) out += fmt::format("{} = {}\n", key, toml_digits(value));
      };
      line("inertia", motor.inertia);
      line("viscous", motor.viscous);
      line("coulomb", motor.coulomb);
      line("torque", motor.limits.effort);
      line("speed", motor.limits.velocity);
      if (!motor.limits.effort_by_speed.empty())
        out += "torque_by_speed = " + points_text(motor.limits.effort_by_speed) + "\n";
    }
  }
  return out;
}

std::string toml_postures(const Graph& graph) {
  std::string out;
  for (const GraphPosture& posture : graph.postures)
    out += fmt::format("\n[[posture]]\nname = {}\nq = {}\n", quoted(posture.name), list_text(posture.q.in_si()));
  return out;
}

std::string toml_shape(const char* row, const Shape& shape) {
  static constexpr std::array names{"box", "cylinder", "sphere", "mesh"};
  const auto kind = static_cast<std::size_t>(shape.kind);
  std::string out = fmt::format("\n[[{}.shape]]\nkind = \"{}\"\n", row, names[kind]);
  if (shape.kind != Shape::Kind::mesh)
    out += fmt::format("size = {}\n", list_text({shape.size.data(), 3 - kind}));
  else
    out += fmt::format("file = {}\nscale = {}\n", quoted(shape.mesh), list_text(shape.size));
  if (shape.colour) out += fmt::format("colour = {}\n", list_text(*shape.colour));
  return out + toml_pose("pose", shape.pose);
}

namespace {

std::string body_text(const GraphBody& body) {
  std::string out = fmt::format("\n[[body]]\nname = {}\n", quoted(body.name));
  const MassData& m = body.mass;
  if (has_mass_or_inertia(m))
    out +=
        fmt::format("mass = {}\ncom = {}\ninertia = {}\n", toml_digits(m.mass), toml_text(m.com), toml_text(m.inertia));
  if (body.is_guessed) out += "guessed = true\n";
  for (const Shape& shape : body.shapes) out += toml_shape("body", shape);
  return out;
}

std::string joint_text(const GraphJoint& joint) {
  std::string out =
      fmt::format("\n[[joint]]\nname = {}\nkind = \"{}\"\nparent = {}\nchild = {}\n", quoted(joint.name),
                  joint.continuous ? "continuous" : name_of(joint.kind), quoted(joint.parent), quoted(joint.child));
  out += toml_pose("pose", joint.in_parent) + toml_pose("child_pose", joint.in_child);
  if (!(joint.axis.x == 0 && joint.axis.y == 0 && joint.axis.z == 1))
    out += fmt::format("axis = {}\n", toml_text(joint.axis));
  if (has_pitch(joint.kind)) out += fmt::format("pitch = {}\n", toml_digits(joint.pitch));
  if (joint.offset != 0) out += fmt::format("offset = {}\n", joint.offset);
  if (joint.mimic)
    out += fmt::format("mimic = {{ joint = {}, multiplier = {}, offset = {} }}\n", quoted(joint.mimic->joint),
                       toml_digits(joint.mimic->multiplier), toml_digits(joint.mimic->offset));
  return out + toml_joint_data(joint.limits, joint.passive);
}

std::string loop_text(const GraphLoop& loop) {
  std::string out = fmt::format("\n[[loop]]\nname = {}\nkind = \"{}\"\nparent = {}\nchild = {}\n", quoted(loop.name),
                                name_of(loop.kind), quoted(loop.parent), quoted(loop.child));
  out += toml_pose("pose", loop.in_parent) + toml_pose("child_pose", loop.in_child);
  if (has_pitch(loop.kind)) out += fmt::format("pitch = {}\n", toml_digits(loop.pitch));
  return out;
}

}  // namespace

std::string to_explicit_toml(const Graph& graph) {
  std::string out = toml_head(graph);
  if (!graph.tip.empty()) out += fmt::format("tip = {}\n", quoted(graph.tip));
  for (const GraphBody& body : graph.bodies) out += body_text(body);
  for (const GraphJoint& joint : graph.joints) out += joint_text(joint);
  for (const GraphFrame& frame : graph.frames) out += toml_frame(frame.name, frame.body, frame.pose);
  for (const GraphLoop& loop : graph.loops) out += loop_text(loop);
  return out + toml_couplings(graph) + toml_postures(graph);
}

std::string to_toml(const Graph& graph) {
  for (const GraphBody& body : graph.bodies)
    if (body.is_guessed) return to_explicit_toml(graph);  // a table has no place for that
  try {
    return to_dh_toml(graph);
  } catch (const InputError&) {
    return to_explicit_toml(graph);
  }
}

}  // namespace ulna

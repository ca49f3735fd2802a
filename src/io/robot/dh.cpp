// A DH table from any serial arm: common normals between successive joint axes, at q = 0. Standard, or modified where
// the robot's own table was.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "toml_text.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

namespace {

struct Row {
  double theta, b, a, alpha;
};

/// The frame of the first row and those of the links in the world at q = 0, and a row per link.
struct Table {
  Pose<double> base;
  std::vector<Pose<double>> links;
  std::vector<Row> rows;
  bool tip_is_last = false;  // the last link's frame is the tip
};

[[noreturn]] void refuse(const Graph& graph, const std::string& why) {
  throw InputError(graph.source,
                   fmt::format("cannot be written as a DH table: {}; write explicit frames instead", why));
}

void expect_table(const Graph& graph, const Model& model) {
  for (const Frame& link : model.links()) {  // a table's ground is called "base" and stands in the world
    const bool at_rest = norm(link.pose.p) == 0.0 && link.pose.R.xx + link.pose.R.yy + link.pose.R.zz == 3.0;
    if (link.name == "base" && (link.body >= 0 || !at_rest)) refuse(graph, "its link 'base' is not the ground's frame");
  }
  if (!model.is_serial()) refuse(graph, "it branches");
  for (const Frame& link : model.links()) {
    const GraphBody* still = link.body < 0 ? find_body(graph, link.name) : nullptr;
    if (still != nullptr && !still->shapes.empty())
      refuse(graph, fmt::format("'{}' has a shape and stands still, where a table has no row", link.name));
  }
  for (const JointInfo& joint : model.joints())
    if (!has_one_degree(joint.kind)) refuse(graph, fmt::format("joint '{}' is {}", joint.name, name_of(joint.kind)));
}

Pose<double> frame_on(const Vec3<double>& x, const Vec3<double>& z, const Vec3<double>& origin) {
  return {Mat3<double>::from_columns(x, cross(z, x), z), origin};
}

/// Rounding that is left where an axis is square to another is taken off.
double cleaned(double x, double scale) { return std::fabs(x) < 1e-15 * scale ? 0.0 : x; }

/// Whether one row leads from the frame to the target: the target's x must meet the frame's z at a
/// right angle.
bool reaches(const Pose<double>& frame, const Pose<double>& target, Row& row) {
  const Pose<double> t = inverse(frame) * target;
  const Vec3<double> x = t.R.column_x(), z = t.R.column_z();
  const double scale = 1.0 + norm(t.p);
  const double miss = t.p.y * x.x - t.p.x * x.y;  // of the two lines
  if (std::fabs(x.z) > 1e-14 || std::fabs(miss) > 1e-14 * scale) return false;
  row.theta = std::atan2(cleaned(x.y, 1.0), x.x);
  row.b = cleaned(t.p.z, scale);
  row.a = cleaned(t.p.x * x.x + t.p.y * x.y, scale);
  row.alpha = std::atan2(cleaned(z.x * x.y - z.y * x.x, 1.0), cleaned(z.z, 1.0));
  return true;
}

/// The next DH frame on `axis` (z, origin) after `frame`, and the row that leads there.
Pose<double> step(const Graph& graph, const Pose<double>& frame, const Pose<double>& axis, Row& row) {
  const Vec3<double> z = frame.R.column_z(), next_z = axis.R.column_z();
  const Vec3<double> between = axis.p - frame.p, normal = cross(z, next_z);
  const double sine = norm(normal);
  Vec3<double> x = frame.R.column_x();
  Vec3<double> origin = axis.p;
  if (sine > 1e-6) {
    x = (1.0 / sine) * normal;
    if (dot(between, x) < 0.0) x = -x;
    // The foot on the next axis: where the plane of z and x meets it.
    const Vec3<double> n = cross(z, x);
    origin = axis.p - (dot(between, n) / dot(next_z, n)) * next_z;
  } else {
    if (sine > 1e-14) refuse(graph, "two successive axes are parallel but for a tiny angle");
    origin = axis.p - (dot(between, next_z)) * next_z;  // b = 0
    const Vec3<double> across = origin - frame.p;
    const double a = norm(across);
    if (a > 1e-14 * (1.0 + norm(between))) x = (1.0 / a) * across;
  }
  const Pose<double> next = frame_on(x, next_z, origin);
  const Vec3<double> local = transpose_times(frame.R, origin - frame.p);
  const Mat3<double> turn = transpose(frame.R) * next.R;
  const double scale = 1.0 + norm(between);
  row.theta = std::atan2(cleaned(turn.yx, 1.0), turn.xx);
  row.b = cleaned(local.z, scale);
  row.a = cleaned(dot(origin - frame.p, x), scale);
  row.alpha = std::atan2(cleaned(dot(cross(z, next_z), x), 1.0), cleaned(dot(z, next_z), 1.0));
  return next;
}

/// Link i's frame is the DH frame i+1, at its outer end.
Table table_of(const Graph& graph, const Model& model) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(model.neutral());
  const auto axis = [&](int body) { return kinematics.pose(Frame{"", body, Pose<double>::identity()}); };
  Table table{axis(0), {}, {}};
  // Frame 1 stands at the first axis, turned like the ground where that is its axis too.
  if (table.base.R.column_z().z == 1.0) table.base.R = Mat3<double>::identity();
  Pose<double> here = table.base;
  for (int i = 0; i + 1 < model.body_count(); ++i) {
    Row row{};
    here = step(graph, here, axis(i + 1), row);
    table.links.push_back(here);
    table.rows.push_back(row);
  }
  // Frame n+1 is free to choose: the tip where a row can reach it, else frame n as at q = 0.
  const Pose<double> tip = kinematics.pose(model.tip());
  Row row{0.0, 0.0, 0.0, 0.0};
  table.tip_is_last = model.tip().body == model.body_count() - 1 && reaches(here, tip, row);
  table.links.push_back(table.tip_is_last ? tip : here);
  table.rows.push_back(row);
  return table;
}

/// Rz(θ) Tz(b) [Tx(a) Rx(α)] Rz(θ) Tz(b) … with the brackets at the head of the next row. Link i's frame stands before
/// its bracket, and the last bracket is left to the tip.
Table as_modified(Table table) {
  Pose<double> before = table.base;
  Row ahead{0.0, 0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    Row& row = table.rows[i];
    const Pose<double> outer = table.links[i];
    table.links[i] = before * Pose<double>{rotation_z(exact_turn(row.theta)), {0, 0, row.b}};
    before = outer;
    std::swap(row.a, ahead.a);
    std::swap(row.alpha, ahead.alpha);
  }
  table.tip_is_last = table.tip_is_last && ahead.a == 0.0 && ahead.alpha == 0.0;
  return table;
}

/// Right angles in degrees, so that they read back as right angles.
std::string angle_text(double radians) {
  const double degrees = std::round(radians / (std::numbers::pi / 2)) * 90.0;
  if (degrees != 0.0 && std::fabs(radians - degrees * (std::numbers::pi / 180.0)) < 1e-15)
    return fmt::format("\"{} deg\"", degrees);
  return fmt::format("{}", radians);
}

std::string link_text(const Model& model, int i, const Table& table) {
  const JointInfo& joint = model.joints()[static_cast<std::size_t>(i)];
  const Row& row = table.rows[static_cast<std::size_t>(i)];
  std::string out = fmt::format("\n[[link]]\nname = {}\njoint_name = {}\njoint = \"{}\"\n", quoted(joint.child),
                                quoted(joint.name), joint.continuous ? "continuous" : name_of(joint.kind));
  if (has_pitch(joint.kind))
    out += fmt::format("pitch = {}\n", model.bodies()[static_cast<std::size_t>(i)].joint.pitch);
  out += fmt::format("theta = {}\nb = {}\na = {}\nalpha = {}\n", angle_text(row.theta), row.b, row.a,
                     angle_text(row.alpha));
  return out;
}

std::string mass_text(const RigidInertia<double>& inertia, const Pose<double>& body_in_frame) {
  const MassData data{inertia.mass, inertia.h, inertia.about_origin};
  if (!has_mass_or_inertia(data)) return "";
  const Vec3<double> c = inertia.mass != 0.0 ? (1.0 / inertia.mass) * inertia.h : Vec3<double>::zero();
  return fmt::format("mass = {}\ncom = {}\ninertia = {}\n", inertia.mass, toml_text(body_in_frame * c),
                     toml_text(rotate(body_in_frame.R, inertia.about_centre(c))));
}

/// In the table a link's name stands for its DH frame: a tip that is the last link's own frame is named apart, as
/// nothing else is.
std::string tip_apart(const Model& model) {
  std::string name = model.tip().name + "_tip";
  while (model.find_frame(name) != nullptr) name += '_';
  return name;
}

/// Of all links that are fixed to this body; `frame` leads from the world to the row's frame.
std::string shapes_text(const Graph& graph, const Model& model, int body, const Pose<double>& frame,
                        Kinematics<double>& kinematics) {
  std::string out;
  for (const Frame& link : model.links()) {
    const GraphBody* of = link.body == body ? find_body(graph, link.name) : nullptr;
    if (of == nullptr) continue;
    for (Shape shape : of->shapes) {
      shape.pose = frame * kinematics.pose(link) * shape.pose;
      out += toml_shape("link", shape);
    }
  }
  return out;
}

}  // namespace

std::string to_dh_toml(const Graph& graph) {
  const Model model = build(graph);
  expect_table(graph, model);
  const Table table = graph.modified_dh ? as_modified(table_of(graph, model)) : table_of(graph, model);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(model.neutral());

  std::string out = toml_head(graph);
  out +=
      fmt::format("dh = \"{}\"\n{}", graph.modified_dh ? "modified" : "standard", toml_pose("base_pose", table.base));
  const std::string& last = model.joints().back().child;
  const bool is_apart = !table.tip_is_last && model.tip().name == last;
  const std::string tip = table.tip_is_last ? last : is_apart ? tip_apart(model) : model.tip().name;
  out += fmt::format("tip = {}\n", quoted(tip));
  std::string frames;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const JointInfo& joint = model.joints()[at];
    const Pose<double> frame = inverse(table.links[at]);
    const Pose<double> body = frame * kinematics.pose(Frame{"", i, Pose<double>::identity()});
    out += link_text(model, i, table) + mass_text(model.bodies()[at].inertia, body);
    out += toml_joint_data(joint.limits, joint.passive) + shapes_text(graph, model, i, frame, kinematics);
    for (const Frame& named : model.frames())
      if (named.body == i && named.name != joint.child)
        frames += toml_frame(named.name, joint.child, frame * kinematics.pose(named));
  }
  for (const Frame& named : model.frames())
    if (named.body < 0 && named.name != "base") frames += toml_frame(named.name, "base", named.pose);
  if (is_apart) frames += toml_frame(tip, last, inverse(table.links.back()) * kinematics.pose(model.tip()));
  return out + frames + toml_couplings(graph) + toml_postures(graph);
}

}  // namespace ulna

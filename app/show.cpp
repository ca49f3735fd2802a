#include <fmt/format.h>

#include <cmath>

#include "base/plain_text.hpp"
#include "command.hpp"
#include "output.hpp"

namespace ulna::app {

namespace {

std::string range_text(const JointInfo& joint) {
  const auto bound = [](double x) { return std::isfinite(x) ? short_number(x) : std::string(x < 0 ? "-∞" : "∞"); };
  if (joint.continuous || (std::isinf(joint.limits.lower) && std::isinf(joint.limits.upper))) return "free";
  return fmt::format("{} … {}", bound(joint.limits.lower), bound(joint.limits.upper));
}

std::string passive_text(const Passive& p) {
  std::string text;
  const auto add = [&](const char* name, double value) {
    if (value != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, short_number(value));
  };
  add("viscous", p.viscous);
  add("coulomb", p.coulomb);
  add("spring", p.stiffness);
  add("armature", p.armature);
  return text.empty() ? "–" : text;
}

/// Each body's joint frame in the world at q = 0: any point of the joint's axis, which is its z.
std::vector<Pose<double>> joint_poses(const Model& model) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(model.neutral());
  std::vector<Pose<double>> poses;
  poses.reserve(model.bodies().size());
  for (int i = 0; i < model.body_count(); ++i) poses.push_back(kinematics.pose({"", i, Pose<double>::identity()}));
  return poses;
}

double moving_mass(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.bodies()) mass += body.inertia.mass;
  return mass;
}

Json joint_json(const Model& model, const JointInfo& joint, const Pose<double>& at) {
  const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
  return {{"name", joint.name},
          {"kind", joint.continuous ? "continuous" : name_of(joint.kind)},
          {"parent", joint.parent},
          {"child", joint.child},
          {"q_index", body.q_index},
          {"v_index", body.v_index},
          {"at", to_json(at.p)},
          {"axis", has_axis(joint.kind) ? to_json(at.R.column_z()) : Json()},
          {"lower", joint.limits.lower},
          {"upper", joint.limits.upper},
          {"velocity", joint.limits.velocity},
          {"effort", joint.limits.effort},
          {"viscous", joint.passive.viscous},
          {"coulomb", joint.passive.coulomb},
          {"stiffness", joint.passive.stiffness},
          {"rest", joint.passive.rest},
          {"armature", joint.passive.armature}};
}

Json followers_json(const Model& model) {
  Json list = Json::array();
  for (const FollowerJoint& follower : model.followers()) {
    list.push_back({{"name", follower.joint.name},
                    {"kind", name_of(follower.joint.kind)},
                    {"parent", follower.joint.parent},
                    {"child", follower.joint.child},
                    {"follows", follower.leader},
                    {"multiplier", follower.multiplier},
                    {"offset", follower.offset}});
  }
  return list;
}

Json couplings_json(const Model& model) {
  Json list = Json::array();
  for (const Coupling& coupling : model.couplings()) {
    Json joints = Json::array(), motors = Json::array();
    for (const int k : coupling.v) joints.push_back(model.joint_of(k).name);
    for (const CoupledMotor& motor : coupling.motors)
      motors.push_back({{"gears", motor.gears}, {"torque", motor.limits.effort}, {"speed", motor.limits.velocity}});
    list.push_back({{"name", coupling.name}, {"joints", joints}, {"motors", motors}});
  }
  return list;
}

Json loops_json(const Model& model) {
  Json loops = Json::array();
  for (const LoopJoint& loop : model.loops())
    loops.push_back({{"name", loop.name}, {"kind", name_of(loop.kind)}, {"equations", constraint_count(loop.kind)}});
  return loops;
}

void show_json(const Graph& graph, const Model& model) {
  const std::optional<LoopMobility> mobility = mobility_near(model, model.neutral());
  Json joints = Json::array(), links = Json::array(), frames = Json::array();
  const std::vector<Pose<double>> at = joint_poses(model);
  for (const JointInfo& joint : model.joints())
    joints.push_back(joint_json(model, joint, at[static_cast<std::size_t>(joint.body)]));
  for (const GraphBody& body : graph.bodies) {
    const Sym3<double>& i = body.mass.inertia;
    links.push_back({{"name", body.name},
                     {"mass", body.mass.mass},
                     {"com", to_json(body.mass.com)},
                     {"inertia", {i.xx, i.yy, i.zz, i.xy, i.xz, i.yz}}});
  }
  for (const Frame& frame : model.frames()) frames.push_back(frame.name);
  Json postures = Json::object();
  for (const Posture& posture : model.postures()) postures[posture.name] = posture.q;
  print_json({{"name", graph.name},
              {"title", graph.title},
              {"source", graph.provenance},
              {"gravity", to_json(graph.gravity)},
              {"nq", model.nq()},
              {"nv", model.nv()},
              {"mobility", mobility ? Json(mobility->mobility()) : Json(nullptr)},
              {"loops", loops_json(model)},
              {"redundant", mobility ? Json(mobility->redundant()) : Json(nullptr)},
              {"moving_mass", moving_mass(model)},
              {"tip", model.tip().name},
              {"joints", joints},
              {"followers", followers_json(model)},
              {"couplings", couplings_json(model)},
              {"postures", postures},
              {"links", links},
              {"frames", frames}});
}

void show_followers(const Model& model) {
  if (!model.has_followers()) return;
  fmt::print("\njoints that follow others\n");
  std::vector<std::vector<std::string>> rows{{"joint", "kind", "from", "to", "stands at"}};
  for (const FollowerJoint& follower : model.followers()) {
    rows.push_back({follower.joint.name, name_of(follower.joint.kind), follower.joint.parent, follower.joint.child,
                    fmt::format("{} · {} {} {}", short_number(follower.multiplier), follower.leader,
                                std::signbit(follower.offset) ? "−" : "+", short_number(std::fabs(follower.offset)))});
  }
  print_table(rows);
}

void show_couplings(const Model& model) {
  if (!model.has_couplings()) return;
  fmt::print("\nmotors that joints share\n");
  std::vector<std::vector<std::string>> rows{{"coupling", "motor", "turns by", "torque", "speed"}};
  for (const Coupling& coupling : model.couplings()) {
    for (std::size_t m = 0; m < coupling.motors.size(); ++m) {
      const CoupledMotor& motor = coupling.motors[m];
      std::string sum;
      for (std::size_t j = 0; j < coupling.v.size(); ++j) {
        if (motor.gears[j] == 0.0) continue;
        const bool is_less = motor.gears[j] < 0.0;
        sum += sum.empty() ? (is_less ? "−" : "") : (is_less ? " − " : " + ");
        sum += fmt::format("{} · {}", short_number(std::fabs(motor.gears[j])), model.joint_of(coupling.v[j]).name);
      }
      const auto limit = [](double x) { return std::isfinite(x) ? short_number(x) : std::string("–"); };
      rows.push_back(
          {coupling.name, std::to_string(m + 1), sum, limit(motor.limits.effort), limit(motor.limits.velocity)});
    }
  }
  print_table(rows);
}

void show_postures(const Model& model) {
  if (model.postures().empty()) return;
  fmt::print("\npostures\n");
  std::vector<std::vector<std::string>> rows{{"name", "q"}};
  for (const Posture& posture : model.postures()) {
    std::string q;
    for (const double x : posture.q) q += (q.empty() ? "" : ", ") + short_number(x);
    rows.push_back({posture.name, q});
  }
  print_table(rows);
}

void show_loops(const Graph& graph) {
  if (graph.loops.empty()) return;
  fmt::print("\nloops, closed by\n");
  std::vector<std::vector<std::string>> rows{{"joint", "kind", "from", "to", "equations"}};
  for (const GraphLoop& loop : graph.loops)
    rows.push_back(
        {loop.name, name_of(loop.kind), loop.parent, loop.child, std::to_string(constraint_count(loop.kind))});
  print_table(rows);
}

std::string mobility_text(const Model& model) {
  const std::optional<LoopMobility> mobility = mobility_near(model, model.neutral());
  if (!mobility) return "mobility unknown (the loops do not close near the zero position)";
  if (model.loops().empty()) return fmt::format("mobility {}", mobility->mobility());
  return fmt::format("mobility {} ({} degrees of the tree, {} loop equations, {} of them redundant)",
                     mobility->mobility(), mobility->degrees, mobility->equations, mobility->redundant());
}

void show_text(const Graph& graph, const Model& model) {
  fmt::print("{}{}{}\n", plain_text(graph.name), graph.title.empty() ? "" : ": ", plain_text(graph.title));
  if (!graph.provenance.empty()) fmt::print("source: {}\n", plain_text(graph.provenance));
  if (graph.allow_nonphysical) fmt::print("not physical, allowed: {}\n", graph.nonphysical_reason);
  fmt::print("{}, {} base, {}, {} positions, moving mass {} kg, gravity ({}) m/s², tip '{}'\n",
             model.is_serial()       ? "serial"
             : model.has_followers() ? "coupled"
                                     : "branched",
             model.has_free_base() ? "free" : "fixed", mobility_text(model), model.nq(),
             short_number(moving_mass(model)), short_numbers(model.gravity()), model.tip().name);
  fmt::print("\njoints, in the order of q; places and axes in world axes at q = 0\n");
  std::vector<std::vector<std::string>> rows{
      {"q", "joint", "kind", "from", "to", "at m", "axis", "range", "friction and the like"}};
  const std::vector<Pose<double>> at = joint_poses(model);
  for (const JointInfo& joint : model.joints()) {
    const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    const Pose<double>& pose = at[static_cast<std::size_t>(joint.body)];
    rows.push_back({std::to_string(body.q_index + 1), joint.name, joint.continuous ? "continuous" : name_of(joint.kind),
                    joint.parent, joint.child, short_numbers(pose.p, 1.0),
                    has_axis(joint.kind) ? short_numbers(pose.R.column_z(), 1.0) : "–", range_text(joint),
                    passive_text(joint.passive)});
  }
  print_table(rows);
  show_followers(model);
  show_couplings(model);
  show_loops(graph);
  show_postures(model);
  fmt::print("\nlinks, each in its own frame\n");
  rows = {{"link", "mass kg", "mass centre m", "inertia about it, kg m² (xx, yy, zz; xy, xz, yz)"}};
  for (const GraphBody& body : graph.bodies) {
    const Sym3<double>& i = body.mass.inertia;
    rows.push_back({body.name, short_number(body.mass.mass), short_numbers(body.mass.com),
                    fmt::format("{}; {}", short_numbers({i.xx, i.yy, i.zz}), short_numbers({i.xy, i.xz, i.yz}))});
  }
  print_table(rows);
}

struct ShowOptions : RobotOptions {
  std::string names;
};

/// One a line, for scripts and shells.
void show_names(const Model& model, const std::string& which) {
  if (which == "joints")
    for (const JointInfo& joint : model.joints()) fmt::print("{}\n", plain_text(joint.name));
  else
    for (const Frame& frame : model.frames()) fmt::print("{}\n", plain_text(frame.name));
}

}  // namespace

void add_show(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("show", "joints, links, masses, mobility of a robot");
  command->footer("Example: ulna show puma560");
  auto options = std::make_shared<ShowOptions>();
  options->add_to(*command);
  command->add_option("--names", options->names, "print these names only, one per line; frames: links and frames")
      ->check(one_of({"joints", "frames"}))
      ->excludes(command->get_option("--json"));
  command->callback([options] {
    const Graph graph = options->graph();
    const Model model = build(graph);
    if (!options->names.empty()) return show_names(model, options->names);
    options->json ? show_json(graph, model) : show_text(graph, model);
  });
}

}  // namespace ulna::app

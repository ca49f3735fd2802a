#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanism.hpp"
#include "ulna/loop/free_motion.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna::app {

namespace {

struct FkOptions : RobotOptions {
  std::string q, v, frame, reference = "world_axes";
};

Reference reference_of(const std::string& name) {
  if (name == "own_axes") return Reference::own_axes;
  return name == "world_origin" ? Reference::world_origin : Reference::world_axes;
}

std::string quaternion_text(const Mat3<double>& R) {
  const Quaternion<double> q = quaternion_of(R);
  const auto text = [](double x) { return short_number(without_rounding(x, 1.0)); };
  return fmt::format("{}, {}, {}, {}", text(q.x), text(q.y), text(q.z), text(q.w));
}

/// How well the frame does something in this posture.
struct Measure {
  std::string key, what;
  Manipulability here;
  int rank;  // in most postures

  bool is_singular() const { return here.rank < rank; }
};

struct PoseAnswer {
  const Model& model;
  const Frame& frame;
  const Kinematics<double>& kinematics;
  std::vector<double> q, v, jacobian;
  std::vector<Measure> measures;  // of the frame's task, then of the parts of it
  Motion<double> velocity;
};

Json measure_json(const Measure& m) {
  return {{"task", m.what},
          {"rank", m.here.rank},
          {"full_rank", m.rank},
          {"singular", m.is_singular()},
          {"manipulability", m.here.yoshikawa},
          {"condition", m.here.condition},
          {"smallest_singular_value", m.here.smallest}};
}

void print_answer_json(const PoseAnswer& a, const std::string& reference) {
  Json frames = Json::array();
  for (const Frame& frame : a.model.frames()) {
    const Pose<double> pose = a.kinematics.pose(frame);
    frames.push_back({{"name", frame.name}, {"position", to_json(pose.p)}, {"rotation", to_json(pose.R)}});
  }
  const Pose<double> tip = a.kinematics.pose(a.frame);
  Json document{{"q", a.q},
                {"frames", frames},
                {"frame", a.frame.name},
                {"position", to_json(tip.p)},
                {"rotation", to_json(tip.R)},
                {"reference", reference},
                {"velocity",
                 {a.velocity.angular.x, a.velocity.angular.y, a.velocity.angular.z, a.velocity.linear.x,
                  a.velocity.linear.y, a.velocity.linear.z}},
                {"jacobian", to_json(MatrixView<const double>{a.jacobian.data(), 6, a.model.nv()})},
                {"com", to_json(a.kinematics.com())}};
  document.update(measure_json(a.measures[0]));
  for (std::size_t k = 1; k < a.measures.size(); ++k) document[a.measures[k].key] = measure_json(a.measures[k]);
  print_json(document);
}

void print_measures(const PoseAnswer& a) {
  fmt::print("\ntask of '{}': {}{}\n", a.frame.name, a.measures[0].what,
             a.measures[0].is_singular() ? "; this posture is singular" : "");
  std::vector<std::vector<std::string>> rows{{"of", "rank", "manipulability", "condition", "smallest singular value"}};
  for (const Measure& m : a.measures) {
    const bool zero = m.is_singular() || m.rank == 0;  // but for rounding
    rows.push_back({m.what, fmt::format("{} of {}", m.here.rank, m.rank), zero ? "0" : short_number(m.here.yoshikawa),
                    m.rank == 0       ? "–"
                    : m.is_singular() ? "∞ (singular)"
                                      : short_number(m.here.condition),
                    zero ? "0" : short_number(m.here.smallest)});
  }
  print_table(rows);
}

void print_answer_text(const PoseAnswer& a, const std::string& reference) {
  const double length = length_scale(a.model);
  std::vector<std::vector<std::string>> rows{{"frame", "position m", "orientation (quaternion x, y, z, w)"}};
  for (const Frame& frame : a.model.frames()) {
    const Pose<double> pose = a.kinematics.pose(frame);
    rows.push_back(
        {frame.name + (&frame == &a.frame ? " *" : ""), short_numbers(pose.p, length), quaternion_text(pose.R)});
  }
  print_table(rows);
  fmt::print("\nmass centre of the moving links: {} m\n", short_numbers(a.kinematics.com(), length));
  fmt::print("velocity of '{}' ({}): angular {} rad/s, linear {} m/s\n", a.frame.name, reference,
             short_numbers(a.velocity.angular, norm(a.velocity.angular)),
             short_numbers(a.velocity.linear, norm(a.velocity.linear)));
  print_matrix(fmt::format("\nJacobian of '{}' ({}; angular rows first)", a.frame.name, reference),
               {a.jacobian.data(), 6, a.model.nv()});
  print_measures(a);
}

/// By the Jacobian in world axes.
std::vector<Measure> measures_of(const TipTask& task, MatrixView<const double> jacobian) {
  const auto measure = [&](const char* key, const TipTask& of, const std::vector<double>& rows) {
    const int count = static_cast<int>(rows.size()) / std::max(jacobian.cols, 1);
    return Measure{key, of.name(), manipulability({rows.data(), count, jacobian.cols}, of.rank), of.rank};
  };
  std::vector<Measure> measures{measure("", task, task.rows(jacobian))};
  if (!task.places || !task.turns) return measures;
  TipTask part = task;
  part.turns = false;
  part.rank = task.position.rank;
  measures.push_back(measure("position_part", part, part.rows(jacobian)));
  part = task;
  part.places = false;
  part.rank = task.orientation.rank;
  measures.push_back(measure("orientation_part", part, part.rows(jacobian)));
  return measures;
}

std::vector<Measure> measures_of_tree(const PoseAnswer& a) {
  std::vector<double> jacobian(a.jacobian.size());
  a.kinematics.jacobian(a.frame, Reference::world_axes, {jacobian.data(), 6, a.model.nv()});
  return measures_of(tip_task(a.model, a.frame), {jacobian.data(), 6, a.model.nv()});
}

/// For motions that keep the loops closed.
std::vector<Measure> measures_of_loops(const Model& model, const PoseAnswer& a) {
  const std::vector<double> jacobian = free_jacobian(model, a.frame, a.q);
  const int degrees = static_cast<int>(jacobian.size() / 6);
  std::vector<Measure> measures = measures_of(tip_task(model, a.frame, a.q), {jacobian.data(), 6, degrees});
  for (Measure& measure : measures)
    measure.what += degrees == 1 ? ", by the one degree of freedom that keeps the loops closed"
                                 : fmt::format(", by {} degrees of freedom that keep the loops closed", degrees);
  return measures;
}

void run(const FkOptions& options) {
  const Model model = build(options.graph());
  const Frame* frame = options.frame.empty() ? &model.tip() : model.find_frame(options.frame);
  if (frame == nullptr)
    throw InputError(fmt::format("--frame: this robot has no link or frame '{}'; see `ulna show`", options.frame));
  Kinematics<double> kinematics(model);
  PoseAnswer answer{model, *frame, kinematics, closed_position(model, options.q), {}, {}, {}, {}};
  kinematics.update_positions(answer.q);
  answer.v = closed_velocities(model, answer.q, options.v);
  kinematics.update_velocities(answer.v);
  const Reference reference = reference_of(options.reference);
  answer.jacobian.resize(6 * static_cast<std::size_t>(model.nv()));
  kinematics.jacobian(*frame, reference, {answer.jacobian.data(), 6, model.nv()});
  answer.measures = model.loops().empty() ? measures_of_tree(answer) : measures_of_loops(model, answer);
  answer.velocity = kinematics.velocity(*frame, reference);
  options.json ? print_answer_json(answer, options.reference) : print_answer_text(answer, options.reference);
}

}  // namespace

void add_fk(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("fk", "poses of all links, Jacobian and manipulability");
  command->footer(
      "Rank, manipulability and condition are those of the frame's task, which follows from the robot: position,\n"
      "orientation or both, in space or in a plane; of both also each by itself (doc/conventions.md).\n"
      "Example: ulna fk puma560 --q 0,-90deg,0,0,45deg,0");
  auto options = std::make_shared<FkOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions, or the name of a posture (default: the zero position)");
  add_numbers_option(*command, "--v", options->v, "velocities (default: zero)");
  command->add_option("--frame", options->frame, "link or frame of the Jacobian (default: the tip)")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  command->add_option("--reference", options->reference, "frame of velocity and Jacobian")
      ->check(one_of({"world_axes", "own_axes", "world_origin"}))
      ->capture_default_str();
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app

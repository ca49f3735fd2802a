#include <fmt/format.h>

#include <cmath>

#include "mechanism.hpp"
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
  return fmt::format("{}, {}, {}, {}", short_number(q.x), short_number(q.y), short_number(q.z), short_number(q.w));
}

struct Answer {
  const Model& model;
  const Frame& frame;
  const Kinematics<double>& kinematics;
  std::vector<double> q, v, jacobian;
  Manipulability manipulability;
  Motion<double> velocity;
  bool closed;  // has loops
};

void print_answer_json(const Answer& a, const std::string& reference) {
  Json frames = Json::array();
  for (const Frame& frame : a.model.frames()) {
    const Pose<double> pose = a.kinematics.pose(frame);
    frames.push_back({{"name", frame.name}, {"position", to_json(pose.p)}, {"rotation", to_json(pose.R)}});
  }
  const Pose<double> tip = a.kinematics.pose(a.frame);
  print_json({{"q", a.q},
              {"frames", frames},
              {"frame", a.frame.name},
              {"position", to_json(tip.p)},
              {"rotation", to_json(tip.R)},
              {"reference", reference},
              {"velocity",
               {a.velocity.angular.x, a.velocity.angular.y, a.velocity.angular.z, a.velocity.linear.x,
                a.velocity.linear.y, a.velocity.linear.z}},
              {"jacobian", to_json(MatrixView<const double>{a.jacobian.data(), 6, a.model.nv()})},
              {"rank", a.manipulability.rank},
              {"manipulability", a.manipulability.yoshikawa},
              {"condition", a.manipulability.condition},
              {"smallest_singular_value", a.manipulability.smallest},
              {"com", to_json(a.kinematics.com())}});
}

void print_answer_text(const Answer& a, const std::string& reference) {
  std::vector<std::vector<std::string>> rows{{"frame", "position m", "orientation (quaternion x, y, z, w)"}};
  for (const Frame& frame : a.model.frames()) {
    const Pose<double> pose = a.kinematics.pose(frame);
    rows.push_back({frame.name + (&frame == &a.frame ? " *" : ""), short_numbers(pose.p), quaternion_text(pose.R)});
  }
  print_table(rows);
  fmt::print("\nmass centre of the moving links: {} m\n", short_numbers(a.kinematics.com()));
  fmt::print("velocity of '{}' ({}): angular {} rad/s, linear {} m/s\n", a.frame.name, reference,
             short_numbers(a.velocity.angular), short_numbers(a.velocity.linear));
  print_matrix(fmt::format("\nJacobian of '{}' ({}; angular rows first)", a.frame.name, reference),
               {a.jacobian.data(), 6, a.model.nv()});
  if (a.closed) fmt::print("\nfor motions that keep the loops closed:");
  const Manipulability& m = a.manipulability;
  fmt::print("\nrank {}, manipulability {}, condition {}, smallest singular value {}\n", m.rank,
             short_number(m.yoshikawa), std::isfinite(m.condition) ? short_number(m.condition) : "∞ (singular)",
             short_number(m.smallest));
}

/// The Jacobian for motions that keep the loops closed; without loops the Jacobian itself.
std::vector<double> free_jacobian(const ClosedModel& model, const std::vector<double>& q,
                                  const std::vector<double>& jacobian) {
  if (model.loops.empty()) return jacobian;
  LoopEquations equations(model);
  equations.update(q);
  const std::vector<double> directions = free_directions(equations);
  const auto n = static_cast<std::size_t>(model.tree.nv());
  std::vector<double> product(6 * directions.size() / n, 0.0);
  for (std::size_t c = 0; c < directions.size() / n; ++c)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t r = 0; r < 6; ++r) product[6 * c + r] += jacobian[6 * k + r] * directions[n * c + k];
  return product;
}

void run(const FkOptions& options) {
  const ClosedModel closed = build_closed(options.graph());
  const Model& model = closed.tree;
  const Frame* frame = options.frame.empty() ? &model.tip() : model.find_frame(options.frame);
  if (frame == nullptr)
    throw InputError(fmt::format("--frame: this robot has no link or frame '{}'; see `ulna show`", options.frame));
  Kinematics<double> kinematics(model);
  Answer answer{model, *frame, kinematics, closed_position(closed, options.q), {}, {}, {}, {}, !closed.loops.empty()};
  kinematics.update_positions(answer.q);
  answer.v = closed_velocities(closed, answer.q, options.v);
  kinematics.update_velocities(answer.v);
  const Reference reference = reference_of(options.reference);
  answer.jacobian.resize(6 * static_cast<std::size_t>(model.nv()));
  kinematics.jacobian(*frame, reference, {answer.jacobian.data(), 6, model.nv()});
  const std::vector<double> free = free_jacobian(closed, answer.q, answer.jacobian);
  answer.manipulability = manipulability({free.data(), 6, static_cast<int>(free.size() / 6)});
  answer.velocity = kinematics.velocity(*frame, reference);
  options.json ? print_answer_json(answer, options.reference) : print_answer_text(answer, options.reference);
}

}  // namespace

void add_fk(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("fk", "poses of all links, Jacobian and manipulability");
  command->footer("Example: ulna fk puma560 --q 0,-90deg,0,0,45deg,0");
  auto options = std::make_shared<FkOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions; the zero position without it");
  add_numbers_option(*command, "--v", options->v, "velocities; zero without it");
  command->add_option("--frame", options->frame, "link or frame of the Jacobian; the tip without it")
      ->type_name("FRAME");
  command->add_option("--reference", options->reference, "frame of velocity and Jacobian")
      ->check(one_of({"world_axes", "own_axes", "world_origin"}))
      ->capture_default_str();
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app

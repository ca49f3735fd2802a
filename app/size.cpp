#include <fmt/format.h>

#include <array>

#include "command.hpp"
#include "io/results/size_page.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/study/size/motors.hpp"

namespace ulna::app {

namespace {

struct SizeOptions : RobotOptions {
  std::string task, motors, output, report;
  double margin = 1.0;
};

using sizing::Catalogue, sizing::CycleMotion, sizing::JointDemand, sizing::MotorDemand;

std::string csv_of_cycle(const CycleMotion& motion, std::size_t joints) {
  const std::array<const std::vector<double>*, 4> parts{&motion.q, &motion.v, &motion.a, &motion.tau};
  return motion_csv(joints, motion.t.size(), [&](std::size_t row, std::size_t column) {
    if (column == 0) return motion.t[row];
    return (*parts[(column - 1) / joints])[row * joints + (column - 1) % joints];
  });
}

std::string share_text(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

Json demand_json(const std::string& joint, const JointDemand& demand) {
  return {{"joint", joint},
          {"peak", demand.peak},
          {"rms", demand.rms},
          {"speed", demand.speed},
          {"power", demand.power},
          {"energy", demand.energy},
          {"net_energy", demand.net_energy}};
}

Json motor_json(const Catalogue& catalogue, const MotorDemand& demand, double margin) {
  return {{"motor", catalogue.motors[demand.motor].name},
          {"gear", catalogue.gears[demand.gear].ratio},
          {"fits", demand.fits(margin)},
          {"peak", demand.peak},
          {"rms", demand.rms},
          {"speed", demand.speed},
          {"energy", demand.energy},
          {"net_energy", demand.net_energy},
          {"torque_share", demand.torque_share},
          {"thermal_share", demand.thermal_share},
          {"speed_share", demand.speed_share}};
}

void print_demands(const std::vector<std::string>& names, const std::vector<JointDemand>& list) {
  std::vector<std::vector<std::string>> rows{
      {"joint", "peak N m or N", "rms", "speed rad/s or m/s", "power W", "energy J", "fed back J"}};
  for (std::size_t k = 0; k < list.size(); ++k) {
    rows.push_back({names[k], short_number(list[k].peak), short_number(list[k].rms), short_number(list[k].speed),
                    short_number(list[k].power), short_number(list[k].energy),
                    short_number(list[k].energy - list[k].net_energy)});
  }
  print_table(rows);
}

void print_motors(const std::vector<std::string>& names, const Catalogue& catalogue,
                  const std::vector<MotorDemand>& list, double margin) {
  std::vector<std::vector<std::string>> rows{
      {"joint", "motor", "gear", "of its torque", "of its heat", "of its speed", "energy J", ""}};
  for (std::size_t k = 0; k < list.size(); ++k) {
    rows.push_back({names[k], catalogue.motors[list[k].motor].name, short_number(catalogue.gears[list[k].gear].ratio),
                    share_text(list[k].torque_share), share_text(list[k].thermal_share),
                    share_text(list[k].speed_share), short_number(list[k].energy),
                    list[k].fits(margin) ? "" : "too weak: none of the catalogue does it"});
  }
  print_table(rows);
}

void run(const SizeOptions& options, Outcome& outcome) {
  const Graph graph = options.graph();
  const Model model = build(graph);
  const sizing::Cycle cycle = sizing::load_cycle(options.task);
  Catalogue catalogue;
  if (!options.motors.empty()) catalogue = sizing::load_catalogue(options.motors);
  for (const std::string& input : {options.robot, options.task, options.motors})
    for (const std::string& output : {options.output, options.report})
      if (!output.empty() && !input.empty()) expect_other_file(input, output);
  const CycleMotion motion = sizing::run_cycle(graph, cycle);
  expect_finite(motion.tau, "the torque");
  const std::vector<JointDemand> joints = sizing::demands(motion);
  std::vector<MotorDemand> motors;
  if (!catalogue.motors.empty()) motors = sizing::smallest_motors(model, motion, catalogue, options.margin);
  if (!options.output.empty()) write_file(options.output, csv_of_cycle(motion, joints.size()));
  if (!options.report.empty()) {
    const std::string title = cycle.title.empty() ? fmt::format("{}: a cycle", model.name()) : cycle.title;
    write_file(options.report, sizing::size_page(title, model, motion, catalogue, motors, options.margin));
  }
  for (const std::string& note : motion.notes) fmt::print(stderr, "note: {}\n", note);
  const std::vector<std::string> names = degree_names(model);
  const bool all_fit = std::ranges::all_of(motors, [&](const auto& m) { return m.fits(options.margin); });
  outcome.exit_code = all_fit ? 0 : 1;
  if (options.json) {
    Json document{{"title", cycle.title}, {"time", motion.t.back()}, {"rows", motion.t.size()}};
    for (std::size_t k = 0; k < joints.size(); ++k) {
      document["joints"].push_back(demand_json(names[k], joints[k]));
      if (!motors.empty()) document["joints"][k]["motor"] = motor_json(catalogue, motors[k], options.margin);
    }
    if (!motors.empty()) document["fits"] = all_fit;
    return print_json(document);
  }
  fmt::print("{}: {} s, {} rows\n\n", cycle.title, short_number(motion.t.back()), motion.t.size());
  print_demands(names, joints);
  if (!motors.empty()) {
    fmt::print("\n");
    print_motors(names, catalogue, motors, options.margin);
  }
  if (!options.report.empty()) fmt::print("\npictures in {}\n", options.report);
}

}  // namespace

void add_size(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("size", "what a cycle of work asks of each joint, and the smallest motors for it");
  command->footer(
      "A task is a TOML file of segments in joints or at the tip, with payloads, forces and rests; a catalogue has "
      "motors\n"
      "and gears (doc/size.md). Exit code 1: none of the catalogue does it at some joint.\n"
      "Example: ulna size panda_like --task cycle.toml --motors motors.toml -o cycle.csv");
  auto options = std::make_shared<SizeOptions>();
  options->add_to(*command);
  command->add_option("--task", options->task, "the cycle")->type_name("FILE")->required();
  command->add_option("--motors", options->motors, "motors and gears to choose from")->type_name("FILE");
  command->add_option("--margin", options->margin, "how much more than what is asked for a motor must give, 1 or more")
      ->type_name("X")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  add_output_option(*command, options->output, "t, q, v, a and torques as CSV", "FILE");
  command
      ->add_option("--report", options->report,
                   "a page: each motor's torque over its speed, margins, torque, speed and power over the cycle")
      ->type_name("FILE.html");
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace ulna::app

#include "peers/robot_race.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ulna/batch/instruction_set.hpp"

namespace ulna::app {

namespace {

using bench::RobotRace;
using bench::Way;

struct BenchOptions {
  RobotOptions robot;
  double seconds = 3.0;
};

std::string name_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

/// Rounds until the time is over, three at least; fewer when interrupted.
int measure(RobotRace& race, double seconds, bool quiet) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Progress progress(!quiet);
  int rounds = 0;
  while (!InterruptGuard::interrupted() && (rounds < 3 || spent() < seconds)) {
    race.run_round([] { return !InterruptGuard::interrupted(); });
    ++rounds;
    progress.at([&] { return fmt::format("round {}, {:.0f} of {:g} s", rounds, spent(), seconds); });
  }
  return rounds;
}

void print_ways(const RobotRace& race, const Model& model, int rounds) {
  fmt::print("{} on {}, {} cores; library for {}; {} rounds, in turn\n", model.name(), name_of_processor(),
             std::thread::hardware_concurrency(), instruction_set(), rounds);
  std::vector<std::vector<std::string>> table{{"of", "way", "ns per state", "quartiles", "states/s", "× best peer"}};
  for (const Way& way : race.ways()) {
    const double median = way.times.median(), peer = race.best_peer(way.of);
    table.push_back({std::string(word_of(way.of)), way.name, fmt::format("{:.1f}", median),
                     fmt::format("{:.1f} … {:.1f}", way.times.quantile(0.25), way.times.quantile(0.75)),
                     fmt::format("{:.3g}", 1e9 / median), peer > 0.0 ? fmt::format("{:.2f}", peer / median) : "-"});
  }
  print_table(table);
  for (const std::string& note : race.notes()) fmt::print("note: {}\n", note);
}

Json json_of_race(const RobotRace& race, const Model& model, int rounds) {
  Json ways = Json::array();
  for (const Way& way : race.ways()) {
    const double median = way.times.median(), peer = race.best_peer(way.of);
    ways.push_back({{"of", word_of(way.of)},
                    {"way", way.name},
                    {"peer", way.is_peer},
                    {"ns", median},
                    {"quartiles", {way.times.quantile(0.25), way.times.quantile(0.75)}},
                    {"times_best_peer", peer > 0.0 ? Json(peer / median) : Json()}});
  }
  return {{"robot", model.name()},
          {"processor", name_of_processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"instruction_set", instruction_set()},
          {"rounds", rounds},
          {"ways", ways},
          {"notes", race.notes()}};
}

int run(const BenchOptions& options) {
  if (options.seconds > 3600.0)
    throw InputError(fmt::format("--seconds {:g} is longer than an hour; give 3600 at most", options.seconds));
  const Graph graph = options.robot.graph();
  const Model model = build(graph);
  expect_tree(model);
  const InterruptGuard guard;
  RobotRace race(graph, model, static_cast<int>(std::thread::hardware_concurrency()));
  const int rounds = measure(race, options.seconds, options.robot.json);
  const auto& ways = race.ways();
  if (ways.back().times.empty()) {
    fmt::print(stderr, "interrupted before the first round was over; nothing was measured\n");
    return InterruptGuard::exit_code();
  }
  if (options.robot.json)
    print_json(json_of_race(race, model, rounds));
  else
    print_ways(race, model, rounds);
  if (!InterruptGuard::interrupted()) return 0;
  fmt::print(stderr, "interrupted; the rounds that were over are counted\n");
  return InterruptGuard::exit_code();
}

}  // namespace

void add_bench(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("bench", "this robot on this machine, beside the peers that are installed");
  command->footer(
      "id, fd: inverse and forward dynamics; gim: the inertia matrix. Every formulation for one state, the\n"
      "robot's own code, batches of 1024 states; KDL, MuJoCo, Pinocchio and RBDL where their modules are\n"
      "installed, with the same tree, fixed joints merged. Random states, sines and cosines included. Medians count: "
      "neighbours on the "
      "machine slow single rounds.\n"
      "Example: ulna bench panda_like --seconds 1");
  auto options = std::make_shared<BenchOptions>();
  options->robot.add_to(*command);
  add_positive(*command, "--seconds", options->seconds, "how long to measure, an hour at most (default: 3)", "SECONDS");
  command->callback([options, &outcome] { outcome.exit_code = run(*options); });
}

}  // namespace ulna::app

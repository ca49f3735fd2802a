#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/results/output_folder.hpp"
#include "io/results/select_files.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "select_design.hpp"
#include "ulna/study/ranks.hpp"

namespace ulna::app {

namespace {

using namespace selection;

std::string cell(const Comparison& comparison, const Criterion& row, std::size_t i) {
  const std::string text = criterion_text(comparison, row, i);
  return row.best[i] ? text + " *" : text;
}

/// A row per criterion, a column per arm.
void print_criteria(const Comparison& comparison) {
  std::vector<std::vector<std::string>> table{{"criterion", "key", "better", "weight"}};
  for (const Candidate& candidate : comparison.candidates) table[0].push_back(candidate.arm.name);
  for (const Criterion& row : comparison.criteria) {
    table.push_back({label_of(row), row.key, row.more_is_better ? "more" : "less", short_number(row.weight)});
    for (std::size_t i = 0; i < comparison.candidates.size(); ++i) table.back().push_back(cell(comparison, row, i));
  }
  table.push_back({"score: weighted mean of each value's share of the best", "", "more", ""});
  for (std::size_t i = 0; i < comparison.candidates.size(); ++i) table.back().push_back(score_text(comparison, i));
  print_table(table);
}

/// A row per variant, a column per criterion.
void print_sweep(const Comparison& comparison, const Sweep& sweep) {
  std::vector<std::vector<std::string>> table{{"arm"}};
  for (const Criterion& row : comparison.criteria) table[0].push_back(row.key);
  table[0].emplace_back("score");
  for (std::size_t i = 0; i < comparison.candidates.size(); ++i) {
    table.push_back({comparison.candidates[i].arm.name});
    for (const Criterion& row : comparison.criteria)
      table.back().push_back(rounded_text(row, i) + (row.best[i] ? " *" : ""));
    table.back().push_back(score_text(comparison, i));
  }
  print_table(table);
  fmt::print("\nPareto front of {} and {}:\n", sweep.first, sweep.second);
  for (const std::size_t i : front_of(comparison, sweep)) fmt::print("  {}\n", comparison.candidates[i].arm.name);
}

/// What the drives of each arm must give for the task.
void print_motors(const Comparison& comparison) {
  std::vector<std::vector<std::string>> table{{"arm", "joint", "peak", "RMS", "unit", "peak power W", "energy J"}};
  for (const Candidate& candidate : comparison.candidates) {
    for (std::size_t i = 0; i < candidate.loads.joints.size(); ++i) {
      const JointInfo& joint = candidate.arm.model.joints()[i];
      const JointLoad& load = candidate.loads.joints[i];
      const double scale = torque_scale(candidate.arm.model);
      const auto text = [&](double x) { return fmt::format("{:.4g}", without_rounding(x, scale)); };
      table.push_back({candidate.arm.name, joint.name, text(load.peak), text(load.rms),
                       ulna::slides(joint.kind) ? "N" : "N m", text(load.peak_power), text(load.energy)});
    }
  }
  fmt::print("\ntask: {}\n", comparison.task.title);
  print_table(table);
}

void print_comparison(const SelectRecord& record, const std::string& folder) {
  const auto& [comparison, sweep] = record;
  if (sweep.swept.empty())
    print_criteria(comparison);
  else
    print_sweep(comparison, sweep);
  if (sweep.swept.empty()) print_motors(comparison);
  fmt::print("*: better, by more than the errors. M: multiplications and divisions, A: additions.\n");
  for (const Candidate& candidate : comparison.candidates)
    for (const std::string& note : candidate.loads.notes) fmt::print("{}: {}\n", candidate.arm.name, note);
  fmt::print("{}\nreport in {}/report.html, figures in {}/select.json\n", verdict(comparison), folder, folder);
}

SelectRecord compare_arms(PreparedSelection prepared, const SelectOptions& options) {
  Progress progress(!options.json);
  return selection::run(std::move(prepared), {options.threads, [&](std::size_t done, std::size_t all) {
                                                progress.at([&] {
                                                  return done < all ? fmt::format("{} of {} arms", done, all)
                                                                    : std::string("time of the inverse dynamics");
                                                });
                                                return !InterruptGuard::interrupted();
                                              }});
}

int run_select(const SelectOptions& options) {
  if (launched_rank()) return sweep_designs_over_ranks(options);
  Selection given = options.selection();
  if (is_design_sweep(options, given)) return sweep_designs(options, std::move(given));
  PreparedSelection prepared = prepare(std::move(given));
  if (options.vary.empty())
    for (std::size_t i = 0; i < prepared.arms.size(); ++i) print_notices(prepared.arms[i].graph, options.robots[i]);
  const OutputFolder folder(options.output);
  const InterruptGuard guard;
  try {
    const SelectRecord record = compare_arms(std::move(prepared), options);
    const Json document = select_json(record);
    put_in_place(folder, record, document);
    note_replaced(folder.replaces(), options.output);
    if (options.json)
      print_json(document);
    else
      print_comparison(record, options.output);
  } catch (const Interrupted&) {
    fmt::print(stderr, "interrupted; nothing was written\n");
    return InterruptGuard::exit_code();
  }
  return 0;
}

}  // namespace

void add_select(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("select", "arms beside each other: dynamics, kinematics, task, ranking");
  command->footer(
      "Without --task every joint goes from 0 to π in 10 s on a cycloid. A sliding joint without limits has\n"
      "the range that the task passes. doc/select.md says what each criterion is.\n"
      "Examples: ulna select rtx stanford3 --weights energy=2,cpu=0\n"
      "          ulna select rtx --vary link2.a=0.3..0.6 --pareto workspace,energy\n"
      "          ulna select rtx --vary link2.a=0.2..0.6 --vary link3.a=0.2..0.6 --steps 30 --pareto workspace,energy\n"
      "          ulna select rtx --vary link2.a=0.3..0.6 --rule link2.mass=14*link2.a --require 'peak.2<60'\n"
      "          ulna select panda_like iiwa7 --criteria reach,cycle_time,frequency --stiffness 2e4\n"
      "More than 500 arms are a design sweep in chunks (doc/cluster.md), by all processes of mpirun too: of each arm\n"
      "only the criteria of --pareto, --weights and --criteria are computed.");
  auto options = std::make_shared<SelectOptions>();
  command->add_option("robots", options->robots, "bundled names or paths; one alone is described")
      ->required()
      ->type_name("ROBOT...");
  const auto several = [&](const char* name, std::vector<std::string>& list, const char* help, const char* type) {
    command->add_option(name, list, help)->type_name(type)->allow_extra_args(false);
  };
  command->add_option("--task", options->task, "a task file")->type_name("FILE");
  add_payload_option(*command, options->payloads);
  several("--range", options->ranges, "the range of a joint; may be repeated", "[ROBOT.]JOINT=FROM..TO");
  several("--stiffness", options->stiffness, "of joints between motor and link, for all or for one; may be repeated",
          "[[ROBOT.]JOINT=]NUMBER");
  command->add_option("--weights", options->weights, "weights of criteria (default: 1)")->type_name("KEY=NUMBER,...");
  several("--require", options->require, "what an arm must have to be ranked; may be repeated", "'KEY<NUMBER'");
  several("--vary", options->vary, "a number of the robot files that varies; may be repeated", "NAME.KEY=FROM..TO");
  several("--rule", options->rules, "a number that follows from others as they vary; may be repeated",
          "NAME.KEY=EXPRESSION");
  command->add_option("--steps", options->steps, "values of each number that varies")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  command->add_option("--pareto", options->pareto, "two criteria whose front --vary shows")
      ->type_name("KEY,KEY")
      ->capture_default_str();
  command->add_option("--criteria", options->criteria, "criteria on request; of design sweeps: more to compute, or all")
      ->type_name("KEY,...");
  add_positive(*command, "--effort", options->effort,
               "design sweeps: part of the usual samples of each arm, up to 1 (default: all, beyond 500 arms 0.02)",
               "PART");
  command->add_option("--chunk", options->chunk, "design sweeps: arms in a chunk (default: chosen from the sweep)")
      ->type_name("ARMS")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_flag("--resume", options->resume, "design sweeps: go on with what is in the folder");
  command->add_option("--threads", options->threads, "how many arms at once (default: as many as the machine has)")
      ->type_name("N")
      ->check(thread_number());
  add_output_option(*command, options->output, "folder for report.html and select.json", "FOLDER")
      ->capture_default_str();
  command->add_flag("--json", options->json, "one JSON document instead of text");
  command->callback([options, &outcome] { outcome.exit_code = run_select(*options); });
}

}  // namespace ulna::app

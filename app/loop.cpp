#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interrupt.hpp"
#include "io/results/loop_files.hpp"
#include "mechanism.hpp"
#include "progress.hpp"
#include "ulna/base/number.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna::app {

namespace {

struct LoopOptions : RobotOptions {
  std::vector<std::string> drives;
  std::string q, output;
  double time = 1.0;
  int steps = 360, mode = 1;
  bool modes = false;
};

DrivenRange drive_of(const std::string& text) {
  const std::string where = fmt::format("--drive '{}'", text);
  const std::optional<NamedRange> range = parse_named_range(text, where);
  if (!range) throw InputError(fmt::format("{} must be JOINT=FROM..TO, as in crank=0..360deg", where));
  return {range->name, range->from, range->to};
}

LoopSweep sweep_of(const LoopOptions& options) {
  LoopSweep sweep;
  sweep.robot = options.graph();
  for (const std::string& drive : options.drives) sweep.driven.push_back(drive_of(drive));
  if (!options.q.empty()) sweep.q = written_numbers("--q", options.q);
  sweep.steps = options.steps;
  sweep.time = options.time;
  sweep.mode = options.mode;
  return sweep;
}

void print_modes(const PreparedLoopSweep& prepared, bool json) {
  const std::vector<std::vector<double>> modes = assembly_modes(prepared);
  if (json) return print_json({{"modes", modes}});
  std::vector<std::vector<std::string>> rows{{"mode"}};
  for (const JointInfo& joint : prepared.model->joints()) {
    const std::size_t count = position_numbers(joint.kind).size();
    for (std::size_t k = 0; k < count; ++k)
      rows[0].push_back(count == 1 ? joint.name : fmt::format("{}[{}]", joint.name, k + 1));
  }
  constexpr std::size_t most = 20;  // crossed pairs of hinges make hundreds
  for (std::size_t i = 0; i < std::min(modes.size(), most); ++i) {
    rows.push_back({std::to_string(i + 1)});
    for (const double x : modes[i]) rows.back().push_back(short_number(x));
  }
  print_table(rows);
  if (modes.size() > most) fmt::print("and {} more; --json lists all\n", modes.size() - most);
  fmt::print("`--mode N` goes through the range in one of them\n");
}

void print_result(const LoopRecord& record, const std::string& folder) {
  const SweepResult& result = record.result;
  std::vector<std::vector<std::string>> rows{{"column", "joint", "from", "to", "unit"}};
  for (const ColumnRange& r : record.ranges)
    rows.push_back({r.column.name, r.column.label, short_number(without_rounding(r.low, 1.0)),
                    short_number(without_rounding(r.high, 1.0)), r.column.unit});
  print_table(rows);
  fmt::print("\n");
  for (const RunEvent& event : result.events) fmt::print("{}\n", event.text);
  if (!result.complete) fmt::print("ended early: {}\n", result.reason);
  fmt::print("{} rows in {}/table.csv, largest residual {:.1e}{}\n", result.rows, folder, result.largest_residual,
             report_page().empty() ? "" : fmt::format(", report in {}/report.html", folder));
}

int run_loop(const LoopOptions& options) {
  const PreparedLoopSweep prepared = prepare(sweep_of(options));
  if (options.modes) {
    print_modes(prepared, options.json);
    return 0;
  }
  const std::string folder = options.output.empty() ? prepared.model->name() + "_loop" : options.output;
  LoopFiles files(folder, *prepared.model);
  const InterruptGuard guard;  // until all files are in place
  const LoopRecord record = [&] {
    Progress progress(!options.json);
    return run(prepared, files, [&](double part) {
      progress.at([&] { return fmt::format("{:.0f} % of the range", 100.0 * part); });
      return !InterruptGuard::interrupted();
    });
  }();
  files.commit(record, report_page());
  note_replaced(files.replaced(), folder);
  if (options.json)
    print_json(loop_json(record, folder));
  else
    print_result(record, folder);
  if (record.result.complete) return 0;
  return InterruptGuard::interrupted() ? InterruptGuard::exit_code() : 1;
}

}  // namespace

void add_loop(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("loop", "leads a mechanism with closed loops through a range: table and report");
  command->footer(
      "Drive as many joints as the mechanism has degrees of freedom (`ulna show`). The table has positions,\n"
      "velocities, accelerations, the drives' torques and the reactions in the cut joints; singular positions\n"
      "on the way are named. Exit 1: the mechanism could not go all the way.\n"
      "Examples: ulna loop slider_crank --drive crank_pin=0..360deg --for 2\n"
      "          ulna loop four_bar --drive crank_pivot=30..30deg --modes");
  auto options = std::make_shared<LoopOptions>();
  options->add_to(*command);
  command->add_option("--drive", options->drives, "a joint and its range; the unit behind TO is FROM's too")
      ->type_name("JOINT=FROM..TO")
      ->required()
      ->allow_extra_args(false);
  add_positive(*command, "--for", options->time, "how long the range takes, at constant speed", "SECONDS")
      ->capture_default_str();
  command
      ->add_option("--steps", options->steps,
                   "number of steps; the table has a row for the start and each step, without singular positions")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000'000));
  add_numbers_option(*command, "--q", options->q,
                     "near the closed position to begin with (default: the zero position)");
  command->add_flag("--modes", options->modes, "list the ways to assemble the mechanism where the driven joints begin");
  command->add_option("--mode", options->mode, "begin in this one of them")->type_name("N")->check(CLI::Range(1, 1000));
  add_output_option(*command, options->output, "folder for the results (default: NAME_loop)", "FOLDER");
  command->callback([options, &outcome] { outcome.exit_code = run_loop(*options); });
}

}  // namespace ulna::app

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interrupt.hpp"
#include "io/results/sweep_files.hpp"
#include "mechanism.hpp"
#include "model/number_uses.hpp"
#include "progress.hpp"
#include "study/joint_lookup.hpp"
#include "ulna/io/results/page.hpp"
#include "ulna/simulate/loop_sweep.hpp"

namespace ulna::app {

namespace {

struct LoopOptions : RobotOptions {
  std::vector<std::string> drives;
  std::string q, output;
  double time = 1.0;
  int steps = 360, mode = 1;
  bool modes = false;
};

SweepDrive drive_of(const Model& model, const std::string& text) {
  const std::string where = fmt::format("--drive '{}'", text);
  const std::optional<NamedRange> range = parse_named_range(text, where);
  if (!range) throw InputError(fmt::format("{} must be JOINT=FROM..TO, as in crank=0..360deg", where));
  const int index = joint_index(model, range->name, "--drive");
  const NumberUse use = rate_uses(model)[static_cast<std::size_t>(index)];
  const double to = resolve(range->to, use, where);  // FROM may have its unit from there
  return {index, resolve(range->from, use, where), to};
}

SweepSetup setup_of(const Model& model, const LoopOptions& options) {
  SweepSetup setup;
  for (const std::string& drive : options.drives) setup.drives.push_back(drive_of(model, drive));
  for (std::size_t i = 0; i < setup.drives.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      if (setup.drives[i].v_index == setup.drives[k].v_index)
        throw InputError(fmt::format("--drive '{}': this joint is driven twice", options.drives[i]));
  }
  setup.steps = options.steps;
  setup.time = options.time;
  setup.start = positions(model, options.q);
  for (const SweepDrive& drive : setup.drives)
    setup.start[static_cast<std::size_t>(model.q_of_v()[static_cast<std::size_t>(drive.v_index)])] = drive.from;
  return setup;
}

std::vector<std::vector<double>> modes_of(const Model& model, const SweepSetup& setup) {
  std::vector<int> held;
  for (const SweepDrive& drive : setup.drives) held.push_back(drive.v_index);
  LoopEquations equations(model);
  std::vector<std::vector<double>> modes = assembly_modes(model, setup.start, held);
  if (modes.empty())
    throw InputError("no closed position was found with the driven joints where they begin; drive another range");
  equations.update(modes[0]);
  const int mobility = loop_mobility(equations, model.nv()).mobility();
  if (mobility != static_cast<int>(held.size())) {
    throw InputError(
        fmt::format("the mechanism has {} degrees of freedom; assembly modes need as many --drive", mobility));
  }
  return modes;
}

void print_modes(const Model& model, const std::vector<std::vector<double>>& modes, bool json) {
  if (json) return print_json({{"modes", modes}});
  std::vector<std::vector<std::string>> rows{{"mode"}};
  for (const JointInfo& joint : model.joints()) {
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

/// Least and greatest of each column, for the summary.
class Ranges final : public Recorder {
 public:
  Ranges(Recorder& next, std::vector<Column> columns)
      : next_(next), columns_(std::move(columns)), low_(columns_.size(), HUGE_VAL), high_(columns_.size(), -HUGE_VAL) {}

  void record(std::span<const double> row) override {
    for (std::size_t k = 0; k < row.size(); ++k) {
      low_[k] = std::min(low_[k], row[k]);
      high_[k] = std::max(high_[k], row[k]);
    }
    next_.record(row);
  }

  struct Range {
    const Column& column;
    double low, high;
  };
  /// Of positions, and of torques that are not always zero.
  std::vector<Range> interesting() const {
    std::vector<Range> list;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const bool driven = columns_[k].group == "torque" && (low_[k] != 0.0 || high_[k] != 0.0);
      if (columns_[k].group == "position" || driven) list.push_back({columns_[k], low_[k], high_[k]});
    }
    return list;
  }

 private:
  Recorder& next_;
  std::vector<Column> columns_;
  std::vector<double> low_, high_;
};

ReportHead head_of(const Graph& graph, const Model& model, const LoopOptions& options, const SweepResult& result) {
  ReportHead head;
  head.title = graph.name;
  head.subtitle = graph.title;
  std::string driven;
  for (const std::string& drive : options.drives) driven += (driven.empty() ? "" : ", ") + drive;
  head.facts = {{"robot", fmt::format("{} ({} degrees of freedom of the tree, {} loop{})", graph.name, model.nv(),
                                      model.loops().size(), model.loops().size() == 1 ? "" : "s")},
                {"driven", fmt::format("{} in {:g} s, at constant speed", driven, options.time)},
                {"rows", fmt::format("{}", result.rows)},
                {"largest residual", fmt::format("{:.1e}", result.largest_residual)}};
  if (!graph.provenance.empty()) head.facts.emplace_back("source", graph.provenance);
  head.ok = result.complete;
  head.status = result.reason;
  head.events = result.events;
  return head;
}

Json result_json(const SweepResult& result, const Ranges& ranges, const std::string& folder) {
  Json events = Json::array(), list = Json::array();
  for (const RunEvent& event : result.events) events.push_back({{"t", event.t}, {"text", event.text}});
  for (const Ranges::Range& r : ranges.interesting())
    list.push_back({{"column", r.column.name}, {"label", r.column.label}, {"low", r.low}, {"high", r.high}});
  return {{"ulna", version},
          {"complete", result.complete},
          {"reason", result.reason},
          {"rows", result.rows},
          {"largest_residual", result.largest_residual},
          {"events", events},
          {"ranges", list},
          {"folder", folder}};
}

void print_result(const SweepResult& result, const Ranges& ranges, const std::string& folder) {
  std::vector<std::vector<std::string>> rows{{"column", "joint", "from", "to", "unit"}};
  for (const Ranges::Range& r : ranges.interesting())
    rows.push_back({r.column.name, r.column.label, short_number(without_rounding(r.low, 1.0)),
                    short_number(without_rounding(r.high, 1.0)), r.column.unit});
  print_table(rows);
  fmt::print("\n");
  for (const RunEvent& event : result.events) fmt::print("{}\n", event.text);
  if (!result.complete) fmt::print("ended early: {}\n", result.reason);
  fmt::print("{} rows in {}/table.csv, largest residual {:.1e}{}\n", result.rows, folder, result.largest_residual,
             report_page().empty() ? "" : fmt::format(", report in {}/report.html", folder));
}

int run(const LoopOptions& options) {
  const Graph graph = options.graph();
  const Model model = build(graph);
  if (model.loops().empty())
    throw InputError(fmt::format("'{}' has no closed loops; `ulna fk` and `ulna id` are for it", options.robot));
  SweepSetup setup = setup_of(model, options);
  if (options.modes) {
    print_modes(model, modes_of(model, setup), options.json);
    return 0;
  }
  if (options.mode > 1) {
    const std::vector<std::vector<double>> modes = modes_of(model, setup);
    if (static_cast<std::size_t>(options.mode) > modes.size())
      throw InputError(fmt::format("--mode {}: {} assembly modes were found, see --modes", options.mode, modes.size()));
    setup.start = modes[static_cast<std::size_t>(options.mode) - 1];
  }
  const std::string folder = options.output.empty() ? graph.name + "_loop" : options.output;
  SweepFiles files(folder, model);
  Ranges ranges(files, sweep_columns(model));
  const InterruptGuard guard;  // until all files are in place
  SweepResult result;
  {
    Progress progress(!options.json);
    result = sweep_loops(model, setup, ranges, [&](double part) {
      progress.at([&] { return fmt::format("{:.0f} % of the range", 100.0 * part); });
      return !InterruptGuard::interrupted();
    });
  }
  const Json document = result_json(result, ranges, folder);
  files.commit(head_of(graph, model, options, result), graph, report_page(), json_text(document));
  note_replaced(files.replaced(), folder);
  if (options.json)
    print_json(document);
  else
    print_result(result, ranges, folder);
  if (result.complete) return 0;
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
  command->add_option("--steps", options->steps, "rows of the table, less one; singular positions are left out")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000'000));
  add_numbers_option(*command, "--q", options->q,
                     "near the closed position to begin with; the zero position without it");
  command->add_flag("--modes", options->modes, "list the ways to assemble the mechanism where the drives begin");
  command->add_option("--mode", options->mode, "begin in this one of them")->type_name("N")->check(CLI::Range(1, 1000));
  add_output_option(*command, options->output, "folder for the results; NAME_loop without it", "FOLDER");
  command->callback([options, &outcome] { outcome.exit_code = run(*options); });
}

}  // namespace ulna::app

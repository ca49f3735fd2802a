#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/results/output_folder.hpp"
#include "io/results/workspace_files.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace ulna::app {

namespace {

struct WorkspaceOptions : RobotOptions {
  std::string frame, output;
  std::vector<std::string> ranges;
  double accuracy = 0.01;
  int slices = 3, threads = 0;
  bool no_dexterity = false;

  reach::Options study(const Graph& graph) const {
    reach::Options made{.frame = frame, .accuracy = accuracy, .threads = threads};
    for (const std::string& text : ranges) {
      const std::string where = fmt::format("--range '{}'", text);
      const std::optional<NamedRange> range = parse_named_range(text, where);
      if (!range) throw InputError(fmt::format("{} must be JOINT=FROM..TO, as in joint1=0..0.5", where));
      const GraphJoint* joint = find_joint(graph, range->name);
      if (joint == nullptr) throw InputError(fmt::format("{}: there is no joint '{}'", where, range->name));
      const NumberUse use{slides(joint->kind) ? NumberUse::Kind::length : NumberUse::Kind::angle, range->name};
      made.ranges[range->name] = {resolve(range->from, use, where), resolve(range->to, use, where)};
    }
    return made;
  }
};

void note_accuracy(const reach::Volume& volume, double accuracy) {
  if (volume.size.error <= accuracy * volume.size.value) return;
  fmt::print(
      stderr,
      "note: the error is larger than asked for: the lattice ends at edges of {:.2g} m; it is {:.2g} of the size, "
      "not {:g}\n",
      volume.edge, volume.size.error / volume.size.value, accuracy);
}

int run(const WorkspaceOptions& options) {
  const Graph graph = options.graph();
  reach::Options study = options.study(graph);
  Progress progress(!options.json);
  study.keep_going = [&] {
    progress.at([] { return std::string("asking points"); });
    return !InterruptGuard::interrupted();
  };
  reach::make_robot(graph, study);  // refuses before a folder is made
  const bool files = !options.output.empty();
  const std::optional<OutputFolder> folder = files ? std::make_optional<OutputFolder>(options.output) : std::nullopt;
  const InterruptGuard guard;
  try {
    const reach::Record record =
        reach::explore(graph, {!options.no_dexterity, files || options.json, options.slices}, study);
    note_accuracy(record.volume, options.accuracy);
    const Json document = reach::workspace_json(record);
    if (folder) {
      reach::put_in_place(*folder, graph, record, document);
      note_replaced(folder->replaces(), options.output);
    }
    if (options.json) {
      print_json(document);
    } else {
      std::vector<std::vector<std::string>> rows;
      for (const auto& [what, value] : reach::summary(record)) rows.push_back({what, value});
      print_table(rows);
      if (folder) fmt::print("report in {0}/report.html, points in {0}/points.csv\n", options.output);
    }
  } catch (const Interrupted&) {
    fmt::print(stderr, "interrupted; nothing was written\n");
    return InterruptGuard::exit_code();
  }
  return 0;
}

}  // namespace

void add_workspace(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand(
      "workspace", "what the tip reaches: how far, how much space, how it can turn, what it can hold");
  command->footer(
      "Points are asked by inverse kinematics (doc/workspace.md). With -o: report.html with slices, points.csv,\n"
      "boundary.stl, boundary.html in three dimensions, and workspace.json.\n"
      "Examples: ulna workspace puma560\n"
      "          ulna workspace stanford3 --range joint3=0..1 -o workspace");
  auto options = std::make_shared<WorkspaceOptions>();
  options->add_to(*command);
  command->add_option("--frame", options->frame, "a link or frame (default: the tip)")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  command->add_option("--range", options->ranges, "the range of a joint, within its limits; may be repeated")
      ->type_name("JOINT=FROM..TO")
      ->allow_extra_args(false);
  command->add_option("--accuracy", options->accuracy, "the error of the size that is aimed at, as a part of it")
      ->type_name("PART")
      ->check(CLI::Range(1e-4, 0.5))
      ->capture_default_str();
  command->add_flag("--no-dexterity", options->no_dexterity,
                    "leave out what is reached with every orientation: it takes longest");
  command->add_option("--slices", options->slices, "how many across the first axis")
      ->type_name("N")
      ->check(CLI::Range(0, reach::most_slices))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "how many (default: as many as the machine has)")
      ->type_name("N")
      ->check(thread_number());
  add_output_option(*command, options->output, "folder for the report, points, boundary and workspace.json", "FOLDER");
  command->callback([options, &outcome] { outcome.exit_code = run(*options); });
}

}  // namespace ulna::app

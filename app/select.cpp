#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report/output_folder.hpp"
#include "report/select_files.hpp"
#include "ulna/export/atomic_file.hpp"
#include "ulna/import/number.hpp"
#include "ulna/select/comparison.hpp"

namespace ulna::app {

namespace {

using namespace selection;

struct SelectOptions {
  std::vector<std::string> robots, ranges;
  std::string task, weights, output = "select";
  bool json = false;
};

/// [ROBOT.]JOINT=FROM..TO
struct GivenRange {
  std::string robot, joint, text;  // robot: empty for all that have the joint
  double low, high;
  bool used = false;
};

GivenRange given_range(const std::string& text) {
  const std::size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos || dots == std::string::npos || dots < equals)
    throw InputError(fmt::format("--range '{}' must be [ROBOT.]JOINT=FROM..TO, as in joint1=0..0.5", text));
  const std::optional<double> low = parse_number(text.substr(equals + 1, dots - equals - 1));
  const std::optional<double> high = parse_number(text.substr(dots + 2));
  if (!low || !high || !(*low <= *high))
    throw InputError(fmt::format("--range '{}': FROM and TO must be rising numbers, as in joint1=0..0.5", text));
  const std::string name = text.substr(0, equals);
  const std::size_t dot = name.rfind('.');
  return {dot == std::string::npos ? "" : name.substr(0, dot), dot == std::string::npos ? name : name.substr(dot + 1),
          text, *low, *high};
}

/// KEY=WEIGHT, separated by commas.
Weights weights_of(const std::string& text) {
  Weights weights;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, end - at);
    const std::size_t equals = item.find('=');
    const std::optional<double> weight =
        equals == std::string::npos ? std::nullopt : parse_number(item.substr(equals + 1));
    if (!weight) throw InputError(fmt::format("--weights '{}' must be KEY=NUMBER, as in energy=2,cpu=0", item));
    weights[item.substr(0, equals)] = *weight;
    at = end + 1;
  }
  return weights;
}

std::vector<Arm> arms_of(const SelectOptions& options, const Task& task) {
  std::vector<GivenRange> ranges;
  for (const std::string& text : options.ranges) ranges.push_back(given_range(text));
  std::vector<Arm> arms;
  for (const std::string& robot : options.robots) {
    const Graph graph = load_graph(robot);
    for (const std::string& notice : graph.notices) fmt::print(stderr, "note: {}\n", notice);
    RangeChoice choice;
    choice.slide = task.slide();
    for (GivenRange& range : ranges) {
      const bool has = std::any_of(graph.joints.begin(), graph.joints.end(),
                                   [&](const GraphJoint& joint) { return joint.name == range.joint; });
      if (!has || (!range.robot.empty() && range.robot != graph.name)) continue;
      choice.given[range.joint] = {range.low, range.high};
      range.used = true;
    }
    arms.push_back(make_arm(graph.name, graph, choice));
  }
  for (const GivenRange& range : ranges)
    if (!range.used) throw InputError(fmt::format("--range '{}': none of the robots has this joint", range.text));
  return arms;
}

std::string cell(const Comparison& comparison, const Criterion& row, std::size_t i) {
  std::string text = criterion_text(comparison, row, i);
  return row.best[i] ? text + " *" : text;
}

void print_comparison(const Comparison& comparison) {
  std::vector<std::vector<std::string>> table{{"criterion", "key", "better", "weight"}};
  for (const Candidate& candidate : comparison.candidates) table[0].push_back(candidate.arm.name);
  for (const Criterion& row : comparison.criteria) {
    table.push_back({row.unit.empty() ? row.label : fmt::format("{}, {}", row.label, row.unit), row.key,
                     row.more_is_better ? "more" : "less", short_number(row.weight)});
    for (std::size_t i = 0; i < comparison.candidates.size(); ++i) table.back().push_back(cell(comparison, row, i));
  }
  table.push_back({"score: weighted mean of each value's share of the best", "", "more", ""});
  for (const double score : comparison.scores) table.back().push_back(fmt::format("{:.3f}", score));
  print_table(table);
  fmt::print("*: better, by more than the errors. M: multiplications and divisions, A: additions.\n");
  for (const Candidate& candidate : comparison.candidates)
    for (const std::string& note : candidate.loads.notes) fmt::print("{}: {}\n", candidate.arm.name, note);
  std::string ranking;
  for (const std::size_t i : comparison.order)
    ranking += (ranking.empty() ? "" : ", ") + comparison.candidates[i].arm.name;
  fmt::print("ranking: {}\n", ranking);
}

int run(const SelectOptions& options) {
  const Task task = options.task.empty() ? default_task() : load_task(options.task);
  const Weights weights = weights_of(options.weights);
  std::vector<Arm> arms = arms_of(options, task);
  expect_comparable(arms);
  const OutputFolder folder(options.output);
  const InterruptGuard guard;
  try {
    std::vector<Candidate> candidates;
    {
      Progress progress(!options.json);
      std::string doing;
      const KeepGoing keep_going = [&] {
        progress.at([&] { return doing; });
        return !InterruptGuard::interrupted();
      };
      for (Arm& arm : arms) {
        doing = fmt::format("{}: {} of {}", arm.name, candidates.size() + 1, arms.size());
        candidates.push_back(evaluate(std::move(arm), task, keep_going));
      }
      doing = "measuring the time of the inverse dynamics";
      measure_cpu(candidates, keep_going);
    }
    const Comparison comparison = compare(task, std::move(candidates), weights);
    const Json document = select_json(comparison);
    write_file(options.output + "/report.html", select_page(comparison));
    write_file(options.output + "/select.json", document.dump(1) + "\n");  // last: where it is, the rest is
    if (options.json) {
      print_json(document);
    } else {
      print_comparison(comparison);
      fmt::print("report in {0}/report.html, figures in {0}/select.json\n", options.output);
    }
  } catch (const Interrupted&) {
    fmt::print(stderr, "interrupted; nothing was written\n");
    return 130;
  }
  return 0;
}

}  // namespace

void add_select(CLI::App& app, Outcome& outcome) {
  CLI::App* command = app.add_subcommand("select", "arms beside each other: dynamics, kinematics, task, ranking");
  command->footer(
      "Without --task every joint goes from 0 to π in 10 s on a cycloid. A sliding joint without limits has\n"
      "the range that the task passes. Example: ulna select rtx stanford3 --weights energy=2,cpu=0");
  auto options = std::make_shared<SelectOptions>();
  command->add_option("robots", options->robots, "two or more: bundled names or paths")
      ->required()
      ->type_name("ROBOT…");
  command->add_option("--task", options->task, "a task file, see doc/select.md")->type_name("FILE");
  command->add_option("--range", options->ranges, "[ROBOT.]JOINT=FROM..TO: joints to this range; repeat as needed")
      ->type_name("RANGE")
      ->allow_extra_args(false);
  command->add_option("--weights", options->weights, "KEY=NUMBER,…: weights of criteria; 1 without it")
      ->type_name("LIST");
  command->add_option("-o,--output", options->output, "folder for report.html and select.json")->capture_default_str();
  command->add_flag("--json", options->json, "one JSON document instead of text");
  command->callback([options, &outcome] { outcome.exit_code = run(*options); });
}

}  // namespace ulna::app

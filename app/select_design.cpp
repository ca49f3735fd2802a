#include "select_design.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/results/design_files.hpp"
#include "io/results/select_files.hpp"
#include "output.hpp"
#include "over_ranks.hpp"
#include "progress.hpp"
#include "ulna/io/results/design_plan.hpp"

namespace ulna::app {

namespace {

using namespace selection;

void print_best(const DesignSweep& sweep, const DesignSummary& summary) {
  std::vector<std::vector<std::string>> table{{"criterion", "key", "better", "weight", "best value", "arm"}};
  for (std::size_t c = 0; c < sweep.criteria().size(); ++c) {
    const Criterion& row = sweep.criteria()[c];
    const DesignSummary::Best& best = summary.best[c];
    table.push_back({label_of(row), row.key, row.more_is_better ? "more" : "less", short_number(row.weight),
                     text_with_error(best.value, best.error), sweep.name_of(best.arm)});
  }
  print_table(table);
}

void print_front(const DesignSweep& sweep, const DesignSummary& summary) {
  constexpr std::size_t most = 12;
  const auto& [first, second] = sweep.selection().pareto;
  const std::vector<DesignSummary::Point> some = some_of(summary.front, most);
  fmt::print(
      "\nPareto front of {} and {}{}:\n", first, second,
      some.size() < summary.front.size() ? fmt::format(", {} of {} arms", some.size(), summary.front.size()) : "");
  std::vector<std::vector<std::string>> table{{"arm", first, second}};
  for (const DesignSummary::Point& point : some)
    table.push_back({sweep.name_of(point.arm), short_number(point.first), short_number(point.second)});
  print_table(table);
}

void print_design(const DesignSweep& sweep, const ChunkedDesign& result, const std::string& folder) {
  if (result.summary.ranked > 0) {
    print_best(sweep, result.summary);
    print_front(sweep, result.summary);
  }
  fmt::print("\n{}\n", verdict(sweep, result.summary));
  if (!result.summary.left.empty()) {
    const DesignSummary::Left& one = result.summary.left[0];
    fmt::print("not ranked: {}: {}{}\n", sweep.name_of(one.arm), one.reason,
               result.summary.left.size() > 1 ? "; others in sweep.csv" : "");
  }
  fmt::print("report in {0}/report.html, figures in {0}/select.json, all arms in {0}/sweep.csv\n", folder);
}

void print_unfinished(const ChunkedDesign& result, std::size_t arms, const SelectOptions& options) {
  if (options.json) return print_json({{"status", "interrupted"}, {"arms", arms}, {"finished", result.finished}});
  fmt::print("interrupted: {} of {} arms are finished, in {}/sweep.shards; the same call with --resume does the rest\n",
             result.finished, arms, options.output);
}

/// By this process alone, or by all ranks; the first of them prints.
int sweep_chunks(const SelectOptions& options, const std::shared_ptr<const DesignSweep>& sweep, Communicator& ranks) {
  const bool tells = ranks.rank() == 0;
  const InterruptGuard guard;
  ChunkedDesign result;
  {
    Progress progress(tells && !options.json);
    ChunkedDesignOptions how{.folder = options.output, .resume = options.resume};
    how.plan = {.chunk = options.chunk, .threads = options.threads};
    how.proceed = [&](const DesignProgress& at) {
      progress.at([&] { return pace_text(at.finished, at.arms, "arms", at.recalled, at.wall); });
      return !InterruptGuard::interrupted();
    };
    result = run_design(sweep, how, ranks);
  }
  if (!tells) return 0;  // one answer for all
  if (result.interrupted) {
    print_unfinished(result, sweep->grid().size(), options);
    return InterruptGuard::exit_code();
  }
  note_replaced(result.replaced && !options.resume, options.output);
  if (options.json)
    fmt::print("{}", design_json(*sweep, result.summary));
  else
    print_design(*sweep, result, options.output);
  return 0;
}

}  // namespace

bool is_design_sweep(const SelectOptions& options, const Selection& given) {
  const bool asked = options.effort > 0.0 || options.chunk > 0 || options.resume;
  if (options.vary.empty()) {
    if (asked) throw InputError("--effort, --chunk and --resume are for design sweeps; name numbers with --vary");
    return false;
  }
  return asked || !options.criteria.empty() ||
         VariantGrid(options.robots, given.vary, given.steps).size() > most_variants;
}

int sweep_designs(const SelectOptions& options, Selection given) {
  AloneCommunicator alone;
  return sweep_chunks(options, std::make_shared<const DesignSweep>(std::move(given)), alone);
}

int sweep_designs_over_ranks(const SelectOptions& options) {
  return over_ranks([&](Communicator& ranks) {
    std::shared_ptr<const DesignSweep> sweep;
    all_succeed(ranks, [&] {
      if (options.vary.empty())
        throw InputError("a comparison is the work of one process: leave mpirun out, or make a sweep with --vary");
      sweep = std::make_shared<const DesignSweep>(options.selection());
    });
    return sweep_chunks(options, sweep, ranks);
  });
}

}  // namespace ulna::app

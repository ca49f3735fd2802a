#include "design_files.hpp"

#include <fmt/format.h>

#include <array>
#include <set>

#include "json_text.hpp"
#include "select_files.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/io/results/design_plan.hpp"
#include "ulna/version.hpp"

namespace ulna::selection {

namespace {

using Json = nlohmann::ordered_json;

const char* word_of(DesignRow::Outcome outcome) {
  switch (outcome) {
    case DesignRow::Outcome::ranked: return "ranked";
    case DesignRow::Outcome::apart: return "apart";
    case DesignRow::Outcome::refused: return "refused";
  }
  return "";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

/// A line per arm.
void write_table(AtomicFile& file, const DesignSweep& sweep, const DesignSummary& summary, const DesignRows& rows) {
  std::string line = "arm,robot";
  for (const SweptNumber& number : sweep.grid().swept()) line += "," + number.path;
  for (const Criterion& row : sweep.criteria()) line += fmt::format(",{0},{0}_error", row.key);
  file.write(line + ",score,front,outcome,reason\n");
  std::set<std::size_t> front;
  for (const DesignSummary::Point& point : summary.front) front.insert(point.arm);
  rows([&](std::size_t arm, const DesignRow& row) {
    const Variant variant = sweep.grid().at(arm);
    line = fmt::format("{},{}", arm, quoted(variant.robot));
    for (const double x : variant.values) fmt::format_to(std::back_inserter(line), ",{}", x);
    for (std::size_t c = 0; c < row.values.size(); ++c)
      fmt::format_to(std::back_inserter(line), ",{},{}", row.values[c], row.errors[c]);
    fmt::format_to(std::back_inserter(line), ",{},{},{},{}\n", score_of(sweep, summary, row), front.count(arm),
                   word_of(row.outcome), row.reason.empty() ? "" : quoted(row.reason));
    file.write(line);
  });
}

Json point_json(const DesignSweep& sweep, const DesignSummary::Point& point) {
  const auto& [first, second] = sweep.selection().pareto;
  return {{"arm", point.arm},
          {"name", sweep.name_of(point.arm)},
          {"values", sweep.grid().at(point.arm).values},
          {first, point.first},
          {second, point.second}};
}

Json criteria_json(const DesignSweep& sweep, const DesignSummary& summary) {
  Json list = Json::array();
  for (std::size_t c = 0; c < sweep.criteria().size(); ++c) {
    const Criterion& row = sweep.criteria()[c];
    const DesignSummary::Best& best = summary.best[c];
    list.push_back({{"key", row.key},
                    {"label", row.label},
                    {"unit", row.unit},
                    {"better", row.more_is_better ? "more" : "less"},
                    {"weight", row.weight}});
    if (summary.ranked > 0)
      list.back()["best"] = {
          {"arm", best.arm}, {"name", sweep.name_of(best.arm)}, {"value", best.value}, {"error", best.error}};
  }
  return list;
}

Json ranking_json(const DesignSweep& sweep, const DesignSummary& summary) {
  Json list = Json::array();
  for (const DesignSummary::Ranked& one : summary.ranking) {
    list.push_back({{"arm", one.arm},
                    {"name", sweep.name_of(one.arm)},
                    {"values", sweep.grid().at(one.arm).values},
                    {"score", one.score},
                    {"criteria", one.values},
                    {"errors", one.errors}});
  }
  return list;
}

}  // namespace

std::vector<DesignSummary::Point> some_of(std::span<const DesignSummary::Point> front, std::size_t most) {
  if (front.size() <= most) return {front.begin(), front.end()};
  std::vector<DesignSummary::Point> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(front[k * (front.size() - 1) / (most - 1)]);
  return some;
}

std::string design_json(const DesignSweep& sweep, const DesignSummary& summary) {
  constexpr std::size_t most_of_front = 1000;
  Json varied = Json::array(), front = Json::array(), left = Json::array();
  for (const SweptNumber& swept : sweep.grid().swept())
    varied.push_back({{"path", swept.path}, {"from", swept.from}, {"to", swept.to}});
  for (const DesignSummary::Point& point : some_of(summary.front, most_of_front))
    front.push_back(point_json(sweep, point));
  for (const DesignSummary::Left& one : summary.left)
    left.push_back({{"arm", one.arm}, {"name", sweep.name_of(one.arm)}, {"reason", one.reason}});
  const Task& task = sweep.selection().task;
  return json_text(
      {{"ulna", version},
       {"task", {{"title", task.title}, {"time", task.time}, {"every", task.every}, {"payload", task.payload}}},
       {"design",
        {{"robots", sweep.grid().robots()},
         {"varied", varied},
         {"steps", sweep.grid().steps()},
         {"effort", sweep.selection().effort},
         {"arms", summary.arms},
         {"ranked", summary.ranked},
         {"apart", summary.apart},
         {"refused", summary.refused},
         {"table", "sweep.csv"}}},
       {"criteria", criteria_json(sweep, summary)},
       {"ranking", ranking_json(sweep, summary)},
       {"pareto", {{"of", sweep.selection().pareto}, {"count", summary.front.size()}, {"front", front}}},
       {"left", left}});
}

std::string verdict(const DesignSweep& sweep, const DesignSummary& summary) {
  std::string text = fmt::format("{} arms by {} criteria", summary.arms, sweep.criteria().size());
  if (summary.apart > 0) text += fmt::format(", {} cannot be chosen", summary.apart);
  if (summary.refused > 0) text += fmt::format(", {} cannot be compared", summary.refused);
  if (summary.ranking.empty()) return text + ". No arm is ranked.";
  const DesignSummary::Ranked& first = summary.ranking[0];
  return fmt::format("{}. {} leads with score {:.3f}; {} on the Pareto front of {} and {}.", text,
                     sweep.name_of(first.arm), first.score,
                     summary.front.size() == 1 ? "one arm is" : fmt::format("{} are", summary.front.size()),
                     sweep.selection().pareto[0], sweep.selection().pareto[1]);
}

void put_in_place(const OutputFolder& folder, const std::string& path, const DesignSweep& sweep,
                  const DesignSummary& summary, const DesignRows& rows) {
  AtomicFile table(path + "/sweep.csv");
  write_table(table, sweep, summary, rows);
  table.finish();
  folder.replace(std::array<std::pair<const char*, std::string>, 2>{{{"report.html", design_page(sweep, summary)},
                                                                     {"select.json", design_json(sweep, summary)}}},
                 [&] { table.put_in_place(); });
}

}  // namespace ulna::selection

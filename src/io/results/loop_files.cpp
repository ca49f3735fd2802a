#include "loop_files.hpp"

#include <fmt/format.h>

#include "json_text.hpp"
#include "study/joint_lookup.hpp"
#include "ulna/version.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

std::string range_text(const DrivenRange& one, const Model& model) {
  const bool is_length = model.rate_number(joint_index(model, one.joint, "driven")).is_length;
  return fmt::format("{} from {:.6g} to {:.6g} {}", one.joint, one.from.in_si(), one.to.in_si(),
                     is_length ? "m" : "rad");
}

ReportHead loop_head(const LoopRecord& record) {
  const Graph& graph = record.sweep.robot;
  const Model& model = *record.model;
  const SweepResult& result = record.result;
  ReportHead head;
  head.title = graph.name;
  head.subtitle = graph.title;
  std::string driven;
  for (const DrivenRange& one : record.sweep.driven) driven += (driven.empty() ? "" : ", ") + range_text(one, model);
  head.facts = {{"robot", fmt::format("{} ({} degrees of freedom of the tree, {} loop{})", graph.name, model.nv(),
                                      model.loops().size(), model.loops().size() == 1 ? "" : "s")},
                {"driven", fmt::format("{}, in {:g} s, at constant speed", driven, record.sweep.time)},
                {"rows", fmt::format("{}", result.rows)},
                {"largest residual", fmt::format("{:.1e}", result.largest_residual)}};
  if (!graph.provenance.empty()) head.facts.emplace_back("source", graph.provenance);
  head.ok = result.complete;
  head.status = result.reason;
  head.events = result.events;
  return head;
}

}  // namespace

Json loop_json(const LoopRecord& record, const std::string& folder) {
  const SweepResult& result = record.result;
  Json events = Json::array(), ranges = Json::array();
  for (const RunEvent& event : result.events) events.push_back({{"t", event.t}, {"text", event.text}});
  for (const ColumnRange& r : record.ranges)
    ranges.push_back({{"column", r.column.name}, {"label", r.column.label}, {"low", r.low}, {"high", r.high}});
  return {{"ulna", version},
          {"complete", result.complete},
          {"reason", result.reason},
          {"rows", result.rows},
          {"largest_residual", result.largest_residual},
          {"events", events},
          {"ranges", ranges},
          {"columns", columns_json(sweep_columns(*record.model))},
          {"folder", folder}};
}

LoopFiles::LoopFiles(const std::string& folder, const Model& model)
    : made_(folder),
      folder_(folder),
      csv_(folder + "/table.csv", sweep_columns(model)),
      report_(model, sweep_columns(model)) {}

void LoopFiles::record(std::span<const double> row) {
  csv_.record(row);
  report_.record(row);
}

void LoopFiles::commit(const LoopRecord& record, std::string_view page) {
  csv_.finish();
  std::vector<std::pair<const char*, std::string>> texts;
  if (!page.empty()) texts.emplace_back("report.html", report_.html(loop_head(record), record.sweep.robot, page));
  texts.emplace_back("loop.json", json_text(loop_json(record, folder_)));
  made_.replace(texts, [&] { csv_.put_in_place(); });
}

}  // namespace ulna

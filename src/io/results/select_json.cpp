#include <fmt/format.h>

#include <array>

#include "json_text.hpp"
#include "select_files.hpp"
#include "ulna/version.hpp"

namespace ulna::selection {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Extreme& extreme) { return {{"value", extreme.value}, {"q", extreme.q}}; }

Json operations(const Candidate& candidate) {
  Json list = Json::array();
  for (std::size_t k = 0; k < counted.size(); ++k) {
    const OperationCount& count = candidate.operations[k];
    list.push_back({{"of", word_of(counted[k])},
                    {"method", count.method},
                    {"mul", count.multiplications},
                    {"add", count.additions},
                    {"sincos", count.sincos}});
  }
  return list;
}

Json joints(const Candidate& candidate) {
  Json list = Json::array();
  for (std::size_t i = 0; i < candidate.arm.ranges.size(); ++i) {
    const JointRange& range = candidate.arm.ranges[i];
    const JointLoad& load = candidate.loads.joints[i];
    list.push_back({{"joint", candidate.arm.model.joints()[i].name},
                    {"low", range.low},
                    {"high", range.high},
                    {"range_from", name_of(range.origin)},
                    {"peak", load.peak},
                    {"rms", load.rms},
                    {"peak_power", load.peak_power},
                    {"energy", load.energy}});
  }
  return list;
}

Json to_json(const Candidate& candidate) {
  const Survey& survey = candidate.survey;
  Json json{{"robot", candidate.arm.name},
            {"dimension", candidate.arm.dimension()},
            {"task", candidate.arm.task.name()},
            {"joints", joints(candidate)},
            {"operations", operations(candidate)},
            {"workspace",
             {{"size", candidate.workspace.size.value},
              {"error", candidate.workspace.size.error},
              {"holes", candidate.workspace.holes},
              {"hole_size", candidate.workspace.hole_size},
              {"cell", candidate.workspace.edge}}},
            {"dexterity",
             {{"size", candidate.dexterity.size.value},
              {"error", candidate.dexterity.size.error},
              {"orientations", candidate.dexterity.orientations},
              {"enough_joints", candidate.dexterity.enough_joints}}},
            {"manipulability", to_json(survey.manipulability)},
            {"isotropy", to_json(survey.isotropy)},
            {"smallest", to_json(survey.smallest)},
            {"singular", survey.singular},
            {"dynamic_axes", survey.dynamic_axes},
            {"notes", candidate.loads.notes},
            {"broken_limits", candidate.loads.broken}};
  if (candidate.cpu) {
    json["cpu"] = {{"median", candidate.cpu->median},
                   {"low", candidate.cpu->low},
                   {"high", candidate.cpu->high},
                   {"own_code", candidate.cpu->own_code}};
  }
  return json;
}

Json to_json(const Comparison& comparison, const Sweep& sweep) {
  Json varied = Json::array(), variants = Json::array(), front = Json::array();
  for (const SweptNumber& swept : sweep.swept)
    varied.push_back({{"path", swept.path}, {"from", swept.from}, {"to", swept.to}});
  for (const Variant& variant : sweep.variants)
    variants.push_back({{"robot", variant.robot}, {"values", variant.values}});
  for (const std::size_t i : front_of(comparison, sweep)) front.push_back(comparison.candidates[i].arm.name);
  return {
      {"varied", varied}, {"variants", variants}, {"pareto", {{"of", {sweep.first, sweep.second}}, {"front", front}}}};
}

}  // namespace

nlohmann::ordered_json select_json(const SelectRecord& record) {
  const auto& [comparison, sweep] = record;
  Json criteria = Json::array(), robots = Json::array(), ranking = Json::array();
  for (const Criterion& row : comparison.criteria) {
    Json best = Json::array();
    for (std::size_t i = 0; i < row.values.size(); ++i)
      if (row.best[i]) best.push_back(comparison.candidates[i].arm.name);
    criteria.push_back({{"key", row.key},
                        {"label", row.label},
                        {"unit", row.unit},
                        {"better", row.more_is_better ? "more" : "less"},
                        {"weight", row.weight},
                        {"values", row.values},
                        {"errors", row.errors},
                        {"shares", row.shares},
                        {"best", best}});
  }
  for (const Candidate& candidate : comparison.candidates) robots.push_back(to_json(candidate));
  for (const std::size_t i : comparison.order)
    ranking.push_back({{"robot", comparison.candidates[i].arm.name}, {"score", comparison.scores[i]}});
  Json apart = Json::array();
  for (const std::size_t i : comparison.apart)
    apart.push_back({{"robot", comparison.candidates[i].arm.name}, {"reasons", comparison.candidates[i].loads.broken}});
  const Task& task = comparison.task;
  Json document{
      {"ulna", version},
      {"task", {{"title", task.title}, {"time", task.time}, {"every", task.every}, {"payload", task.payload}}},
      {"criteria", criteria},
      {"ranking", ranking},
      {"apart", apart},
      {"robots", robots}};
  if (!sweep.swept.empty()) document["sweep"] = to_json(comparison, sweep);
  return document;
}

void put_in_place(const OutputFolder& folder, const SelectRecord& record, const nlohmann::ordered_json& document) {
  folder.replace(std::array<std::pair<const char*, std::string>, 2>{
      {{"report.html", select_page(record)}, {"select.json", json_text(document)}}});
}

}  // namespace ulna::selection

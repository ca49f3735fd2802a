#include <fmt/format.h>

#include <map>

#include "command.hpp"
#include "output.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/trace/printed_counts.hpp"

namespace ulna::app {

namespace {

using trace::Counts;

struct CountOptions {
  std::vector<std::string> robots, payloads;
  std::string of = "gim,c,mci,id,fd", method = "auto";
  bool regroup = false, paper = false, json = false;
};

struct Row {
  std::string robot, of, method;
  bool regrouped;
  Counts counts;
  bool cheapest = false;
  std::optional<trace::PrintedCount> printed;
  std::size_t bytes = 0;  // of the graph

  int multiplications() const { return counts.multiplications + counts.divisions; }
};

/// All formulations that give it, or the one asked for; the cheapest is marked.
void add_rows(const CountOptions& options, const Model& model, Quantity quantity, std::vector<Row>& rows) {
  const std::size_t first = rows.size();
  const std::string of(word_of(quantity));
  if (has_own_way(quantity)) {
    const trace::Recording recording = trace::record(model, quantity);
    rows.push_back({model.name(), of, "-", options.regroup, recording.counts(), true, {}, recording.graph->bytes()});
    return;
  }
  for (const MethodInfo& info : methods()) {
    const bool asked = options.method == "auto" || options.method == info.name;
    if (!asked || !trace::can_record(info, quantity, model)) continue;
    const auto recording = trace::record_if_small(model, quantity, info.name);
    if (!recording) {
      fmt::print(stderr, "note: {} of {} by {} is too large to be traced\n", of, model.name(), info.name);
      continue;
    }
    rows.push_back({model.name(), of, std::string(info.name), options.regroup, recording->counts(), false,
                    options.paper ? trace::printed_count(model, quantity, info.name) : std::nullopt,
                    recording->graph->bytes()});
  }
  if (rows.size() == first && options.method != "auto") trace::expect_recordable(model, quantity, options.method);
  const auto size = [](const Row& row) { return row.multiplications() + row.counts.additions; };
  const auto cheapest = std::min_element(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                                         [&](const Row& a, const Row& b) { return size(a) < size(b); });
  if (cheapest != rows.end()) cheapest->cheapest = true;
}

void print_rows(const CountOptions& options, const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> table{{"robot", "of", "method", "M", "A", "sincos", ""}};
  if (options.paper) table[0].insert(table[0].end(), {"printed M", "A", "in"});
  for (const Row& row : rows) {
    table.push_back({row.robot, row.of, row.method, fmt::format("{}", row.multiplications()),
                     fmt::format("{}", row.counts.additions), fmt::format("{}", row.counts.sincos),
                     row.cheapest ? "cheapest" : ""});
    if (row.printed)
      table.back().insert(table.back().end(), {short_number(row.printed->multiplications),
                                               short_number(row.printed->additions), row.printed->where});
  }
  print_table(table);
  fmt::print("M: multiplications and divisions; A: additions and subtractions; signs are free.\n");
}

Json to_json(const Row& row) {
  Json json{{"robot", row.robot},
            {"of", row.of},
            {"method", row.method},
            {"regrouped", row.regrouped},
            {"mul", row.counts.multiplications},
            {"add", row.counts.additions},
            {"div", row.counts.divisions},
            {"sincos", row.counts.sincos},
            {"cheapest", row.cheapest},
            {"bytes", row.bytes}};
  if (row.printed)
    json["printed"] = {
        {"mul", row.printed->multiplications}, {"add", row.printed->additions}, {"in", row.printed->where}};
  return json;
}

void run(const CountOptions& options) {
  const std::vector<Quantity> quantities = quantities_named(options.of);
  if (options.method != "auto") method_info(options.method);  // refuses an unknown one
  std::vector<Row> rows;
  for (const std::string& robot : options.robots) {
    Graph graph = load_graph(robot);
    for (const std::string& payload : options.payloads) add_payload(graph, given_payload(payload));
    const Model loaded = build(graph);
    expect_tree(loaded);
    const Model model = options.regroup ? regrouped(loaded) : loaded;
    for (const Quantity quantity : quantities) add_rows(options, model, quantity, rows);
  }
  if (!options.json) return print_rows(options, rows);
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(to_json(row));
  print_json({{"counts", list}});
}

}  // namespace

void add_count(CLI::App& app, Outcome&) {
  CLI::App* command =
      app.add_subcommand("count", "multiplications and additions of each formulation, for these robots");
  command->footer(
      "Quantities: gim (inertia matrix), c (Coriolis matrix C, dM/dt - 2C is skew), mci (convective matrix, the same\n"
      "product C v and no more), id and fd (inverse and forward dynamics),\n"
      "phi (accelerations from torques less their bias, as the papers count), gravity, fk, jacobian,\n"
      "did and dfd (derivatives of id and fd by positions and velocities; dfd also by torques).\n"
      "Example: ulna count puma560 general:7 --of gim,phi --paper");
  auto options = std::make_shared<CountOptions>();
  command->add_option("robots", options->robots, "bundled names, chain:N, general:N, or paths")
      ->required()
      ->type_name("ROBOT...");
  command->add_option("--of", options->of, "what to count, comma-separated (default: gim,c,mci,id,fd)")
      ->type_name("QUANTITY,...");
  add_method_option(*command, options->method);
  add_payload_option(*command, options->payloads);
  command->add_flag("--regroup", options->regroup, "move inertial parameters along the chain first: fewer operations");
  command->add_flag("--paper", options->paper, "beside what the papers print");
  command->add_flag("--json", options->json, "one JSON document instead of text");
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app

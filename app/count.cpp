#include <fmt/format.h>

#include "command.hpp"
#include "output.hpp"
#include "ulna/study/count.hpp"

namespace ulna::app {

namespace {

struct CommandOptions {
  std::vector<std::string> robots, payloads;
  std::string of = "gim,c,mci,id,fd";
  CountOptions count;
  bool paper = false, json = false;
};

void print_rows(bool paper, const std::vector<CountRow>& rows) {
  std::vector<std::vector<std::string>> table{{"robot", "of", "method", "M", "A", "sincos", ""}};
  if (paper) table[0].insert(table[0].end(), {"printed M", "A", "in"});
  for (const CountRow& row : rows) {
    table.push_back({row.robot, row.of, row.method, fmt::format("{}", row.multiplications()),
                     fmt::format("{}", row.counts.additions), fmt::format("{}", row.counts.sincos),
                     row.cheapest ? "cheapest" : ""});
    if (paper && row.printed)
      table.back().insert(table.back().end(), {short_number(row.printed->multiplications),
                                               short_number(row.printed->additions), row.printed->where});
  }
  print_table(table);
  fmt::print("M: multiplications and divisions; A: additions and subtractions; signs are free.\n");
}

Json json_of_row(bool paper, const CountRow& row) {
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
  if (paper && row.printed)
    json["printed"] = {
        {"mul", row.printed->multiplications}, {"add", row.printed->additions}, {"in", row.printed->where}};
  return json;
}

void run(CommandOptions& options) {
  options.count.of = quantities_named(options.of);
  std::vector<CountRow> rows;
  for (const std::string& robot : options.robots) {
    Graph graph = load_graph(robot);
    for (const std::string& payload : options.payloads) add_payload(graph, given_payload(payload));
    const CountRecord record = count_operations(build(graph), options.count);
    for (const std::string& note : record.notes) fmt::print(stderr, "note: {}\n", note);
    rows.insert(rows.end(), record.rows.begin(), record.rows.end());
  }
  if (!options.json) return print_rows(options.paper, rows);
  Json list = Json::array();
  for (const CountRow& row : rows) list.push_back(json_of_row(options.paper, row));
  print_json({{"counts", list}});
}

}  // namespace

void add_count(CLI::App& app, Outcome&) {
  CLI::App* command =
      app.add_subcommand("count", "multiplications and additions of each formulation, for these robots");
  command->footer(
      "Quantities: gim (inertia matrix), minv (its inverse), c (Coriolis matrix C, dM/dt - 2C is skew), mci "
      "(convective\n"
      "matrix, the same product C v and no more), id and fd (inverse and forward dynamics),\n"
      "phi (accelerations from torques less their bias, as the papers count), gravity, fk, jacobian,\n"
      "did and dfd (derivatives of id and fd by positions and velocities; dfd also by torques).\n"
      "Example: ulna count puma560 general:7 --of gim,phi --paper");
  auto options = std::make_shared<CommandOptions>();
  command->add_option("robots", options->robots, "bundled names, chain:N, general:N, or paths")
      ->required()
      ->type_name("ROBOT...");
  command->add_option("--of", options->of, "what to count, comma-separated (default: gim,c,mci,id,fd)")
      ->type_name("QUANTITY,...");
  add_method_option(*command, options->count.method);
  add_payload_option(*command, options->payloads);
  command->add_flag("--regroup", options->count.regroup,
                    "move inertial parameters along the chain first: fewer operations");
  command->add_flag("--paper", options->paper, "beside what the papers print");
  command->add_flag("--json", options->json, "one JSON document instead of text");
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app

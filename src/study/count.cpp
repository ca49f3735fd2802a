#include "ulna/study/count.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ulna/model/expect_tree.hpp"
#include "ulna/model/transform.hpp"

namespace ulna {

namespace {

/// Fewest multiplications, divisions and additions; of equals the first.
void mark_cheapest(std::span<CountRow> rows) {
  const auto cheapest = std::min_element(rows.begin(), rows.end(), [](const CountRow& a, const CountRow& b) {
    return a.counts.arithmetic() < b.counts.arithmetic();
  });
  if (cheapest != rows.end()) cheapest->cheapest = true;
}

void add_rows(const Model& model, Quantity quantity, const CountOptions& options, CountRecord& record) {
  const std::string of(word_of(quantity));
  const auto add = [&](const trace::Recording& recording, std::string_view method) {
    record.rows.push_back({model.name(), of, std::string(method), options.regroup, recording.counts(), false,
                           trace::printed_count(model, quantity, method), recording.graph->bytes()});
  };
  const std::size_t first = record.rows.size();
  if (has_own_way(quantity)) add(trace::record(model, quantity), "-");
  for (const MethodInfo& info : methods()) {
    const bool asked = options.method == "auto" || options.method == info.name;
    if (!asked || !trace::can_record(info, quantity, model)) continue;
    if (options.proceed && !options.proceed()) break;
    if (const auto recording = trace::record_if_small(model, quantity, info.name))
      add(*recording, info.name);
    else
      record.notes.push_back(fmt::format("{} of {} by {} is too large to be traced", of, model.name(), info.name));
  }
  if (record.rows.size() == first && options.method != "auto")
    trace::expect_recordable(model, quantity, options.method);
  mark_cheapest(std::span(record.rows).subspan(first));
}

}  // namespace

CountRecord count_operations(const Model& model, const CountOptions& options) {
  expect_tree(model);
  if (options.method != "auto") method_info(options.method);  // refuses an unknown one
  CountRecord record;
  const Model counted = options.regroup ? regrouped(model) : model;
  for (const Quantity quantity : options.of) add_rows(counted, quantity, options, record);
  return record;
}

}  // namespace ulna

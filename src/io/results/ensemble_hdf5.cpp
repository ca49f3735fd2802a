#include "ensemble_hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "column_groups.hpp"
#include "ensemble_files.hpp"
#include "hdf5_rows.hpp"
#include "ulna/version.hpp"

namespace ulna {

namespace {

std::string joined(std::span<const Column> columns, std::string_view group, std::string Column::*part) {
  std::string text;
  for (const Column& column : columns)
    if (column.group == group) text += (text.empty() ? "" : ",") + column.*part;
  return text;
}

/// What a run's row in each dataset of its end is.
using EndValue = std::variant<std::int64_t, double, std::span<const double>, std::string_view>;
enum EndRows : std::size_t {
  status_rows,
  steps_rows,
  rejected_rows,
  time_rows,
  q_rows,
  v_rows,
  energy_rows,
  reason_rows,
  repeated_rows,
  parameter_rows
};

std::vector<RowsInfo> end_rows(const PreparedEnsemble& prepared) {
  const auto nq = static_cast<hsize_t>(prepared.model.nq()), nv = static_cast<hsize_t>(prepared.model.nv());
  const std::vector<Column> columns = trajectory_columns(prepared.model, false);
  const auto said = [](std::string of, std::string units) {
    return std::vector<std::pair<const char*, std::string>>{{"columns", std::move(of)}, {"units", std::move(units)}};
  };
  const auto of_group = [&](const char* group) {
    return said(joined(columns, group, &Column::name), joined(columns, group, &Column::unit));
  };
  std::string statuses, names, units;
  for (const RunStatus known : run_statuses()) statuses += (statuses.empty() ? "" : ",") + std::string(name_of(known));
  for (const VariedParameter& parameter : prepared.varied.parameters()) {
    names += (names.empty() ? "" : ",") + parameter.name;
    units += (units.empty() ? "" : ",") + parameter.unit;
  }
  std::vector<RowsInfo> rows{{"status", NumberKind::whole, {}, said("", statuses)},
                             {"steps", NumberKind::whole, {}, said("", "1")},
                             {"rejected", NumberKind::whole, {}, said("", "1")},
                             {"time", NumberKind::real, {}, said("", "s")},
                             {"final_q", NumberKind::real, {nq}, of_group("position")},
                             {"final_v", NumberKind::real, {nv}, of_group("velocity")},
                             {"final_energy", NumberKind::real, {}, said("", "J")},
                             {"reason", NumberKind::text, {}, {}},
                             {"repeated_draws", NumberKind::whole, {}, said("", "1")}};
  if (!names.empty())
    rows.push_back({"parameters", NumberKind::real, {prepared.varied.parameters().size()}, said(names, units)});
  return rows;
}

RowsInfo sample_rows(const ColumnGroup& group, std::size_t times) {
  return {"samples_" + group.name,
          NumberKind::real,
          {times, group.columns.size()},
          {{"columns", group.names}, {"units", group.units}, {"axes", "run,t,column"}}};
}

EndValue end_value(const EnsembleRunResult& run, std::size_t which) {
  switch (which) {
    case status_rows:
      return std::int64_t{std::find(run_statuses().begin(), run_statuses().end(), run.status) - run_statuses().begin()};
    case steps_rows: return std::int64_t{run.steps};
    case rejected_rows: return std::int64_t{run.rejected};
    case time_rows: return run.time;
    case q_rows: return std::span<const double>(run.q);
    case v_rows: return std::span<const double>(run.v);
    case energy_rows: return run.q.empty() ? std::nan("") : run.energy;
    case reason_rows: return std::string_view(run.reason);
    case repeated_rows: return std::int64_t{run.drawn.repeated};
    default: return std::span<const double>(run.drawn.values);
  }
}

void write_ends(const Hdf5File& file, const PreparedEnsemble& prepared, const EnsembleRuns& runs, std::size_t count,
                RowLayout layout) {
  std::vector<RowsInfo> infos = end_rows(prepared);
  std::vector<std::unique_ptr<RowWriter>> writers;
  writers.reserve(infos.size());
  for (RowsInfo& info : infos) writers.push_back(std::make_unique<RowWriter>(file, std::move(info), count, layout));
  runs.visit({.ends = true}, [&](const RunBlock& block) {
    for (const EnsembleRunResult& run : block.runs) {
      for (std::size_t i = 0; i < writers.size(); ++i)
        std::visit([&](const auto& value) { writers[i]->add(value); }, end_value(run, i));
    }
  });
  for (const auto& writer : writers) writer->finish();
}

/// The samples of a run in one group of columns.
void add_samples(RowWriter& writer, const RunBlock& block, std::size_t run, std::size_t times,
                 const ColumnGroup& group) {
  writer.add_row([&](std::vector<double>& row) {
    for (std::size_t i = 0; i < times; ++i) {
      const double* sample = block.sample(run, i);
      for (const std::size_t column : group.columns) row.push_back(sample[column]);
    }
  });
}

void write_samples(const Hdf5File& file, const EnsembleResult& frame, const EnsembleRuns& runs, std::size_t count,
                   RowLayout layout) {
  const std::vector<ColumnGroup> groups = groups_of(frame.columns);
  const std::size_t times = frame.times.size();
  std::vector<std::unique_ptr<RowWriter>> writers;
  writers.reserve(groups.size());
  for (const ColumnGroup& group : groups)
    writers.push_back(std::make_unique<RowWriter>(file, sample_rows(group, times), count, layout));
  if (groups.empty()) return;
  runs.visit({.times = {0, 1, times}}, [&](const RunBlock& block) {
    for (std::size_t run = 0; run < block.count; ++run)
      for (std::size_t g = 0; g < groups.size(); ++g) add_samples(*writers[g], block, run, times, groups[g]);
  });
  for (const auto& writer : writers) writer->finish();
}

void write_head(const Hdf5File& file, const EnsembleSummary& summary) {
  write_text_attribute(file.get(), "ulna", version);
  write_text_attribute(file.get(), "schema", fmt::format("{}", ensemble_schema));
  write_text_attribute(file.get(), "seed", fmt::format("{}", summary.prepared->scenario.seed));
  const std::vector<double>& times = summary.frame.times;
  if (times.empty()) {
    const Hdf5Handle layout = dataset_layout();
    create_dataset(file, {"t", NumberKind::real, {}, {{"columns", ""}, {"units", "s"}}}, 0, layout);
    return;
  }
  RowWriter t(file, {"t", NumberKind::real, {}, {{"columns", ""}, {"units", "s"}}}, times.size(), RowLayout::plain);
  for (const double x : times) t.add(x);
  t.finish();
}

void write_virtual_rows(const Hdf5File& file, const RowsInfo& info, std::size_t runs,
                        std::span<const ShardPlace> shards) {
  const Hdf5Handle layout = dataset_layout();
  const std::vector<hsize_t> shape = info.shape(runs);
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  for (const ShardPlace& shard : shards) {
    std::vector<hsize_t> from(shape.size(), 0), size = info.shape(shard.count);
    from[0] = shard.first;
    const Hdf5Handle there(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
    if (H5Pset_virtual(layout.get(), space.get(), shard.file.c_str(), info.name.c_str(), there.get()) < 0) file.fail();
  }
  create_dataset(file, info, runs, layout);
}

bool read_ends(hid_t file, const PreparedEnsemble& prepared, std::vector<EnsembleRunResult>& runs) {
  const std::vector<RowsInfo> infos = end_rows(prepared);
  const std::size_t count = runs.size();
  std::vector<std::int64_t> wholes(count);
  std::vector<double> reals;
  bool good = true;
  const auto whole = [&](std::size_t which, const auto& set) {
    good = good && read_rows(file, infos[which], count, wholes.data());
    for (std::size_t k = 0; good && k < count; ++k) set(runs[k], wholes[k]);
  };
  const auto real = [&](std::size_t which, const auto& set) {
    const std::size_t width = infos[which].width();
    reals.resize(count * width);
    good = good && read_rows(file, infos[which], count, reals.data());
    for (std::size_t k = 0; good && k < count; ++k) set(runs[k], std::span(reals).subspan(k * width, width));
  };
  whole(status_rows, [&](EnsembleRunResult& run, std::int64_t x) {
    good = good && x >= 0 && x < std::ssize(run_statuses());
    if (good) run.status = run_statuses()[static_cast<std::size_t>(x)];
  });
  whole(steps_rows, [](EnsembleRunResult& run, std::int64_t x) { run.steps = x; });
  whole(rejected_rows, [](EnsembleRunResult& run, std::int64_t x) { run.rejected = x; });
  whole(repeated_rows, [](EnsembleRunResult& run, std::int64_t x) { run.drawn.repeated = x; });
  real(time_rows, [](EnsembleRunResult& run, std::span<const double> x) { run.time = x[0]; });
  real(energy_rows, [](EnsembleRunResult& run, std::span<const double> x) { run.energy = x[0]; });
  real(q_rows, [](EnsembleRunResult& run, std::span<const double> x) { run.q.assign(x.begin(), x.end()); });
  real(v_rows, [](EnsembleRunResult& run, std::span<const double> x) { run.v.assign(x.begin(), x.end()); });
  if (infos.size() > parameter_rows)
    real(parameter_rows,
         [](EnsembleRunResult& run, std::span<const double> x) { run.drawn.values.assign(x.begin(), x.end()); });
  std::vector<std::string> reasons(count);
  good = good && read_texts(file, infos[reason_rows], reasons);
  for (std::size_t k = 0; k < count; ++k) runs[k].reason = std::move(reasons[k]);
  return good;
}

}  // namespace

void write_ensemble(const Hdf5File& file, const EnsembleSummary& summary, const EnsembleRuns& runs,
                    const std::string& run) {
  write_head(file, summary);
  write_ends(file, *summary.prepared, runs, summary.runs, RowLayout::compressed);
  write_samples(file, summary.frame, runs, summary.runs, RowLayout::compressed);
  file.write_run_json(run);
}

void write_virtual_ensemble(const Hdf5File& file, const EnsembleSummary& summary, std::span<const ShardPlace> shards,
                            const std::string& run) {
  write_head(file, summary);
  for (const RowsInfo& info : end_rows(*summary.prepared)) write_virtual_rows(file, info, summary.runs, shards);
  for (const ColumnGroup& group : groups_of(summary.frame.columns))
    write_virtual_rows(file, sample_rows(group, summary.frame.times.size()), summary.runs, shards);
  file.write_run_json(run);
}

void write_shard(const Hdf5File& file, const PreparedEnsemble& prepared, const EnsembleResult& frame,
                 const EnsembleRuns& runs, std::size_t count) {
  write_ends(file, prepared, runs, count, RowLayout::plain);
  write_samples(file, frame, runs, count, RowLayout::plain);
}

bool read_shard(hid_t file, const PreparedEnsemble& prepared, const EnsembleResult& frame, std::size_t count,
                const RunParts& parts, std::vector<EnsembleRunResult>& runs, std::vector<double>& samples) {
  runs.assign(parts.ends ? count : 0, {});
  if (parts.ends && !read_ends(file, prepared, runs)) return false;
  const std::size_t times = parts.times.count, width = frame.columns.size();
  samples.resize(count * times * width);
  if (times == 0) return true;
  std::vector<double> of_group;
  for (const ColumnGroup& group : groups_of(frame.columns)) {
    of_group.resize(count * times * group.columns.size());
    if (!read_rows(file, sample_rows(group, frame.times.size()), count, of_group.data(), &parts.times)) return false;
    const double* from = of_group.data();
    for (std::size_t row = 0; row < count * times; ++row)
      for (const std::size_t column : group.columns) samples[row * width + column] = *from++;
  }
  return true;
}

}  // namespace ulna

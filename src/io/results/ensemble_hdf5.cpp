#include "ensemble_hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "column_groups.hpp"
#include "ensemble_files.hpp"
#include "ulna/version.hpp"

namespace ulna {

namespace {

enum class NumberKind { real, whole, text };

Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Hdf5Handle type_in_file(NumberKind kind) {
  if (kind == NumberKind::text) return text_type();
  return {H5Tcopy(kind == NumberKind::real ? H5T_IEEE_F64LE : H5T_STD_I64LE), H5Tclose};
}

Hdf5Handle type_in_memory(NumberKind kind) {
  if (kind == NumberKind::text) return text_type();
  return {H5Tcopy(kind == NumberKind::real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64), H5Tclose};
}

/// A dataset with a row per run.
struct RowsInfo {
  std::string name;
  NumberKind kind = NumberKind::real;
  std::vector<hsize_t> row{};                               // its shape; empty: one number
  std::vector<std::pair<const char*, std::string>> said{};  // attributes

  std::size_t width() const {
    std::size_t width = 1;
    for (const hsize_t n : row) width *= n;
    return width;
  }
  std::vector<hsize_t> shape(std::size_t runs) const {
    std::vector<hsize_t> shape{runs};
    shape.insert(shape.end(), row.begin(), row.end());
    return shape;
  }
};

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

Hdf5Handle create_dataset(const Hdf5File& file, const RowsInfo& info, std::size_t runs, const Hdf5Handle& layout) {
  const std::vector<hsize_t> shape = info.shape(runs);
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const Hdf5Handle type = type_in_file(info.kind);
  Hdf5Handle dataset(
      H5Dcreate2(file.get(), info.name.c_str(), type.get(), space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
      H5Dclose);
  if (!dataset.good()) file.fail();
  for (const auto& [name, text] : info.said) write_text_attribute(dataset.get(), name, text);
  return dataset;
}

/// Compressed where it is large enough to be cut into chunks of runs; how many runs a chunk has.
std::size_t cut_into_chunks(const Hdf5Handle& layout, const RowsInfo& info, std::size_t runs) {
  constexpr hsize_t chunk = 1 << 17;  // a megabyte of doubles
  const std::vector<hsize_t> shape = info.shape(runs);
  const hsize_t per_run = std::max<hsize_t>(1, info.width());
  if (runs * per_run <= 1024) return runs;
  std::vector<hsize_t> part = shape;
  part[0] = std::clamp<hsize_t>(chunk / per_run, 1, shape[0]);
  if (part.size() > 1 && per_run > chunk) part[1] = std::max<hsize_t>(1, chunk / (per_run / shape[1]));
  H5Pset_chunk(layout.get(), static_cast<int>(part.size()), part.data());
  H5Pset_shuffle(layout.get());
  H5Pset_deflate(layout.get(), 4);
  return part[0];
}

enum class RowLayout { compressed, plain };

/// Takes rows one by one and writes them in whole chunks, so that the file does not depend on how they come.
class RowWriter {
 public:
  RowWriter(const Hdf5File& file, RowsInfo info, std::size_t runs, RowLayout wanted)
      : file_(file), info_(std::move(info)), layout_(dataset_layout()) {
    constexpr std::size_t plain_bytes = 1 << 20;
    at_once_ = wanted == RowLayout::compressed
                   ? cut_into_chunks(layout_, info_, runs)
                   : std::clamp<std::size_t>(plain_bytes / (8 * std::max<std::size_t>(1, info_.width())), 1, runs);
    dataset_.emplace(create_dataset(file, info_, runs, layout_));
  }

  void add(std::int64_t x) {
    wholes_.push_back(x);
    end_row();
  }
  void add(double x) {
    reals_.push_back(x);
    end_row();
  }
  void add(std::span<const double> row) {
    reals_.insert(reals_.end(), row.begin(), row.end());
    if (row.empty()) reals_.insert(reals_.end(), info_.width(), std::nan(""));  // of runs that never began
    end_row();
  }
  void add(std::string_view text) {
    texts_.emplace_back(text);
    end_row();
  }
  /// The samples of a run in one group of columns.
  void add(const RunBlock& block, std::size_t run, std::size_t times, const ColumnGroup& group) {
    for (std::size_t i = 0; i < times; ++i) {
      const double* sample = block.sample(run, i);
      for (const std::size_t column : group.columns) reals_.push_back(sample[column]);
    }
    end_row();
  }
  void finish() {
    if (waiting_ > 0) flush();
  }

 private:
  void end_row() {
    if (++waiting_ == at_once_) flush();
  }

  void flush() {
    std::vector<hsize_t> from(info_.row.size() + 1, 0), size = info_.shape(waiting_);
    from[0] = written_;
    const Hdf5Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    const Hdf5Handle place(H5Dget_space(dataset_->get()), H5Sclose), type = type_in_memory(info_.kind);
    H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
    std::vector<const char*> pointers;
    pointers.reserve(texts_.size());
    for (const std::string& text : texts_) pointers.push_back(text.c_str());
    const void* data = info_.kind == NumberKind::real    ? static_cast<const void*>(reals_.data())
                       : info_.kind == NumberKind::whole ? static_cast<const void*>(wholes_.data())
                                                         : static_cast<const void*>(pointers.data());
    if (H5Dwrite(dataset_->get(), type.get(), memory.get(), place.get(), H5P_DEFAULT, data) < 0) file_.fail();
    written_ += waiting_;
    waiting_ = 0;
    reals_.clear();
    wholes_.clear();
    texts_.clear();
  }

  const Hdf5File& file_;
  RowsInfo info_;
  Hdf5Handle layout_;
  std::optional<Hdf5Handle> dataset_;
  std::size_t at_once_ = 1, waiting_ = 0, written_ = 0;
  std::vector<double> reals_;
  std::vector<std::int64_t> wholes_;
  std::vector<std::string> texts_;
};

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
      for (std::size_t g = 0; g < groups.size(); ++g) writers[g]->add(block, run, times, groups[g]);
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

// ---- reading

bool read_rows(hid_t file, const RowsInfo& info, const TimeSlice* times, std::size_t count, void* to) {
  const Hdf5Handle dataset(H5Dopen2(file, info.name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good()) return false;
  const Hdf5Handle place(H5Dget_space(dataset.get()), H5Sclose), type = type_in_memory(info.kind);
  std::vector<hsize_t> shape = info.shape(count), there(shape.size());
  if (H5Sget_simple_extent_ndims(place.get()) != static_cast<int>(shape.size())) return false;
  H5Sget_simple_extent_dims(place.get(), there.data(), nullptr);
  if (there != shape) return false;
  std::vector<hsize_t> from(shape.size(), 0), step(shape.size(), 1);
  if (times != nullptr) {
    from[1] = times->first;
    step[1] = times->stride;
    shape[1] = times->count;
  }
  H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from.data(), step.data(), shape.data(), nullptr);
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  return H5Dread(dataset.get(), type.get(), memory.get(), place.get(), H5P_DEFAULT, to) >= 0;
}

bool read_texts(hid_t file, const RowsInfo& info, std::vector<EnsembleRunResult>& runs) {
  std::vector<char*> texts(runs.size(), nullptr);
  const bool good = read_rows(file, info, nullptr, runs.size(), texts.data());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    runs[k].reason = texts[k] == nullptr ? "" : texts[k];
    H5free_memory(texts[k]);
  }
  return good;
}

bool read_ends(hid_t file, const PreparedEnsemble& prepared, std::vector<EnsembleRunResult>& runs) {
  const std::vector<RowsInfo> infos = end_rows(prepared);
  const std::size_t count = runs.size();
  std::vector<std::int64_t> wholes(count);
  std::vector<double> reals;
  bool good = true;
  const auto whole = [&](std::size_t which, const auto& set) {
    good = good && read_rows(file, infos[which], nullptr, count, wholes.data());
    for (std::size_t k = 0; good && k < count; ++k) set(runs[k], wholes[k]);
  };
  const auto real = [&](std::size_t which, const auto& set) {
    const std::size_t width = infos[which].width();
    reals.resize(count * width);
    good = good && read_rows(file, infos[which], nullptr, count, reals.data());
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
  return good && read_texts(file, infos[reason_rows], runs);
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
    if (!read_rows(file, sample_rows(group, frame.times.size()), &parts.times, count, of_group.data())) return false;
    const double* from = of_group.data();
    for (std::size_t row = 0; row < count * times; ++row)
      for (const std::size_t column : group.columns) samples[row * width + column] = *from++;
  }
  return true;
}

}  // namespace ulna

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "column_groups.hpp"
#include "ensemble_files.hpp"
#include "hdf5_file.hpp"
#include "ulna/version.hpp"

namespace ulna {

namespace {

/// A dataset of [runs × …] numbers, compressed where it is large enough to be cut into chunks of runs.
Hdf5Handle make_dataset(const Hdf5File& file, const std::string& name, hid_t type, std::vector<hsize_t> size) {
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Hdf5Handle layout = dataset_layout();
  hsize_t per_run = 1, all = 1;
  for (std::size_t k = 1; k < size.size(); ++k) per_run *= size[k];
  for (const hsize_t n : size) all *= n;
  constexpr hsize_t chunk = 1 << 17;  // a megabyte of doubles
  if (all > 1024) {
    std::vector<hsize_t> part = size;
    part[0] = std::clamp<hsize_t>(chunk / per_run, 1, size[0]);
    if (part.size() > 1 && per_run > chunk) part[1] = std::max<hsize_t>(1, chunk / (per_run / size[1]));
    H5Pset_chunk(layout.get(), static_cast<int>(part.size()), part.data());
    H5Pset_shuffle(layout.get());
    H5Pset_deflate(layout.get(), 4);
  }
  Hdf5Handle dataset(H5Dcreate2(file.get(), name.c_str(), type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                     H5Dclose);
  if (!dataset.good()) file.fail();
  return dataset;
}

template <class Number>
void write(const Hdf5File& file, const std::string& name, const std::vector<Number>& values, std::size_t width,
           const std::string& columns, const std::string& units) {
  constexpr bool real = std::is_floating_point_v<Number>;
  std::vector<hsize_t> size{values.size() / std::max<std::size_t>(1, width)};
  if (width > 1 || !columns.empty()) size.push_back(width);
  const Hdf5Handle dataset = make_dataset(file, name, real ? H5T_IEEE_F64LE : H5T_STD_I64LE, size);
  write_text_attribute(dataset.get(), "columns", columns);
  write_text_attribute(dataset.get(), "units", units);
  if (H5Dwrite(dataset.get(), real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT,
               values.data()) < 0)
    file.fail();
}

/// [runs × times × columns], a block of runs at a time.
void write_samples(const Hdf5File& file, const EnsembleResult& result, const ColumnGroup& group) {
  const std::size_t runs = result.runs.size(), times = result.times.size();
  const Hdf5Handle dataset =
      make_dataset(file, "samples_" + group.name, H5T_IEEE_F64LE, {runs, times, group.columns.size()});
  write_text_attribute(dataset.get(), "columns", group.names);
  write_text_attribute(dataset.get(), "units", group.units);
  write_text_attribute(dataset.get(), "axes", "run,t,column");
  constexpr std::size_t runs_per_block = 256;
  std::vector<double> block;
  for (std::size_t first = 0; first < runs; first += runs_per_block) {
    const std::size_t count = std::min(runs_per_block, runs - first);
    block.clear();
    for (std::size_t run = first; run < first + count; ++run)
      for (std::size_t i = 0; i < times; ++i)
        for (const std::size_t column : group.columns) block.push_back(result.sample(run, i)[column]);
    const hsize_t from[3] = {first, 0, 0}, size[3] = {count, times, group.columns.size()};
    const Hdf5Handle memory(H5Screate_simple(3, size, nullptr), H5Sclose);
    const Hdf5Handle place(H5Dget_space(dataset.get()), H5Sclose);
    H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from, nullptr, size, nullptr);
    if (H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), place.get(), H5P_DEFAULT, block.data()) < 0)
      file.fail();
  }
}

/// One text per run.
void write_texts(const Hdf5File& file, const char* name, const std::vector<const char*>& texts) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Hdf5Handle dataset = make_dataset(file, name, type.get(), {texts.size()});
  if (H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) < 0) file.fail();
}

std::string joined(std::span<const Column> columns, std::string_view group, std::string Column::*part) {
  std::string text;
  for (const Column& column : columns)
    if (column.group == group) text += (text.empty() ? "" : ",") + column.*part;
  return text;
}

void write_ends(const Hdf5File& file, const EnsembleRecord& record) {
  std::vector<long> status, steps, rejected;
  std::vector<double> time, q, v, energy;
  std::vector<const char*> reasons;
  const auto nq = static_cast<std::size_t>(record.prepared->model.nq()),
             nv = static_cast<std::size_t>(record.prepared->model.nv());
  const auto append = [](std::vector<double>& to, const std::vector<double>& from, std::size_t size) {
    to.insert(to.end(), from.begin(), from.end());
    if (from.empty()) to.insert(to.end(), size, std::nan(""));  // of runs that never began
  };
  for (const EnsembleRunResult& run : record.result.runs) {
    status.push_back(std::find(run_statuses().begin(), run_statuses().end(), run.status) - run_statuses().begin());
    steps.push_back(run.steps);
    rejected.push_back(run.rejected);
    time.push_back(run.time);
    append(q, run.q, nq);
    append(v, run.v, nv);
    energy.push_back(run.q.empty() ? std::nan("") : run.energy);
    reasons.push_back(run.reason.c_str());
  }
  const std::vector<Column> columns = trajectory_columns(record.prepared->model, false);
  std::string names;
  for (const RunStatus known : run_statuses()) names += (names.empty() ? "" : ",") + std::string(name_of(known));
  write(file, "status", status, 1, "", names);
  write(file, "steps", steps, 1, "", "1");
  write(file, "rejected", rejected, 1, "", "1");
  write(file, "time", time, 1, "", "s");
  write(file, "final_q", q, nq, joined(columns, "position", &Column::name), joined(columns, "position", &Column::unit));
  write(file, "final_v", v, nv, joined(columns, "velocity", &Column::name), joined(columns, "velocity", &Column::unit));
  write(file, "final_energy", energy, 1, "", "J");
  write_texts(file, "reason", reasons);
}

}  // namespace

void write_ensemble(Hdf5File& file, const EnsembleRecord& record, const std::string& run) {
  write_text_attribute(file.get(), "ulna", version);
  write_text_attribute(file.get(), "schema", fmt::format("{}", ensemble_schema));
  write_text_attribute(file.get(), "seed", fmt::format("{}", record.prepared->scenario.seed));
  write_ends(file, record);
  std::string names, units;
  for (const VariedParameter& parameter : record.prepared->varied.parameters()) {
    names += (names.empty() ? "" : ",") + parameter.name;
    units += (units.empty() ? "" : ",") + parameter.unit;
  }
  std::vector<double> values;
  for (std::size_t k = 0; k < record.result.runs.size(); ++k)
    for (const double x : record.prepared->varied.values(k)) values.push_back(x);
  if (!names.empty()) write(file, "parameters", values, record.prepared->varied.parameters().size(), names, units);
  write(file, "t", record.result.times, 1, "", "s");
  for (const ColumnGroup& group : groups_of(record.result.columns)) write_samples(file, record.result, group);
  file.write_run_json(run);
}

}  // namespace ulna

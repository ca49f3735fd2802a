#include "trajectory_hdf5.hpp"

#include "column_groups.hpp"
#include "hdf5_file.hpp"

namespace ulna {

namespace {

constexpr hsize_t rows_per_chunk = 1024;

Hdf5Handle make_dataset(hid_t file, const std::string& name, std::size_t width) {
  const hsize_t start[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {rows_per_chunk, width};
  const Hdf5Handle space(H5Screate_simple(2, start, most), H5Sclose), layout = dataset_layout();
  H5Pset_chunk(layout.get(), 2, chunk);
  H5Pset_shuffle(layout.get());
  H5Pset_deflate(layout.get(), 4);
  return {H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
          H5Dclose};
}

}  // namespace

struct [[gnu::visibility("hidden")]] TrajectoryHdf5::File {
  struct Dataset {
    Hdf5Handle handle;
    std::vector<std::size_t> columns;  // of one group; not all stand side by side
    std::vector<double> buffer;        // rows not yet written
  };

  Hdf5File file;
  std::vector<Dataset> datasets;
  hsize_t written = 0, waiting = 0;

  explicit File(std::string path) : file(std::move(path)) {}

  void flush() {
    if (waiting == 0) return;
    for (Dataset& dataset : datasets) {
      const hsize_t size[2] = {written + waiting, dataset.columns.size()};
      const hsize_t from[2] = {written, 0}, count[2] = {waiting, dataset.columns.size()};
      if (H5Dset_extent(dataset.handle.get(), size) < 0) file.fail();
      const Hdf5Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
      const Hdf5Handle place(H5Dget_space(dataset.handle.get()), H5Sclose);
      H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from, nullptr, count, nullptr);
      if (H5Dwrite(dataset.handle.get(), H5T_NATIVE_DOUBLE, memory.get(), place.get(), H5P_DEFAULT,
                   dataset.buffer.data()) < 0)
        file.fail();
      dataset.buffer.clear();
    }
    written += waiting;
    waiting = 0;
  }
};

TrajectoryHdf5::TrajectoryHdf5(std::string path, std::span<const Column> columns)
    : file_(std::make_unique<File>(std::move(path))) {
  for (const ColumnGroup& group : groups_of(columns)) {
    Hdf5Handle handle = make_dataset(file_->file.get(), group.name, group.columns.size());
    if (!handle.good()) file_->file.fail();
    write_text_attribute(handle.get(), "columns", group.names);
    write_text_attribute(handle.get(), "units", group.units);
    file_->datasets.push_back({std::move(handle), group.columns, {}});
  }
}

TrajectoryHdf5::~TrajectoryHdf5() = default;

void TrajectoryHdf5::record(std::span<const double> row) {
  for (File::Dataset& dataset : file_->datasets) {
    for (const std::size_t column : dataset.columns) dataset.buffer.push_back(row[column]);
  }
  if (++file_->waiting == rows_per_chunk) file_->flush();
}

void TrajectoryHdf5::finish(const std::string& run) {
  file_->flush();
  file_->file.write_run_json(run);
  file_->datasets.clear();
  file_->file.finish();
}

void TrajectoryHdf5::put_in_place() { file_->file.put_in_place(); }

}  // namespace ulna

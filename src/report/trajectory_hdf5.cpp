#include "trajectory_hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <cstdio>

#include "ulna/model/finding.hpp"

namespace ulna {

namespace {

constexpr hsize_t rows_per_chunk = 1024;

/// Closes an HDF5 object of whatever kind.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  hid_t get() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// One group of columns that stand side by side.
struct Dataset {
  Handle handle;
  std::size_t first, width;
  std::vector<double> buffer;  // rows not yet written
};

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(attribute.get(), type.get(), text.c_str());
}

Handle make_dataset(hid_t file, const std::string& name, std::size_t width) {
  const hsize_t start[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {rows_per_chunk, width};
  const Handle space(H5Screate_simple(2, start, most), H5Sclose), layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(layout.get(), 2, chunk);
  H5Pset_shuffle(layout.get());
  H5Pset_deflate(layout.get(), 4);
  return {H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
          H5Dclose};
}

/// The short names that design.md gives the first groups.
std::string dataset_name(const std::string& group) {
  if (group == "time") return "t";
  if (group == "position") return "q";
  if (group == "velocity") return "v";
  if (group == "acceleration") return "a";
  if (group == "torque") return "tau";
  return group;
}

}  // namespace

struct TrajectoryHdf5::File {
  std::string path, temporary;
  Handle handle{-1, H5Fclose};
  std::vector<Dataset> datasets;
  hsize_t written = 0, waiting = 0;
  bool committed = false;

  explicit File(std::string place)
      : path(std::move(place)), temporary(fmt::format("{}.part{}", path, ::getpid())), handle(create(temporary)) {
    if (!handle.good()) fail();
  }
  ~File() {
    if (!committed) std::remove(temporary.c_str());
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  static Handle create(const std::string& name) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to tell
    return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
  }

  [[noreturn]] void fail() const {
    throw InputError(Source{path, 0}, "cannot be written as HDF5; check the folder and the free space");
  }

  void flush() {
    if (waiting == 0) return;
    for (Dataset& dataset : datasets) {
      const hsize_t size[2] = {written + waiting, dataset.width};
      const hsize_t from[2] = {written, 0}, count[2] = {waiting, dataset.width};
      if (H5Dset_extent(dataset.handle.get(), size) < 0) fail();
      const Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
      const Handle place(H5Dget_space(dataset.handle.get()), H5Sclose);
      H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from, nullptr, count, nullptr);
      if (H5Dwrite(dataset.handle.get(), H5T_NATIVE_DOUBLE, memory.get(), place.get(), H5P_DEFAULT,
                   dataset.buffer.data()) < 0)
        fail();
      dataset.buffer.clear();
    }
    written += waiting;
    waiting = 0;
  }
};

TrajectoryHdf5::TrajectoryHdf5(std::string path, std::span<const Column> columns)
    : file_(std::make_unique<File>(std::move(path))) {
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t last = first;
    std::string names, units;
    for (; last < columns.size() && columns[last].group == columns[first].group; ++last) {
      names += (names.empty() ? "" : ",") + columns[last].name;
      units += (units.empty() ? "" : ",") + columns[last].unit;
    }
    Handle handle = make_dataset(file_->handle.get(), dataset_name(columns[first].group), last - first);
    if (!handle.good()) file_->fail();
    write_text_attribute(handle.get(), "columns", names);
    write_text_attribute(handle.get(), "units", units);
    file_->datasets.push_back({std::move(handle), first, last - first, {}});
    first = last;
  }
}

TrajectoryHdf5::~TrajectoryHdf5() = default;

void TrajectoryHdf5::record(std::span<const double> row) {
  for (Dataset& dataset : file_->datasets) {
    const auto part = row.subspan(dataset.first, dataset.width);
    dataset.buffer.insert(dataset.buffer.end(), part.begin(), part.end());
  }
  if (++file_->waiting == rows_per_chunk) file_->flush();
}

void TrajectoryHdf5::commit(const std::string& run) {
  file_->flush();
  // attributes are limited to 64 kB; a longer run record is a dataset of one text
  const hsize_t length = run.size();
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  {
    const Handle text(H5Dcreate2(file_->handle.get(), "run_json", H5T_NATIVE_UINT8, space.get(), H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose);
    if (H5Dwrite(text.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, run.data()) < 0) file_->fail();
  }
  file_->datasets.clear();
  {
    const Handle closing = std::move(file_->handle);
    if (H5Fflush(closing.get(), H5F_SCOPE_GLOBAL) < 0) file_->fail();
  }
  if (std::rename(file_->temporary.c_str(), file_->path.c_str()) != 0) file_->fail();
  file_->committed = true;
}

}  // namespace ulna

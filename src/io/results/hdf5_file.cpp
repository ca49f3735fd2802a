#include "hdf5_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

Hdf5Handle create(const std::string& name, std::size_t user_block) {
  // At exit HDF5 writes once more what a full disk had no place for, and crashes. Files are closed long before.
  static const herr_t no_exit = H5dont_atexit();
  static_cast<void>(no_exit);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to tell
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18,
                       H5F_LIBVER_LATEST);  // attributes beyond 64 kB: names of long chains
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_userblock(creation.get(), user_block);
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
}

}  // namespace

Hdf5File::Hdf5File(std::string path, std::size_t user_block)
    : path_(std::move(path)), unfinished_(path_), handle_(create(unfinished_.path(), user_block)) {
  if (!handle_.good()) fail();
}

void Hdf5File::fail() const {
  throw InputError(Source{path_, 0}, "cannot be written as HDF5; check the folder and the free space");
}

void Hdf5File::write_run_json(const std::string& run) const {
  auto json = nlohmann::ordered_json::parse(run);
  json.erase("wall");
  json.erase("threads");
  const std::string text = json.dump(2) + "\n";
  const hsize_t length = text.size();
  const Hdf5Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose), layout = dataset_layout();
  const Hdf5Handle dataset(
      H5Dcreate2(get(), "run_json", H5T_NATIVE_UINT8, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT), H5Dclose);
  if (H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) fail();
}

void Hdf5File::finish(const std::function<bool(int file)>& complete) {
  if (H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL) < 0 || !handle_.close()) fail();
  const int file = ::open(unfinished_.path().c_str(), (complete ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  const bool on_disk = file >= 0 && (!complete || complete(file)) && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!on_disk) fail();
}

void Hdf5File::put_in_place() {
  if (!unfinished_.put_in_place()) fail();
}

Hdf5Handle dataset_layout() {
  Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(layout.get(), false);
  return layout;
}

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Hdf5Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.good() || H5Awrite(attribute.get(), type.get(), text.c_str()) < 0)
    throw InputError(fmt::format("the attribute '{}' cannot be written as HDF5; check the free space", name));
}

}  // namespace ulna

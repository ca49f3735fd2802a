#include "hdf5_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "ulna/model/finding.hpp"

namespace ulna {

namespace {

Hdf5Handle create(const std::string& name) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to tell
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18,
                       H5F_LIBVER_LATEST);  // attributes beyond 64 kB: names of long chains
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
}

}  // namespace

Hdf5File::Hdf5File(std::string path)
    : path_(std::move(path)), temporary_(fmt::format("{}.part{}", path_, ::getpid())), handle_(create(temporary_)) {
  if (!handle_.good()) fail();
}

Hdf5File::~Hdf5File() {
  if (!committed_) std::remove(temporary_.c_str());
}

void Hdf5File::fail() const {
  throw InputError(Source{path_, 0}, "cannot be written as HDF5; check the folder and the free space");
}

void Hdf5File::write_bytes(const char* name, const std::string& text) {
  const hsize_t length = text.size();
  const Hdf5Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  const Hdf5Handle dataset(
      H5Dcreate2(get(), name, H5T_NATIVE_UINT8, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (H5Dwrite(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) fail();
}

void Hdf5File::commit() {
  {
    const Hdf5Handle closing = std::move(handle_);
    if (H5Fflush(closing.get(), H5F_SCOPE_GLOBAL) < 0) fail();
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  committed_ = true;
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

// An HDF5 file that appears whole or not at all.
#pragma once

#include <hdf5.h>

#include <functional>
#include <string>
#include <utility>

#include "ulna/base/unfinished_file.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Closes an HDF5 object of whatever kind.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  hid_t get() const { return id_; }
  bool good() const { return id_ >= 0; }
  /// False if what was still to be written could not be.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class Hdf5File {
 public:
  /// Writes beside `path`. Throws InputError.
  explicit Hdf5File(std::string path, std::size_t user_block = 0);  // without put_in_place() nothing is left behind
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  hid_t get() const { return handle_.get(); }
  /// run.json as a dataset of bytes (attributes are limited to 64 kB), without the wall time and the number of threads:
  /// the same runs make the same file.
  void write_run_json(const std::string& run) const;
  /// All of it is on the disk, and only the place is missing. All handles of objects in it must be closed. `complete`
  /// may fill the user block, the bytes before those of HDF5, in the file that is otherwise whole; false if it cannot.
  void finish(const std::function<bool(int file)>& complete = {});
  void put_in_place();
  [[noreturn]] void fail() const;

 private:
  std::string path_;
  UnfinishedFile unfinished_;
  Hdf5Handle handle_;
};

/// For a new dataset: without the time at which it was made.
Hdf5Handle dataset_layout();

void write_text_attribute(hid_t object, const char* name, const std::string& text);

}  // namespace ulna
#pragma GCC visibility pop

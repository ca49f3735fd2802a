// The file formats of a run's trajectory. A new one is a file that writes it, and a row in
// src/io/results/trajectory_format.cpp; the command's options, Python's save() and run.json take it from there.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ulna/simulate/trajectory.hpp"

namespace ulna {

/// A trajectory on its way to a file, beside it until put_in_place().
class TrajectoryFile : public Recorder {
 public:
  /// After the last sample; `run` is the text of run.json.
  virtual void finish(const std::string& run) = 0;
  virtual void put_in_place() = 0;
};

struct TrajectoryFormat {
  std::string_view name;   // "hdf5"
  std::string_view title;  // "trajectory.h5 too, for big runs"
  std::string_view key;    // in run.json's "files"
  std::string_view file;   // in the folder
  bool always;             // else where it is asked for
  std::unique_ptr<TrajectoryFile> (*make)(const std::string& path, std::span<const Column> columns);
};

/// All of them, the one that is always written first.
std::span<const TrajectoryFormat> trajectory_formats();

/// By its name; throws InputError with the known ones.
const TrajectoryFormat& trajectory_format_named(std::string_view name);

}  // namespace ulna

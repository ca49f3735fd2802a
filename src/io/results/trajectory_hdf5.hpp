// trajectory.h5: one chunked, compressed dataset per group of columns (q, v, a, tau, tip …), one row
// per sample, with the columns' names and units as attributes.
#pragma once

#include <memory>
#include <string>

#include "ulna/simulate/trajectory.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class TrajectoryHdf5 final : public Recorder {
 public:
  /// Writes beside `path`. Throws InputError.
  TrajectoryHdf5(std::string path, std::span<const Column> columns);
  ~TrajectoryHdf5() override;  // without put_in_place() nothing is left behind

  void record(std::span<const double> row) override;
  /// `run` is the text of run.json, kept as a dataset of bytes.
  void finish(const std::string& run);
  void put_in_place();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace ulna
#pragma GCC visibility pop

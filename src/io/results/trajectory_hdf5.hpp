// trajectory.h5: one chunked, compressed dataset per group of columns (q, v, a, tau, tip …), one row
// per sample, with the columns' names and units as attributes.
#pragma once

#include <memory>
#include <string>

#include "ulna/io/results/trajectory_format.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class TrajectoryHdf5 final : public TrajectoryFile {
 public:
  /// Writes beside `path`. Throws InputError.
  TrajectoryHdf5(std::string path, std::span<const Column> columns);
  ~TrajectoryHdf5() override;  // without put_in_place() nothing is left behind

  void record(std::span<const double> row) override;
  /// Keeps the text of run.json as a dataset of bytes.
  void finish(const std::string& run) override;
  void put_in_place() override;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace ulna
#pragma GCC visibility pop

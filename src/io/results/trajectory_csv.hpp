// trajectory.csv: a header row, then one row per sample, with all digits.
#pragma once

#include <fmt/format.h>

#include "ulna/base/atomic_file.hpp"
#include "ulna/io/results/trajectory_format.hpp"

namespace ulna {

class TrajectoryCsv final : public TrajectoryFile {
 public:
  TrajectoryCsv(const std::string& path, std::span<const Column> columns);
  void record(std::span<const double> row) override;
  void finish(const std::string& = {}) override { file_.finish(); }
  void put_in_place() override { file_.put_in_place(); }

 private:
  AtomicFile file_;
  fmt::memory_buffer line_;
};

}  // namespace ulna

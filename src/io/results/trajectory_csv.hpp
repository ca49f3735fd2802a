// trajectory.csv: a header row, then one row per sample, with all digits.
#pragma once

#include <fmt/format.h>

#include "ulna/base/atomic_file.hpp"
#include "ulna/simulate/trajectory.hpp"

namespace ulna {

class TrajectoryCsv final : public Recorder {
 public:
  TrajectoryCsv(const std::string& path, std::span<const Column> columns);
  void record(std::span<const double> row) override;
  void finish() { file_.finish(); }
  void put_in_place() { file_.put_in_place(); }

 private:
  AtomicFile file_;
  fmt::memory_buffer line_;
};

}  // namespace ulna

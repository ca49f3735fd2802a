#include "trajectory_csv.hpp"

namespace ulna {

TrajectoryCsv::TrajectoryCsv(const std::string& path, std::span<const Column> columns) : file_(path) {
  std::string header;
  for (const Column& column : columns) header += (header.empty() ? "" : ",") + column.name;
  file_.write(header + "\n");
}

void TrajectoryCsv::record(std::span<const double> row) {
  line_.clear();
  for (const double x : row) fmt::format_to(std::back_inserter(line_), "{},", x);
  line_[line_.size() - 1] = '\n';
  file_.write({line_.data(), line_.size()});
}

}  // namespace ulna

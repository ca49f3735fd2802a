#include "ulna/io/results/trajectory_format.hpp"

#include <fmt/format.h>

#include <array>

#include "trajectory_csv.hpp"
#include "trajectory_hdf5.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

template <class File>
std::unique_ptr<TrajectoryFile> make(const std::string& path, std::span<const Column> columns) {
  return std::make_unique<File>(path, columns);
}

constexpr std::array formats{
    TrajectoryFormat{"csv", "a header row, one row per sample", "trajectory", "trajectory.csv", true,
                     make<TrajectoryCsv>},
    TrajectoryFormat{"hdf5", "trajectory.h5 too, for big runs", "hdf5", "trajectory.h5", false, make<TrajectoryHdf5>},
};

}  // namespace

std::span<const TrajectoryFormat> trajectory_formats() { return formats; }

const TrajectoryFormat& trajectory_format_named(std::string_view name) {
  std::string known;
  for (const TrajectoryFormat& format : formats) {
    if (format.name == name) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw InputError(fmt::format("there is no trajectory format '{}'; known: {}", name, known));
}

}  // namespace ulna

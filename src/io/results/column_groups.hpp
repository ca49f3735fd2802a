// Columns of a trajectory that HDF5 files keep in one dataset.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ulna/simulate/trajectory.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

struct ColumnGroup {
  std::string name, names, units;  // names and units of the columns with commas between them
  std::vector<std::size_t> columns;
};

/// In the order in which they first appear; moments and forces of several loops alternate.
inline std::vector<ColumnGroup> groups_of(std::span<const Column> columns) {
  std::vector<ColumnGroup> groups;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string name(short_name(columns[c].group));
    auto group = std::find_if(groups.begin(), groups.end(), [&](const ColumnGroup& g) { return g.name == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name, "", "", {}});
    const char* comma = group->columns.empty() ? "" : ",";
    group->names += comma + columns[c].name;
    group->units += comma + columns[c].unit;
    group->columns.push_back(c);
  }
  return groups;
}

}  // namespace ulna
#pragma GCC visibility pop

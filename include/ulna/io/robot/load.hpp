// A robot by name or path.
#pragma once

#include <string>
#include <vector>

#include "ulna/model/build.hpp"

namespace ulna {

/// `robot` is a bundled name (`puma560`), a generated one (`chain:12`) or the path of a file in one of the formats of
/// format.hpp. Throws InputError.
Graph load_graph(const std::string& robot);

/// load_graph and build in one.
Model load(const std::string& robot);

/// From text already in memory; `file` is what messages call it.
Graph parse_toml(const std::string& text, const std::string& file);
Graph parse_urdf(const std::string& text, const std::string& file);
/// Files that it includes are looked for beside `file`.
Graph parse_mjcf(const std::string& text, const std::string& file);
Graph parse_sdf(const std::string& text, const std::string& file);

struct BundledRobot {
  std::string name, title;
  std::size_t loops = 0;   // closed ones
  bool is_in_use = false;  // an arm of the catalogue, with its source, limits and a home posture
};
/// All bundled robots in alphabetical order, those of the catalogue after the others, then the generated families.
std::vector<BundledRobot> bundled_robots();

}  // namespace ulna

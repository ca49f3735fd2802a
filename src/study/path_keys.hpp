// Keys of path files that other files have too.
#pragma once

#include <optional>
#include <string>

#include "io/toml/toml_table.hpp"
#include "ulna/plan/tip_path.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// A name in a file, beside that file unless it says the whole way.
std::string file_beside(const std::string& file, const std::string& name);
/// `orientation`: a quaternion x, y, z, w.
std::optional<Mat3<double>> read_orientation(TomlTable& table);
/// `hold`: pose, direction or position.
TipHold read_hold(TomlTable& table);

}  // namespace ulna
#pragma GCC visibility pop

// The robot files of robots/, embedded in the library so that they are found from anywhere.
#pragma once

#include <span>
#include <string_view>

#pragma GCC visibility push(hidden)
namespace ulna {

struct BundledFile {
  std::string_view name, text;
};

/// Sorted by name. Written by cmake/EmbedToml.cmake.
std::span<const BundledFile> bundled_robot_files();
/// The same of robots/catalogue: arms in use.
std::span<const BundledFile> catalogue_files();

}  // namespace ulna
#pragma GCC visibility pop

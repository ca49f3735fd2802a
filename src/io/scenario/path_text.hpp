// Paths in TOML and JSON, which are UTF-8 and paths need not be: such a path is written as a file: URI.
#pragma once

#include <string>

#pragma GCC visibility push(hidden)
namespace ulna {

/// The path itself, or its URI where it is not UTF-8.
std::string path_text(const std::string& path);
/// And back.
std::string path_of_text(const std::string& text);

}  // namespace ulna
#pragma GCC visibility pop

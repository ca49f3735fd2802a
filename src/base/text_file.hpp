// A whole file as text.
#pragma once

#include <string>
#include <string_view>

namespace ulna {

/// Of a regular file, or of a stream (see below) to its end; a stream is kept, so that it can be asked for again.
/// Throws InputError; `what` is what the file should be, for the message.
std::string read_text_file(const std::string& path, const std::string& what);

/// Throws InputError unless something is there that is not a folder.
void expect_file(const std::string& path, const std::string& what);

/// And that can be read again and again: no pipe or device, whose other end may never come.
void expect_regular_file(const std::string& path, const std::string& what);

/// "-" for standard input, and the paths of what a shell has opened: they have no ending that could tell a format.
bool is_stream(const std::string& path);

/// What messages call it.
std::string file_name(const std::string& path);

/// What its content is called where it has no name of its own.
std::string stem_of(const std::string& path);

/// As in ".toml", in capitals or not.
bool has_ending(std::string_view path, std::string_view ending);

}  // namespace ulna

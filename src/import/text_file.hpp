// A whole file as text.
#pragma once

#include <string>

namespace ulna {

/// Throws InputError; `what` is what the file should be, for the message.
std::string read_text_file(const std::string& path, const std::string& what);

}  // namespace ulna

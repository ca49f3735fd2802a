// Standard output and standard error of the command.
#pragma once

#include <string>

namespace ulna::app {

/// From here on stdout and stderr (the C streams, on which all text goes out) let no text from a file command the
/// terminal, and a stream that is closed or full ends no program.
void guard_standard_streams();

/// Writes what is left. Empty, or why something of standard output could not be written.
std::string finish_standard_output();

/// As it is, at once and without a word if it cannot be: for the line of progress, which moves the cursor.
void write_to_terminal(const std::string& text);

}  // namespace ulna::app

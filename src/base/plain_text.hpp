// Text from files and command lines, as it may stand in a line for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ulna {

struct Letter {
  char32_t code;
  std::size_t bytes;  // 0: what is there is not UTF-8
};
/// The first one of a text that is not empty.
Letter first_letter(std::string_view text);

/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

/// One line that commands no terminal: what would move the cursor, change a colour or turn the direction of writing is
/// spelled out, \u001b, bytes that are no UTF-8 as \xff; ends of lines and tabs are blanks.
std::string plain_text(std::string_view text);

/// The beginning and the end of a text that is longer than a reader wants it, for input that errors quote.
std::string shortened(std::string text);

}  // namespace ulna

// An MJCF file with the files that it includes in their places.
#pragma once

#include "io/xml/xml.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Files are looked for from the folder of the first one, as MuJoCo does, and not outside it; none is read twice.
/// Throws InputError.
XmlElement read_mjcf(const std::string& text, const std::string& file);

}  // namespace ulna
#pragma GCC visibility pop

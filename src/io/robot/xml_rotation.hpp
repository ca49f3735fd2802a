// A rotation by a quaternion as a file has it, which need not be of unit length.
#pragma once

#include "io/xml/xml.hpp"
#include "ulna/spatial/mat3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Without a square root, so that right angles are exact. Throws InputError, naming the element, for one that is zero.
Mat3<double> rotation_of_any_quaternion(const XmlElement& element, double x, double y, double z, double w);

}  // namespace ulna
#pragma GCC visibility pop

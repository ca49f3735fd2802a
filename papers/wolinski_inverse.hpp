// wolinski2015, section 4.2: inverse dynamics along the cosine, Figure 5.
#pragma once

#include "papers/chapter.hpp"
#include "ulna/spatial/vec3.hpp"

namespace ulna::reproduction {

/// The curve of joint 1 is the first of the first figure, one point every 0.05 s.
Section wolinski_inverse();

/// Eqs (28), (29): the torques that the motion takes, joint by joint, at the times given.
std::vector<std::vector<double>> wolinski_torques(const Vec3<double>& gravity, const std::vector<double>& times);

}  // namespace ulna::reproduction

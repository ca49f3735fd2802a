// The check at the door of every algorithm: the quaternions of a position are of unit length.
#pragma once

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include "ulna/model/model.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

/// How far the square of a length may be from 1: some ten times what rounding to float leaves.
inline constexpr double unit_quaternion_slack = 2e-6;

namespace quaternion_detail {

[[noreturn, gnu::cold]] inline void refuse(const Model& model, const Body& body, double length) {
  throw std::invalid_argument("the quaternion x, y, z, w of joint '" + model.joint_of(body.v_index).name +
                              "' has length " + std::to_string(length) + "; it must be 1");
}

template <Real T>
[[gnu::noinline]] void expect_unit(const Model& model, std::span<const T> q) {
  for (const Body& body : model.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    const auto first = static_cast<std::size_t>(body.q_index + quaternion_of(body.kind));
    for (int lane = 0; lane < Lanes<T>::count; ++lane) {
      double square = 0.0;
      for (std::size_t k = first; k < first + 4; ++k) square += Lanes<T>::get(q[k], lane) * Lanes<T>::get(q[k], lane);
      if (std::abs(square - 1.0) > unit_quaternion_slack) refuse(model, body, std::sqrt(square));
    }
  }
}

}  // namespace quaternion_detail

/// In every lane. NaN passes, so that it comes out as NaN; a trace has no numbers to look at.
template <Real T>
ULNA_INLINE void expect_unit_quaternions(const Model& model, std::span<const T> q) {
  if (model.has_general_joints()) quaternion_detail::expect_unit(model, q);
}

}  // namespace ulna

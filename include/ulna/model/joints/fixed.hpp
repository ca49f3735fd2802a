// Fixed joint: no motion. build() merges the bodies it joins; between bodies that have their places it closes a loop.
#pragma once

#include "ulna/model/joints/joint.hpp"

namespace ulna {

struct Fixed : JointDefaults {
  static constexpr int nq = 0, nv = 0;
  static constexpr const char *name = "fixed", *look = "none";
  static constexpr std::array<JointNumber, 0> positions{}, rates{};
  static constexpr Directions directions{0, 1, 2, 3, 4, 5};

  template <class T>
  static void lock(const JointData&, const Relative<T>& x, T* out) {
    const Mat3<T>& R = x.R;
    put({T(0.5) * (R.zy - R.yz), T(0.5) * (R.xz - R.zx), T(0.5) * (R.yx - R.xy), x.d.x, x.d.y, x.d.z}, out);
  }
};

}  // namespace ulna

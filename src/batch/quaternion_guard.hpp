// States of a batch whose quaternions are no rotations: their results are NaN, and the other states do not notice.
#pragma once

#include <limits>
#include <vector>

#include "ulna/model/expect_unit_quaternions.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::batch {

template <Real T>
class QuaternionGuard {
 public:
  explicit QuaternionGuard(const Model& model) {
    for (const Body& body : model.bodies())
      if (has_quaternion(body.kind))
        quaternions_.push_back(static_cast<std::size_t>(body.q_index + quaternion_of(body.kind)));
  }

  /// The kernel, which would refuse them all, gets a rotation for each that is none.
  void before(std::vector<T>& q) {
    if (quaternions_.empty()) return;
    one_ = T(1.0);
    for (const std::size_t at : quaternions_) {
      T* r = &q[at];
      const T off = abs(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] - T(1.0));
      const auto good = off < T(unit_quaternion_slack);
      for (int k = 0; k < 4; ++k) r[k] = select(good, r[k], T(k == 3 ? 1.0 : 0.0));
      one_ = select(good, one_, T(std::numeric_limits<double>::quiet_NaN()));
    }
  }

  void after(std::vector<std::vector<T>>& results) const {
    if (quaternions_.empty()) return;
    for (std::vector<T>& result : results)
      for (T& x : result) x = x * one_;
  }

 private:
  std::vector<std::size_t> quaternions_;  // where in q each begins
  T one_{0.0};                            // NaN in the lanes of bad states
};

}  // namespace ulna::batch
#pragma GCC visibility pop

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
  QuaternionGuard(const Model& model, std::size_t most_packs) : ones_(most_packs, T(1.0)) {
    for (const Body& body : model.bodies())
      if (has_quaternion(body.kind))
        quaternions_.push_back(static_cast<std::size_t>(body.q_index + quaternion_of(body.kind)));
  }

  /// The kernel, which would refuse them all, gets a rotation for each that is none.
  void before(std::vector<T>& q, std::size_t packs) {
    if (quaternions_.empty()) return;
    const std::size_t rows = q.size() / ones_.size();
    for (std::size_t pack = 0; pack < packs; ++pack) ones_[pack] = mend(&q[rows * pack]);
  }

  void after(std::vector<std::vector<T>>& results, std::size_t packs) const {
    if (quaternions_.empty()) return;
    for (std::vector<T>& result : results) {
      const std::size_t rows = result.size() / ones_.size();
      for (std::size_t k = 0; k < rows * packs; ++k) result[k] = result[k] * ones_[k / rows];
    }
  }

 private:
  /// NaN in the lanes of bad states, and 1 in the others.
  T mend(T* q) const {
    T one(1.0);
    for (const std::size_t at : quaternions_) {
      T* r = q + at;
      const T off = abs(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] - T(1.0));
      const auto good = off < T(unit_quaternion_slack);
      for (int k = 0; k < 4; ++k) r[k] = select(good, r[k], T(k == 3 ? 1.0 : 0.0));
      one = select(good, one, T(std::numeric_limits<double>::quiet_NaN()));
    }
    return one;
  }

  std::vector<std::size_t> quaternions_;  // where in q each begins
  std::vector<T> ones_;                   // of each pack, as mend() has it
};

}  // namespace ulna::batch
#pragma GCC visibility pop

// A sum of doubles without rounding, whatever their order and however they are spread over processes.
//
// Kulisch's long accumulator in limbs of 32 bits, each with as much room for carries: a double touches three of them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace ulna {

class ExactSum {
 public:
  /// Of a finite number.
  void add(double x) {
    int exponent = 0;
    const double part = std::frexp(std::fabs(x), &exponent);
    if (part == 0.0) return;
    auto bits = static_cast<std::uint64_t>(std::ldexp(part, 53));
    int place = exponent - 53 + bias;
    if (place < 0) {  // below the smallest normal number; the bits shifted out are zeros
      bits >>= -place;
      place = 0;
    }
    const auto limb = static_cast<std::size_t>(place / 32);
    const std::uint64_t low = (bits & 0xffffffffU) << (place % 32), high = (bits >> 32) << (place % 32);
    const std::int64_t sign = x < 0.0 ? -1 : 1;
    limbs_[limb] += sign * static_cast<std::int64_t>(low & 0xffffffffU);
    limbs_[limb + 1] += sign * static_cast<std::int64_t>((low >> 32) + (high & 0xffffffffU));
    limbs_[limb + 2] += sign * static_cast<std::int64_t>(high >> 32);
    if (++added_ == most_adds) carry();
  }

  /// To be summed over processes, after carry(); then value() is that of all.
  std::span<std::int64_t> limbs() { return limbs_; }

  /// Every limb but the last from 0 to 2³² − 1: one way to write a number.
  void carry() {
    for (std::size_t i = 0; i + 1 < limbs_.size(); ++i) {
      const std::int64_t over = limbs_[i] >> 32;
      limbs_[i] -= over * (std::int64_t{1} << 32);
      limbs_[i + 1] += over;
    }
    added_ = 0;
  }

  /// Nearly the nearest double, and the same one for the same numbers.
  double value() {
    carry();
    const bool negative = limbs_.back() < 0;
    if (negative) negate();
    double sum = 0.0;
    for (std::size_t i = 0; i < limbs_.size(); ++i)
      if (limbs_[i] != 0) sum += std::ldexp(static_cast<double>(limbs_[i]), static_cast<int>(32 * i) - bias);
    if (negative) negate();
    return negative ? -sum : sum;
  }

 private:
  static constexpr int bias = 1074;                   // the smallest double is 2^−1074
  static constexpr std::int64_t most_adds = 1 << 30;  // before a limb could overflow
  void negate() {
    for (std::int64_t& limb : limbs_) limb = -limb;
    carry();
  }

  std::array<std::int64_t, 70> limbs_{};  // 2240 bits: from 2^−1074 to above 2^1024, and room for counts
  std::int64_t added_ = 0;
};

}  // namespace ulna

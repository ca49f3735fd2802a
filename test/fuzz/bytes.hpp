// Numbers and choices out of a fuzzer's bytes; zeros when they are used up. libFuzzer's own FuzzedDataProvider comes
// with clang alone, and the corpora are replayed with any compiler.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "ulna/spatial/lie.hpp"
#include "ulna/spatial/pose.hpp"

namespace ulna::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  unsigned byte() {
    if (rest_.empty()) return 0;
    const unsigned value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  /// 0 … count − 1
  std::size_t choice(std::size_t count) { return byte() % count; }
  bool flag() { return byte() % 2 == 1; }

  /// Within ±size, zero for zero bytes.
  double within(double size) {
    const unsigned high = byte(), low = byte();
    const int value = static_cast<int>(high << 8 | low);
    return size * (value < 32768 ? value : value - 65536) / 32768.0;
  }

  /// Between two positive numbers, evenly in their logarithm.
  double between(double low, double high) { return low * std::pow(high / low, byte() / 255.0); }

  Vec3<double> vector(double size) {
    const double x = within(size), y = within(size), z = within(size);
    return {x, y, z};
  }
  Pose<double> pose(double size) {
    const Vec3<double> w = vector(3.0);
    return {exp_rotation(w), vector(size)};
  }

  /// Mostly plain numbers, and now and then one that nobody would write.
  double any_number() {
    constexpr double odd[] = {0.0,
                              -0.0,
                              1e-320,
                              -1e-300,
                              1e300,
                              -1e300,
                              1e-160,
                              std::numeric_limits<double>::max(),
                              1e154,
                              1e16,
                              HUGE_VAL,
                              -HUGE_VAL,
                              std::numeric_limits<double>::quiet_NaN()};
    const std::size_t kind = choice(4 * std::size(odd));
    return kind < std::size(odd) ? odd[kind] : within(2.0);
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace ulna::fuzz

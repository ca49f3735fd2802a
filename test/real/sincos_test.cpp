// Accuracy of sincos against x87 long double, whose own error is a thousandth of what is tested.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "ulna/real/scalars.hpp"

namespace ulna {
namespace {

template <class S>
double ulps(S value, long double exact) {
  const S nearest = static_cast<S>(exact);
  const S next = std::nextafter(std::fabs(nearest), std::numeric_limits<S>::infinity());
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact) /
                             (static_cast<long double>(next) - std::fabs(static_cast<long double>(nearest))));
}

template <class S>
double worst_of(S x) {
  const SinCos<S> r = sincos(x);
  const auto exact = static_cast<long double>(x);
  return std::max(ulps(r.sin, std::sin(exact)), ulps(r.cos, std::cos(exact)));
}

template <class S>
double worst_random(double range, int count) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> u(-range, range);
  double worst = 0.0;
  for (int i = 0; i < count; ++i) worst = std::max(worst, worst_of(static_cast<S>(u(generator))));
  return worst;
}

/// Where the reduced angle is smallest and its low bits matter most.
template <class S>
double worst_next_to_multiples_of_half_pi() {
  double worst = 0.0;
  for (int n = 0; n <= 63661; ++n) {
    const S x = static_cast<S>(n * (std::numbers::pi / 2));
    for (const S y : {x, std::nextafter(x, S(1e9)), std::nextafter(x, S(-1e9))})
      worst = std::max(worst, std::max(worst_of(y), worst_of(-y)));
  }
  return worst;
}

TEST(Sincos, DoubleWithinTwoUlp) {
  double worst = 0.0;
  for (const double range : {1e-9, 1e-3, 1.0, 4.0, 100.0, 1e5})
    worst = std::max(worst, worst_random<double>(range, 200'000));
  RecordProperty("worst_ulp", std::to_string(worst));
  EXPECT_LE(worst, 2.0);
}

TEST(Sincos, DoubleNextToEveryMultipleOfHalfPi) { EXPECT_LE(worst_next_to_multiples_of_half_pi<double>(), 2.0); }

TEST(Sincos, FloatWithinTwoUlp) {
  double worst = 0.0;
  for (const double range : {1e-6, 1.0, 4.0, 100.0, 3e3, 1e5})
    worst = std::max(worst, worst_random<float>(range, 200'000));
  EXPECT_LE(worst, 2.0);
}

TEST(Sincos, FloatNextToEveryMultipleOfHalfPi) { EXPECT_LE(worst_next_to_multiples_of_half_pi<float>(), 2.0); }

TEST(Sincos, BeyondTheRangeIsLibm) {
  for (const double x : {1.1e5, -3.3e8, 1e22, 1e300}) {
    EXPECT_EQ(sincos(x).sin, std::sin(x));
    EXPECT_EQ(sincos(x).cos, std::cos(x));
  }
  EXPECT_EQ(sincos(3.1e3f).sin, std::sin(3.1e3f));
}

TEST(Sincos, NotANumberStaysOne) {
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(std::isnan(sincos(x).sin));
    EXPECT_TRUE(std::isnan(sincos(x).cos));
  }
}

template <class P>
void expect_lanes_like_scalar(double range) {
  using S = typename P::Scalar;
  std::mt19937_64 generator(11);
  std::uniform_real_distribution<double> u(-range, range);
  for (int i = 0; i < 2000; ++i) {
    P x(0.0);
    for (int k = 0; k < P::lanes; ++k) x.set(k, static_cast<S>(u(generator)));
    const SinCos<P> r = sincos(x);
    for (int k = 0; k < P::lanes; ++k) {
      const SinCos<S> one = sincos(x[k]);
      // Contraction to fused operations may differ between the two by the last bit.
      EXPECT_NEAR(r.sin[k], one.sin, std::numeric_limits<S>::epsilon());
      EXPECT_NEAR(r.cos[k], one.cos, std::numeric_limits<S>::epsilon());
    }
  }
}

TEST(Sincos, PacksAgreeWithScalars) {
  for (const double range : {1.0, 1e5, 1e8}) {
    expect_lanes_like_scalar<PackDouble>(range);
    expect_lanes_like_scalar<PackFloat>(range);
  }
}

TEST(Sincos, ALaneOutOfRangeHarmsNoOther) {
  PackDouble x(0.5);
  x.set(2, std::numeric_limits<double>::quiet_NaN());
  const SinCos<PackDouble> r = sincos(x);
  EXPECT_TRUE(std::isnan(r.sin[2]));
  EXPECT_NEAR(r.sin[0], std::sin(0.5), 1e-16);
}

TEST(Sincos, SpansOfAnyLength) {
  for (std::size_t n = 0; n <= 9; ++n) {
    std::vector<double> x(n), s(n), c(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = 0.7 * static_cast<double>(i) - 2.0;
    sincos(std::span<const double>(x), std::span<double>(s), std::span<double>(c));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(s[i], std::sin(x[i]), 2e-16);
      EXPECT_NEAR(c[i], std::cos(x[i]), 2e-16);
    }
  }
}

}  // namespace
}  // namespace ulna

// Sums and percentiles that do not depend on where the numbers are: in memory, passing by, or spread over ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "io/results/exact_sum.hpp"
#include "io/results/percentiles.hpp"

namespace ulna {
namespace {

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(count);
  for (double& x : values) {
    const double sign = random() % 2 == 0 ? 1.0 : -1.0;
    switch (random() % 4) {
      case 0: x = 0.0 * sign; break;
      case 1: x = sign * 0.5; break;  // many alike
      case 2:
        x = sign * std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 2000) - 1100);
        break;
      default: x = sign * static_cast<double>(random() >> 11) * 0x1p-53;
    }
  }
  return values;
}

TEST(ExactSum, no_rounding_whatever_the_order) {
  ExactSum sum;
  for (const double x : {1e300, 1.0, 0x1p-1074, -1e300, -1.0}) sum.add(x);
  EXPECT_EQ(sum.value(), 0x1p-1074);
  std::vector<double> values = numbers(3000, 1);
  ExactSum one, other, first, second;
  for (const double x : values) one.add(x);
  std::shuffle(values.begin(), values.end(), std::mt19937(2));
  for (const double x : values) other.add(x);
  for (std::size_t i = 0; i < values.size(); ++i) (i < 1000 ? first : second).add(values[i]);
  first.carry();
  second.carry();
  for (std::size_t i = 0; i < first.limbs().size(); ++i) first.limbs()[i] += second.limbs()[i];  // as over ranks
  EXPECT_EQ(one.value(), other.value());
  EXPECT_EQ(one.value(), first.value());
  for (const double x : values) one.add(-x);
  EXPECT_EQ(one.value(), 0.0);
}

TEST(ExactSum, near_the_nearest_double) {
  ExactSum sum;
  long double reference = 0.0L;
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const auto x = static_cast<double>(static_cast<std::int64_t>(random()) >> 12);  // sums fit the long double exactly
    sum.add(x);
    reference += static_cast<long double>(x);
  }
  EXPECT_NEAR(sum.value(), static_cast<double>(reference), std::fabs(static_cast<double>(reference)) * 0x1p-51);
}

TEST(PassingPercentiles, are_those_in_memory_to_the_bit) {
  const std::size_t sizes[] = {0, 1, 2, 3, 7, 100, 5000};
  std::vector<std::vector<double>> series;
  for (const std::size_t size : sizes) series.push_back(numbers(size, static_cast<unsigned>(size)));
  for (const std::size_t most_collected : {std::size_t{0}, 20 * series.size(), 10'000 * series.size()}) {
    PassingPercentiles passing(series.size(), most_collected);
    AloneCommunicator alone;
    int passes = 0;
    for (; !passing.is_done(); ++passes) {
      for (std::size_t i = 0; i < series.size(); ++i)
        for (const double x : series[i]) passing.add(i, x);
      passing.end_pass(alone);
    }
    EXPECT_TRUE(passes == (most_collected == 0 ? 8 : 2) || most_collected == 20 * series.size()) << passes;
    for (std::size_t i = 0; i < series.size(); ++i) {
      EXPECT_EQ(passing.count(i), series[i].size());
      const Percentiles expected = percentiles_of(series[i]), found = passing.of(i);
      for (std::size_t p = 0; p < expected.size(); ++p) {
        EXPECT_EQ(std::signbit(expected[p]), std::signbit(found[p]));
        EXPECT_TRUE(expected[p] == found[p] || (std::isnan(expected[p]) && std::isnan(found[p]))) << i << ' ' << p;
      }
    }
  }
}

}  // namespace
}  // namespace ulna

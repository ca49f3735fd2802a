// Verdicts must be able to fail: what is not a number never agrees with anything.
#include "papers/deviation.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ulna::reproduction {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();

TEST(Deviation, HoldsWithinRoundingOnly) {
  Deviation close(10.0), far(10.0);
  close.add(1.0 + 1e-15, 1.0);
  far.add(1.0 + 1e-13, 1.0);
  EXPECT_TRUE(close.holds());
  EXPECT_FALSE(far.holds());
}

TEST(Deviation, WhatIsNoNumberDoesNotHold) {
  for (const double got : {1.0, none, infinite}) {
    for (const double want : {none, infinite}) {
      Deviation deviation(10.0);
      deviation.add(got, want);
      EXPECT_FALSE(deviation.holds()) << got << " for " << want;
    }
  }
}

TEST(Accuracy, AnInfiniteConditionAllowsNothing) {
  Accuracy accuracy;
  accuracy.add(none, rounding(1.0, infinite));
  EXPECT_FALSE(accuracy.holds());
}

}  // namespace
}  // namespace ulna::reproduction

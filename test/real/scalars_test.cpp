// Laws of the scalars themselves: packs act lane by lane, duals carry exact derivatives.
#include <gtest/gtest.h>

#include <cmath>

#include "support/scalar_cases.hpp"

namespace ulna {
namespace {

template <class P>
class Packs : public ::testing::Test {};
using PackTypes = ::testing::Types<PackDouble, PackFloat, Pack<double, 2>, Pack<double, 8>>;
TYPED_TEST_SUITE(Packs, PackTypes);

TYPED_TEST(Packs, ActLaneByLane) {
  using P = TypeParam;
  using S = typename P::Scalar;
  P a(0.0), b(0.0);
  for (int k = 0; k < P::lanes; ++k) {
    a.set(k, static_cast<S>(k) - S(1.5));
    b.set(k, S(2) - static_cast<S>(k) * S(0.7));
  }
  const P chosen = select(a < b, a * b, a / b);
  for (int k = 0; k < P::lanes; ++k) {
    EXPECT_EQ((a + b)[k], a[k] + b[k]);
    EXPECT_EQ((a - b)[k], a[k] - b[k]);
    EXPECT_EQ((-a)[k], -a[k]);
    EXPECT_EQ(chosen[k], a[k] < b[k] ? a[k] * b[k] : a[k] / b[k]);
    EXPECT_EQ(abs(a)[k], std::fabs(a[k]));
    EXPECT_EQ(sqrt(a * a)[k], std::sqrt(a[k] * a[k]));
    EXPECT_EQ(atan2(a, b)[k], std::atan2(a[k], b[k]));
    EXPECT_EQ(sign(a)[k], a[k] > 0 ? 1 : a[k] < 0 ? -1 : 0);
  }
}

TYPED_TEST(Packs, LoadAndStoreAnywhere) {
  using P = TypeParam;
  typename P::Scalar memory[2 * P::lanes + 1] = {};
  for (int k = 0; k < P::lanes; ++k) memory[k + 1] = static_cast<typename P::Scalar>(k);
  const P p = P::load(memory + 1);  // not aligned
  p.store(memory + P::lanes);
  for (int k = 0; k < P::lanes; ++k) EXPECT_EQ(memory[P::lanes + k], k);
}

/// f and f' of one variable, f written over any scalar.
template <class F, class DF>
void expect_derivative(F f, DF df, double x) {
  using D = Dual<1>;
  const D y = f(D::variable(x, 0));
  EXPECT_NEAR(y.x, f(x), 1e-15 * (1.0 + std::fabs(y.x)));
  EXPECT_NEAR(y.d[0], df(x), 1e-14 * (1.0 + std::fabs(df(x))));
}

TEST(Duals, KnowTheDerivatives) {
  for (const double x : {0.3, 1.7, -0.9}) {
    expect_derivative([](auto a) { return a * a * a; }, [](double a) { return 3 * a * a; }, x);
    expect_derivative([](auto a) { return decltype(a)(1.0) / a; }, [](double a) { return -1 / (a * a); }, x);
    expect_derivative([](auto a) { return sqrt(a * a + decltype(a)(1.0)); },
                      [](double a) { return a / std::sqrt(a * a + 1); }, x);
    expect_derivative([](auto a) { return sincos(a).sin; }, [](double a) { return std::cos(a); }, x);
    expect_derivative([](auto a) { return sincos(a).cos; }, [](double a) { return -std::sin(a); }, x);
    expect_derivative([](auto a) { return atan2(a, decltype(a)(2.0)); }, [](double a) { return 2.0 / (4.0 + a * a); },
                      x);
    expect_derivative([](auto a) { return abs(a); }, [](double a) { return a < 0 ? -1.0 : 1.0; }, x);
    expect_derivative([](auto a) { return -a - a * a; }, [](double a) { return -1 - 2 * a; }, x);
  }
}

TEST(Duals, SeveralDirectionsAtOnce) {
  const Dual4 x = Dual4::variable(2.0, 1), y = Dual4::variable(3.0, 3);
  const Dual4 z = x * y + x / y;
  EXPECT_DOUBLE_EQ(z.d[1], 3.0 + 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(z.d[3], 2.0 - 2.0 / 9.0);
  EXPECT_EQ(z.d[0], 0.0);
}

}  // namespace
}  // namespace ulna

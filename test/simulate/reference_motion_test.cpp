// Reference motions and the spline under them: shapes, derivatives, ends, and the two sides of a jump.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ulna/base/error.hpp"
#include "ulna/simulate/cubic_spline.hpp"
#include "ulna/simulate/reference_motion.hpp"

namespace ulna {
namespace {

using Reference = std::shared_ptr<const ReferenceMotion>;
constexpr double pi = std::numbers::pi;

struct State {
  std::vector<double> q, v, a;
};

State at(const Reference& motion, double t, double inside) {
  const std::size_t n = motion->size();
  State s{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  motion->at(t, inside, s.q, s.v, s.a);
  return s;
}

const SplineMotion table{{-0.5, 0.2, 1.0, 1.1, 3.0}, {1, 0, 2, -1, -1, 0.5, 0, 0.6, 4, 1}, 2};

Reference point_to_point(PointToPoint::Profile profile) {
  return make_reference(PointToPoint{profile, {0.3, -1.0}, {1.5, 0.25}, 0.5, 2.0, 0.3});
}

std::vector<Reference> all_motions() {
  return {point_to_point(PointToPoint::Profile::cycloid), point_to_point(PointToPoint::Profile::quintic),
          point_to_point(PointToPoint::Profile::trapezoid),
          make_reference(CosineMotion{{0.1, 0.2}, {1.5, -0.7}, 1.7, 0.4}), make_reference(table)};
}

/// Central differences with one Richardson step, within one smooth piece: the error is
/// h⁴/480·f⁽⁵⁾ < 1e-12 for these motions (f⁽⁵⁾ ≤ 2·π⁵), and rounding 8ε/h·|f| ~ 1e-11.
template <class F>
double slope(const F& f, double t) {
  const double h = 1e-3;
  const auto central = [&](double step) { return (f(t + step) - f(t - step)) / (2.0 * step); };
  return (4.0 * central(0.5 * h) - central(h)) / 3.0;
}

TEST(ReferenceMotion, VelocityAndAccelerationAreDerivatives) {
  for (const Reference& motion : all_motions()) {
    for (double t = -0.4137; t < 3.0; t += 0.0931) {  // away from the spline's ends, where it is cut off
      const State here = at(motion, t, t);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(here.v[k], slope([&](double s) { return at(motion, s, t).q[k]; }, t), 1e-10) << t;
        EXPECT_NEAR(here.a[k], slope([&](double s) { return at(motion, s, t).v[k]; }, t), 1e-9) << t;
      }
    }
  }
}

/// saha2001 eq. (18) in its general form: q0 + (qT − q0)/T·(t − T/2π·sin 2πt/T).
TEST(PointToPoint, CycloidIsEquation18) {
  const double from = 0.3, to = 1.5, start = 0.5, T = 2.0;
  const Reference motion = make_reference(PointToPoint{PointToPoint::Profile::cycloid, {from}, {to}, start, T, 0.25});
  for (double t = start; t <= start + T; t += 0.05) {
    const double s = t - start, angle = 2.0 * pi * s / T;
    const State state = at(motion, t, t);
    EXPECT_NEAR(state.q[0], from + (to - from) / T * (s - T / (2.0 * pi) * std::sin(angle)), 4e-16 * to);
    EXPECT_NEAR(state.v[0], (to - from) / T * (1.0 - std::cos(angle)), 4e-16 * (to - from));
    EXPECT_NEAR(state.a[0], (to - from) / T * 2.0 * pi / T * std::sin(angle), 8e-16 * pi);
  }
}

TEST(PointToPoint, HoldsBeforeAndAfter) {
  for (const auto profile :
       {PointToPoint::Profile::cycloid, PointToPoint::Profile::quintic, PointToPoint::Profile::trapezoid}) {
    const Reference motion = point_to_point(profile);
    for (const double t : {-3.0, 0.0, 0.4999}) {
      const State s = at(motion, t, t);
      EXPECT_EQ(s.q, (std::vector{0.3, -1.0}));
      EXPECT_EQ(s.v, (std::vector{0.0, 0.0}));
      EXPECT_EQ(s.a, (std::vector{0.0, 0.0}));
    }
    for (const double t : {2.5001, 4.0, 1e6}) {
      const State s = at(motion, t, t);
      for (std::size_t k = 0; k < 2; ++k) EXPECT_DOUBLE_EQ(s.q[k], (std::vector{1.5, 0.25})[k]);
      EXPECT_EQ(s.v, (std::vector{0.0, 0.0}));
      EXPECT_EQ(s.a, (std::vector{0.0, 0.0}));
    }
  }
}

/// Position and velocity are the same from both sides of every break, whatever `inside` says.
TEST(ReferenceMotion, PositionAndVelocityAreContinuousAtBreaks) {
  for (const Reference& motion : all_motions()) {
    for (const double t : motion->breaks()) {
      const State before = at(motion, t, t - 0.01), after = at(motion, t, t + 0.01);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(before.q[k], after.q[k], 2e-15) << t;
        EXPECT_NEAR(before.v[k], after.v[k], 4e-14) << t;  // the spline's slopes reach 40
      }
    }
  }
}

TEST(PointToPoint, TrapezoidCornersBelongToThePieceThatInsideNames) {
  const double way = 1.2, T = 2.0, blend = 0.3, speed = way / T / (1.0 - blend), rise = speed / (blend * T);
  const Reference motion = point_to_point(PointToPoint::Profile::trapezoid);
  ASSERT_EQ(motion->breaks().size(), 4u);
  const double corners[] = {0.5, 0.5 + blend * T, 2.5 - blend * T, 2.5}, pieces[] = {0.0, rise, 0.0, -rise, 0.0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(motion->breaks()[i], corners[i]);
    EXPECT_NEAR(at(motion, corners[i], corners[i] - 0.01).a[0], pieces[i], 4e-15);
    EXPECT_NEAR(at(motion, corners[i], corners[i] + 0.01).a[0], pieces[i + 1], 4e-15);
  }
  EXPECT_NEAR(at(motion, 1.5, 1.5).v[0], speed, 4e-16);
}

TEST(PointToPoint, TrapezoidWithoutAPlateauIsATriangle) {
  const Reference motion = make_reference(PointToPoint{PointToPoint::Profile::trapezoid, {0.0}, {1.0}, 0.0, 2.0, 0.5});
  EXPECT_NEAR(at(motion, 1.0, 0.9).v[0], 1.0, 4e-16);
  EXPECT_NEAR(at(motion, 1.0, 1.1).v[0], 1.0, 4e-16);
  EXPECT_NEAR(at(motion, 1.0, 1.0).q[0], 0.5, 4e-16);
}

TEST(ReferenceMotion, ImpossibleNumbersAreRefused) {
  const auto profile = PointToPoint::Profile::trapezoid;
  EXPECT_THROW(make_reference(PointToPoint{profile, {0}, {1, 2}, 0, 1, 0.25}), InputError);
  EXPECT_THROW(make_reference(PointToPoint{profile, {0}, {1}, 0, 0, 0.25}), InputError);
  EXPECT_THROW(make_reference(PointToPoint{profile, {0}, {1}, NAN, 1, 0.25}), InputError);
  EXPECT_THROW(make_reference(PointToPoint{profile, {0}, {1}, 0, INFINITY, 0.25}), InputError);
  EXPECT_THROW(make_reference(PointToPoint{profile, {0}, {1}, 0, 1, 0.0}), InputError);
  EXPECT_THROW(make_reference(PointToPoint{profile, {0}, {1}, 0, 1, 0.6}), InputError);
  EXPECT_THROW(make_reference(CosineMotion{{0}, {1, 2}, 1, 0}), InputError);
  EXPECT_THROW(make_reference(CosineMotion{{0}, {1}, INFINITY, 0}), InputError);
}

TEST(CubicSpline, ImpossibleTablesAreRefused) {
  using Ends = CubicSpline::Ends;
  EXPECT_THROW(CubicSpline({0.0}, {1.0}, 1, Ends::natural), InputError);
  EXPECT_THROW(CubicSpline({0.0, 0.0}, {1.0, 2.0}, 1, Ends::natural), InputError);
  EXPECT_THROW(CubicSpline({0.0, 1.0, 0.5}, {1.0, 2.0, 3.0}, 1, Ends::natural), InputError);
  EXPECT_THROW(CubicSpline({0.0, NAN}, {1.0, 2.0}, 1, Ends::natural), InputError);
  EXPECT_THROW(CubicSpline({0.0, INFINITY}, {1.0, 2.0}, 1, Ends::natural), InputError);
  EXPECT_THROW(CubicSpline({0.0, 1.0}, {1.0, 2.0, 3.0}, 1, Ends::natural), InputError);
  EXPECT_THROW(CubicSpline({0.0, 1.0}, {1.0, NAN}, 1, Ends::natural), InputError);
}

/// A cubic that is at rest at both ends, and a line for natural ends, come back whatever the knots.
/// Rounding: slopes of a few, over pieces of 0.1, through a diagonally dominant system: 1e-14.
TEST(CubicSpline, ReproducesPolynomialsWithMatchingEnds) {
  const std::vector<double> times{0.0, 0.1, 0.25, 0.3, 0.7, 1.0};
  std::vector<double> cubic, line;
  for (const double u : times) {
    cubic.push_back(2.0 + 4.0 * (3.0 * u * u - 2.0 * u * u * u));
    line.push_back(1.0 - 3.0 * u);
  }
  const CubicSpline rest(times, cubic, 1, CubicSpline::Ends::at_rest),
      natural(times, line, 1, CubicSpline::Ends::natural);
  for (double u = 0.0; u <= 1.0; u += 0.01) {
    double y, d, dd;
    rest.at(u, rest.piece(u), {&y, 1}, {&d, 1}, {&dd, 1});
    EXPECT_NEAR(y, 2.0 + 4.0 * (3.0 * u * u - 2.0 * u * u * u), 1e-14);
    EXPECT_NEAR(d, 24.0 * u * (1.0 - u), 1e-13);
    EXPECT_NEAR(dd, 24.0 * (1.0 - 2.0 * u), 4e-12);
    natural.at(u, natural.piece(u), {&y, 1}, {&d, 1}, {});
    EXPECT_NEAR(y, 1.0 - 3.0 * u, 1e-14);
    EXPECT_NEAR(d, -3.0, 1e-13);
  }
}

TEST(CubicSpline, InterpolatesAndIsTwiceContinuous) {
  for (const auto ends : {CubicSpline::Ends::natural, CubicSpline::Ends::at_rest}) {
    const CubicSpline spline(table.times, table.positions, 2, ends);
    for (std::size_t i = 0; i < table.times.size(); ++i) {
      const double t = table.times[i];
      std::vector<double> y(2), left(2), d(2), d_left(2), dd(2), dd_left(2);
      spline.at(t, std::min(i, table.times.size() - 2), y, d, dd);
      spline.at(t, i > 0 ? i - 1 : 0, left, d_left, dd_left);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(y[k], table.positions[2 * i + k], 1e-14);
        EXPECT_NEAR(left[k], y[k], 1e-14);
        EXPECT_NEAR(d_left[k], d[k], 1e-13);
        EXPECT_NEAR(dd_left[k], dd[k], 1e-11);  // second derivatives reach some hundreds
        const bool end = i == 0 || i + 1 == table.times.size();
        const double zero = ends == CubicSpline::Ends::at_rest ? d[k] : dd[k];
        EXPECT_NEAR(end ? zero : 0.0, 0.0, 1e-13);
      }
    }
  }
}

TEST(CubicSpline, HoldsItsEndsOutsideTheTable) {
  const CubicSpline spline(table.times, table.positions, 2, CubicSpline::Ends::natural);
  for (const double t : {-7.0, 9.0}) {
    std::vector<double> y(2), d(2), dd(2);
    spline.at(t, spline.piece(t), y, d, dd);
    const std::size_t row = t < 0 ? 0 : table.times.size() - 1;
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(y[k], table.positions[2 * row + k], 1e-15);
    EXPECT_EQ(d, (std::vector{0.0, 0.0}));
    EXPECT_EQ(dd, (std::vector{0.0, 0.0}));
  }
}

}  // namespace
}  // namespace ulna

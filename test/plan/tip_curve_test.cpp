// Curves of poses: on their lines and circles, smooth where they say so, off their corners by what is allowed.
#include "ulna/plan/tip_curve.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "ulna/base/error.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {
namespace {

using Vec = Vec3<double>;

Pose<double> at(double x, double y, double z, const Vec& turn = {0, 0, 0}) { return {exp_rotation(turn), {x, y, z}}; }

/// Position and orientation go on from piece to piece, and so does their direction where no rest is.
void expect_unbroken(const TipCurve& curve) {
  constexpr double step = 1e-6;
  for (std::size_t k = 0; k + 1 < curve.piece_count(); ++k) {
    const Pose<double> end = curve.at(k, 1.0), begin = curve.at(k + 1, 0.0);
    EXPECT_LE(norm(end.p - begin.p), 1e-12);
    EXPECT_LE(norm(log_rotation(transpose(end.R) * begin.R)), 1e-12);
    if (curve.rests_after(k)) continue;
    const Vec out = end.p - curve.at(k, 1.0 - step).p, in = curve.at(k + 1, step).p - begin.p;
    EXPECT_LE(norm(cross(out, in)), 1e-4 * norm(out) * norm(in));
    EXPECT_GT(dot(out, in), 0.0);
  }
}

TEST(TipCurve, ArcsGoThroughTheirPoints) {
  // a half circle about the origin, then the other half: smooth at the seam, no rest
  const std::array moves{TipMove{.to = at(-1, 0, 2), .via = Vec{0, 1, 2}},
                         TipMove{.to = at(1, 0, 2), .via = Vec{0, -1, 2}}};
  const TipCurve curve(at(1, 0, 2), moves);
  ASSERT_EQ(curve.piece_count(), 2U);
  EXPECT_FALSE(curve.rests_after(0));
  EXPECT_TRUE(curve.rests_after(1));
  for (std::size_t piece = 0; piece < 2; ++piece)
    for (int k = 0; k <= 10; ++k) {
      const Vec p = curve.at(piece, k / 10.0).p;
      const double angle = std::numbers::pi * (static_cast<double>(piece) + k / 10.0);
      EXPECT_LE(norm(p - Vec{std::cos(angle), std::sin(angle), 2}), 1e-12);
    }
  expect_unbroken(curve);
}

TEST(TipCurve, LongArcsGoTheLongWay) {
  const std::array moves{TipMove{.to = at(0, -1, 0), .via = Vec{-1, 0, 0}}};  // three quarters, through the left
  const TipCurve curve(at(1, 0, 0), moves);
  EXPECT_LE(norm(curve.at(0, 0.5).p - Vec{std::cos(0.75 * std::numbers::pi), std::sin(0.75 * std::numbers::pi), 0}),
            1e-12);
}

TEST(TipCurve, CornersAreMissedByTheBlend) {
  const Vec turn{0.3, 0.2, 0.9};
  for (const double blend : {1e-3, 0.02}) {
    const std::array moves{TipMove{.to = at(1, 0, 0, turn), .blend = blend}, TipMove{.to = at(1, 1, 0), .blend = blend},
                           TipMove{.to = at(2, 1, 0), .via = Vec{1.5, 1.2, 0.1}}};
    const TipCurve curve(at(0, 0, 0), moves);
    ASSERT_EQ(curve.piece_count(), 5U);
    expect_unbroken(curve);
    for (const auto& [piece, corner] : {std::pair{1U, Vec{1, 0, 0}}, {3U, Vec{1, 1, 0}}}) {
      double nearest = 1.0;
      for (int k = 0; k <= 1000; ++k) nearest = std::min(nearest, norm(curve.at(piece, k / 1000.0).p - corner));
      // of an arc the middle of the corner is not exactly what is nearest
      EXPECT_LE(nearest, blend * (1.0 + 1e-9));
      EXPECT_GE(nearest, 0.9 * blend);
    }
  }
}

TEST(TipCurve, SharesAreOfMoves) {
  const std::array moves{TipMove{.to = at(1, 0, 0), .blend = 0.05}, TipMove{.to = at(1, 1, 0)}};
  const TipCurve curve(at(0, 0, 0), moves);
  ASSERT_EQ(curve.piece_count(), 3U);
  for (const double share : {0.0, 0.4, 1.0}) EXPECT_NEAR(curve.share_of_move(0, share), curve.at(0, share).p.x, 1e-12);
  EXPECT_NEAR(curve.share_of_move(1, 0.0), curve.at(1, 0.0).p.x, 1e-12);
  EXPECT_EQ(curve.share_of_move(1, 1.0), 1.0);
  EXPECT_NEAR(curve.share_of_move(2, 1.0), 1.0, 1e-12);
}

TEST(TipCurve, CornersTakeHalfOfALegAtMost) {
  const std::array moves{TipMove{.to = at(0.1, 0, 0), .blend = 10.0}, TipMove{.to = at(0.1, 1, 0), .blend = 10.0},
                         TipMove{.to = at(0, 1, 0)}};
  const TipCurve curve(at(0, 0, 0), moves);
  expect_unbroken(curve);
  EXPECT_LE(norm(curve.at(0, 1.0).p - Vec{0.05, 0, 0}), 1e-12);
}

TEST(TipCurve, RefusesWhatIsNoCurve) {
  const Pose<double> here = at(0, 0, 0);
  EXPECT_THROW(TipCurve(here, {}), InputError);
  EXPECT_THROW(TipCurve(here, std::array{TipMove{.to = here}}), InputError);
  EXPECT_THROW(TipCurve(here, std::array{TipMove{.to = at(2, 0, 0), .via = Vec{1, 0, 0}}}), InputError);
  EXPECT_THROW(TipCurve(here, std::array{TipMove{.to = at(NAN, 0, 0)}}), InputError);
  EXPECT_THROW(TipCurve(here, std::array{TipMove{.to = at(1, 0, 0), .blend = -1.0}}), InputError);
}

}  // namespace
}  // namespace ulna

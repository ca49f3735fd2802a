// Laws of the spatial types, for each scalar, at zero, tiny, random and half-turn arguments.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "support/scalar_cases.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {
namespace {

using test::ScalarCase;

template <class T>
class Spatial : public ::testing::Test {
 protected:
  using Case = ScalarCase<T>;

  T number(double scale) {
    T x(0.0);
    for (int k = 0; k < Case::lanes; ++k) Case::set(x, k, scale * unit(generator));
    return x;
  }
  Vec3<T> vector(double scale) {
    const T x = number(scale), y = number(scale), z = number(scale);
    return {x, y, z};
  }
  Motion<T> motion(double scale) { return {vector(scale), vector(scale)}; }
  Force<T> force(double scale) { return {vector(scale), vector(scale)}; }
  Pose<T> pose() { return {exp_rotation(vector(2.0)), vector(1.0)}; }
  Sym3<T> symmetric() {
    const Vec3<T> a = vector(1.0), b = vector(1.0);
    return {a.x, a.y, a.z, b.x, b.y, b.z};
  }
  ArticulatedInertia<T> articulated() {
    const Vec3<T> a = vector(1.0), b = vector(1.0), c = vector(1.0);
    return {symmetric(), Mat3<T>::from_columns(a, b, c), symmetric()};
  }
  RigidInertia<T> rigid() { return {number(1.0), vector(1.0), symmetric()}; }

  static void near(const T& a, const T& b, double scale = 1.0) {
    for (int k = 0; k < Case::lanes; ++k) EXPECT_NEAR(Case::lane(a, k), Case::lane(b, k), 60.0 * Case::epsilon * scale);
  }
  static void near(const Vec3<T>& a, const Vec3<T>& b, double scale = 1.0) {
    near(a.x, b.x, scale);
    near(a.y, b.y, scale);
    near(a.z, b.z, scale);
  }
  static void near(const Mat3<T>& a, const Mat3<T>& b, double scale = 1.0) {
    near(a.column_x(), b.column_x(), scale);
    near(a.column_y(), b.column_y(), scale);
    near(a.column_z(), b.column_z(), scale);
  }
  static void near(const Motion<T>& a, const Motion<T>& b, double scale = 1.0) {
    near(a.angular, b.angular, scale);
    near(a.linear, b.linear, scale);
  }
  static void near(const Force<T>& a, const Force<T>& b, double scale = 1.0) {
    near(a.moment, b.moment, scale);
    near(a.force, b.force, scale);
  }
  static void near(const Pose<T>& a, const Pose<T>& b, double scale = 1.0) {
    near(a.R, b.R, scale);
    near(a.p, b.p, scale);
  }

  std::mt19937_64 generator{42};
  std::uniform_real_distribution<double> unit{-1.0, 1.0};
};
TYPED_TEST_SUITE(Spatial, test::AllScalars);

constexpr int rounds = 20;

TYPED_TEST(Spatial, CrossProductsFollowJacobiAndDuality) {
  for (int i = 0; i < rounds; ++i) {
    const auto a = this->motion(1), b = this->motion(1), c = this->motion(1);
    const auto f = this->force(1);
    this->near(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)), Motion<TypeParam>::zero(), 10);
    this->near(dot(cross(a, f), b), -dot(f, cross(a, b)), 10);
    this->near(cross(a, a), Motion<TypeParam>::zero());
  }
}

TYPED_TEST(Spatial, PosesFormAGroup) {
  for (int i = 0; i < rounds; ++i) {
    const auto a = this->pose(), b = this->pose(), c = this->pose();
    this->near((a * b) * c, a * (b * c), 4);
    this->near(a * inverse(a), Pose<TypeParam>::identity(), 4);
    this->near(a * Pose<TypeParam>::identity(), a);
    this->near(transpose(a.R) * a.R, Mat3<TypeParam>::identity());
  }
}

TYPED_TEST(Spatial, ChangeOfFrameKeepsPowerAndUndoes) {
  for (int i = 0; i < rounds; ++i) {
    const auto x = this->pose();
    const auto m = this->motion(1);
    const auto f = this->force(1);
    this->near(dot(x.to_outer(f), x.to_outer(m)), dot(f, m), 10);
    this->near(x.to_inner(x.to_outer(m)), m, 4);
    this->near(x.to_inner(x.to_outer(f)), f, 4);
    this->near(x.to_outer(cross(m, m + m)), Motion<TypeParam>::zero(), 10);
  }
}

TYPED_TEST(Spatial, InertiasTransformLikeTheirProducts) {
  for (int i = 0; i < rounds; ++i) {
    const auto x = this->pose();
    const auto m = this->motion(1);
    const auto rigid = this->rigid();
    const auto articulated = this->articulated();
    this->near(x.to_outer(rigid * x.to_inner(m)), x.to_outer(rigid) * m, 20);
    this->near(x.to_outer(articulated * x.to_inner(m)), x.to_outer(articulated) * m, 20);
    this->near(ArticulatedInertia<TypeParam>::from_rigid(rigid) * m, rigid * m, 4);
  }
}

TYPED_TEST(Spatial, InertiaFromCentreIsTheParallelAxisTheorem) {
  using T = TypeParam;
  const auto c = this->vector(1.0);
  const T m(2.0);
  const auto moved = RigidInertia<T>::from_centre(m, c, Sym3<T>::zero());
  const auto shifted = shift(RigidInertia<T>{m, Vec3<T>::zero(), Sym3<T>::zero()}, c);
  this->near(full(moved.about_origin), full(shifted.about_origin), 4);
  this->near(moved.h, shifted.h);
}

TYPED_TEST(Spatial, SingleTurnsAreRotations) {
  using T = TypeParam;
  for (int i = 0; i < rounds; ++i) {
    const SinCos<T> sc = sincos(this->number(3.0));
    const Turn<T> t{sc.cos, sc.sin};
    const auto v = this->vector(1.0);
    const auto s = this->symmetric();
    const auto m = this->articulated().H;
    this->near(turn_z(t, v), rotation_z(t) * v);
    this->near(turn_x(t, v), rotation_x(t) * v);
    this->near(full(turn_z(t, s)), full(rotate(rotation_z(t), s)), 4);
    this->near(full(turn_x(t, s)), full(rotate(rotation_x(t), s)), 4);
    this->near(turn_z(t, m), rotate(rotation_z(t), m), 4);
    this->near(turn_x(t, m), rotate(rotation_x(t), m), 4);
  }
}

TYPED_TEST(Spatial, DyadsAreTakenOffSymmetrically) {
  using T = TypeParam;
  const auto u = this->force(1), w = T(0.5) * u;
  const auto m = this->motion(1);
  auto i = this->articulated();
  const auto before = i * m;
  i.subtract_dyad(u, w);
  this->near(i * m, before - dot(w, m) * u, 10);
}

TYPED_TEST(Spatial, ExpAndLogOfRotationsUndoEachOther) {
  for (const double scale : {0.0, 1e-12, 1e-6, 1e-3, 0.3, 1.0, 1.7}) {
    const auto w = this->vector(scale);
    const auto R = exp_rotation(w);
    this->near(transpose(R) * R, Mat3<TypeParam>::identity());
    this->near(log_rotation(R), w, std::max(scale, 1e-6));
    this->near(rotation_of(exp_quaternion(w)), R, 2);
  }
}

TYPED_TEST(Spatial, LogNearHalfATurn) {
  using T = TypeParam;
  for (const double below : {1e-1, 1e-3, 1e-6}) {
    auto axis = this->vector(1.0);
    axis = (T(1.0) / norm(axis)) * axis;
    const Vec3<T> w = T(std::numbers::pi - below) * axis;
    const Mat3<T> R = exp_rotation(w);
    this->near(exp_rotation(log_rotation(R)), R, 4);
    // Closer to π than its own rounding, w and −w are the same rotation.
    if (below > 1e3 * ScalarCase<T>::epsilon) this->near(log_rotation(R), w, 4);
  }
}

TYPED_TEST(Spatial, ExpAndLogOfPosesUndoEachOther) {
  for (const double scale : {0.0, 1e-9, 1e-4, 0.1, 1.0}) {
    const auto m = this->motion(scale);
    this->near(log_pose(exp_pose(m)), m, 4 * std::max(scale, 1e-6));
  }
  for (int i = 0; i < rounds; ++i) {
    const auto x = this->pose();
    this->near(exp_pose(log_pose(x)), x, 10);
  }
}

TYPED_TEST(Spatial, ExpOfPosesIsAFlow) {
  const auto m = this->motion(0.8);
  this->near(exp_pose(m) * exp_pose(m), exp_pose(TypeParam(2.0) * m), 10);
}

TYPED_TEST(Spatial, QuaternionsAndMatricesAgree) {
  for (int i = 0; i < rounds; ++i) {
    const auto R = this->pose().R;
    const auto q = quaternion_of(R);
    this->near(rotation_of(q), R, 4);
    this->near(dot(q, q), TypeParam(1.0));
    const auto S = this->pose().R;
    this->near(rotation_of(q * quaternion_of(S)), R * S, 10);
  }
}

TEST(SpatialDual, ExpHasTheRightDerivativeAtZero) {
  // d/dt exp(t w) at t = 0 is [w]×; the series branch must carry it.
  const Dual4 t = Dual4::variable(0.0, 0);
  const Mat3<Dual4> R = exp_rotation(Vec3<Dual4>{t * Dual4(0.3), t * Dual4(-0.7), t * Dual4(0.2)});
  EXPECT_NEAR(R.zy.d[0], 0.3, 1e-15);
  EXPECT_NEAR(R.xz.d[0], -0.7, 1e-15);
  EXPECT_NEAR(R.yx.d[0], 0.2, 1e-15);
  const Vec3<Dual4> w = log_rotation(R);
  EXPECT_NEAR(w.x.d[0], 0.3, 1e-14);
  EXPECT_NEAR(w.y.d[0], -0.7, 1e-14);
}

}  // namespace
}  // namespace ulna

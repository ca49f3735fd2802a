#include "ulna/simulate/reference_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ulna/base/error.hpp"
#include "ulna/simulate/cubic_spline.hpp"

namespace ulna {

namespace {

void expect(bool good, const char* what) {
  if (!good) throw InputError(what);
}

/// s and its derivatives by u = t/T, 0 ≤ u ≤ 1.
struct Profile {
  double s, ds, dds;
};

Profile cycloid(double u) {
  const double angle = 2.0 * std::numbers::pi * u;
  return {u - std::sin(angle) / (2.0 * std::numbers::pi), 1.0 - std::cos(angle),
          2.0 * std::numbers::pi * std::sin(angle)};
}

Profile quintic(double u) {
  const double w = 1.0 - u;
  return {u * u * u * (10.0 + u * (-15.0 + 6.0 * u)), 30.0 * u * u * w * w, 60.0 * u * w * (w - u)};
}

/// `inside` decides between the three pieces.
Profile trapezoid(double u, double inside, double blend) {
  const double speed = 1.0 / (1.0 - blend), rise = speed / blend;
  if (inside < blend) return {0.5 * rise * u * u, rise * u, rise};
  if (inside > 1.0 - blend) {
    const double left = 1.0 - u;
    return {1.0 - 0.5 * rise * left * left, rise * left, -rise};
  }
  return {speed * (u - 0.5 * blend), speed, 0.0};
}

class PointToPointMotion final : public ReferenceMotion {
 public:
  explicit PointToPointMotion(const PointToPoint& motion) : motion_(motion) {
    expect(motion.from.size() == motion.to.size(), "'from' and 'to' of a motion have different lengths");
    expect(std::isfinite(motion.start), "the start of a motion must be a finite time");
    expect(std::isfinite(motion.time) && motion.time > 0.0, "the time of a motion must be positive");
    expect(motion.blend > 0.0 && motion.blend <= 0.5, "the blend of a trapezoid lies between 0 and 0.5");
    const double begin = motion.start, end = motion.start + motion.time;
    breaks_ = {begin, end};
    if (motion.profile == PointToPoint::Profile::trapezoid)
      breaks_ = {begin, begin + motion.blend * motion.time, end - motion.blend * motion.time, end};
  }

  void at(double t, double inside, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const double u = (t - motion_.start) / motion_.time, piece = (inside - motion_.start) / motion_.time;
    Profile p{piece < 0.0 ? 0.0 : 1.0, 0.0, 0.0};
    if (piece >= 0.0 && piece <= 1.0) p = profile(u, piece);
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double way = motion_.to[k] - motion_.from[k];
      q[k] = motion_.from[k] + way * p.s;
      v[k] = way * p.ds / motion_.time;
      a[k] = way * p.dds / (motion_.time * motion_.time);
    }
  }
  std::span<const double> breaks() const override { return breaks_; }
  std::size_t size() const override { return motion_.from.size(); }

 private:
  Profile profile(double u, double inside) const {
    switch (motion_.profile) {
      case PointToPoint::Profile::cycloid: return cycloid(u);
      case PointToPoint::Profile::quintic: return quintic(u);
      case PointToPoint::Profile::trapezoid: return trapezoid(u, inside, motion_.blend);
    }
    throw std::logic_error("unknown profile");
  }

  PointToPoint motion_;
  std::vector<double> breaks_;
};

class Cosine final : public ReferenceMotion {
 public:
  explicit Cosine(const CosineMotion& motion) : motion_(motion) {
    expect(motion.offset.size() == motion.amplitude.size(), "'offset' and 'amplitude' have different lengths");
    expect(std::isfinite(motion.omega) && std::isfinite(motion.phase), "a cosine needs finite numbers");
  }
  void at(double t, double, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const double w = motion_.omega, angle = w * t + motion_.phase;
    const double c = std::cos(angle), s = std::sin(angle);
    for (std::size_t k = 0; k < q.size(); ++k) {
      q[k] = motion_.offset[k] + motion_.amplitude[k] * c;
      v[k] = -motion_.amplitude[k] * w * s;
      a[k] = -motion_.amplitude[k] * w * w * c;
    }
  }
  std::span<const double> breaks() const override { return {}; }
  std::size_t size() const override { return motion_.offset.size(); }

 private:
  CosineMotion motion_;
};

class Spline final : public ReferenceMotion {
 public:
  explicit Spline(const SplineMotion& motion)
      : spline_(motion.times, motion.positions, motion.width, CubicSpline::Ends::at_rest),
        ends_{spline_.times().front(), spline_.times().back()} {}
  void at(double t, double inside, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const double at = inside < ends_[0] ? std::min(t, inside) : inside > ends_[1] ? std::max(t, inside) : t;
    spline_.at(at, spline_.piece(at), q, v, a);
  }
  /// At the knots the acceleration has corners, which error control takes; only at the ends it jumps.
  std::span<const double> breaks() const override { return ends_; }
  std::size_t size() const override { return spline_.width(); }

 private:
  CubicSpline spline_;
  std::array<double, 2> ends_;
};

}  // namespace

std::shared_ptr<const ReferenceMotion> make_reference(const PointToPoint& motion) {
  return std::make_shared<PointToPointMotion>(motion);
}
std::shared_ptr<const ReferenceMotion> make_reference(const CosineMotion& motion) {
  return std::make_shared<Cosine>(motion);
}
std::shared_ptr<const ReferenceMotion> make_reference(const SplineMotion& motion) {
  return std::make_shared<Spline>(motion);
}

}  // namespace ulna

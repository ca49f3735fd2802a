// Reference motions: what the joints should do, as functions of time. One number per velocity
// index; those of spherical and free joints have no reference and stay zero.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace ulna {

class ReferenceMotion {
 public:
  virtual ~ReferenceMotion() = default;
  /// Position, velocity and acceleration at t. `inside` is a time within the smooth piece that is
  /// meant: at its end t belongs to two pieces.
  virtual void at(double t, double inside, std::span<double> q, std::span<double> v, std::span<double> a) const = 0;
  /// Times at which a derivative jumps, rising.
  virtual std::span<const double> breaks() const = 0;
  virtual std::size_t size() const = 0;
};

/// From one position to another in a time, and rest there: q = from + (to − from)·s.
struct PointToPoint {
  enum class Profile {
    cycloid,    // s = t/T − sin(2πt/T)/2π: saha2001 eq. (18) in its general form (errata 0.11)
    quintic,    // s = 10u³ − 15u⁴ + 6u⁵
    trapezoid,  // velocity rises, stays and falls linearly; `blend` is the rising share of T
  };
  Profile profile = Profile::cycloid;
  std::vector<double> from, to;
  double start = 0.0, time = 1.0;
  double blend = 0.25;
};
std::shared_ptr<const ReferenceMotion> make_reference(const PointToPoint& motion);

/// q = offset + amplitude·cos(ω t + phase); wolinski2015 eq. (28) has offset 0 and phase 0.
struct CosineMotion {
  std::vector<double> offset, amplitude;
  double omega = 1.0, phase = 0.0;
};
std::shared_ptr<const ReferenceMotion> make_reference(const CosineMotion& motion);

/// A spline through positions at given times, at rest at both ends.
struct SplineMotion {
  std::vector<double> times, positions;  // positions: one row per time
  std::size_t width = 0;
};
std::shared_ptr<const ReferenceMotion> make_reference(const SplineMotion& motion);

}  // namespace ulna

#include "frame_loads.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/is_finite.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/joint_forces.hpp"

namespace ulna {

namespace {

/// √(x·x), with a derivative at zero too: `least` is a length that does not matter.
template <Real T>
T length_of(const Vec3<T>& x, double least) {
  const T square = dot(x, x), floor(least * least);
  return sqrt(select(square < floor, floor, square));
}

template <Real T>
struct Point {
  Vec3<T> position, velocity, omega;

  Point(const Kinematics<T>& kinematics, const Frame& frame) : position(kinematics.pose(frame).p) {
    const Motion<T> motion = kinematics.velocity(frame, Reference::world_axes);
    velocity = motion.linear;
    omega = motion.angular;
  }
};

template <Real T>
Force<T> wrench_of(const FrameSpring& spring, const Model&, const Point<T>& at) {
  const Vec3<T> way = cast<T>(spring.anchor) - at.position;
  const T stiffness(spring.stiffness), damping(spring.damping);
  if (spring.length == 0.0) return {Vec3<T>::zero(), stiffness * way - damping * at.velocity};
  const T length = length_of(way, 1e-12 * spring.length);
  const Vec3<T> along = (T(1.0) / length) * way;
  return {Vec3<T>::zero(), (stiffness * (length - T(spring.length)) - damping * dot(along, at.velocity)) * along};
}

template <Real T>
Force<T> wrench_of(const FrameDamper& damper, const Model&, const Point<T>& at) {
  return {T(-damper.angular) * at.omega, T(-damper.linear) * at.velocity};
}

template <Real T>
Force<T> wrench_of(const FrameWall& wall, const Model& model, const Point<T>& at) {
  const Vec3<T> normal = cast<T>((1.0 / norm(wall.normal)) * wall.normal);
  const T depth = dot(normal, cast<T>(wall.point) - at.position), out = dot(normal, at.velocity), none(0.0);
  const T press = T(wall.stiffness) * depth - T(wall.damping) * out;
  const T force = select(depth < none, none, select(press < none, none, press));
  const Vec3<T> sliding = at.velocity - out * normal;
  const double slow = model.friction_speed();
  const T speed = length_of(sliding, 1e-12 * slow);
  const T rub = force * friction(T(0.0), T(wall.friction), slow, speed) / speed;
  return {Vec3<T>::zero(), force * normal - rub * sliding};
}

void expect(bool good, const char* load, const Frame& frame, const char* what) {
  if (!good) throw InputError(fmt::format("the {} at '{}': {}", load, frame.name, what));
}

bool is_size(double x) { return std::isfinite(x) && x >= 0.0; }

void expect_numbers(const FrameSpring& spring) {
  expect(is_size(spring.stiffness) && is_size(spring.length) && is_size(spring.damping), "spring", spring.frame,
         "stiffness, length and damping must be zero or positive");
  expect(is_finite(spring.anchor), "spring", spring.frame, "the anchor must be three finite numbers");
}

void expect_numbers(const FrameDamper& damper) {
  expect(is_size(damper.linear) && is_size(damper.angular), "damper", damper.frame,
         "the coefficients must be zero or positive");
}

void expect_numbers(const FrameWall& wall) {
  expect(is_size(wall.stiffness) && is_size(wall.damping) && is_size(wall.friction), "wall", wall.frame,
         "stiffness, damping and friction must be zero or positive");
  expect(is_finite(wall.point), "wall", wall.frame, "the point must be three finite numbers");
  expect(std::isfinite(norm(wall.normal)) && norm(wall.normal) > 0.0, "wall", wall.frame,
         "the normal must be three finite numbers that are not all zero");
}

}  // namespace

template <Real T>
void add_load(const FrameLoad& load, const Model& model, const Kinematics<T>& kinematics, FrameWrenches<T>& wrenches) {
  std::visit(
      [&](const auto& kind) { wrenches.add(kind.frame, wrench_of<T>(kind, model, Point<T>(kinematics, kind.frame))); },
      load);
}

template void add_load<double>(const FrameLoad&, const Model&, const Kinematics<double>&, FrameWrenches<double>&);
template void add_load<Dual4>(const FrameLoad&, const Model&, const Kinematics<Dual4>&, FrameWrenches<Dual4>&);
template void add_load<PackDouble>(const FrameLoad&, const Model&, const Kinematics<PackDouble>&,
                                   FrameWrenches<PackDouble>&);

void expect_frame_load(const FrameLoad& load, const Model& model) {
  std::visit(
      [&](const auto& kind) {
        expect_numbers(kind);
        model.expect_frame(kind.frame);
        if (kind.frame.body < 0) {
          throw InputError(
              fmt::format("a load is at frame '{}' of the ground, where it has no effect; name a frame of a "
                          "moving link",
                          kind.frame.name));
        }
      },
      load);
}

}  // namespace ulna

#include "closed_form_ik.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/spatial/lie.hpp"

namespace ulna {

namespace {

using Axis = ClosedFormIk::Axis;
using Axes = ClosedFormIk::Axes;
using Angles = ClosedFormIk::Angles;
using Shape = ClosedFormIk::Shape;

/// Right angles and zero lengths in robot files are exact to some digits; what is off by more is no special shape.
constexpr double shape_tolerance = 1e-9;

Pose<double> turned(const Axis& axis, double angle) {
  const Mat3<double> R = exp_rotation(angle * axis.direction);
  return {R, axis.point - R * axis.point};
}

/// Subproblem 1: the turn about h that brings a nearest to b.
double angle_between(const Vec3<double>& h, const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(dot(h, cross(a, b)), dot(a, b) - dot(h, a) * dot(h, b));
}

/// Subproblem 4: the turns θ about h with u·R(θ)a = k; two, or one where they fall together, or none.
std::vector<double> angles_of_component(const Vec3<double>& u, const Vec3<double>& h, const Vec3<double>& a, double k) {
  const Vec3<double> along = dot(h, a) * h;
  const double A = dot(u, a - along), B = dot(u, cross(h, a)), C = k - dot(u, along);
  const double most = std::hypot(A, B);
  // Where they fall together, rounding decides whether there is a root: what is beyond by its square root is on it.
  constexpr double slack = 1e-7;
  if (!(most > 1e-12) || std::abs(C) > most * (1.0 + slack)) return {};
  const double middle = std::atan2(B, A), half = std::acos(std::clamp(C / most, -1.0, 1.0));
  if (half < 1e-12 || std::abs(C) > most) return {middle + half};
  return {middle + half, middle - half};
}

/// Subproblem 3: the turns about the axis that bring a point to a distance from another one.
std::vector<double> angles_of_distance(const Axis& axis, const Vec3<double>& point, const Vec3<double>& from,
                                       double distance) {
  const Vec3<double> a = point - axis.point, u = axis.point - from;
  return angles_of_component(u, axis.direction, a, 0.5 * (distance * distance - dot(a, a) - dot(u, u)));
}

/// The turn about the axis that brings a point nearest to another one.
double angle_of_point(const Axis& axis, const Vec3<double>& from, const Vec3<double>& to) {
  return angle_between(axis.direction, from - axis.point, to - axis.point);
}

Vec3<double> across(const Vec3<double>& h) {
  const Vec3<double> other = std::abs(h.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> a = cross(h, other);
  return (1.0 / norm(a)) * a;
}

/// The angle of a rotation that is about h.
double angle_about(const Vec3<double>& h, const Mat3<double>& R) {
  const Vec3<double> a = across(h);
  return angle_between(h, a, R * a);
}

bool are_parallel(const Axis& a, const Axis& b) { return norm(cross(a.direction, b.direction)) < shape_tolerance; }

/// Where two axes meet.
std::optional<Vec3<double>> meeting_point(const Axis& a, const Axis& b, double length) {
  const Vec3<double> n = cross(a.direction, b.direction), way = b.point - a.point;
  const double square = dot(n, n);
  if (square < shape_tolerance || std::abs(dot(way, n)) > shape_tolerance * length * std::sqrt(square)) return {};
  return a.point + (dot(cross(way, b.direction), n) / square) * a.direction;
}

bool is_on(const Axis& axis, const Vec3<double>& point, double length) {
  return norm(cross(axis.direction, point - axis.point)) < shape_tolerance * length;
}

/// What the axes allow in this order: a shape, with its points.
struct Found {
  Shape shape;
  Vec3<double> centre, shoulder;
};

std::optional<Found> find_shape(const Axes& axes, double length) {
  const auto last = meeting_point(axes[4], axes[5], length);
  if (!last) return {};
  if (is_on(axes[3], *last, length)) {
    if (are_parallel(axes[1], axes[2])) return Found{Shape::wrist_parallel, *last, {}};
    if (const auto shoulder = meeting_point(axes[0], axes[1], length))
      return Found{Shape::wrist_intersecting, *last, *shoulder};
    if (are_parallel(axes[0], axes[1])) return Found{Shape::wrist_first_two, *last, {}};
  }
  const bool parallel = are_parallel(axes[1], axes[2]) && are_parallel(axes[2], axes[3]);
  if (parallel && !are_parallel(axes[0], axes[1])) return Found{Shape::three_parallel, *last, {}};
  return {};
}

/// Angles one after the other: adds all that follow from `angles` so far, whose product of turns is to be G.
struct Solver {
  const Axes& axes;
  Pose<double> G;
  Vec3<double> centre, shoulder;
  std::vector<Angles> found{};

  const Vec3<double>& h(std::size_t k) const { return axes[k].direction; }
  Pose<double> E(std::size_t k, double angle) const { return turned(axes[k], angle); }

  /// E1 E2 E3 brings the wrist's centre to c.
  void wrist_parallel() {
    const Vec3<double> c = G * centre;
    const Vec3<double>& p1 = axes[0].point;
    for (const double q1 : angles_of_component(h(1), -h(0), c - p1, dot(h(1), centre - p1))) {
      const Vec3<double> d = inverse(E(0, q1)) * c;
      const Vec3<double>& p2 = axes[1].point;
      const double height = dot(h(1), d - centre);  // zero but for rounding
      for (const double q3 : angles_of_distance(axes[2], centre, p2, norm(d - p2 - height * h(1)))) {
        const double q2 = angle_of_point(axes[1], E(2, q3) * centre, d);
        wrist({q1, q2, q3});
      }
    }
  }

  void wrist_intersecting() {
    const Vec3<double> c = G * centre;
    for (const double q3 : angles_of_distance(axes[2], centre, shoulder, norm(c - shoulder))) {
      const Vec3<double> a = E(2, q3) * centre - shoulder;
      for (const double q2 : angles_of_component(h(0), h(1), a, dot(h(0), c - shoulder))) {
        const Vec3<double> b = exp_rotation(q2 * h(1)) * a;
        wrist({angle_between(h(0), b, c - shoulder), q2, q3});
      }
    }
  }

  void wrist_first_two() {
    const Vec3<double> c = G * centre;
    const Vec3<double>&p1 = axes[0].point, &p3 = axes[2].point;
    for (const double q3 : angles_of_component(h(0), h(2), centre - p3, dot(h(0), c - p3))) {
      const Vec3<double> d = E(2, q3) * centre;
      const Vec3<double> flat = c - p1 - dot(h(0), c - d) * h(0);
      for (const double q2 : angles_of_distance(axes[1], d, p1, norm(flat)))
        wrist({angle_of_point(axes[0], E(1, q2) * d, c), q2, q3});
    }
  }

  /// The rest is the rotation of the last three.
  void wrist(const std::array<double, 3>& first) {
    const Mat3<double> before = E(0, first[0]).R * E(1, first[1]).R * E(2, first[2]).R;
    const Mat3<double> R = transpose(before) * G.R;
    const Vec3<double> last = R * h(5);
    for (const double q5 : angles_of_component(h(3), h(4), h(5), dot(h(3), last))) {
      const Mat3<double> R5 = exp_rotation(q5 * h(4));
      const double q4 = angle_between(h(3), R5 * h(5), last);
      const Mat3<double> R6 = transpose(exp_rotation(q4 * h(3)) * R5) * R;
      found.push_back({first[0], first[1], first[2], q4, q5, angle_about(h(5), R6)});
    }
  }

  /// Turns about the parallel axes h leave what is along h in place: first the centre, then the sixth axis.
  void three_parallel() {
    const Vec3<double> c = G * centre;
    const Vec3<double>& p1 = axes[0].point;
    for (const double q1 : angles_of_component(h(1), -h(0), c - p1, dot(h(1), centre - p1))) {
      const Mat3<double> R = transpose(E(0, q1).R) * G.R;
      const Vec3<double> seen = transpose_times(R, h(1));
      for (const double q5 : angles_of_component(h(1), h(4), h(5), dot(h(1), R * h(5)))) {
        const double q6 = angle_between(h(5), seen, transpose_times(exp_rotation(q5 * h(4)), h(1)));
        plane({q1, q5, q6});
      }
    }
  }

  /// E2 E3 E4 is what is left: three turns in a plane.
  void plane(const std::array<double, 3>& others) {
    const Pose<double> H = inverse(E(0, others[0])) * G * inverse(E(4, others[1]) * E(5, others[2]));
    const Vec3<double>&p2 = axes[1].point, &p4 = axes[3].point;
    const Vec3<double> d = H * p4;
    const double height = dot(h(1), d - p4);  // zero but for rounding
    for (const double q3 : angles_of_distance(axes[2], p4, p2, norm(d - p2 - height * h(1)))) {
      const double q2 = angle_of_point(axes[1], E(2, q3) * p4, d);
      const Mat3<double> R4 = transpose(E(1, q2).R * E(2, q3).R) * H.R;
      found.push_back({others[0], q2, q3, angle_about(h(3), R4), others[1], others[2]});
    }
  }
};

/// The hinges on the way to the frame, at zero angles; nothing if there are others, or not six.
std::optional<Axes> axes_of(const Model& model, const Frame& frame, const Kinematics<double>& kinematics) {
  Axes axes;
  std::size_t k = axes.size();
  for (int i = frame.body; i >= 0;) {
    const Body& body = model.bodies()[static_cast<std::size_t>(i)];
    if (k == 0 || body.kind != JointKind::revolute) return {};
    const Motion<double> at_zero = kinematics.unit_motion(body, 0, Vec3<double>::zero());
    // of a turn about h through p the velocity at the world's origin is p × h
    axes[--k] = {at_zero.angular, cross(at_zero.angular, at_zero.linear)};
    i = body.parent;
  }
  return k == 0 && model.nv() == 6 ? std::optional(axes) : std::nullopt;
}

}  // namespace

std::optional<ClosedFormIk> ClosedFormIk::of(const Model& model, const Frame& frame) {
  if (model.nv() != 6 || model.nq() != 6) return {};
  Kinematics<double> kinematics(model);
  kinematics.update_positions(model.neutral());
  std::optional<Axes> axes = axes_of(model, frame, kinematics);
  if (!axes) return {};
  const Pose<double> home = kinematics.pose(frame);
  double length = norm(home.p);
  for (const Axis& axis : *axes) length += norm(axis.point);
  for (const bool reversed : {false, true}) {
    if (reversed) std::reverse(axes->begin(), axes->end());
    if (const std::optional<Found> found = find_shape(*axes, length))
      return ClosedFormIk(*axes, found->shape, reversed, home, found->centre, found->shoulder);
  }
  return {};
}

/// From the tip to the base the turns are the other way round, and so is what they lead to.
std::vector<Angles> ClosedFormIk::solve(const Pose<double>& pose) const {
  const Pose<double> G = pose * inverse(home_);
  Solver solver{axes_, reversed_ ? inverse(G) : G, centre_, shoulder_};
  switch (shape_) {
    case Shape::wrist_parallel: solver.wrist_parallel(); break;
    case Shape::wrist_intersecting: solver.wrist_intersecting(); break;
    case Shape::wrist_first_two: solver.wrist_first_two(); break;
    case Shape::three_parallel: solver.three_parallel(); break;
  }
  if (reversed_)
    for (Angles& q : solver.found) {
      std::reverse(q.begin(), q.end());
      for (double& x : q) x = -x;
    }
  return std::move(solver.found);
}

}  // namespace ulna

#include "ulna/plan/tip_curve.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ulna/base/error.hpp"
#include "ulna/spatial/lie.hpp"

namespace ulna {

namespace {

/// What a turn counts beside a way: about the reach of a wrist. Only shares of the length matter in the end.
constexpr double metres_per_radian = 0.2;

double squared(const Vec3<double>& x) { return dot(x, x); }

/// An arc by its centre and the angle from the beginning to the end, which passes `via`.
struct Arc {
  Vec3<double> centre, axis;
};
std::optional<Arc> arc_through(const Vec3<double>& from, const Vec3<double>& via, const Vec3<double>& to) {
  const Vec3<double> a = via - from, b = to - from, normal = cross(a, b);
  const double area = squared(normal);
  if (!(area > 1e-16 * squared(a) * squared(b)) || !(squared(to - via) > 0.0)) return std::nullopt;
  const Vec3<double> centre = from + (0.5 / area) * (squared(b) * cross(normal, a) - squared(a) * cross(normal, b));
  // About the normal the three points come in this order.
  const Vec3<double> unit = (1.0 / std::sqrt(area)) * normal, begin = from - centre, end = to - centre;
  double angle = std::atan2(dot(unit, cross(begin, end)), dot(begin, end));
  if (angle <= 0.0) angle += 2.0 * std::acos(-1.0);
  return Arc{centre, angle * unit};
}

/// The cubic with given ends and slopes.
Vec3<double> hermite(const Vec3<double>& p0, const Vec3<double>& t0, const Vec3<double>& p1, const Vec3<double>& t1,
                     double u) {
  const double square = u * u, cube = square * u;
  return (2.0 * cube - 3.0 * square + 1.0) * p0 + (cube - 2.0 * square + u) * t0 + (3.0 * square - 2.0 * cube) * p1 +
         (cube - square) * t1;
}

}  // namespace

TipCurve::Leg TipCurve::leg_of(const Pose<double>& from, const TipMove& move, const std::string& name) {
  const auto fail = [&](const std::string& what) { throw InputError(name + " " + what); };
  Leg leg;
  leg.from = from;
  constexpr double farthest = 1e50;  // m, whose powers are numbers
  if (norm(move.to.p) > farthest || (move.via && norm(*move.via) > farthest))
    fail("is more than 1e50 m away; give positions in metres");
  leg.turn = log_rotation(transpose(from.R) * move.to.R);
  leg.way = move.to.p - from.p;
  double way = norm(leg.way);
  if (move.via) {
    const std::optional<Arc> arc = arc_through(from.p, *move.via, move.to.p);
    if (!arc) fail("is an arc through three points that lie on a line, or fall together");
    leg.is_arc = true;
    leg.way = from.p - arc->centre;
    leg.axis = arc->axis;
    way = norm(leg.way) * norm(leg.axis);
  }
  leg.length = std::hypot(way, metres_per_radian * norm(leg.turn));
  if (!std::isfinite(leg.length)) fail("has a number that is not finite");
  if (!(leg.length > 0.0)) fail("goes nowhere; leave it out");
  if (!(move.blend >= 0.0) || !std::isfinite(move.blend)) fail("has a blend that is not a length from 0 upwards");
  return leg;
}

Pose<double> TipCurve::pose_on(const Leg& leg, double at) {
  const double share = at / leg.length;
  const Mat3<double> R = leg.from.R * exp_rotation(share * leg.turn);
  if (!leg.is_arc) return {R, leg.from.p + share * leg.way};
  return {R, leg.from.p - leg.way + exp_rotation(share * leg.axis) * leg.way};
}

TipCurve::Rate TipCurve::rate_on(const Leg& leg, double at) {
  const double by_length = 1.0 / leg.length;
  const Vec3<double> angular = by_length * leg.turn;
  if (!leg.is_arc) return {by_length * leg.way, angular};
  const Vec3<double> arm = exp_rotation((at * by_length) * leg.axis) * leg.way;
  return {by_length * cross(leg.axis, arm), angular};
}

/// From `half` before the end of a leg to `half` after it, with the slopes of both: between two straight lines a
/// parabola. The orientation goes the same way in rotation vectors from the corner, where each leg is a line.
Pose<double> TipCurve::pose_in_corner(std::size_t leg, double half, double share) const {
  const Leg &before = legs_[leg], &after = legs_[leg + 1];
  const Rate out = rate_on(before, before.length - half), in = rate_on(after, half);
  const double slope = 2.0 * half;
  const Vec3<double> turn =
      hermite(-half * out.angular, slope * out.angular, half * in.angular, slope * in.angular, share);
  return {after.from.R * exp_rotation(turn), hermite(pose_on(before, before.length - half).p, slope * out.linear,
                                                     pose_on(after, half).p, slope * in.linear, share)};
}

/// The largest that takes no more than half of either leg and misses the corner by no more than the blend.
double TipCurve::half_corner(std::size_t leg, double blend) const {
  const Vec3<double> corner = legs_[leg + 1].from.p;
  double low = 0.0, high = 0.5 * std::min(legs_[leg].length, legs_[leg + 1].length);
  const auto is_within = [&](double half) { return norm(pose_in_corner(leg, half, 0.5).p - corner) <= blend; };
  if (is_within(high)) return high;
  constexpr int halvings = 60;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (low + high);
    (is_within(middle) ? low : high) = middle;
  }
  return low;
}

bool TipCurve::goes_on_smoothly(std::size_t leg) const {
  constexpr double rounding = 1e-9;
  const Rate out = rate_on(legs_[leg], legs_[leg].length), in = rate_on(legs_[leg + 1], 0.0);
  return norm(out.linear - in.linear) <= rounding && norm(out.angular - in.angular) <= rounding;
}

TipCurve::TipCurve(const Pose<double>& from, std::span<const TipMove> moves) {
  if (moves.empty()) throw InputError("a path in space needs one move at least");
  legs_.reserve(moves.size());
  for (std::size_t k = 0; k < moves.size(); ++k)
    legs_.push_back(leg_of(k == 0 ? from : moves[k - 1].to, moves[k],
                           moves.size() == 1 ? "the move" : "move " + std::to_string(k + 1)));
  double cut = 0.0;
  for (std::size_t k = 0; k < legs_.size(); ++k) {
    const bool is_last = k + 1 == legs_.size();
    const bool is_smooth = !is_last && goes_on_smoothly(k);
    const double half = is_last || is_smooth || !(moves[k].blend > 0.0) ? 0.0 : half_corner(k, moves[k].blend);
    const double end = legs_[k].length - half;
    if (end > cut) pieces_.push_back({k, false, half == 0.0 && !is_smooth, cut, end});
    if (half > 0.0) pieces_.push_back({k, true, false, 0.0, half});
    cut = half;
  }
}

double TipCurve::share_of_move(std::size_t piece, double share) const {
  const Piece& here = pieces_[piece];
  const double length = legs_[here.leg].length;
  if (here.is_corner) return std::min((length + (2.0 * share - 1.0) * here.end) / length, 1.0);
  return (here.begin + share * (here.end - here.begin)) / length;
}

Pose<double> TipCurve::at(std::size_t piece, double share) const {
  const Piece& here = pieces_[piece];
  if (here.is_corner) return pose_in_corner(here.leg, here.end, share);
  return pose_on(legs_[here.leg], here.begin + share * (here.end - here.begin));
}

}  // namespace ulna

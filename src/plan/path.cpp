#include "ulna/plan/path.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

constexpr std::size_t terms = 4;

/// Distances of the waypoints from one to the next.
std::vector<double> legs_of(std::span<const double> waypoints, std::size_t width) {
  if (width == 0 || waypoints.size() % width != 0 || waypoints.size() < 2 * width)
    throw InputError("a path needs two waypoints at least, with a number for each joint");
  std::vector<double> legs;
  for (std::size_t k = width; k < waypoints.size(); k += width) {
    double square = 0.0;
    for (std::size_t j = 0; j < width; ++j) square += std::pow(waypoints[k + j] - waypoints[k - width + j], 2);
    if (!std::isfinite(square)) throw InputError("a waypoint of the path has a number that is not finite");
    const std::size_t number = k / width;
    if (!(square > 0.0))
      throw InputError("waypoints " + std::to_string(number) + " and " + std::to_string(number + 1) +
                       " of the path are the same; leave one out");
    legs.push_back(std::sqrt(square));
  }
  return legs;
}

void expect_error(double error) {
  if (!(error >= 0.0)) throw InputError("the error of a path's corners is a number from 0 upwards");
}

}  // namespace

Path Path::spline(std::span<const double> waypoints, std::size_t width) {
  Path path(width);
  path.ends_.push_back(0.0);
  for (const double leg : legs_of(waypoints, width)) path.ends_.push_back(path.ends_.back() + leg);
  path.rests_.assign(path.ends_.size(), false);
  const CubicSpline spline(path.ends_, {waypoints.begin(), waypoints.end()}, width, CubicSpline::Ends::natural);
  std::vector<double> q(width), first(width), second(width), next(width);
  for (std::size_t k = 0; k < path.piece_count(); ++k) {
    const double leg = path.ends_[k + 1] - path.ends_[k];
    spline.at(path.ends_[k], k, q, first, second);
    spline.at(path.ends_[k + 1], k, {}, {}, next);
    for (std::size_t j = 0; j < width; ++j)
      path.coefficients_.insert(path.coefficients_.end(),
                                {q[j], first[j], 0.5 * second[j], (next[j] - second[j]) / (6.0 * leg)});
  }
  return path;
}

Path Path::straight(std::span<const double> waypoints, std::size_t width, double error) {
  expect_error(error);
  const std::size_t count = width == 0 ? 0 : waypoints.size() / width;
  return straight(waypoints, width, std::vector<double>(std::max<std::size_t>(count, 2) - 2, error));
}

Path Path::straight(std::span<const double> waypoints, std::size_t width, std::span<const double> errors) {
  const std::vector<double> legs = legs_of(waypoints, width);
  if (errors.size() + 1 != legs.size()) throw InputError("a path needs an error for each corner");
  for (const double error : errors) expect_error(error);
  const auto direction = [&](std::size_t leg, std::size_t j) {
    return (waypoints[(leg + 1) * width + j] - waypoints[leg * width + j]) / legs[leg];
  };
  Path path(width);
  path.ends_.push_back(0.0);
  path.rests_.push_back(false);
  const auto add = [&](double to, bool rests, const auto& coefficient) {
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t k = 0; k < terms; ++k) path.coefficients_.push_back(coefficient(j, k));
    path.ends_.push_back(to);
    path.rests_.push_back(rests);
  };
  double corner = 0.0, cut = 0.0;  // where the leg begins, and what of it is cut off there
  for (std::size_t leg = 0; leg < legs.size(); ++leg) {
    const bool last = leg + 1 == legs.size();
    double bend = 0.0;
    if (!last)
      for (std::size_t j = 0; j < width; ++j) bend += std::pow(direction(leg + 1, j) - direction(leg, j), 2);
    bend = std::sqrt(bend);
    // In the middle of the parabola the corner is off by a quarter of its half width times the bend.
    const double half =
        last || bend == 0.0 ? 0.0 : std::min({4.0 * errors[leg] / bend, 0.5 * legs[leg], 0.5 * legs[leg + 1]});
    const double from = corner + cut, to = corner + legs[leg] - half;
    const auto line = [&](std::size_t j, std::size_t k) {
      if (k == 0) return waypoints[leg * width + j] + cut * direction(leg, j);
      return k == 1 ? direction(leg, j) : 0.0;
    };
    if (to > from) add(to, half == 0.0 && bend > 0.0, line);
    corner += legs[leg];
    cut = half;
    if (half == 0.0) continue;
    add(corner + half, false, [&](std::size_t j, std::size_t k) {
      if (k == 0) return waypoints[(leg + 1) * width + j] - half * direction(leg, j);
      if (k == 1) return direction(leg, j);
      return k == 2 ? (direction(leg + 1, j) - direction(leg, j)) / (4.0 * half) : 0.0;
    });
  }
  return path;
}

Path Path::joined(std::span<const Path> parts) {
  Path path = parts.front();
  for (const Path& part : parts.subspan(1)) {
    const double seam = path.length();
    path.rests_.back() = true;
    for (std::size_t k = 1; k < part.ends_.size(); ++k) path.ends_.push_back(seam + part.ends_[k]);
    path.rests_.insert(path.rests_.end(), part.rests_.begin() + 1, part.rests_.end());
    path.coefficients_.insert(path.coefficients_.end(), part.coefficients_.begin(), part.coefficients_.end());
  }
  return path;
}

Path Path::of_pieces(std::vector<double> ends, std::vector<double> coefficients, std::size_t width) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (width == 0 || ends.size() < 2 || coefficients.size() != (ends.size() - 1) * width * terms ||
      !std::all_of(coefficients.begin(), coefficients.end(), is_finite))
    throw InputError("the pieces of a path need four finite numbers for each joint");
  for (std::size_t k = 0; k + 1 < ends.size(); ++k)
    if (!(ends.front() == 0.0 && ends[k] < ends[k + 1] && std::isfinite(ends[k + 1])))
      throw InputError("the ends of a path's pieces must rise from 0");
  Path path(width);
  path.rests_.assign(ends.size(), false);
  path.ends_ = std::move(ends);
  path.coefficients_ = std::move(coefficients);
  return path;
}

void Path::at(double s, std::size_t piece, std::span<double> q, std::span<double> first,
              std::span<double> second) const {
  const double u = s - ends_[piece];
  const double* c = &coefficients_[piece * width_ * terms];
  for (std::size_t j = 0; j < width_; ++j, c += terms) {
    q[j] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    first[j] = c[1] + u * (2.0 * c[2] + u * 3.0 * c[3]);
    second[j] = 2.0 * c[2] + u * 6.0 * c[3];
  }
}

}  // namespace ulna

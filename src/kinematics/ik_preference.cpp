#include "ik_preference.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

IkJudge::IkJudge(const IkProblem& problem)
    : problem_(problem),
      kinematics_(problem.model),
      rows_(problem),
      neutral_(problem.model.neutral()),
      start_(neutral_),
      try_(neutral_),
      gradient_(static_cast<std::size_t>(problem.model.nv())),
      step_(gradient_.size()),
      way_(gradient_.size()),
      torque_(gradient_.size()) {}

void IkJudge::set(IkPreference preference, std::span<const double> start) {
  preference_ = preference;
  const std::span<const double> from = start.empty() ? std::span<const double>(neutral_) : start;
  std::copy(from.begin(), from.end(), start_.begin());
}

double IkJudge::cost(std::span<const double> q) {
  switch (preference_) {
    case IkPreference::any: break;
    case IkPreference::near: return from_start(q);
    case IkPreference::middle: return from_middle(q);
    case IkPreference::manipulability: return near_singular(q);
    case IkPreference::gravity: return gravity_torque(q);
  }
  return 0.0;
}

double IkJudge::from_start(std::span<const double> q) {
  difference(problem_.model, start_, q, way_);
  double sum = 0.0;
  for (const double x : way_) sum += x * x;
  return sum;
}

double IkJudge::from_middle(std::span<const double> q) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    const double low = problem_.model.lower_limits()[k], high = problem_.model.upper_limits()[k];
    if (!std::isfinite(high - low) || !(high > low)) continue;
    const double part = (2.0 * q[k] - low - high) / (high - low);
    sum += part * part;
  }
  return sum;
}

/// −log det(A Aᵀ) of the targets' rows, so that it counts in which proportion the determinant grows.
double IkJudge::near_singular(std::span<const double> q) {
  rows_.set_position(0, q.data());
  rows_.evaluate();
  return -rows_.log_determinant(0);
}

/// Σ τ², τ = −Σ m g·∂c/∂q over the bodies that a joint carries.
double IkJudge::gravity_torque(std::span<const double> q) {
  const Model& model = problem_.model;
  kinematics_.update_positions(q);
  std::fill(torque_.begin(), torque_.end(), 0.0);
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& carried = model.bodies()[i];
    const Frame own{{}, static_cast<int>(i), Pose<double>::identity()};
    const Vec3<double> centre = kinematics_.pose(own) * model.com(static_cast<int>(i));
    for (int j = static_cast<int>(i); j >= 0; j = model.bodies()[static_cast<std::size_t>(j)].parent) {
      const Body& body = model.bodies()[static_cast<std::size_t>(j)];
      for (int k = 0; k < degrees_of(body.kind); ++k)
        torque_[static_cast<std::size_t>(body.v_index + k)] -=
            carried.inertia.mass * dot(model.gravity(), kinematics_.unit_motion(body, k, centre).linear);
    }
  }
  double sum = 0.0;
  for (const double tau : torque_) sum += tau * tau;
  return sum;
}

/// By central differences: they are off by some 1e-11 of the third derivative, and by rounding of 1e-11 of the cost.
void IkJudge::slope(std::span<const double> q, std::span<double> to) {
  constexpr double h = 1e-5;
  std::fill(step_.begin(), step_.end(), 0.0);
  for (std::size_t k = 0; k < to.size(); ++k) {
    step_[k] = h;
    integrate(problem_.model, q, step_, try_);
    const double beyond = cost(try_);
    step_[k] = -h;
    integrate(problem_.model, q, step_, try_);
    to[k] = (beyond - cost(try_)) / (2.0 * h);
    step_[k] = 0.0;
  }
}

/// Steepest descent: the spare motion of an arm has one or two directions.
void IkJudge::improve(IkRefiner& refiner, std::span<double> q) {
  constexpr int most_rounds = 100;
  constexpr double most_reach = 1.0, least_reach = 1e-6;  // of a step, in radians
  double best = cost(q), reach = 0.2;
  for (int round = 0; round < most_rounds; ++round) {
    slope(q, gradient_);
    for (double& x : gradient_) x = -x;
    refiner.project(q, gradient_);
    double square = 0.0;
    for (const double x : gradient_) square += x * x;
    if (!(square > 1e-18)) return;
    bool better = false;
    for (; !better && reach > least_reach; reach *= better ? 2.0 : 0.4) {
      for (std::size_t k = 0; k < step_.size(); ++k) step_[k] = reach / std::sqrt(square) * gradient_[k];
      integrate(problem_.model, q, step_, try_);
      if (!refiner.arrive(try_)) continue;
      const double now = cost(try_);
      better = now < best;
      if (!better) continue;
      best = now;
      std::copy(try_.begin(), try_.end(), q.begin());
    }
    if (!better) return;
    reach = std::min(reach, most_reach);
  }
}

}  // namespace ulna

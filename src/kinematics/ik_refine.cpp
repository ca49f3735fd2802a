#include "ik_refine.hpp"

#include <cmath>
#include <numbers>

namespace ulna {

namespace {

constexpr double whole_turn = 2.0 * std::numbers::pi;

/// Of a hinge's range; where one end is open the turn next to the other one.
double middle_of(double low, double high) {
  if (std::isfinite(low) && std::isfinite(high)) return 0.5 * (low + high);
  if (std::isfinite(low)) return low + std::numbers::pi;
  return std::isfinite(high) ? high - std::numbers::pi : 0.0;
}

}  // namespace

IkRefiner::IkRefiner(const IkProblem& problem)
    : problem_(problem),
      steps_(problem),
      before_(static_cast<std::size_t>(problem.model.nq())),
      gradient_(static_cast<std::size_t>(problem.model.nv())) {}

IkResult IkRefiner::result() const {
  return {steps_.meets_tolerances(0), std::sqrt(steps_.position_error_squared(0)),
          std::sqrt(steps_.orientation_error_squared(0)), 0};
}

IkResult IkRefiner::errors(std::span<const double> q) {
  steps_.set_position(0, q.data());
  steps_.evaluate();
  return result();
}

bool IkRefiner::arrive(std::span<double> q) {
  constexpr int most_steps = 12;  // the error is squared by each, once it is small
  steps_.set_position(0, q.data());
  bool met = false;
  for (int k = 0; k < most_steps; ++k) {
    steps_.evaluate();
    if (met) break;  // one step more than needed takes the error to rounding
    met = steps_.meets_tolerances(0);
    steps_.step();
  }
  steps_.evaluate();
  steps_.get_position(0, q.data());
  return steps_.meets_tolerances(0);
}

/// Levenberg and Marquardt's rule: what makes the error worse is taken back and damped more.
IkResult IkRefiner::descend(std::span<double> q) {
  constexpr int most_steps = 400;
  constexpr double least_gain = 1e-6, most_gain = 1e12, settled = 1e-13;
  double gain = 1e-2;
  IkResult best = errors(q);
  double least = steps_.cost(0);
  for (int k = 0; k < most_steps && gain < most_gain; ++k) {
    steps_.set_damping_gain(gain);
    steps_.step();
    steps_.evaluate();
    const double cost = steps_.cost(0);
    if (cost < least) {
      const bool ends = least - cost < settled * least;
      least = cost;
      best = result();
      steps_.get_position(0, q.data());
      gain = std::max(gain / 5.0, least_gain);
      if (ends || best.solved) break;
    } else {
      gain *= 7.0;
      steps_.set_position(0, q.data());
      steps_.evaluate();
    }
  }
  steps_.restore_damping_gain();
  return best;
}

void IkRefiner::project(std::span<const double> q, std::span<double> direction) {
  steps_.set_position(0, q.data());
  steps_.evaluate();
  for (std::size_t j = 0; j < direction.size(); ++j) {
    const int iq = problem_.model.q_of_v()[j];
    if (iq < 0) continue;
    const double at = q[static_cast<std::size_t>(iq)];
    const bool leads_out =
        (at >= problem_.upper[j] && direction[j] > 0.0) || (at <= problem_.lower[j] && direction[j] < 0.0);
    if (!leads_out) continue;
    steps_.hold(static_cast<int>(j));
    direction[j] = 0.0;
  }
  steps_.project(direction);
}

bool IkRefiner::is_within(std::span<const double> q) const {
  for (std::size_t k = 0; k < q.size(); ++k)
    if (q[k] < problem_.model.lower_limits()[k] || q[k] > problem_.model.upper_limits()[k]) return false;
  return true;
}

std::vector<std::string> IkRefiner::pressing(std::span<const double> q) {
  steps_.set_position(0, q.data());
  steps_.evaluate();
  steps_.gradient(gradient_);
  std::vector<std::string> names;
  for (std::size_t j = 0; j < gradient_.size(); ++j) {
    const int iq = problem_.model.q_of_v()[j];
    if (iq < 0) continue;
    const double at = q[static_cast<std::size_t>(iq)];
    const bool up = at >= problem_.upper[j] && gradient_[j] > 0.0, down = at <= problem_.lower[j] && gradient_[j] < 0.0;
    if (up || down) names.push_back(problem_.model.joint_of(static_cast<int>(j)).name);
  }
  return names;
}

bool bring_into_limits(const Model& model, std::span<const double> centre, std::span<double> q) {
  bool within = true;
  for (const Body& body : model.bodies()) {
    const auto k = static_cast<std::size_t>(body.q_index);
    if (!has_one_degree(body.kind)) continue;
    const double low = model.lower_limits()[k], high = model.upper_limits()[k];
    if (is_hinge(body.kind) && !body.shares) {  // a whole turn of it is none of a joint that follows
      const double middle = middle_of(low, high);
      const auto near = [&](double to) { return q[k] - whole_turn * std::nearbyint((q[k] - to) / whole_turn); };
      const double wanted = near(centre.empty() ? middle : centre[k]);
      q[k] = wanted < low || wanted > high ? near(middle) : wanted;
    }
    within = within && q[k] >= low && q[k] <= high;
  }
  return within;
}

double IkDistance::operator()(std::span<const double> a, std::span<const double> b) {
  difference(model_, a, b, step_);
  double sum = 0.0;
  for (const Body& body : model_.bodies()) {
    const auto k = static_cast<std::size_t>(body.v_index);
    if (is_hinge(body.kind) && !body.shares) step_[k] = std::remainder(step_[k], whole_turn);
  }
  for (const double x : step_) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace ulna

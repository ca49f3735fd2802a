#include "joint_moments.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

namespace {

constexpr std::size_t moments_at_once = PackDouble::lanes;

/// max(p, 0) with its corner rounded within the width, and its derivatives.
struct Given {
  Given(double p, double width) : root(std::hypot(p, width)), value(0.5 * (p + root)), slope(value / root) {
    second = 0.5 * width * width / (root * root * root);
  }
  double root, value, slope, second;
};

}  // namespace

/// What a joint does at a moment.
struct [[gnu::visibility("hidden")]] JointMoments::Joint {
  double v, tau;
  double power() const { return v * tau; }
};

JointMoments::JointMoments(const Model& model, const TimingLimits& limits, LeastOf least, std::size_t degree)
    : model_(model),
      n_(static_cast<std::size_t>(model.nv())),
      size_of_x_((degree + 1) * n_),
      least_(least),
      dynamics_(model),
      derivatives_(model),
      kinematics_(model),
      unit_(n_),
      tip_slope_(n_) {
  const auto add = [&](What what, const std::vector<double>& list) {
    for (std::size_t j = 0; j < list.size(); ++j)
      if (std::isfinite(list[j])) rows_.push_back({what, j, list[j]});
  };
  add(What::torque, limits.torque);
  add(What::power, limits.power);
  add(What::velocity, limits.velocity);
  add(What::acceleration, limits.acceleration);
  if (degree > 2) add(What::jerk, limits.jerk);
  if (std::isfinite(limits.tip_speed)) rows_.push_back({What::tip_speed, 0, limits.tip_speed});
  for (Packs* packs : {&q_, &v_, &a_, &tau_, &weights_, &zero_}) packs->assign(n_, PackDouble(0.0));
  for (Packs* packs : {&by_q_, &by_v_, &M_, &next_q_, &next_v_, &next_M_}) packs->assign(n_ * n_, PackDouble(0.0));
}

/// The states of some moments; the last one stands in for those that lack.
void JointMoments::load(std::span<const double> x, std::size_t first) {
  const std::size_t count = x.size() / size_of_x_;
  for (std::size_t lane = 0; lane < moments_at_once; ++lane) {
    const double* state = &x[std::min(first + lane, count - 1) * size_of_x_];
    for (std::size_t j = 0; j < n_; ++j) {
      const int l = static_cast<int>(lane);
      q_[j].set(l, state[j]);
      v_[j].set(l, state[n_ + j]);
      a_[j].set(l, state[2 * n_ + j]);
    }
  }
  newton_euler::inverse_dynamics<PackDouble>(model_, dynamics_, q_, v_, a_, tau_);
}

JointMoments::Joint JointMoments::joint_at(std::size_t j, const double* x, std::size_t lane) const {
  return {x[n_ + j], tau_[j][static_cast<int>(lane)]};
}

Vec3<double> JointMoments::tip_velocity(const double* x) {
  kinematics_.update_positions({x, n_});
  kinematics_.update_velocities({x + n_, n_});
  return kinematics_.velocity(model_.tip(), Reference::world_axes).linear;
}

double JointMoments::value_of(const Row& row, const double* x, std::size_t lane) const {
  switch (row.what) {
    case What::torque: return joint_at(row.joint, x, lane).tau / row.limit;
    case What::power: return joint_at(row.joint, x, lane).power() / row.limit;
    case What::velocity: return x[n_ + row.joint] / row.limit;
    case What::acceleration: return x[2 * n_ + row.joint] / row.limit;
    default: return x[3 * n_ + row.joint] / row.limit;
  }
}

double JointMoments::cost_of(const double* x, std::size_t lane) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < n_ && least_ != LeastOf::time; ++j) {
    const Joint joint = joint_at(j, x, lane);
    sum += least_ == LeastOf::torque ? joint.tau * joint.tau : Given(joint.power(), width_).value;
  }
  return sum;
}

void JointMoments::set_width(std::span<const double> x) {
  constexpr double part = 1e-3;
  double most = 0.0;
  for (std::size_t m = 0; m < x.size() / size_of_x_; ++m) {
    if (m % moments_at_once == 0) load(x, m);
    for (std::size_t j = 0; j < n_; ++j)
      most = std::max(most, std::abs(joint_at(j, &x[m * size_of_x_], m % moments_at_once).power()));
  }
  width_ = part * most;
}

void JointMoments::values(std::span<const double> x, std::span<double> g, std::span<double> cost) {
  for (std::size_t m = 0; m < cost.size(); ++m) {
    const std::size_t lane = m % moments_at_once;
    if (lane == 0) load(x, m);
    const double* state = &x[m * size_of_x_];
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const double limit = rows_[r].limit;
      // the square, which is smooth at rest
      g[m * rows_.size() + r] = rows_[r].what == What::tip_speed
                                    ? dot(tip_velocity(state), tip_velocity(state)) / (limit * limit)
                                    : value_of(rows_[r], state, lane);
    }
    cost[m] = cost_of(state, lane);
  }
}

/// How much each torque counts in the weighted sum: its second derivatives are those of Σ weight·τ, and products.
void JointMoments::set_weights(std::span<const double> x, std::span<const double> weight, double cost_weight,
                               std::size_t first) {
  const std::size_t count = x.size() / size_of_x_;
  std::fill(weights_.begin(), weights_.end(), PackDouble(0.0));
  for (std::size_t lane = 0; lane < moments_at_once && first + lane < count; ++lane) {
    const auto add = [&](std::size_t j, double value) {
      const int l = static_cast<int>(lane);
      weights_[j].set(l, weights_[j][l] + value);
    };
    const double* state = &x[(first + lane) * size_of_x_];
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Row& row = rows_[r];
      const double w = weight[(first + lane) * rows_.size() + r] / row.limit;
      if (row.what == What::torque) add(row.joint, w);
      if (row.what == What::power) add(row.joint, w * state[n_ + row.joint]);
    }
    for (std::size_t j = 0; j < n_ && least_ != LeastOf::time; ++j) {
      const Joint joint = joint_at(j, state, lane);
      add(j,
          cost_weight * (least_ == LeastOf::torque ? 2.0 * joint.tau : Given(joint.power(), width_).slope * joint.v));
    }
  }
}

double JointMoments::torque_slope(std::size_t j, std::size_t i, std::size_t lane) const {
  const Packs& part = i < n_ ? by_q_ : i < 2 * n_ ? by_v_ : M_;
  return part[i % n_ * n_ + j][static_cast<int>(lane)];
}

/// Second derivatives of Σ weight·τ: differences of the exact first ones, one position or velocity after the other.
/// They decide how quickly the optimum is found, not what it is. Accelerations count linearly.
void JointMoments::add_second(std::size_t first, std::size_t count, std::span<double> second) {
  constexpr double further = 1e-6;
  const int size = static_cast<int>(n_);
  const std::size_t nx = size_of_x_;
  for (std::size_t i = 0; i < 2 * n_; ++i) {
    PackDouble& moved = i < n_ ? q_[i] : v_[i - n_];
    const PackDouble here = moved;
    moved = here + PackDouble(further);
    newton_euler::inverse_derivatives<PackDouble>(model_, derivatives_, q_, v_, a_, {next_q_.data(), size, size},
                                                  {next_v_.data(), size, size}, {next_M_.data(), size, size});
    moved = here;
    const std::size_t parts = i < n_ ? 3 : 2;  // M does not depend on v
    for (std::size_t column = 0; column < parts * n_; ++column) {
      const Packs& before = column < n_ ? by_q_ : column < 2 * n_ ? by_v_ : M_;
      const Packs& after = column < n_ ? next_q_ : column < 2 * n_ ? next_v_ : next_M_;
      PackDouble sum(0.0);
      for (std::size_t j = 0; j < n_; ++j) {
        const std::size_t at = column % n_ * n_ + j;
        sum += weights_[j] * (after[at] - before[at]);
      }
      for (std::size_t lane = 0; lane < moments_at_once && first + lane < count; ++lane) {
        // each pair of q and v comes twice, by differences of either
        const double part = column < 2 * n_ ? 0.5 : 1.0, value = part * sum[static_cast<int>(lane)] / further;
        double* matrix = &second[(first + lane) * nx * nx];
        matrix[i * nx + column] += value;
        matrix[column * nx + i] += value;
      }
    }
  }
}

/// What powers and costs, which are products, have of second derivatives by first ones.
void JointMoments::add_products(const double* x, const double* weight, double cost_weight, std::size_t lane,
                                double* second) const {
  const std::size_t nx = size_of_x_;
  const auto add_cross = [&](std::size_t j, double factor) {  // of v and τ
    for (std::size_t i = 0; i < 3 * n_; ++i) {
      const double value = factor * torque_slope(j, i, lane);
      second[(n_ + j) * nx + i] += value;
      second[i * nx + n_ + j] += value;
    }
  };
  const auto add_square = [&](std::size_t j, double factor, double of_torque, double of_v) {
    const auto slope = [&](std::size_t i) { return of_torque * torque_slope(j, i, lane) + (i == n_ + j ? of_v : 0.0); };
    for (std::size_t i = 0; i < 3 * n_; ++i)
      for (std::size_t k = 0; k < 3 * n_; ++k) second[i * nx + k] += factor * slope(i) * slope(k);
  };
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].what == What::power) add_cross(rows_[r].joint, weight[r] / rows_[r].limit);
  for (std::size_t j = 0; j < n_ && cost_weight > 0.0; ++j) {
    const Joint joint = joint_at(j, x, lane);
    if (least_ == LeastOf::torque) {
      add_square(j, 2.0 * cost_weight, 1.0, 0.0);
    } else {
      const Given given(joint.power(), width_);
      add_cross(j, cost_weight * given.slope);
      add_square(j, cost_weight * given.second, joint.v, joint.tau);
    }
  }
}

/// Of |J v|²: by v it is J, by q it is J̇, whose column i is half of what J̇ v has of v and unit i together.
void JointMoments::set_tip_slope(const double* x, double limit, double* slope) {
  const Vec3<double> velocity = tip_velocity(x);
  const std::span<const double> v(x + n_, n_);
  const auto bias = [&](std::span<const double> rates) {
    kinematics_.update_velocities(rates);
    kinematics_.update_bias_accelerations(rates);
    return kinematics_.acceleration(model_.tip(), Reference::world_axes).linear;
  };
  const Vec3<double> own = bias(v);
  const double factor = 2.0 / (limit * limit);
  for (std::size_t i = 0; i < n_; ++i) {
    std::fill(unit_.begin(), unit_.end(), 0.0);
    unit_[i] = 1.0;
    const Vec3<double> alone = bias(unit_);
    const Vec3<double> column = kinematics_.velocity(model_.tip(), Reference::world_axes).linear;
    for (std::size_t k = 0; k < n_; ++k) unit_[k] += v[k];
    slope[i] = factor * 0.5 * dot(velocity, bias(unit_) - own - alone);
    slope[n_ + i] = factor * dot(velocity, column);
  }
}

void JointMoments::set_slopes(const double* x, std::size_t lane, double* slopes, double* cost_slope) {
  const std::size_t nx = size_of_x_;
  const auto add = [&](double* slope, std::size_t j, double of_torque, double of_v) {
    for (std::size_t i = 0; i < 3 * n_; ++i) slope[i] += of_torque * torque_slope(j, i, lane);
    slope[n_ + j] += of_v;
  };
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto& [what, j, limit] = rows_[r];
    double* slope = slopes + r * nx;
    const Joint joint = joint_at(j, x, lane);
    switch (what) {
      case What::torque: add(slope, j, 1.0 / limit, 0.0); break;
      case What::power: add(slope, j, joint.v / limit, joint.tau / limit); break;
      case What::velocity: slope[n_ + j] = 1.0 / limit; break;
      case What::acceleration: slope[2 * n_ + j] = 1.0 / limit; break;
      case What::jerk: slope[3 * n_ + j] = 1.0 / limit; break;
      case What::tip_speed: set_tip_slope(x, limit, slope); break;
    }
  }
  for (std::size_t j = 0; j < n_ && least_ != LeastOf::time; ++j) {
    const Joint joint = joint_at(j, x, lane);
    const Given given(joint.power(), width_);
    least_ == LeastOf::torque ? add(cost_slope, j, 2.0 * joint.tau, 0.0)
                              : add(cost_slope, j, given.slope * joint.v, given.slope * joint.tau);
  }
}

void JointMoments::derivatives(std::span<const double> x, std::span<const double> weight, double cost_weight,
                               std::span<double> slopes, std::span<double> cost_slope, std::span<double> second) {
  const std::size_t nx = size_of_x_, count = x.size() / nx;
  const int size = static_cast<int>(n_);
  for (const std::span<double> part : {slopes, cost_slope, second}) std::fill(part.begin(), part.end(), 0.0);
  for (std::size_t m = 0; m < count; ++m) {
    const std::size_t lane = m % moments_at_once;
    if (lane == 0) {
      load(x, m);
      newton_euler::inverse_derivatives<PackDouble>(model_, derivatives_, q_, v_, a_, {by_q_.data(), size, size},
                                                    {by_v_.data(), size, size}, {M_.data(), size, size});
      set_weights(x, weight, cost_weight, m);
      add_second(m, count, second);
    }
    set_slopes(&x[m * nx], lane, &slopes[m * rows_.size() * nx], &cost_slope[m * nx]);
    add_products(&x[m * nx], &weight[m * rows_.size()], cost_weight, lane, &second[m * nx * nx]);
  }
}

}  // namespace ulna

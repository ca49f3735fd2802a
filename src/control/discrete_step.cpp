#include "discrete_step.hpp"

#include <array>

#include "ulna/model/local_coordinates.hpp"
#include "ulna/spatial/lie.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna::control {

namespace {

std::size_t product_of(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

/// Of the classical method: where the stages stand, and what they count for.
constexpr std::array<double, 4> places{0.0, 0.5, 0.5, 1.0}, shares{1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

/// to = from + factor · x, all columns.
void put_sum(const Panel& from, double factor, const Panel& x, Panel& to) {
  const Row8 f(factor);
  for (int j = 0; j < to.cols; ++j)
    for (int i = 0; i < to.stride; i += 8)
      (Row8::load(from.column(j) + i) + f * Row8::load(x.column(j) + i)).store(to.column(j) + i);
}

}  // namespace

Rollout::Rollout(const Model& model, int knots, int stages, int inputs)
    : q(product_of(model.nq(), knots * stages)),
      v(product_of(model.nv(), knots * stages)),
      tau(product_of(model.nv(), knots * stages)),
      q_end(static_cast<std::size_t>(model.nq())),
      v_end(static_cast<std::size_t>(model.nv())),
      torque(product_of(inputs, knots)) {}

DiscreteStep::DiscreteStep(const Model& model, const ControlProblem& problem, std::vector<int> actuated)
    : model_(model),
      actuated_(std::move(actuated)),
      n_(model.nv()),
      nq_(model.nq()),
      stages_(problem.method == ControlStep::rk4 ? 4 : 1),
      inputs_(static_cast<int>(actuated_.size())),
      h_(problem.step),
      turns_(nq_ != n_),
      method_(problem.compiled ? compile<double>(model, Quantity::forward_dynamics).method
                               : make_method<double>("auto", Quantity::forward_dynamics, model)),
      batch_(model, {.compiled = problem.compiled, .threads = 1}),
      a_(product_of(n_, stages_ * problem.knots)),
      dq_(product_of(n_ * n_, stages_ * problem.knots) + 8),
      dv_(dq_.size()),
      dtau_(dq_.size()),
      accelerations_(product_of(n_, stages_)),
      step_(static_cast<std::size_t>(n_)),
      first_position_(n_, 2 * n_ + inputs_),
      first_velocity_(n_, 2 * n_ + inputs_),
      xi_(n_, 2 * n_ + inputs_),
      eta_(n_, 2 * n_ + inputs_),
      alpha_(n_, 2 * n_ + inputs_),
      sum_eta_(n_, 2 * n_ + inputs_),
      sum_alpha_(n_, 2 * n_ + inputs_) {
  for (int k = 0; k < n_; ++k) first_position_(k, k) = first_velocity_(k, n_ + k) = 1.0;
  batch_.prepare(Quantity::forward_derivatives);
}

void DiscreteStep::advance(Rollout& rollout, int knot, double* q, double* v) {
  const auto n = static_cast<std::size_t>(n_), nq = static_cast<std::size_t>(nq_);
  const auto first = static_cast<std::size_t>(knot * stages_);
  const auto q_of = [&](std::size_t stage) { return std::span(&rollout.q[(first + stage) * nq], nq); };
  const auto v_of = [&](std::size_t stage) { return std::span(&rollout.v[(first + stage) * n], n); };
  const auto a_of = [&](std::size_t stage) { return std::span(&accelerations_[stage * n], n); };
  for (std::size_t s = 0; s < static_cast<std::size_t>(stages_); ++s) {
    const std::span tau(&rollout.tau[(first + s) * n], n);
    std::fill(tau.begin(), tau.end(), 0.0);
    for (int k = 0; k < inputs_; ++k)
      tau[static_cast<std::size_t>(actuated_[static_cast<std::size_t>(k)])] =
          rollout.torque[static_cast<std::size_t>(knot * inputs_ + k)];
    if (s > 0) {
      for (std::size_t i = 0; i < n; ++i) {
        step_[i] = places[s] * h_ * v_of(s - 1)[i];
        v_of(s)[i] = v_of(0)[i] + places[s] * h_ * a_of(s - 1)[i];
      }
      integrate<double>(model_, q_of(0), step_, q_of(s));
    }
    method_->forward_dynamics(q_of(s), v_of(s), tau, a_of(s));
  }
  for (std::size_t i = 0; i < n; ++i) {
    double rate = 0.0, change = 0.0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stages_); ++s) {
      const double share = stages_ == 1 ? 1.0 : shares[s];
      rate += share * v_of(s)[i];
      change += share * h_ * a_of(s)[i];
    }
    v[i] = v_of(0)[i] + change;
    step_[i] = h_ * (stages_ == 1 ? v[i] : rate);  // the semi-implicit one moves at its new velocity
  }
  integrate<double>(model_, q_of(0), step_, std::span(q, nq));
}

/// Where q is advanced by `step` and that changes by `moved`, rotations carry the change along: in `position`, which
/// has the plain sum, for the joints with a quaternion.
void DiscreteStep::turn(std::span<const double> step, const Panel& moved, Panel& position) const {
  for (const Body& body : model_.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    const int at = body.v_index;
    const Vec3<double> s = Vec3<double>::load(&step[static_cast<std::size_t>(at)]);
    const Mat3<double> back = transpose(exp_rotation(s)), J = body_jacobian(s);
    for (int j = 0; j < position.cols; ++j) {
      const Vec3<double> before = Vec3<double>::load(first_position_.column(j) + at),
                         change = Vec3<double>::load(moved.column(j) + at);
      (back * before + J * change).store(position.column(j) + at);
      if (body.kind != JointKind::free) continue;
      const Vec3<double> way = Vec3<double>::load(&step[static_cast<std::size_t>(at + 3)]);
      const Vec3<double> shift =
          Vec3<double>::load(first_position_.column(j) + at + 3) + Vec3<double>::load(moved.column(j) + at + 3);
      (back * (shift + cross(before, way))).store(position.column(j) + at + 3);
    }
  }
}

/// α of the first stage, where ξ and η are the directions of x themselves.
void DiscreteStep::take(int column, Panel& alpha) const {
  const std::size_t at = static_cast<std::size_t>(column) * product_of(n_, n_);
  for (int j = 0; j < n_; ++j) {
    std::copy_n(&dq_[at + product_of(j, n_)], n_, alpha.column(j));
    std::copy_n(&dv_[at + product_of(j, n_)], n_, alpha.column(n_ + j));
  }
  for (int k = 0; k < inputs_; ++k)
    std::copy_n(&dtau_[at + product_of(actuated_[static_cast<std::size_t>(k)], n_)], n_, alpha.column(2 * n_ + k));
}

/// α = ∂a/∂q ξ + ∂a/∂v η + ∂a/∂τ of the torques, at one stage.
void DiscreteStep::accelerate(int column, Panel& alpha) {
  const std::size_t at = static_cast<std::size_t>(column) * product_of(n_, n_);
  const int packs = alpha.stride / 8;
  multiply<false>(packs, n_, alpha.cols, &dq_[at], n_, xi_.column(0), xi_.stride, alpha.column(0), alpha.stride);
  multiply<true>(packs, n_, alpha.cols, &dv_[at], n_, eta_.column(0), eta_.stride, alpha.column(0), alpha.stride);
  for (int k = 0; k < inputs_; ++k) {
    const double* from = &dtau_[at + product_of(actuated_[static_cast<std::size_t>(k)], n_)];
    double* to = alpha.column(2 * n_ + k);
    for (int i = 0; i < n_; ++i) to[i] += from[i];
  }
}

void DiscreteStep::derive(const Rollout& rollout, int knot, StepDerivative& result) {
  const auto n = static_cast<std::size_t>(n_);
  const double* rates = &rollout.v[static_cast<std::size_t>(knot * stages_) * n];
  if (stages_ == 1) {
    take(knot, alpha_);
    put_sum(first_velocity_, h_, alpha_, result.velocity);
    put_sum(first_position_, h_, result.velocity, result.position);
    if (!turns_) return;
    for (std::size_t i = 0; i < n; ++i) step_[i] = h_ * (rates[i] + h_ * a_[static_cast<std::size_t>(knot) * n + i]);
    sum_eta_.clear();
    put_sum(sum_eta_, h_, result.velocity, sum_eta_);
    return turn(step_, sum_eta_, result.position);
  }
  eta_ = first_velocity_;
  sum_eta_.clear();
  sum_alpha_.clear();
  for (int s = 0; s < stages_; ++s) {
    const auto stage = static_cast<std::size_t>(s);
    if (s > 0) {
      put_sum(first_position_, places[stage] * h_, eta_, xi_);
      if (turns_) {
        for (std::size_t i = 0; i < n; ++i) step_[i] = places[stage] * h_ * rates[(stage - 1) * n + i];
        for (int j = 0; j < eta_.cols; ++j)
          for (int i = 0; i < n_; ++i) eta_(i, j) *= places[stage] * h_;
        turn(step_, eta_, xi_);
      }
      put_sum(first_velocity_, places[stage] * h_, alpha_, eta_);
    }
    if (s == 0)
      take(knot * stages_, alpha_);
    else
      accelerate(knot * stages_ + s, alpha_);
    put_sum(sum_eta_, shares[stage] * h_, eta_, sum_eta_);
    put_sum(sum_alpha_, shares[stage] * h_, alpha_, sum_alpha_);
  }
  put_sum(first_velocity_, 1.0, sum_alpha_, result.velocity);
  put_sum(first_position_, 1.0, sum_eta_, result.position);
  if (!turns_) return;
  for (std::size_t i = 0; i < n; ++i) {
    step_[i] = 0.0;
    for (std::size_t s = 0; s < places.size(); ++s) step_[i] += shares[s] * h_ * rates[s * n + i];
  }
  turn(step_, sum_eta_, result.position);
}

void DiscreteStep::differentiate(const Rollout& rollout, std::vector<StepDerivative>& derivatives) {
  const int knots = static_cast<int>(derivatives.size()), columns = knots * stages_;
  const auto square = [&](std::vector<double>& m) { return MatrixView<double>{m.data(), n_ * n_, columns}; };
  const auto wide = [&](const std::vector<double>& m, int rows) {
    return MatrixView<const double>{m.data(), rows, columns};
  };
  batch_.forward_derivatives(wide(rollout.q, nq_), wide(rollout.v, n_), wide(rollout.tau, n_), {a_.data(), n_, columns},
                             square(dq_), square(dv_), square(dtau_));
  for (int k = 0; k < knots; ++k) derive(rollout, k, derivatives[static_cast<std::size_t>(k)]);
}

}  // namespace ulna::control

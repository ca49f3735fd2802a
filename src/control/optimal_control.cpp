#include "ulna/control/optimal_control.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "box_qp.hpp"
#include "discrete_step.hpp"
#include "motion_cost.hpp"
#include "ulna/base/error.hpp"
#include "ulna/control/linearise.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace control {
namespace {

std::vector<int> motors_of(const Model& model, const ControlProblem& problem) {
  if (!model.loops().empty()) throw InputError("optimal control is for robots without closed loops");
  if (problem.knots < 1 || problem.knots > 1'000'000) throw InputError("knots: from 1 to a million");
  if (!(problem.step > 0.0) || !std::isfinite(problem.step)) throw InputError("step: a positive number of seconds");
  std::vector<int> motors = problem.actuated.empty() ? motor_indices(model) : problem.actuated;
  for (const int k : motors)
    if (k < 0 || k >= model.nv() || std::ranges::count(motors, k) > 1)
      throw InputError(fmt::format("actuated: {} is no velocity index, or there twice", k));
  if (motors.empty()) throw InputError("there is no joint with a motor");
  return motors;
}

std::vector<double> bounds_of(const Model& model, const std::vector<int>& motors, const std::vector<double>& given,
                              double sign) {
  if (!given.empty() && given.size() != motors.size())
    throw InputError(fmt::format("limits of torque: {} are given for {} motors", given.size(), motors.size()));
  std::vector<double> bounds = given;
  for (std::size_t k = bounds.size(); k < motors.size(); ++k)
    bounds.push_back(sign * model.joint_of(motors[k]).limits.effort);
  for (const double x : bounds)
    if (std::isnan(x)) throw InputError("limits of torque: one is not a number");
  return bounds;
}

}  // namespace
}  // namespace control

using namespace control;

struct [[gnu::visibility("hidden")]] OptimalControl::Implementation {
  Implementation(const Model& robot, const ControlProblem& problem);

  std::span<double> position(Rollout & r, int knot) const {
    return knot == knots ? std::span(r.q_end) : std::span(&r.q[at(knot * stages, nq)], static_cast<std::size_t>(nq));
  }
  std::span<double> velocity(Rollout & r, int knot) const {
    return knot == knots ? std::span(r.v_end) : std::span(&r.v[at(knot * stages, n)], static_cast<std::size_t>(n));
  }
  std::span<double> inputs(Rollout & r, int knot) const {
    return {&r.torque[at(knot, m)], static_cast<std::size_t>(m)};
  }
  static std::size_t at(int k, int width) { return static_cast<std::size_t>(k) * static_cast<std::size_t>(width); }

  void roll(Rollout & to, const Rollout* around, double length);
  bool go_back();
  bool go_back_from(int knot);
  void put_value(int knot);
  Outcome search();

  const Model& model;
  int n, nq, m, stages, knots, wide;
  std::vector<double> lower, upper;
  Lineariser lineariser;
  DiscreteStep step;
  MotionCost cost;
  Rollout now, next;
  std::vector<StepDerivative> derivatives;
  std::vector<Panel> K;                     // m × 2n, of u + K x
  std::vector<double> k;                    // m of each knot
  Panel V, H, W, turned, Kt, rest, answer;  // value, Q function, V F, Fᵀ, Kᵀ, Quu K + Qux, −Quu⁻¹
  std::vector<double> Vx, g, low, high, change;
  BoxQp box;
  double regular = 0.0, growth = 1.0;
  std::array<double, 2> promised{};  // of a step of length α: α first + α² second
};

OptimalControl::Implementation::Implementation(const Model& robot, const ControlProblem& problem)
    : model(robot),
      n(robot.nv()),
      nq(robot.nq()),
      m(static_cast<int>(motors_of(robot, problem).size())),
      stages(problem.method == ControlStep::rk4 ? 4 : 1),
      knots(problem.knots),
      wide(2 * n + m),
      lower(bounds_of(robot, motors_of(robot, problem), problem.lower, -1.0)),
      upper(bounds_of(robot, motors_of(robot, problem), problem.upper, 1.0)),
      lineariser(robot, motors_of(robot, problem)),
      step(robot, problem, motors_of(robot, problem)),
      cost(robot, problem, m),
      now(robot, knots, stages, m),
      next(now),
      derivatives(static_cast<std::size_t>(knots), StepDerivative{Panel(n, wide), Panel(n, wide)}),
      K(static_cast<std::size_t>(knots), Panel(m, 2 * n)),
      k(at(knots, m)),
      V(2 * n, 2 * n),
      H(wide, wide),
      W(2 * n, wide),
      turned(wide, 2 * n),
      Kt(2 * n, m),
      rest(m, 2 * n),
      answer(m, m),
      Vx(at(2, n)),
      g(static_cast<std::size_t>(wide)),
      low(static_cast<std::size_t>(m)),
      high(low),
      change(at(2, n)),
      box(m) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (!(lower[i] < upper[i])) throw InputError("limits of torque: the lower one is not below the upper one");
}

/// The motion of the torques in `to`, or of those around another motion, changed by `length` steps and the feedback.
void OptimalControl::Implementation::roll(Rollout& to, const Rollout* around, double length) {
  to.cost = 0.0;
  for (int i = 0; i < knots; ++i) {
    const std::span<double> u = inputs(to, i);
    if (around != nullptr) {
      auto& from = const_cast<Rollout&>(*around);  // NOLINT: read only
      difference(model, position(from, i), position(to, i), std::span(change).first(static_cast<std::size_t>(n)));
      for (int j = 0; j < n; ++j)
        change[static_cast<std::size_t>(n + j)] =
            velocity(to, i)[static_cast<std::size_t>(j)] - velocity(from, i)[static_cast<std::size_t>(j)];
      const Panel& feedback = K[static_cast<std::size_t>(i)];
      for (int r = 0; r < m; ++r) {
        double x = inputs(from, i)[static_cast<std::size_t>(r)] + length * k[at(i, m) + static_cast<std::size_t>(r)];
        for (int c = 0; c < 2 * n; ++c) x += feedback(r, c) * change[static_cast<std::size_t>(c)];
        u[static_cast<std::size_t>(r)] = x;
      }
    }
    for (std::size_t r = 0; r < u.size(); ++r) u[r] = std::clamp(u[r], lower[r], upper[r]);
    to.cost += cost.value(position(to, i), velocity(to, i), u);
    step.advance(to, i, position(to, i + 1).data(), velocity(to, i + 1).data());
  }
  to.cost += cost.value(to.q_end, to.v_end, {});
}

/// Value function of a knot from its Q function and the torques' answer.
void OptimalControl::Implementation::put_value(int knot) {
  const auto i = static_cast<std::size_t>(knot);
  const double* own = &k[at(knot, m)];
  Panel& feedback = K[i];
  const double* Quu = &H(2 * n, 2 * n);
  // Quu K + Qux, with Quu as it is and not as it was made definite.
  for (int c = 0; c < 2 * n; ++c) {
    std::copy_n(&H(2 * n, c), m, rest.column(c));
    for (int r = 0; r < m; ++r) Kt(c, r) = feedback(r, c);
  }
  multiply<true>(rest.stride / 8, m, 2 * n, Quu, H.stride, feedback.column(0), feedback.stride, rest.column(0),
                 rest.stride);
  for (int c = 0; c < 2 * n; ++c) {
    std::copy_n(H.column(c), 2 * n, V.column(c));
    double sum = g[static_cast<std::size_t>(c)];
    for (int r = 0; r < m; ++r) sum += feedback(r, c) * g[static_cast<std::size_t>(2 * n + r)] + rest(r, c) * own[r];
    Vx[static_cast<std::size_t>(c)] = sum;
  }
  multiply<true>(V.stride / 8, m, 2 * n, Kt.column(0), Kt.stride, rest.column(0), rest.stride, V.column(0), V.stride);
  multiply<true>(V.stride / 8, m, 2 * n, H.column(2 * n), H.stride, feedback.column(0), feedback.stride, V.column(0),
                 V.stride);
  for (int c = 0; c < 2 * n; ++c)
    for (int r = 0; r < c; ++r) V(r, c) = V(c, r) = 0.5 * (V(r, c) + V(c, r));
  for (int r = 0; r < m; ++r) {
    double Quk = 0.0;
    for (int p = 0; p < m; ++p) Quk += Quu[r + p * H.stride] * own[p];
    promised[0] += own[r] * g[static_cast<std::size_t>(2 * n + r)];
    promised[1] += 0.5 * own[r] * Quk;
  }
}

bool OptimalControl::Implementation::go_back_from(int knot) {
  const StepDerivative& F = derivatives[static_cast<std::size_t>(knot)];
  for (int c = 0; c < wide; ++c) {
    for (int r = 0; r < n; ++r) {
      turned(c, r) = F.position(r, c);
      turned(c, n + r) = F.velocity(r, c);
    }
  }
  const int packs = V.stride / 8;
  multiply<false>(packs, n, wide, V.column(0), V.stride, F.position.column(0), F.position.stride, W.column(0),
                  W.stride);
  multiply<true>(packs, n, wide, V.column(n), V.stride, F.velocity.column(0), F.velocity.stride, W.column(0), W.stride);
  multiply<false>(H.stride / 8, 2 * n, wide, turned.column(0), turned.stride, W.column(0), W.stride, H.column(0),
                  H.stride);
  for (int c = 0; c < wide; ++c) {
    double sum = 0.0;
    for (int r = 0; r < 2 * n; ++r) sum += turned(c, r) * Vx[static_cast<std::size_t>(r)];
    g[static_cast<std::size_t>(c)] = sum;
  }
  const std::span<double> u = inputs(now, knot);
  cost.differentiate(position(now, knot), velocity(now, knot), u, g, H);
  for (std::size_t r = 0; r < u.size(); ++r) {
    low[r] = lower[r] - u[r];
    high[r] = upper[r] - u[r];
  }
  double* Quu = &H(2 * n, 2 * n);
  std::ranges::fill(change, 0.0);
  for (int r = 0; r < m; ++r) Quu[r + r * H.stride] += regular;
  const std::span<double> own(&k[at(knot, m)], static_cast<std::size_t>(m));
  if (!box.solve(Quu, H.stride, std::span(g).last(static_cast<std::size_t>(m)), low, high, own)) return false;
  Panel& feedback = K[static_cast<std::size_t>(knot)];
  for (int r = 0; r < m; ++r) {  // −Quu⁻¹ on the free ones, times Qux
    change[static_cast<std::size_t>(r)] = 1.0;
    box.respond(change.data(), answer.column(r));
    change[static_cast<std::size_t>(r)] = 0.0;
  }
  multiply<false>(answer.stride / 8, m, 2 * n, answer.column(0), answer.stride, &H(2 * n, 0), H.stride,
                  feedback.column(0), feedback.stride);
  for (int r = 0; r < m; ++r) Quu[r + r * H.stride] -= regular;
  put_value(knot);
  return true;
}

/// False: at some knot the torques' second derivative is not positive.
bool OptimalControl::Implementation::go_back() {
  promised = {};
  std::ranges::fill(g, 0.0);
  H.clear();
  cost.differentiate(now.q_end, now.v_end, {}, g, H);
  for (int c = 0; c < 2 * n; ++c) {
    std::copy_n(H.column(c), 2 * n, V.column(c));
    Vx[static_cast<std::size_t>(c)] = g[static_cast<std::size_t>(c)];
  }
  for (int i = knots - 1; i >= 0; --i)
    if (!go_back_from(i)) return false;
  return true;
}

/// Shorter and shorter steps until one keeps a part of its promise.
OptimalControl::Outcome OptimalControl::Implementation::search() {
  constexpr double kept = 1e-4, shortest = 1e-4;
  std::ranges::copy(position(now, 0), position(next, 0).begin());
  std::ranges::copy(velocity(now, 0), velocity(next, 0).begin());
  for (double length = 1.0; length > shortest; length *= 0.5) {
    const double promise = -length * (promised[0] + length * promised[1]);
    if (promise <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(now.cost))
      return length == 1.0 ? Outcome::converged : Outcome::stuck;
    roll(next, &now, length);
    if (std::isfinite(next.cost) && now.cost - next.cost >= kept * promise) {
      std::swap(now, next);
      return Outcome::better;
    }
  }
  return Outcome::stuck;
}

OptimalControl::OptimalControl(const Model& model, ControlProblem problem)
    : implementation_(std::make_unique<Implementation>(model, problem)) {}
OptimalControl::OptimalControl(OptimalControl&&) noexcept = default;
OptimalControl& OptimalControl::operator=(OptimalControl&&) noexcept = default;
OptimalControl::~OptimalControl() = default;

OptimalControl::Outcome OptimalControl::iterate() {
  constexpr double least = 1e-6, most = 1e10, factor = 1.6;  // of the regularisation, and how it grows (Tassa 2012)
  Implementation& own = *implementation_;
  own.step.differentiate(own.now, own.derivatives);
  // A strong regularisation promises nothing anywhere: that is no end where a weaker one promised what was not kept.
  const double rounding = 10.0 * own.knots * std::numeric_limits<double>::epsilon() * std::abs(own.now.cost);
  bool broken = false, anew = own.regular == 0.0;
  while (true) {
    const bool back = own.go_back();
    const Outcome outcome = back ? own.search() : Outcome::stuck;
    if (outcome == Outcome::converged && !anew) {  // with what is left of the iterations before
      anew = true;
      own.regular = 0.0;
      own.growth = 1.0;
      continue;
    }
    if (outcome == Outcome::better || (outcome == Outcome::converged && !broken)) {
      own.growth = std::min(1.0 / factor, own.growth / factor);
      own.regular = own.regular * own.growth > least ? own.regular * own.growth : 0.0;
      return outcome;
    }
    broken = broken || (back && -(own.promised[0] + own.promised[1]) > rounding);
    own.growth = std::max(factor, own.growth * factor);
    own.regular = std::max(least, own.regular * own.growth);
    if (outcome == Outcome::converged || own.regular > most) {
      own.regular = 0.0;
      own.growth = 1.0;
      return Outcome::stuck;
    }
  }
}

OptimalControl::Solution OptimalControl::solve(int most_iterations, double least,
                                               const std::function<bool()>& proceed) {
  for (int i = 0; i < most_iterations; ++i) {
    if (proceed && !proceed()) return {false, i, cost()};
    const double before = cost();
    const Outcome outcome = iterate();
    if (outcome != Outcome::better) return {outcome == Outcome::converged, i + 1, cost()};
    if (before - cost() <= least * before && implementation_->regular == 0.0) return {true, i + 1, cost()};
  }
  return {false, most_iterations, cost()};
}

void OptimalControl::start(VectorIn<double> q, VectorIn<double> v) {
  Implementation& own = *implementation_;
  const std::vector<double> held = own.lineariser.torques(q, v);
  for (int i = 0; i < own.knots; ++i) {
    for (int r = 0; r < own.m; ++r)
      own.inputs(own.now, i)[static_cast<std::size_t>(r)] =
          held[static_cast<std::size_t>(own.lineariser.actuated()[static_cast<std::size_t>(r)])];
  }
  restart(q, v, 0);
}

void OptimalControl::start(VectorIn<double> q, VectorIn<double> v, VectorIn<double> torques) {
  Implementation& own = *implementation_;
  expect_size("torques", torques.size(), own.knots * own.m);
  std::copy(torques.begin(), torques.end(), own.now.torque.begin());
  restart(q, v, 0);
}

void OptimalControl::restart(VectorIn<double> q, VectorIn<double> v, int shift) {
  Implementation& own = *implementation_;
  expect_size("q", q.size(), own.nq);
  expect_size("v", v.size(), own.n);
  for (int i = 0; i < own.knots && shift > 0; ++i) {
    const std::span<double> from = own.inputs(own.now, std::min(i + shift, own.knots - 1));
    std::copy(from.begin(), from.end(), own.inputs(own.now, i).begin());
  }
  std::copy(q.begin(), q.end(), own.position(own.now, 0).begin());
  std::copy(v.begin(), v.end(), own.velocity(own.now, 0).begin());
  std::ranges::fill(own.k, 0.0);
  own.regular = 0.0;
  own.growth = 1.0;
  own.roll(own.now, nullptr, 0.0);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::isfinite(own.now.cost) || !std::ranges::all_of(own.now.q_end, finite) ||
      !std::ranges::all_of(own.now.v_end, finite))
    throw InputError("the motion that optimal control begins with is not finite; start nearer, or with shorter steps");
}

double OptimalControl::cost() const { return implementation_->now.cost; }
int OptimalControl::knots() const { return implementation_->knots; }
std::span<const double> OptimalControl::q(int knot) const {
  return implementation_->position(implementation_->now, knot);
}
std::span<const double> OptimalControl::v(int knot) const {
  return implementation_->velocity(implementation_->now, knot);
}
std::span<const double> OptimalControl::torque(int knot) const {
  return implementation_->inputs(implementation_->now, knot);
}

MatrixView<const double> OptimalControl::gains(int knot) const {
  const Panel& K = implementation_->K[static_cast<std::size_t>(knot)];
  return {K.column(0), K.rows, K.cols, K.stride};
}
MatrixView<const double> OptimalControl::position_rows(int knot) const {
  const Panel& rows = implementation_->derivatives[static_cast<std::size_t>(knot)].position;
  return {rows.column(0), rows.rows, rows.cols, rows.stride};
}
MatrixView<const double> OptimalControl::velocity_rows(int knot) const {
  const Panel& rows = implementation_->derivatives[static_cast<std::size_t>(knot)].velocity;
  return {rows.column(0), rows.rows, rows.cols, rows.stride};
}

}  // namespace ulna

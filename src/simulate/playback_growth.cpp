#include "ulna/simulate/playback_growth.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "ulna/integrate/integrator.hpp"
#include "ulna/simulate/motion_ode.hpp"

namespace ulna {

namespace {

/// Φ̇ = J(t) Φ, column by column.
class Variation final : public Ode<double> {
 public:
  Variation(const Model& model, MotionOde& system, const ReferenceMotion& reference)
      : system_(system),
        reference_(reference),
        n_(static_cast<std::size_t>(model.nv())),
        state_(3 * n_),
        y_(system.size()),
        J_(system.size() * system.size()) {}

  std::size_t size() const override { return 4 * n_ * n_; }
  void enter(double from, double until) { inside_ = 0.5 * (from + until); }

  void rhs(const double& t, std::span<const double> phi, std::span<double> dphi) override {
    const std::span<double> all(state_);
    reference_.at(t, inside_, all.first(n_), all.subspan(n_, n_), all.last(n_));
    system_.set_state(all.first(n_), all.subspan(n_, n_), y_);
    const int rows = static_cast<int>(system_.size());
    const MatrixView<double> J{J_.data(), rows, rows};
    system_.jacobian(t, y_, J);
    const std::size_t m = 2 * n_;
    for (std::size_t column = 0; column < m; ++column) {
      for (std::size_t i = 0; i < m; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < m; ++k) sum += J(static_cast<int>(i), static_cast<int>(k)) * phi[column * m + k];
        dphi[column * m + i] = sum;
      }
    }
  }

 private:
  MotionOde& system_;
  const ReferenceMotion& reference_;
  std::size_t n_;
  double inside_ = 0.0;
  std::vector<double> state_, y_, J_;
};

/// ‖Φ‖₂ by the power method on ΦᵀΦ; four digits are plenty.
double largest_singular_value(std::span<const double> phi, std::size_t m) {
  std::vector<double> x(m, 1.0), y(m);
  double norm = 0.0, before = -1.0;
  for (int iteration = 0; iteration < 10'000 && !(std::abs(norm - before) <= 1e-9 * norm); ++iteration) {
    before = norm;
    const double length = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    for (double& value : x) value /= length;
    std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t column = 0; column < m; ++column)
      for (std::size_t i = 0; i < m; ++i) y[i] += phi[column * m + i] * x[column];
    norm = std::sqrt(std::inner_product(y.begin(), y.end(), y.begin(), 0.0));
    for (std::size_t column = 0; column < m; ++column)
      x[column] = std::inner_product(y.begin(), y.end(), phi.begin() + static_cast<std::ptrdiff_t>(column * m), 0.0);
  }
  return norm;
}

}  // namespace

PlaybackGrowth playback_growth(const Model& model, const Actions& actions, double duration, double every,
                               const std::function<bool()>& proceed) {
  const ReferencePointer reference = reference_of(actions.drive);
  if (reference == nullptr) throw std::invalid_argument("only a drive with a reference motion has a growth rate");
  MotionOde system(model, "auto", actions);
  Variation variation(model, system, *reference);
  IntegratorOptions accuracy;
  accuracy.relative = accuracy.absolute = 1e-6;
  const auto integrator = make_integrator("dop853", variation, accuracy);
  const std::size_t m = 2 * static_cast<std::size_t>(model.nv());
  std::vector<double> phi(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) phi[i * m + i] = 1.0;
  PlaybackGrowth growth;
  growth.rows.push_back({0.0, 1.0});
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv()));
  double t = 0.0;
  while (t < duration) {
    const double due = std::min(duration, (std::floor(t / every + 1e-9) + 1.0) * every);
    const double until = std::min(due, system.next_break(t));
    system.enter(t, q, v);
    variation.enter(t, until);
    integrator->start(t, phi);
    while (integrator->time() < until) {
      const bool goes_on = !proceed || proceed();
      if (!goes_on || integrator->step(until) != StepStatus::ok) return growth;
    }
    std::copy(integrator->state().begin(), integrator->state().end(), phi.begin());
    t = until;
    if (t < due) continue;
    growth.rows.push_back({t, largest_singular_value(phi, m)});
    if (growth.largest.amplification < growth.rows.back().amplification) growth.largest = growth.rows.back();
  }
  if (growth.largest.t > 0.0) growth.rate = std::log(growth.largest.amplification) / growth.largest.t;
  growth.complete = true;
  return growth;
}

}  // namespace ulna

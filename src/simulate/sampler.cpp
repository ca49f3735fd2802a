#include "sampler.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/model/local_coordinates.hpp"

namespace ulna {

Sampler::Sampler(const Model& model, MotionOde& system, const ReferenceMotion* reference)
    : model_(model),
      system_(system),
      reference_(reference),
      row_(model),
      q_(static_cast<std::size_t>(model.nq())),
      v_(static_cast<std::size_t>(model.nv())),
      a_(v_),
      tau_(v_),
      reference_state_(3 * v_.size()) {}

void Sampler::append_energies(std::span<const double> work) {
  const auto [kinetic, potential, energy] = row_.append_energies(q_, v_, work);
  if (first_) {
    first_energy_ = energy;
    first_potential_ = potential;
    first_ = false;
  }
  double done = 0.0;
  for (const double w : work) done += w;
  const double balance = energy - first_energy_ - done;
  largest_imbalance_ = std::max(largest_imbalance_, std::abs(balance));
  largest_energy_ = std::max({largest_energy_, kinetic, std::abs(potential - first_potential_)});
  row_.append(balance);
}

std::span<const double> Sampler::row(double t, std::span<const double> y) {
  system_.get_state(y, q_, v_);
  normalise(model_, q_);
  system_.accelerations(t, q_, v_, a_, tau_);
  row_.begin(t, q_, v_, a_, tau_);
  append_energies(y.last(work_count));
  if (model_.has_free_base()) {
    const Force<double> momentum = row_.kinematics().momentum();
    row_.append(momentum.force);
    row_.append(momentum.moment);
  }
  if (reference_ != nullptr) {
    const std::size_t n = v_.size();
    const std::span<double> all(reference_state_);
    reference_->at(t, t, all.first(n), all.subspan(n, n), all.last(n));
    row_.append(all.first(n));
  }
  if (LoopKeeper* loops = system_.loops()) {
    append_loops(row_, loops->dynamics(), loops->count());
    largest_residual_ = std::max(largest_residual_, loops->dynamics().equations().largest_residual());
  }
  return row_.get();
}

}  // namespace ulna

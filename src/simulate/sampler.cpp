#include "sampler.hpp"

#include <algorithm>
#include <cmath>

#include "ulna/model/local_coordinates.hpp"

namespace ulna {

Sampler::Sampler(const Model& model, MotionOde& system, const ReferenceMotion* reference)
    : model_(model),
      system_(system),
      reference_(reference),
      kinematics_(model),
      q_(static_cast<std::size_t>(model.nq())),
      v_(static_cast<std::size_t>(model.nv())),
      a_(v_),
      tau_(v_),
      reference_state_(3 * v_.size()) {
  const auto loops = system.loops() != nullptr ? system.loops()->loops() : std::span<const LoopJoint>{};
  row_.reserve(trajectory_columns(model, reference != nullptr, loops).size());
}

void Sampler::append(const Vec3<double>& a) { row_.insert(row_.end(), {a.x, a.y, a.z}); }

void Sampler::append_energies(std::span<const double> work) {
  const double kinetic = kinematics_.kinetic_energy(v_);
  const double potential = kinematics_.gravity_energy() + kinematics_.spring_energy(q_);
  const double energy = kinetic + potential;
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
  row_.insert(row_.end(), {kinetic, potential, energy});
  row_.insert(row_.end(), work.begin(), work.end());
  row_.push_back(balance);
}

std::span<const double> Sampler::row(double t, std::span<const double> y) {
  system_.get_state(y, q_, v_);
  tidy_quaternions(model_, q_);
  system_.accelerations(t, q_, v_, a_, tau_);
  kinematics_.update_positions(q_);
  kinematics_.update_velocities(v_);
  row_.assign(1, t);
  for (const auto* values : {&q_, &v_, &a_, &tau_}) row_.insert(row_.end(), values->begin(), values->end());
  const Pose<double> tip = kinematics_.pose(model_.tip());
  append(tip.p);
  const Quaternion<double> turn = quaternion_of(tip.R);
  row_.insert(row_.end(), {turn.x, turn.y, turn.z, turn.w});
  const Motion<double> rates = kinematics_.velocity(model_.tip(), Reference::world_axes);
  append(rates.angular);
  append(rates.linear);
  append_energies(y.last(work_count));
  if (model_.has_free_base()) {
    const Force<double> momentum = kinematics_.momentum();
    append(momentum.force);
    append(momentum.moment);
  }
  if (reference_ != nullptr) {
    const std::size_t n = v_.size();
    const std::span<double> all(reference_state_);
    reference_->at(t, t, all.first(n), all.subspan(n, n), all.last(n));
    row_.insert(row_.end(), reference_state_.begin(), reference_state_.begin() + static_cast<std::ptrdiff_t>(n));
  }
  if (LoopKeeper* loops = system_.loops()) {
    row_.push_back(loops->residual());
    largest_residual_ = std::max(largest_residual_, loops->residual());
    for (std::size_t i = 0; i < loops->loops().size(); ++i) {
      const Force<double> reaction = loops->reaction(i);
      append(reaction.moment);
      append(reaction.force);
    }
  }
  return row_;
}

}  // namespace ulna

#include "motion_row.hpp"

#include "ulna/spatial/quaternion.hpp"

namespace ulna {

template <Real T>
void MotionRow<T>::begin(const T& t, std::span<const T> q, std::span<const T> v, std::span<const T> a,
                         std::span<const T> tau) {
  kinematics_.update_positions(q);
  kinematics_.update_velocities(v);
  row_.assign(1, t);
  for (const auto values : {q, v, a, tau}) append(values);
  const Pose<T> tip = kinematics_.pose(model_.tip());
  append(tip.p);
  const Quaternion<T> turn = quaternion_of(tip.R);
  row_.insert(row_.end(), {turn.x, turn.y, turn.z, turn.w});
  const Motion<T> rates = kinematics_.velocity(model_.tip(), Reference::world_axes);
  append(rates.angular);
  append(rates.linear);
}

template <Real T>
typename MotionRow<T>::Energies MotionRow<T>::append_energies(std::span<const T> q, std::span<const T> v,
                                                              std::span<const T> work) {
  const T kinetic = kinematics_.kinetic_energy(v);
  const T potential = kinematics_.gravity_energy() + kinematics_.spring_energy(q);
  const T total = kinetic + potential;
  append(Vec3<T>{kinetic, potential, total});
  append(work);
  return {kinetic, potential, total};
}

template class MotionRow<double>;
template class MotionRow<PackDouble>;

void append_loops(MotionRow<double>& row, ConstrainedDynamics& dynamics, std::size_t loops) {
  row.append(dynamics.equations().largest_residual());
  for (std::size_t i = 0; i < loops; ++i) {
    const Force<double> reaction = dynamics.equations().reaction(i, dynamics.lambda());
    row.append(reaction.moment);
    row.append(reaction.force);
  }
}

}  // namespace ulna

#include "motion_row.hpp"

#include "ulna/spatial/quaternion.hpp"

namespace ulna {

void MotionRow::begin(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                      std::span<const double> tau) {
  kinematics_.update_positions(q);
  kinematics_.update_velocities(v);
  row_.assign(1, t);
  for (const auto values : {q, v, a, tau}) append(values);
  const Pose<double> tip = kinematics_.pose(model_.tip());
  append(tip.p);
  const Quaternion<double> turn = quaternion_of(tip.R);
  row_.insert(row_.end(), {turn.x, turn.y, turn.z, turn.w});
  const Motion<double> rates = kinematics_.velocity(model_.tip(), Reference::world_axes);
  append(rates.angular);
  append(rates.linear);
}

void MotionRow::append_loops(ConstrainedDynamics& dynamics, std::size_t loops) {
  append(dynamics.equations().largest_residual());
  for (std::size_t i = 0; i < loops; ++i) {
    const Force<double> reaction = dynamics.equations().reaction(i, dynamics.lambda());
    append(reaction.moment);
    append(reaction.force);
  }
}

}  // namespace ulna

#include "ulna/simulate/action_schedule.hpp"

#include <algorithm>
#include <limits>

namespace ulna {

ActionSchedule::ActionSchedule(const Model& model, const Actions& actions)
    : reference_(reference_of(actions.drive)),
      sampled_(actions.held.sample > 0.0
                   ? make_drive<double>(actions.drive, actions.believed ? *actions.believed : model)
                   : nullptr),
      held_(model, actions.held, sampled_.get()) {}

double ActionSchedule::next_corner(double t) const {
  const std::span<const double> breaks = reference_ != nullptr ? reference_->breaks() : std::span<const double>{};
  const auto after = std::upper_bound(breaks.begin(), breaks.end(), t);
  return after == breaks.end() ? std::numeric_limits<double>::infinity() : *after;
}

double ActionSchedule::next_break(double t) const {
  const double next = held_.next_break(t);
  return samples_drive() ? next : std::min(next, next_corner(t));
}

void ActionSchedule::enter(double t, std::span<const double> q, std::span<const double> v) {
  if (samples_drive()) sampled_->enter(0, t, std::min(next_break(t), next_corner(t)));
  held_.enter(t, q, v);
}

}  // namespace ulna

#include "effort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ulna/integrate/integrator.hpp"

namespace ulna {

namespace {
constexpr long window = 100'000;    // steps between two looks
constexpr double stiff_pace = 1e6;  // steps per simulated second that a stiff run may well take
constexpr double runaway = 1e5;     // rad/s or m/s: no arm moves like that

/// A build may lack some.
bool is_there(std::string_view integrator) {
  const auto all = integrators();
  return std::any_of(all.begin(), all.end(), [&](const IntegratorInfo& info) { return info.name == integrator; });
}
}  // namespace

Effort::Effort(const SimulationSetup& setup)
    : steps_are_fixed_(setup.accuracy.fixed_step > 0.0),
      duration_(setup.duration),
      most_steps_(setup.most_steps),
      usual_pace_(setup.actions.held.sample > 0.0 ? std::max(stiff_pace, 100.0 / setup.actions.held.sample)
                                                  : stiff_pace) {}

void Effort::start(double t) {
  from_ = t;
  next_look_ = window;
}

bool Effort::is_hopeless(double t, long steps) {
  if (steps_are_fixed_) return false;
  taken_ = static_cast<double>(steps);
  if (taken_ > most_steps_) return true;
  if (steps < next_look_) return false;
  next_look_ = steps + window;
  pace_ = static_cast<double>(window) / (t - from_);  // infinite where time stands still
  forecast_ = static_cast<double>(steps) + pace_ * (duration_ - t);
  from_ = t;
  return pace_ > usual_pace_ && forecast_ > most_steps_;
}

Effort::Verdict Effort::verdict(const Model& model, std::span<const double> v) const {
  if (taken_ > most_steps_)
    return {RunStatus::too_stiff,
            fmt::format("the run has taken the {:g} steps that it may; allow more by most_steps", most_steps_)};
  const std::string pace =
      fmt::format("{} steps advance the time by only {:.2g} s", window, static_cast<double>(window) / pace_);
  std::size_t fastest = 0;
  for (std::size_t k = 1; k < v.size(); ++k)
    if (std::fabs(v[k]) > std::fabs(v[fastest])) fastest = k;
  if (!v.empty() && std::fabs(v[fastest]) > runaway) {
    const JointInfo& joint = model.joint_of(static_cast<int>(fastest));
    return {RunStatus::diverged,
            fmt::format("the motion has run away: '{}' moves at {:.2g} {}, and {}; look at the start and the drive "
                        "(lower gains, a shorter sample time)",
                        joint.name, std::fabs(v[fastest]),
                        model.rate_number(static_cast<int>(fastest)).is_length ? "m/s" : "rad/s", pace)};
  }
  return {RunStatus::too_stiff,
          fmt::format("{}, and the run would take {:.2g} steps; use {}a coarser tolerance, lower gains or a larger "
                      "friction_speed, or allow more by most_steps",
                      pace, forecast_, is_there("bdf") ? "the integrator bdf, " : "")};
}

}  // namespace ulna

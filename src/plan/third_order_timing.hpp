// Timings whose joints also keep limits of jerk and torque rate.
#pragma once

#include "ulna/plan/fastest_timing.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Whether one of them is finite.
bool has_limit(const std::vector<double>& limits);
bool has_third_order(const TimingLimits& limits);

/// Throws InputError for motors whose torque falls with the speed, where the limits are the robot's own, and for those
/// that joints share: FastestTiming alone keeps their limits, of second order along a path.
void expect_plain_motors(const Model& model, const TimingLimits& limits);

/// Throws InputError where the force at the tip is limited along with this, which may be null: FastestTiming alone
/// keeps that limit, of second order along a path.
void expect_no_tip_force_with(const char* other, const TimingLimits& limits);

/// Replaces a possible timing, which keeps the limits of second order, by the fastest one found that keeps those of
/// third order too; between two rests s is a cubic spline of time. Where there is none the timing has the reason.
/// Throws InputError where the path's second derivative jumps: no such motion could go on there.
void limit_rates(const Model& model, const Path& path, const TimingLimits& limits, int intervals, Timing& timing);

}  // namespace ulna
#pragma GCC visibility pop

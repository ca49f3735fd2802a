// The fastest timing of random paths: how long it takes on one core, and how far limits are passed between the points
// of its grid. Splines through five waypoints, limits of speed and torque as the robots have them. Markdown on stdout.
// Usage: bench_plan [PATHS]
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "peers/rounds.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/plan/fastest_timing.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

Path random_path(const Model& model, std::mt19937_64& generator) {
  std::vector<double> waypoints;
  for (int k = 0; k < 5; ++k)
    for (const double x : random_position(model, generator)) waypoints.push_back(0.4 * x);
  return Path::spline(waypoints, static_cast<std::size_t>(model.nv()));
}

/// The largest torque or speed in parts of its limit, at `parts` places of each interval and at its ends.
double largest_part(const Model& model, const Path& path, const TimingLimits& limits, const Timing& timing, int parts) {
  const std::size_t n = path.width();
  newton_euler::Workspace<double> workspace(model);
  std::vector<double> q(n), first(n), second(n), v(n), a(n), tau(n);
  double most = 0.0;
  for (std::size_t k = 0; k < timing.acceleration.size(); ++k)
    for (int part = 0; part <= parts; ++part) {
      const double u = timing.acceleration[k], way = (timing.s[k + 1] - timing.s[k]) * part / parts;
      const double square = std::max(timing.speed[k] * timing.speed[k] + 2.0 * u * way, 0.0);
      path.at(timing.s[k] + way, timing.piece[k], q, first, second);
      for (std::size_t j = 0; j < n; ++j) {
        v[j] = first[j] * std::sqrt(square);
        a[j] = first[j] * u + second[j] * square;
      }
      newton_euler::inverse_dynamics<double>(model, workspace, q, v, a, tau);
      for (std::size_t j = 0; j < n; ++j)
        most = std::max({most, std::abs(tau[j]) / limits.torque[j], std::abs(v[j]) / limits.velocity[j]});
    }
  return most;
}

void race(const std::string& robot, int count) {
  const Model model = load(robot);
  TimingLimits limits = timing_limits(model);
  for (double& torque : limits.torque) torque = std::isfinite(torque) ? torque : 200.0;
  for (double& speed : limits.velocity) speed = std::isfinite(speed) ? speed : 3.0;
  FastestTiming fastest(model, limits);
  std::mt19937_64 generator(20260025);
  Times times;
  int possible = 0;
  double at_ends = 0.0, between = 0.0;
  for (int k = 0; k < count; ++k) {
    const Path path = random_path(model, generator);
    Timing timing;
    times.add(1e-6 * time_block(1, [&] { timing = fastest(path); }));
    if (!timing.possible()) continue;
    ++possible;
    at_ends = std::max(at_ends, largest_part(model, path, limits, timing, 1));
    between = std::max(between, largest_part(model, path, limits, timing, 4));
  }
  fmt::print("| {} | {} | {} | {:.3f} | {:.3f} | {:.2g} | {:.2g} |\n", robot, count, possible, times.median(),
             times.quantile(0.99), at_ends - 1.0, between - 1.0);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? rounds_of(argv[1]) : 1000;
  if (count == 0) {
    fmt::print(stderr, "usage: bench_plan [PATHS]\n");
    return 2;
  }
  fmt::print(
      "| robot | paths | possible | median ms | 99 % within ms | beyond a limit at grid points | between them |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const char* robot : {"panda_like", "ur5_like", "kuka_lwr4", "puma560"}) race(robot, count);
}

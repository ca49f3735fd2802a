#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "arms_over_threads.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/study/select/comparison.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna::selection {

namespace {

OperationCount count_of(const Model& model, Quantity quantity) {
  OperationCount count;
  count.method = trace::cheapest_method(model, quantity);
  const trace::Counts counts = trace::record(model, quantity, count.method).counts();
  count.multiplications = counts.multiplications + counts.divisions;
  count.additions = counts.additions;
  count.sincos = counts.sincos;
  return count;
}

/// Along the whole task once, in nanoseconds per state.
double time_of(Method<double>& method, const TaskLoads& loads, std::vector<double>& tau) {
  using Clock = std::chrono::steady_clock;
  const std::size_t n = tau.size();
  const auto begin = Clock::now();
  for (std::size_t k = 0; k < loads.t.size(); ++k)
    method.inverse_dynamics(std::span(loads.q).subspan(k * n, n), std::span(loads.v).subspan(k * n, n),
                            std::span(loads.a).subspan(k * n, n), tau);
  const std::chrono::duration<double, std::nano> took = Clock::now() - begin;
  return took.count() / static_cast<double>(loads.t.size());
}

}  // namespace

Candidate evaluate(Arm arm, const Task& task, const WantedParts& wanted, const KeepGoing& keep_going) {
  Candidate candidate{.arm = std::move(arm)};
  const Arm& made = candidate.arm;
  candidate.loads = run_task(made, task, keep_going);
  if (wanted.workspace || wanted.dexterity)
    candidate.workspace = find_workspace(
        made, keep_going, wanted.effort < 1.0 ? usual_accuracy / std::sqrt(wanted.effort) : usual_accuracy);
  if (wanted.dexterity) {
    candidate.dexterity = find_dexterity(made, keep_going);
    // A part is no larger than the whole, which is known better.
    candidate.dexterity.size.value = std::min(candidate.dexterity.size.value, candidate.workspace.size.value);
  }
  candidate.survey = survey(
      made, {wanted.means, wanted.greatest, wanted.places, wanted.inertia, wanted.reach, wanted.effort}, keep_going);
  if (wanted.cycle_time) candidate.figures.cycle_time = cycle_time(made, task, candidate.loads, keep_going);
  if (wanted.elasticity) add_elastic_figures(made, task, candidate.loads, keep_going, candidate.figures);
  if (!wanted.operations) return candidate;
  const Model simple = regrouped(made.model);
  for (std::size_t k = 0; k < counted.size(); ++k) {
    if (!keep_going()) throw Interrupted{};
    candidate.operations[k] = count_of(simple, counted[k]);
  }
  return candidate;
}

std::vector<Candidate> evaluate_all(std::vector<Arm> arms, const Task& task, const WantedParts& wanted, int threads,
                                    const std::function<bool(std::size_t done)>& progress) {
  std::vector<std::optional<Candidate>> made(arms.size());
  over_threads(arms.size(), threads, progress, [&](std::size_t i, const KeepGoing& keep_going) {
    made[i] = evaluate(std::move(arms[i]), task, wanted, keep_going);
  });
  std::vector<Candidate> candidates;
  candidates.reserve(made.size());
  for (std::optional<Candidate>& candidate : made) candidates.push_back(std::move(*candidate));
  return candidates;
}

void measure_cpu(std::vector<Candidate>& candidates, const KeepGoing& keep_going) {
  constexpr std::size_t rounds = 60;
  std::vector<Compiled<double>> methods;
  methods.reserve(candidates.size());
  std::vector<std::vector<double>> times(candidates.size());
  for (const Candidate& candidate : candidates)
    methods.push_back(compile<double>(candidate.arm.model, Quantity::inverse_dynamics));
  for (std::size_t round = 0; round <= rounds; ++round) {
    if (!keep_going()) throw Interrupted{};
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      std::vector<double> tau(candidates[k].arm.ranges.size());
      const double time = time_of(*methods[k].method, candidates[k].loads, tau);
      if (round > 0) times[k].push_back(time);  // the first one fills the caches
    }
  }
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    std::sort(times[k].begin(), times[k].end());
    candidates[k].cpu = CpuTime{times[k][rounds / 2], times[k][rounds / 4], times[k][3 * rounds / 4], methods[k].own};
  }
}

void expect_comparable(const std::vector<Arm>& arms) {
  for (const Arm& arm : arms) {
    if (arm.dimension() == arms[0].dimension()) continue;
    const auto moves = [](const Arm& a) { return a.dimension() == 2 ? "in a plane" : "in space"; };
    throw InputError(fmt::format("'{}' moves its tip {}, '{}' {}; an area and a volume cannot be compared",
                                 arms[0].name, moves(arms[0]), arm.name, moves(arm)));
  }
}

}  // namespace ulna::selection

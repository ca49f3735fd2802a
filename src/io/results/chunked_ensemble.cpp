// Ranks take chunks as they become free, and end together.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "ulna/io/results/ensemble_plan.hpp"

namespace ulna {

namespace {

using Tally = Communicator::Tally;

/// Cores that this process may use, shared with the other ranks of its machine unless each has cores of its own.
int share_of_cores(const Communicator& ranks) {
  const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  cpu_set_t set;
  CPU_ZERO(&set);
  const int own = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : all;
  return own < all ? own : std::max(1, all / ranks.ranks_here());
}

class ChunkedRun {
 public:
  ChunkedRun(EnsemblePlan& plan, const ChunkedOptions& options, Communicator& ranks)
      : plan_(plan), options_(options), ranks_(ranks), began_(std::chrono::steady_clock::now()) {}

  /// Chunks until none is left anywhere.
  void work() {
    try {
      take_chunks();
    } catch (...) {
      ranks_.stop();
      throw;
    }
    while (proceeds() && done() < plan_.runs()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::size_t done() { return ranks_.add(Tally::finished, 0) + ranks_.add(Tally::recalled, 0); }
  double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  void take_chunks() {
    while (proceeds()) {
      const std::size_t index = ranks_.add(Tally::next, 1);
      if (index >= plan_.chunks()) break;
      if (options_.resume && plan_.is_done(index)) {
        ranks_.add(Tally::recalled, plan_.chunk(index).count);
      } else if (!plan_.run(index, [&](const EnsembleProgress&) { return proceeds(); })) {
        return;
      } else {
        ranks_.add(Tally::finished, plan_.chunk(index).count);
      }
    }
  }

  /// Asked all the time, and looks now and then.
  bool proceeds() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::microseconds(500)) return true;
    asked_ = now;
    if (!ranks_.goes_on()) return false;
    if (!options_.proceed) return true;
    const bool tells = ranks_.rank() == 0;
    const std::size_t recalled = tells ? ranks_.add(Tally::recalled, 0) : 0;
    const std::size_t finished = tells ? ranks_.add(Tally::finished, 0) : 0;
    if (options_.proceed({recalled + finished, plan_.runs(), recalled, wall()})) return true;
    ranks_.stop();
    return false;
  }

  EnsemblePlan& plan_;
  const ChunkedOptions& options_;
  Communicator& ranks_;
  std::chrono::steady_clock::time_point began_, asked_{};
};

}  // namespace

ChunkedEnsemble run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const ChunkedOptions& options,
                             Communicator& ranks) {
  ranks.begin();
  std::optional<EnsemblePlan> plan;
  all_succeed(ranks, [&] {
    PlanOptions how = options.plan;
    if (how.threads == 0) how.threads = share_of_cores(ranks);
    plan.emplace(std::move(prepared), options.folder, how);
    if (ranks.rank() == 0) plan->begin(options.resume);
  });
  all_succeed(ranks, [&] { plan->join(); });
  ChunkedRun run(*plan, options, ranks);
  all_succeed(ranks, [&] { run.work(); });
  ChunkedEnsemble result;
  result.finished = run.done();
  result.replaced = plan->replaces();
  result.interrupted = result.finished < plan->runs();
  if (result.interrupted) return result;
  result.summary = plan->collect({.merge = options.merge, .thorough = false, .wall = run.wall(), .proceed = {}}, ranks);
  return result;
}

}  // namespace ulna

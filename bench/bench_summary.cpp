// One table of it all: every way to inverse and forward dynamics of one state or many, beside the peers, measured in
// turns in one run on one core. Markdown on stdout; bench/report puts it at the head. Usage: bench_summary [ROUNDS]
#include <fmt/format.h>

#include <deque>

#include "entry.hpp"
#include "fma_peak.hpp"
#include "operations.hpp"
#include "peers/batch_entry.hpp"
#include "peers/peer_module.hpp"
#include "ulna/batch/instruction_set.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

/// One robot and quantity, all who can do it.
class Race {
 public:
  Race(const char* robot, Task task)
      : robot_(robot),
        task_(task),
        contest_(robot, Contest::Field::all_and_compiled),
        generic_(contest_.model(), quantity(), false, 1, states),
        compiled_(contest_.model(), quantity(), true, 1, states),
        single_(contest_.model(), quantity(), true, 1, states) {
    for (Contestant& contestant : contest_.contestants())
      if (contestant.made.robot != nullptr && contestant.name != "ulna_composite_body")
        entries_.emplace_back(contest_, contestant, task);
  }

  void run() {
    for (Entry& entry : entries_) entry.run();
    generic_.run();
    compiled_.run();
    single_.run();
  }

  void print(double peak) const {
    const double own = operations(contest_.model(), quantity());
    for (const Entry& entry : entries_)
      print_row(title_of(entry.library()), entry.times(), is_compiled(entry) ? own : 0.0, peak);
    print_row("Ulna, batch, generic, double", generic_.times(), 0.0, peak);
    print_row("Ulna, batch, own code, double", compiled_.times(), own, peak);
    print_row("Ulna, batch, own code, float", single_.times(), own, 2.0 * peak);
  }

 private:
  static bool is_compiled(const Entry& entry) { return entry.library() == "ulna_compiled"; }
  static std::string title_of(const std::string& library) {
    if (library == "ulna") return "Ulna, one state, generic";
    if (library == "ulna_compiled") return "Ulna, one state, own code";
    for (const peers::PeerModule* module : peers::modules)
      if (module->file == fmt::format("ulna_{}.so", library)) return module->title;
    return library;
  }
  Quantity quantity() const {
    return task_ == Task::inverse_dynamics ? Quantity::inverse_dynamics : Quantity::forward_dynamics;
  }
  /// Of those that are not Ulna; 0 without any.
  double best_peer() const {
    double best = 0.0;
    for (const Entry& entry : entries_)
      if (!entry.library().starts_with("ulna") && (best == 0.0 || entry.median() < best)) best = entry.median();
    return best;
  }
  void print_row(const std::string& way, const Times& times, double work, double peak) const {
    const double median = times.median(), peer = best_peer();
    fmt::print("| {} of {} | {} | {:.1f} | {:.1f} … {:.1f} | {} | {} | {} |\n", name_of(task_), robot_, way, median,
               times.quantile(0.25), times.quantile(0.75),
               peer > 0.0 ? fmt::format("{:.2f}", peer / median) : "no peer here",
               work > 0.0 ? fmt::format("{:.0f}", work) : "",
               work > 0.0 && peak > 0.0 ? fmt::format("{:.0f} %", 100.0 * work / median / peak) : "");
  }

  static constexpr int states = 1024;  // they fit the core's own caches
  std::string robot_;
  Task task_;
  Contest contest_;
  std::deque<Entry> entries_;
  BatchEntry<double> generic_, compiled_;
  BatchEntry<float> single_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 1 ? 51 : argc == 2 ? rounds_of(argv[1]) : 0;
  if (rounds == 0) {
    fmt::print(stderr, "error: bench_summary takes one number, how many rounds (51 without)\n");
    return 2;
  }
  if (!is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  std::deque<Race> races;
  for (const char* robot : {"panda_like", "kuka_lwr4", "ur5_like"})
    for (const Task task : {Task::inverse_dynamics, Task::forward_dynamics}) races.emplace_back(robot, task);
  double peak = 0.0;
  for (int r = 0; r < rounds; ++r) {
    peak = std::max(peak, fma_peak());
    for (Race& race : races) race.run();
  }
  fmt::print(
      "One core, {} rounds of blocks of about 1 ms, in turn; library for {}; the core reaches {:.1f} GFLOP/s in "
      "double. Operations are additions and multiplications of one state, sines and cosines included.\n\n",
      rounds, instruction_set(), peak);
  fmt::print(
      "| of | way | ns per state, median | quartiles | times the best peer's speed | operations | of the peak |\n"
      "|---|---|---:|---:|---:|---:|---:|\n");
  for (const Race& race : races) race.print(peak);
}

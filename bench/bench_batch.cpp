// The bars of batches: many states at once, per core, against one state of KDL (inverse dynamics) and
// of MuJoCo (forward dynamics), in turns in one run; columns in, columns out, sines included. Markdown
// on stdout. Usage: bench_batch [ROUNDS]
#include <fmt/format.h>

#include <deque>

#include "entry.hpp"
#include "fma_peak.hpp"
#include "operations.hpp"
#include "peers/batch_entry.hpp"
#include "ulna/batch/instruction_set.hpp"
#include "ulna/io/robot/load.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

struct Bar {
  double generic, compiled, single;  // times faster than the peer; 0: none
};

/// One robot and quantity: the peer and the three ways, measured in turns.
class Row {
 public:
  Row(const char* robot, Task task, const char* peer, Bar bar)
      : contest_(robot), robot_(robot), task_(task), peer_name_(peer), bar_(bar) {
    for (Contestant& contestant : contest_.contestants())
      if (contestant.name == peer && contestant.made.robot != nullptr) peer_.emplace(contest_, contestant, task);
  }

  void run() {
    if (peer_) peer_->run();
    generic_.run();
    compiled_.run();
    single_.run();
  }

  void print(double peak) const {
    const double work = operations(contest_.model(), quantity());
    const auto line = [&](const char* way, const auto& entry, double bar, double fraction) {
      fmt::print("| {} of {} | {} | {:.1f} | {:.1f} | ", name_of(task_), robot_, way, entry.minimum(), entry.median());
      if (peer_) {
        const double by_minimum = peer_->minimum() / entry.minimum(), by_median = peer_->median() / entry.median();
        fmt::print("{:.1f} / {:.1f} × {} | ", by_minimum, by_median, peer_name_);
        if (bar > 0.0) fmt::print("≥ {}: {}", bar, std::min(by_minimum, by_median) >= bar ? "met" : "**missed**");
      } else {
        fmt::print("{} is not here | ", peer_name_);
      }
      fmt::print(" | {}{} |\n", fraction > 0.0 ? fmt::format("{:.0f} %", 100.0 * fraction) : "", entry.note());
    };
    const auto fraction = [&](double ns, double of) { return of > 0.0 ? work / ns / of : 0.0; };
    line("generic, double", generic_, bar_.generic, 0.0);
    line("compiled, double", compiled_, bar_.compiled, fraction(compiled_.minimum(), peak));
    line("compiled, float", single_, bar_.single, fraction(single_.minimum(), 2.0 * peak));
  }

 private:
  Quantity quantity() const {
    return task_ == Task::inverse_dynamics ? Quantity::inverse_dynamics : Quantity::forward_dynamics;
  }

  static constexpr int states = 1024;
  Contest contest_;
  std::string robot_;
  Task task_;
  std::string peer_name_;
  Bar bar_;
  std::optional<Entry> peer_;
  BatchEntry<double> generic_{contest_.model(), quantity(), false, 1, states};
  BatchEntry<double> compiled_{contest_.model(), quantity(), true, 1, states};
  BatchEntry<float> single_{contest_.model(), quantity(), true, 1, states};
};

/// The same batch on one thread and on two.
class Scaling {
 public:
  Scaling(const char* robot, Quantity quantity, bool compiled)
      : model_(load(robot)),
        name_(fmt::format("{} {}, {}", robot, word_of(quantity), compiled ? "compiled" : "generic")),
        one_(model_, quantity, compiled, 1, states),
        two_(model_, quantity, compiled, 2, states) {}
  void run() {
    one_.run();
    two_.run();
  }
  void print() const {
    const double by_minimum = one_.minimum() / two_.minimum(), by_median = one_.median() / two_.median();
    fmt::print("| {} | {:.2f} | {:.2f} | {} |\n", name_, by_minimum, by_median,
               std::min(by_minimum, by_median) >= 1.9 ? "met" : "**missed**");
  }

 private:
  static constexpr int states = 8192;  // within the caches: memory is shared by the cores
  Model model_;
  std::string name_;
  BatchEntry<double> one_, two_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 1 ? 101 : argc == 2 ? rounds_of(argv[1]) : 0;
  if (rounds == 0) {
    fmt::print(stderr, "error: bench_batch takes one number, how many rounds (101 without)\n");
    return 2;
  }
  if (!is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  std::deque<Row> rows;
  rows.emplace_back("panda_like", Task::inverse_dynamics, "kdl", Bar{15.0, 42.0, 0.0});
  rows.emplace_back("panda_like", Task::forward_dynamics, "mujoco", Bar{12.0, 30.0, 60.0});
  rows.emplace_back("kuka_lwr4", Task::inverse_dynamics, "kdl", Bar{0.0, 80.0, 0.0});
  rows.emplace_back("kuka_lwr4", Task::forward_dynamics, "mujoco", Bar{0.0, 55.0, 0.0});
  std::deque<Scaling> scalings;
  scalings.emplace_back("panda_like", Quantity::forward_dynamics, false);
  scalings.emplace_back("panda_like", Quantity::forward_dynamics, true);
  scalings.emplace_back("panda_like", Quantity::inverse_dynamics, true);
  double peak = 0.0;
  for (int r = 0; r < rounds; ++r) {
    peak = std::max(peak, fma_peak());
    for (Row& row : rows) row.run();
    for (Scaling& scaling : scalings) scaling.run();
  }
  fmt::print(
      "{} Library for {}; {} rounds of blocks of about 1 ms, in turn. One core reaches {:.1f} GFLOP/s in double.\n\n",
      contestants_note(), instruction_set(), rounds, peak);
  fmt::print(
      "| one thread | way | ns per state, min | median | times faster than one state of the peer, min / median "
      "| bar | of the core's peak |\n|---|---|---:|---:|---:|---|---:|\n");
  for (const Row& row : rows) row.print(peak);
  fmt::print("\n| two threads over one, 8192 states in longer blocks | min | median | ≥ 1.9 |\n|---|---:|---:|---|\n");
  for (const Scaling& scaling : scalings) scaling.print();
}

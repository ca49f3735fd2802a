// The bars of Ulna's speed, measured so that a busy machine does not decide them: all contestants
// take turns in short blocks, many rounds, and both the minimum and the median of each are printed.
// Markdown on stdout. Usage: bench_compare [ROUNDS]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

#include "entry.hpp"
#include "peers/rounds.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

constexpr double inverse_bar = 3.5, forward_bar = 3.0, flat_bar = 1.3;
/// Dynamics of one state two and a half times as fast, kinematics and derivatives twice.
constexpr double best_bar(Task task) {
  const bool twice = task == Task::forward_kinematics || task == Task::tip_jacobian || task == Task::derivatives;
  return twice ? 2.0 : 2.5;
}
constexpr std::array chain_lengths{10, 30, 100, 300, 1000};

class Comparison {
 public:
  Comparison() {
    for (const char* arm : {"panda_like", "ur5_like"}) {
      Contest& contest = contests_.emplace_back(arm);
      for (Contestant& contestant : contest.contestants()) {
        for (const Task task : tasks)
          if (takes_part(contest, contestant, task)) entries_.emplace_back(contest, contestant, task);
      }
    }
    for (const int n : chain_lengths) {
      Contest& contest = contests_.emplace_back(fmt::format("chain:{}", n), Contest::Field::ulna_only);
      for (const Task task : {Task::inverse_dynamics, Task::forward_dynamics})
        entries_.emplace_back(contest, contest.contestants()[0], task);
    }
  }

  void run(int rounds) {
    for (int r = 0; r < rounds; ++r)
      for (Entry& entry : entries_) entry.run();
  }

  void print() const {
    print_arm("panda_like");
    print_arm("ur5_like");
    print_chains();
    print_bars();
  }

 private:
  static bool takes_part(Contest& contest, const Contestant& contestant, Task task) {
    if (contestant.made.robot == nullptr || !contest.call(*contestant.made.robot, task)) return false;
    return contestant.name != "ulna_composite_body" || task == Task::forward_dynamics;
  }

  const Entry* find(const std::string& robot, const std::string& library, Task task) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return e.model().name() == robot && e.library() == library && e.task() == task;
    });
    return found == entries_.end() ? nullptr : &*found;
  }

  void print_arm(const std::string& arm) const {
    fmt::print("\n## {}: ns per call\n\n", arm);
    fmt::print("| task | library | min | median | × ulna (min) | × ulna (median) |\n|---|---|---:|---:|---:|---:|\n");
    for (const Task task : tasks) {
      for (const Entry& e : entries_) {
        if (e.model().name() != arm || e.task() != task) continue;
        const Entry& ulna = *find(arm, "ulna", task);
        fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} |\n", name_of(task), e.library(), e.minimum(),
                   e.median(), e.minimum() / ulna.minimum(), e.median() / ulna.median());
      }
    }
  }

  void print_chains() const {
    fmt::print("\n## Chains, ulna: ns per link\n\n");
    fmt::print("| N | ID min | ID median | FD min | FD median |\n|---:|---:|---:|---:|---:|\n");
    for (const int n : chain_lengths) {
      const Entry& id = chain(n, Task::inverse_dynamics);
      const Entry& fd = chain(n, Task::forward_dynamics);
      fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", n, id.minimum() / n, id.median() / n, fd.minimum() / n,
                 fd.median() / n);
    }
  }

  const Entry& chain(int n, Task task) const { return *find(fmt::format("chain:{}", n), "ulna", task); }

  void print_bars() const {
    fmt::print("\n## Bars\n\n| bar | wanted | min | median | |\n|---|---:|---:|---:|---|\n");
    print_ratio(Task::inverse_dynamics, "kdl", inverse_bar);
    print_ratio(Task::forward_dynamics, "mujoco", forward_bar);
    for (const Task task : tasks) print_ratio(task, "pinocchio", best_bar(task));
    for (const Task task : tasks) print_ratio(task, "rbdl", best_bar(task));
    print_flatness(Task::inverse_dynamics);
    print_flatness(Task::forward_dynamics);
  }

  void print_ratio(Task task, const std::string& library, double bar) const {
    for (const char* arm : {"panda_like", "ur5_like"}) {
      const std::string what = fmt::format("{} of {}, times faster than {}", name_of(task), arm, library);
      const Entry* peer = find(arm, library, task);
      if (peer == nullptr) {
        fmt::print("| {} | ≥ {} | | | {} is not here |\n", what, bar, library);
        continue;
      }
      const Entry& ulna = *find(arm, "ulna", task);
      const double by_minimum = peer->minimum() / ulna.minimum(), by_median = peer->median() / ulna.median();
      fmt::print("| {} | ≥ {} | {:.2f} | {:.2f} | {} |\n", what, bar, by_minimum, by_median,
                 verdict(std::min(by_minimum, by_median) >= bar));
    }
  }

  void print_flatness(Task task) const {
    const auto spread = [&](auto time) {
      double low = 1e300, high = 0.0;
      for (const int n : chain_lengths) {
        low = std::min(low, time(chain(n, task)) / n);
        high = std::max(high, time(chain(n, task)) / n);
      }
      return high / low;
    };
    const double by_minimum = spread([](const Entry& e) { return e.minimum(); });
    const double by_median = spread([](const Entry& e) { return e.median(); });
    fmt::print("| {} per link, dearest over cheapest N from {} to {} | ≤ {} | {:.2f} | {:.2f} | {} |\n", name_of(task),
               chain_lengths.front(), chain_lengths.back(), flat_bar, by_minimum, by_median,
               verdict(std::max(by_minimum, by_median) <= flat_bar));
  }

  static const char* verdict(bool met) { return met ? "met" : "**missed**"; }

  std::deque<Contest> contests_;  // entries refer to them: no moving
  std::deque<Entry> entries_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 1 ? 101 : argc == 2 ? rounds_of(argv[1]) : 0;
  if (rounds == 0) {
    fmt::print(stderr, "error: bench_compare takes one number, how many rounds (101 without)\n");
    return 2;
  }
  if (!is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  fmt::print("{} {} rounds of blocks of about 1 ms, contestants in turn.\n", contestants_note(), rounds);
  Comparison comparison;
  comparison.run(rounds);
  comparison.print();
}

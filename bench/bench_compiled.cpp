// The bars of compiled kernels: the robot's own code against KDL and MuJoCo and against our generic
// path, in turns in one run. Markdown on stdout. Usage: bench_compiled [ROUNDS]
#include <fmt/format.h>

#include <deque>

#include "entry.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/trace/compiled.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

struct Bar {
  const char* robot;
  Task task;
  const char* peer;
  double times;
};
constexpr Bar bars[] = {
    {"panda_like", Task::inverse_dynamics, "kdl", 8.0},    {"kuka_lwr4", Task::inverse_dynamics, "kdl", 11.0},
    {"panda_like", Task::forward_dynamics, "mujoco", 6.5}, {"kuka_lwr4", Task::forward_dynamics, "mujoco", 10.0},
    {"panda_like", Task::derivatives, "pinocchio", 5.0},   {"ur5_like", Task::derivatives, "pinocchio", 5.0}};
constexpr const char* arms[] = {"panda_like", "kuka_lwr4", "ur5_like", "puma560", "stanford"};

const Entry* find(const std::deque<Entry>& entries, const std::string& robot, const std::string& library, Task task) {
  for (const Entry& e : entries)
    if (e.model().name() == robot && e.library() == library && e.task() == task) return &e;
  return nullptr;
}

void print_arm(const std::deque<Entry>& entries, const std::string& arm) {
  fmt::print("\n## {}: ns per call\n\n| task | library | min | median | × compiled (min) |\n|---|---|---:|---:|---:|\n",
             arm);
  for (const Entry& e : entries) {
    if (e.model().name() != arm) continue;
    const Entry* own = find(entries, arm, "ulna_compiled", e.task());
    fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.2f} |\n", name_of(e.task()), e.library(), e.minimum(), e.median(),
               own != nullptr ? e.minimum() / own->minimum() : 0.0);
  }
}

void print_bar(const std::deque<Entry>& entries, const Bar& bar) {
  const Entry *own = find(entries, bar.robot, "ulna_compiled", bar.task),
              *peer = find(entries, bar.robot, bar.peer, bar.task);
  const std::string what = fmt::format("{} of {}, times faster than {}", name_of(bar.task), bar.robot, bar.peer);
  if (own == nullptr || peer == nullptr) {
    fmt::print("| {} | ≥ {} | | | not measured |\n", what, bar.times);
    return;
  }
  const double by_minimum = peer->minimum() / own->minimum(), by_median = peer->median() / own->median();
  fmt::print("| {} | ≥ {} | {:.2f} | {:.2f} | {} |\n", what, bar.times, by_minimum, by_median,
             std::min(by_minimum, by_median) >= bar.times ? "met" : "**missed**");
}

/// All derivatives of forward dynamics against central differences of the compiled kernel.
void print_derivatives(const char* arm, int rounds) {
  const Model model = load(arm);
  const CompiledDerivatives own = compile_derivatives(model);
  const Compiled<double> forward = compile<double>(model, Quantity::forward_dynamics);
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> x(3 * n, 0.3), a(n), dq(n * n), dv(n * n), dtau(n * n);
  const auto view = [&](std::vector<double>& m) { return MatrixView<double>{m.data(), model.nv(), model.nv()}; };
  const auto part = [&](std::size_t k) { return std::span<const double>(x).subspan(k * n, n); };
  Times analytic, differences;
  const auto time = [](Times& times, auto&& work) {
    using Clock = std::chrono::steady_clock;
    constexpr int calls = 200;
    const Clock::time_point start = Clock::now();
    for (int k = 0; k < calls; ++k) work(k);
    times.add(std::chrono::duration<double, std::nano>(Clock::now() - start).count() / calls);
  };
  for (int r = 0; r < rounds; ++r) {
    time(analytic, [&](int k) {
      x[0] = 0.001 * k;
      own.evaluate(part(0), part(1), part(2), a, view(dq), view(dv), view(dtau));
    });
    time(differences, [&](int k) {
      x[0] = 0.001 * k;
      for (std::size_t c = 0; c < 3 * n; ++c) {
        const double at = x[c], h = 1e-6;
        double* column = c < n ? &dq[c * n] : c < 2 * n ? &dv[(c - n) * n] : &dtau[(c - 2 * n) * n];
        x[c] = at + h;
        forward.method->forward_dynamics(part(0), part(1), part(2), a, {});
        std::copy(a.begin(), a.end(), column);
        x[c] = at - h;
        forward.method->forward_dynamics(part(0), part(1), part(2), a, {});
        for (std::size_t i = 0; i < n; ++i) column[i] = (column[i] - a[i]) / (2 * h);
        x[c] = at;
      }
    });
  }
  const double ratio = differences.minimum() / analytic.minimum();
  fmt::print("| derivatives of FD of {}, times faster than central differences | ≥ 5 | {:.2f} | {:.2f} | {} |\n", arm,
             ratio, differences.median() / analytic.median(), ratio >= 5.0 ? "met" : "**missed**");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 1 ? 101 : argc == 2 ? rounds_of(argv[1]) : 0;
  if (rounds == 0) {
    fmt::print(stderr, "error: bench_compiled takes one number, how many rounds (101 without)\n");
    return 2;
  }
  fmt::print("{} {} rounds of blocks of about 1 ms, contestants in turn.\n", contestants_note(), rounds);
  std::deque<Contest> contests;
  std::deque<Entry> entries;
  for (const char* arm : arms) {
    Contest& contest = contests.emplace_back(arm, Contest::Field::all_and_compiled);
    for (Contestant& contestant : contest.contestants()) {
      if (contestant.made.robot == nullptr) fmt::print("{} on {}: {}\n", contestant.name, arm, contestant.made.refusal);
      for (const Task task : {Task::inverse_dynamics, Task::mass_matrix, Task::forward_dynamics, Task::derivatives})
        if (contestant.made.robot != nullptr && contest.call(*contestant.made.robot, task))
          entries.emplace_back(contest, contestant, task);
    }
  }
  for (int r = 0; r < rounds; ++r)
    for (Entry& entry : entries) entry.run();
  for (const char* arm : arms) print_arm(entries, arm);
  fmt::print("\n## Bars\n\n| bar | wanted | min | median | |\n|---|---:|---:|---:|---|\n");
  for (const Bar& bar : bars) print_bar(entries, bar);
  for (const char* arm : {"panda_like", "kuka_lwr4", "ur5_like"}) print_derivatives(arm, rounds);
}

// Forward dynamics of mechanisms with closed loops, against MuJoCo with the same loops. Contestants take
// turns in short blocks, many rounds; minimum and median of each are printed.
// Markdown on stdout. Usage: bench_loops [ROUNDS]
//
// Ulna solves the loops exactly, velocities included; MuJoCo solves its soft ones and leaves J̇ v out.
// MuJoCo is called as mj_forward does: mj_fwdPosition, mj_fwdVelocity, mj_fwdAcceleration, mj_fwdConstraint,
// with its default solver (Newton) at what is fastest here: one iteration, which solves a system without
// inequalities, dense Jacobians, no warm start, no contacts, actuators and sensors, and hinges of plane
// mechanisms held by one point instead of two.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>

#include "contest.hpp"
#include "peers/mechanism_peer.hpp"
#include "peers/rounds.hpp"
#include "support/closed_state.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/compiled_loops.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

constexpr std::array mechanisms{"slider_crank", "four_bar", "five_bar", "palletizer", "stewart", "dual_arm"};
constexpr const char* bar_mechanism = "stewart";
/// By the generic path and by own code: these times as fast as MuJoCo.
constexpr std::array bars{std::pair{"ulna", 2.0}, std::pair{"ulna_own_code", 6.0}};
constexpr std::size_t state_count = 256;  // a power of two, so that the next index is a mask away
constexpr std::uint64_t seed = 20260004;

/// One way to compute accelerations, and the times of its blocks.
struct Entry {
  std::string name;
  std::function<void()> call;
  int calls;
  Times times;
};

class LoopContest {
 public:
  explicit LoopContest(const std::string& robot)
      : graph_(load_graph(robot)),
        model_(build(graph_)),
        dynamics_(model_),
        compiled_(compile_loops(model_).make()),
        peer_(peers::make_mechanism_peer(graph_, model_, peers::Hinge::one_point)),
        result_(static_cast<std::size_t>(model_.nv())) {
    std::mt19937_64 generator(seed);
    for (std::size_t k = 0; k < state_count; ++k)
      states_.push_back({test::random_closed_state(model_, generator), random_velocity(model_, generator)});
    add("ulna", [this](const State& s) { dynamics_.forward_dynamics(s.at.q, s.at.v, s.tau, result_); });
    add("ulna_independent",
        [this](const State& s) { dynamics_.forward_dynamics_independent(s.at.q, s.at.v, s.tau, result_); });
    add("ulna_own_code", [this](const State& s) { compiled_->forward_dynamics(s.at.q, s.at.v, s.tau, result_); });
    if (peer_.mechanism != nullptr)
      add("mujoco", [this](const State& s) { peer_.mechanism->forward_dynamics(s.at.q, s.at.v, s.tau, result_); });
  }
  LoopContest(const LoopContest&) = delete;  // the contestants refer to this
  LoopContest& operator=(const LoopContest&) = delete;

  void run() {
    for (Entry& one : entries_) one.times.add(time_block(one.calls, one.call));
    sink_ = result_[0];
  }

  void print() const {
    const Entry& ulna = entries_.front();
    for (const Entry& one : entries_) {
      fmt::print("| {} | {} | {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} |\n", graph_.name, model_.nv(),
                 model_.constraint_count(), one.name, one.times.minimum(), one.times.median(),
                 one.times.minimum() / ulna.times.minimum(), one.times.median() / ulna.times.median());
    }
  }

  /// A sentence instead where MuJoCo is not here.
  void print_bars() const {
    if (peer_.mechanism == nullptr) {
      fmt::print("\n{}: {}; no bar measured.\n", graph_.name, peer_.refusal);
      return;
    }
    const Times& mujoco = times_of("mujoco");
    for (const auto& [way, bar] : bars) {
      const Times& ulna = times_of(way);
      const double by_minimum = mujoco.minimum() / ulna.minimum(), by_median = mujoco.median() / ulna.median();
      fmt::print(
          "\nBar: forward dynamics of {}, {}, ≥ {} times faster than MuJoCo: {:.2f} (min), {:.2f} (median): {}\n",
          graph_.name, way, bar, by_minimum, by_median, std::min(by_minimum, by_median) >= bar ? "met" : "**missed**");
    }
  }

  const std::string& robot() const { return graph_.name; }

 private:
  struct State {
    test::ClosedState at;
    std::vector<double> tau;
  };

  const Times& times_of(const std::string& name) const {
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.name == name; })->times;
  }

  template <class Solve>
  void add(const char* name, Solve solve) {
    const std::function<void()> call = [this, solve] { solve(states_[next_++ % state_count]); };
    entries_.push_back({name, call, calls_per_block(call), {}});
  }

  Graph graph_;
  Model model_;
  ConstrainedDynamics dynamics_;
  std::unique_ptr<Method<double>> compiled_;
  peers::MadeMechanism peer_;
  std::vector<State> states_;
  std::size_t next_ = 0;
  std::vector<double> result_;
  std::vector<Entry> entries_;
  volatile double sink_ = 0.0;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 1 ? 101 : argc == 2 ? rounds_of(argv[1]) : 0;
  if (rounds == 0) {
    fmt::print(stderr, "error: bench_loops takes one number, how many rounds (101 without)\n");
    return 2;
  }
  if (!is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  fmt::print("{} {} rounds of blocks of about 1 ms, contestants in turn.\n", contestants_note(), rounds);
  std::deque<LoopContest> contests;
  for (const char* robot : mechanisms) contests.emplace_back(robot);
  for (int r = 0; r < rounds; ++r)
    for (LoopContest& contest : contests) contest.run();
  fmt::print("\n## Forward dynamics with closed loops: ns per call\n\n");
  fmt::print(
      "| mechanism | degrees of the tree | loop equations | library | min | median | × ulna (min) | × ulna (median) "
      "|\n");
  fmt::print("|---|---:|---:|---|---:|---:|---:|---:|\n");
  for (const LoopContest& contest : contests) contest.print();
  for (const LoopContest& contest : contests)
    if (contest.robot() == bar_mechanism) contest.print_bars();
}

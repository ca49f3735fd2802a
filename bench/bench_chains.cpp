// Forward dynamics of long chains: the serial O(N) formulations against the paths in segments on one and two
// threads. Contestants in turn, minimum and median of the rounds, memory per link, the bar, and where segments begin to
// pay. Usage: bench_chains [ROUNDS]
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <cstdlib>
#include <functional>
#include <memory>

#include "contest.hpp"
#include "peers/rounds.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/ulna.hpp"

namespace {

using namespace ulna;

constexpr int lengths[] = {50, 100, 150, 200, 300, 400, 600, 1000, 10'000, 100'000, 1'000'000};
constexpr int bar_length = 100'000;
constexpr double bar = 1.4;
constexpr const char* serial[] = {"articulated_body", "denoc", "constraint_force"};

struct Contestant {
  std::string name;
  int threads;  // 0: the serial path
  std::function<void()> call;
  std::size_t bytes = 0;
  int calls = 1;
  bench::Times times{};
};

/// All contestants on one chain.
class Chain {
 public:
  explicit Chain(int n) : n_(n), model_(load(fmt::format("chain:{}", n))), a_(static_cast<std::size_t>(n)) {
    std::mt19937_64 generator(1);
    q_ = random_position(model_, generator);
    v_ = random_velocity(model_, generator, 0.1);
    tau_ = random_velocity(model_, generator);
    for (const char* name : serial) {
      auto method = std::shared_ptr(make_method<double>(name, Quantity::forward_dynamics, model_));
      contestants_.push_back({name, 0, [this, method] { method->forward_dynamics(q_, v_, tau_, a_); }});
    }
    add_segments<articulated_body::ParallelSolver>("articulated_body");
    add_segments<constraint_force::ParallelSolver>("constraint_force");
    for (Contestant& c : contestants_) c.calls = bench::calls_per_block(c.call);
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  void run(int rounds) {
    for (int r = 0; r < rounds; ++r)
      for (Contestant& c : contestants_) c.times.add(bench::time_block(c.calls, c.call));
  }

  int length() const { return n_; }
  const std::vector<Contestant>& contestants() const { return contestants_; }
  /// The fastest with so many threads, 0 for the serial ones.
  const Contestant& best(int threads) const {
    const Contestant* best = nullptr;
    for (const Contestant& c : contestants_)
      if (c.threads == threads && (best == nullptr || c.times.median() < best->times.median())) best = &c;
    return *best;
  }

 private:
  template <class Solver>
  void add_segments(const char* name) {
    auto solver = std::make_shared<Solver>(model_);
    for (const int threads : {1, 2}) {
      auto arena = std::make_shared<tbb::task_arena>(threads);
      contestants_.push_back(
          {fmt::format("{} in segments, {} thread{}", name, threads, threads == 1 ? "" : "s"), threads,
           [this, arena, solver] { arena->execute([&] { solver->forward_dynamics(q_, v_, tau_, a_); }); },
           solver->bytes()});
    }
  }

  int n_;
  Model model_;
  std::vector<double> q_, v_, tau_, a_;
  std::vector<Contestant> contestants_;
};

void print_head(const Chain& chain) {
  fmt::print("| N |");
  for (const Contestant& c : chain.contestants()) fmt::print(" {} |", c.name);
  fmt::print(" best on 2 threads over best serial |\n|---:|");
  for (std::size_t k = 0; k <= chain.contestants().size(); ++k) fmt::print("---:|");
  fmt::print("\n");
}

void print_row(const Chain& chain) {
  fmt::print("| {} |", chain.length());
  for (const Contestant& c : chain.contestants())
    fmt::print(" {:.1f} / {:.1f} |", c.times.minimum() / chain.length(), c.times.median() / chain.length());
  const bench::Times &one = chain.best(0).times, &two = chain.best(2).times;
  fmt::print(" {:.2f} / {:.2f} |\n", one.minimum() / two.minimum(), one.median() / two.median());
  std::fflush(stdout);
}

void print_bar(const Chain& chain) {
  const Contestant &slow = chain.best(0), &one = chain.best(1), &two = chain.best(2);
  const double ratio = slow.times.median() / two.times.median();
  fmt::print(
      "\nAt N = {}: {} is {:.2f} times as fast as the best serial path, {}, by medians ({:.2f} by minima); bar {}: "
      "{}\n",
      chain.length(), two.name, ratio, slow.name, slow.times.minimum() / two.times.minimum(), bar,
      ratio >= bar ? "met" : "**missed**");
  fmt::print("Lanes alone, {}: {:.2f} ({:.2f}).\n", one.name, slow.times.median() / one.times.median(),
             slow.times.minimum() / one.times.minimum());
  for (const Contestant& c : chain.contestants())
    if (c.threads == 1)
      fmt::print("Memory, {}: {} bytes per link.\n", c.name, c.bytes / static_cast<std::size_t>(chain.length()));
}

/// From which of the measured lengths on segments win; 0 while they do not.
struct PaysFrom {
  int threads;
  int length = 0;
  void see(const Chain& chain) {
    const bool wins = chain.best(threads).times.median() < chain.best(0).times.median();
    length = !wins ? 0 : length > 0 ? length : chain.length();
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? bench::rounds_of(argv[1]) : 15;
  if (rounds < 1) {
    fmt::print(stderr, "error: bench_chains takes one number, how many rounds (15 without)\n");
    return 2;
  }
  if (!bench::is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  fmt::print("Forward dynamics of chain:N, ns per link, minimum / median of {} rounds.\n\n", rounds);
  PaysFrom crossings[] = {{1}, {2}};
  std::unique_ptr<Chain> at_bar;
  for (const int n : lengths) {
    auto chain = std::make_unique<Chain>(n);
    chain->run(rounds);
    if (n == lengths[0]) print_head(*chain);
    print_row(*chain);
    for (PaysFrom& crossing : crossings) crossing.see(*chain);
    if (n == bar_length) at_bar = std::move(chain);
  }
  print_bar(*at_bar);
  for (const PaysFrom& crossing : crossings)
    fmt::print("Segments win on {} thread{} from N = {} on (of the lengths above).\n", crossing.threads,
               crossing.threads == 1 ? "" : "s", crossing.length);
}

// Forward dynamics of chains by every formulation of the registry in one table: contestants in turn, minimum
// and median. Long chains and threads are bench_chains'. Usage: bench_formulations [ROUNDS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>

#include "contest.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/ulna.hpp"

namespace {

using namespace ulna;

constexpr int lengths[] = {6, 10, 30, 100, 300, 1000, 3000, 10000};
constexpr double block_ns = 2e6;
constexpr int largest_dense = 1000;  // formulations that form M: O(n³) time and n² memory

/// Accelerations of one state into `a`, by some way.
using Call = std::function<void()>;

struct State {
  std::vector<double> q, v, tau, a;
};

bool forms_M(std::string_view method) {
  return method == "composite_body" || method == "spatial_operator" || method == "homogeneous";
}

class Chain {
 public:
  explicit Chain(int n) : n_(n), model_(load(fmt::format("chain:{}", n))) {
    std::mt19937_64 generator(1);
    state_ = {random_position(model_, generator), random_velocity(model_, generator, 0.1),
              random_velocity(model_, generator), std::vector<double>(static_cast<std::size_t>(n))};
    for (const MethodInfo& info : methods()) {
      if (!info.can(Quantity::forward_dynamics) || (forms_M(info.name) && n > largest_dense)) continue;
      auto method = std::shared_ptr(make_method<double>(info.name, Quantity::forward_dynamics, model_));
      add(std::string(info.name),
          [this, method] { method->forward_dynamics(state_.q, state_.v, state_.tau, state_.a); });
    }
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  void run() {
    for (auto& [name, entry] : entries_) entry.times.push_back(time(entry));
  }
  int length() const { return n_; }
  /// Nanoseconds per link, or nothing.
  std::string cell(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return "–";
    return fmt::format("{:.0f} / {:.0f}", minimum(name) / n_, median(name) / n_);
  }
  double minimum(const std::string& name) const {
    const std::vector<double>& times = entries_.at(name).times;
    return *std::min_element(times.begin(), times.end());
  }
  double median(const std::string& name) const {
    std::vector<double> times = entries_.at(name).times;
    std::nth_element(times.begin(), times.begin() + std::ssize(times) / 2, times.end());
    return times[times.size() / 2];
  }

 private:
  struct Entry {
    Call call;
    int calls = 1;
    std::vector<double> times;
  };

  void add(const std::string& name, Call call) {
    Entry entry{std::move(call), 1, {}};
    time(entry);  // first touch of all memory
    entry.calls = std::max(1, static_cast<int>(block_ns / time(entry)));
    entries_.emplace(name, std::move(entry));
  }
  static double time(const Entry& entry) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < entry.calls; ++k) entry.call();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / entry.calls;
  }

  int n_;
  Model model_;
  State state_;
  std::map<std::string, Entry> entries_;
};

void print_table(const std::vector<std::unique_ptr<Chain>>& chains, const std::vector<std::string>& names) {
  fmt::print("| N |");
  for (const std::string& name : names) fmt::print(" {} |", name);
  fmt::print("\n|---:|");
  for (std::size_t k = 0; k < names.size(); ++k) fmt::print("---:|");
  fmt::print("\n");
  for (const auto& chain : chains) {
    fmt::print("| {} |", chain->length());
    for (const std::string& name : names) fmt::print(" {} |", chain->cell(name));
    fmt::print("\n");
  }
}

void print_growth(const std::vector<std::unique_ptr<Chain>>& chains) {
  const Chain &small = *chains[3], &large = *chains.back();
  const std::string serial = "constraint_force";
  const double linear = (large.median(serial) / large.length()) / (small.median(serial) / small.length());
  fmt::print("\nconstraint_force serial, cost per link at N = {} over N = {}: {:.2f} (linear is 1)\n", large.length(),
             small.length(), linear);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  if (rounds < 1) {
    fmt::print(stderr, "error: bench_formulations takes one number, how many rounds (15 without)\n");
    return 2;
  }
  if (!bench::is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  std::vector<std::unique_ptr<Chain>> chains;
  for (const int n : lengths) chains.push_back(std::make_unique<Chain>(n));
  for (int r = 0; r < rounds; ++r)
    for (const auto& chain : chains) chain->run();
  std::vector<std::string> names;
  for (const MethodInfo& info : methods())
    if (info.can(Quantity::forward_dynamics)) names.emplace_back(info.name);
  fmt::print("Forward dynamics of chain:N, ns per link, minimum / median of {} rounds.\n\n", rounds);
  print_table(chains, names);
  print_growth(chains);
}

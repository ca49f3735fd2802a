// Google Benchmark over robots × tasks × libraries. Names are TASK/ROBOT/LIBRARY, so
// `bench_dynamics --benchmark_filter=FD/panda_like` compares one thing.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>

#include "contest.hpp"
#include "peers/libraries.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

/// Long chains take a while to build: only those that a filter lets through are.
Contest& contest_of(const std::string& robot) {
  static std::map<std::string, Contest> contests;
  return contests.try_emplace(robot, robot).first->second;
}

void run(benchmark::State& state, const std::string& robot, Task task, const std::string& library) {
  Contest& contest = contest_of(robot);
  for (Contestant& contestant : contest.contestants()) {
    if (contestant.name != library) continue;
    if (contestant.made.robot == nullptr) return state.SkipWithError(contestant.made.refusal.c_str());
    for ([[maybe_unused]] const auto _ : state) {
      contest.call(*contestant.made.robot, task);
      benchmark::DoNotOptimize(contest.result());
    }
  }
  using benchmark::Counter;
  state.counters["per_link"] =
      Counter(contest.model().body_count(), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void register_robot(const std::string& robot, const std::vector<std::string>& libraries) {
  for (const Task task : tasks) {
    for (const std::string& library : libraries) {
      if (library == "ulna_composite_body" && task != Task::forward_dynamics) continue;
      benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", name_of(task), robot, library).c_str(),
                                   [=](benchmark::State& state) { run(state, robot, task, library); });
    }
  }
}

void register_all() {
  std::vector<std::string> libraries{"ulna", "ulna_composite_body"};
  for (const peers::Library& library : peers::libraries()) libraries.push_back(library.name);
  for (const char* arm : {"ur5_like", "panda_like"}) register_robot(arm, libraries);
  for (const int n : {6, 10, 30, 100, 300, 1000}) register_robot(fmt::format("chain:{}", n), libraries);
}

}  // namespace

int main(int argc, char** argv) {
  if (!is_optimised()) fmt::print(stderr, "note: this build is not optimised; its numbers mean nothing\n");
  fmt::print(stderr, "{}\n", contestants_note());
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

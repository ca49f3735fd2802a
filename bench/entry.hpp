// A contestant with its times: what the programs that compare in turns share.
#pragma once

#include <algorithm>
#include <chrono>

#include "contest.hpp"
#include "rounds.hpp"

namespace ulna::bench {

inline constexpr double block_ns = 1e6;  // long against the clock, short against the neighbours' moods

/// One contestant on one robot at one task, and the times of its blocks.
class Entry {
 public:
  Entry(Contest& contest, Contestant& contestant, Task task)
      : contest_(contest), contestant_(contestant), task_(task), calls_(1) {
    time_block();  // first touch of all memory
    const double once = time_block();
    calls_ = std::max(1, static_cast<int>(block_ns / once));
  }

  void run() { times_.add(time_block()); }

  const std::string& library() const { return contestant_.name; }
  const Model& model() const { return contest_.model(); }
  Task task() const { return task_; }
  double minimum() const { return times_.minimum(); }
  double median() const { return times_.median(); }

 private:
  /// Nanoseconds per call.
  double time_block() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (int k = 0; k < calls_; ++k) contest_.call(*contestant_.made.robot, task_);
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    sink_ = contest_.result()[0];
    return took.count() / calls_;
  }

  Contest& contest_;
  Contestant& contestant_;
  Task task_;
  int calls_;
  Times times_;
  volatile double sink_ = 0.0;
};

}  // namespace ulna::bench

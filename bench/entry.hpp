// A contestant with its times: what the programs that compare in turns share.
#pragma once

#include "contest.hpp"
#include "peers/rounds.hpp"

namespace ulna::bench {

/// One contestant on one robot at one task, and the times of its blocks.
class Entry {
 public:
  Entry(Contest& contest, Contestant& contestant, Task task)
      : contest_(contest), contestant_(contestant), task_(task), calls_(calls_per_block([this] { call(); })) {}

  void run() {
    times_.add(time_block(calls_, [this] { call(); }));
    sink_ = contest_.result()[0];
  }

  const std::string& library() const { return contestant_.name; }
  const Model& model() const { return contest_.model(); }
  Task task() const { return task_; }
  double minimum() const { return times_.minimum(); }
  double median() const { return times_.median(); }
  const Times& times() const { return times_; }

 private:
  void call() { contest_.call(*contestant_.made.robot, task_); }

  Contest& contest_;
  Contestant& contestant_;
  Task task_;
  int calls_;
  Times times_;
  volatile double sink_ = 0.0;
};

}  // namespace ulna::bench

// Processes that share the work of a study, and what they tell each other. One alone is the plain case; ranks of MPI
// come from a library of their own (ulna/study/ranks.hpp), so that nothing else depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ulna {

class Communicator {
 public:
  Communicator() = default;
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// The next number of a counter that all share: each number goes to one rank.
  virtual std::size_t take() = 0;
  /// So much more of the work is finished; how much that is over all ranks, 0 for a question.
  virtual std::size_t finished(std::size_t more) = 0;
  /// Asked often, by one thread at a time. False: some rank said stop().
  virtual bool goes_on() = 0;
  virtual void stop() = 0;

  // What all ranks call together.
  /// Counters from 0, nobody has said stop.
  virtual void begin() = 0;
  /// Each number becomes its sum over all ranks.
  virtual void sum(std::span<std::int64_t> numbers) = 0;
  /// The texts of all ranks, on every rank.
  virtual std::vector<std::string> gather(const std::string& own) = 0;
};

/// One process by itself.
class AloneCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::size_t take() override { return next_++; }
  std::size_t finished(std::size_t more) override { return finished_ += more; }
  bool goes_on() override { return !stopped_; }
  void stop() override { stopped_ = true; }
  void begin() override {
    next_ = finished_ = 0;
    stopped_ = false;
  }
  void sum(std::span<std::int64_t>) override {}
  std::vector<std::string> gather(const std::string& own) override { return {own}; }

 private:
  std::size_t next_ = 0, finished_ = 0;
  bool stopped_ = false;
};

}  // namespace ulna

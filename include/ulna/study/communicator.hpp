// Processes that share the work of a study, and what they tell each other. One alone is the plain case; ranks of MPI
// come from a library of their own (ulna/study/ranks.hpp), so that nothing else depends on it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
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

  /// Ranks on the same machine, this one among them.
  virtual int ranks_here() const = 0;

  /// Counters that all share.
  enum class Tally { next, finished, recalled };
  /// Adds, and returns what it was before: each number of `next` goes to one rank.
  virtual std::uint64_t add(Tally tally, std::uint64_t more) = 0;
  /// Asked often, by one thread at a time. False: some rank said stop().
  virtual bool goes_on() = 0;
  virtual void stop() = 0;

  // What all ranks call together.
  /// Tallies from 0, nobody has said stop.
  virtual void begin() = 0;
  /// Each number becomes its sum over all ranks.
  virtual void sum(std::span<std::int64_t> numbers) = 0;
  /// The texts of all ranks, on every rank.
  virtual std::vector<std::string> gather(const std::string& own) = 0;
  /// The last call: who does not come here has failed, and ends the others.
  virtual void leave() {}
};

/// Another rank failed, and the first of all ranks tells why.
struct FailedElsewhere {};

/// Work on all ranks together, which an error on one of them ends on all: the first rank throws it, the others
/// FailedElsewhere. The work itself must not wait for other ranks.
void all_succeed(Communicator& ranks, const std::function<void()>& work);

/// The same for work in which ranks call sum() and gather() together, by the communicator that `work` is given: one
/// that throws lets the others not wait for it.
void all_succeed_together(Communicator& ranks, const std::function<void(Communicator& together)>& work);

/// One process by itself.
class AloneCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int ranks_here() const override { return 1; }
  std::uint64_t add(Tally tally, std::uint64_t more) override {
    return std::exchange(tallies_[static_cast<std::size_t>(tally)], tallies_[static_cast<std::size_t>(tally)] + more);
  }
  bool goes_on() override { return !stopped_; }
  void stop() override { stopped_ = true; }
  void begin() override {
    tallies_ = {};
    stopped_ = false;
  }
  void sum(std::span<std::int64_t>) override {}
  std::vector<std::string> gather(const std::string& own) override { return {own}; }

 private:
  std::array<std::uint64_t, 3> tallies_{};
  bool stopped_ = false;
};

}  // namespace ulna

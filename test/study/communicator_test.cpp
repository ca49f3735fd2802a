// Ranks that end together when one of them fails, with threads as ranks.
#include "ulna/study/communicator.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "ulna/base/error.hpp"

namespace ulna {
namespace {

constexpr int rank_count = 3;

/// What the ranks put down for each other.
struct Shared {
  std::barrier<> barrier{rank_count};
  std::vector<std::string> texts = std::vector<std::string>(rank_count);
  std::vector<std::vector<std::int64_t>> numbers = std::vector<std::vector<std::int64_t>>(rank_count);
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Shared& shared, int rank) : shared_(shared), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return rank_count; }
  int ranks_here() const override { return rank_count; }
  std::uint64_t add(Tally, std::uint64_t) override { return 0; }
  bool goes_on() override { return true; }
  void stop() override {}
  void begin() override { shared_.barrier.arrive_and_wait(); }
  void sum(std::span<std::int64_t> own) override {
    shared_.numbers[static_cast<std::size_t>(rank_)].assign(own.begin(), own.end());
    shared_.barrier.arrive_and_wait();
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = std::accumulate(shared_.numbers.begin(), shared_.numbers.end(), std::int64_t{0},
                               [&](std::int64_t s, const auto& of_rank) { return s + of_rank[i]; });
    shared_.barrier.arrive_and_wait();
  }
  std::vector<std::string> gather(const std::string& own) override {
    shared_.texts[static_cast<std::size_t>(rank_)] = own;
    shared_.barrier.arrive_and_wait();
    std::vector<std::string> all = shared_.texts;
    shared_.barrier.arrive_and_wait();
    return all;
  }

 private:
  Shared& shared_;
  int rank_;
};

/// How the work ended on each rank: "", the error, or "elsewhere".
std::vector<std::string> ends_of(const std::function<void(Communicator&)>& work) {
  Shared shared;
  std::vector<std::string> ends(rank_count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < rank_count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRank own(shared, rank);
      try {
        all_succeed_together(own, work);
      } catch (const FailedElsewhere&) {
        ends[static_cast<std::size_t>(rank)] = "elsewhere";
      } catch (const std::exception& error) {
        ends[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return ends;
}

TEST(Communicator, work_together_gives_what_the_ranks_say) {
  EXPECT_EQ(ends_of([](Communicator& ranks) {
              std::vector<std::int64_t> numbers{1, ranks.rank()};
              ranks.sum(numbers);
              if (numbers != std::vector<std::int64_t>{3, 3}) throw std::runtime_error("wrong sum");
              if (ranks.gather(std::to_string(ranks.rank()))[2] != "2") throw std::runtime_error("wrong texts");
            }),
            (std::vector<std::string>{"", "", ""}));
}

TEST(Communicator, a_rank_that_throws_keeps_nobody_waiting) {
  for (int culprit = 0; culprit < rank_count; ++culprit) {
    for (int calls = 0; calls <= 3; ++calls) {  // before the first sum, between them, and after the last
      const std::vector<std::string> ends = ends_of([&](Communicator& ranks) {
        for (int call = 0; call < 3; ++call) {
          if (ranks.rank() == culprit && call == calls) throw InputError(Source{"file.h5", 0}, "cannot be read");
          std::vector<std::int64_t> numbers{1};
          ranks.sum(numbers);
        }
        if (ranks.rank() == culprit && calls == 3) throw InputError(Source{"file.h5", 0}, "cannot be read");
      });
      EXPECT_EQ(ends, (std::vector<std::string>{"file.h5: error: cannot be read", "elsewhere", "elsewhere"}))
          << culprit << " after " << calls;
    }
  }
}

TEST(Communicator, what_is_no_error_of_input_ends_it_too) {
  const std::vector<std::string> ends = ends_of([](Communicator& ranks) {
    if (ranks.rank() == 1) throw std::bad_alloc();
    ranks.gather("");
  });
  EXPECT_NE(ends[0].find("bad_alloc"), std::string::npos) << ends[0];
  EXPECT_EQ(ends[1], "elsewhere");
  EXPECT_EQ(ends[2], "elsewhere");
}

}  // namespace
}  // namespace ulna

#include "chunk_loop.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace ulna {

namespace {

using Tally = Communicator::Tally;

class TakenChunks {
 public:
  TakenChunks(const ChunkLoop& loop, Communicator& ranks)
      : loop_(loop), cut_(loop.work.cut()), ranks_(ranks), began_(std::chrono::steady_clock::now()) {}

  /// Chunks until none is left anywhere.
  void take_all() {
    try {
      take_those_left();
    } catch (...) {
      ranks_.stop();
      throw;
    }
    while (proceeds() && done().finished < cut_.items) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ChunksDone done() {
    const std::size_t recalled = ranks_.add(Tally::recalled, 0), computed = ranks_.add(Tally::finished, 0);
    return {recalled + computed, recalled,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count()};
  }

 private:
  void take_those_left() {
    while (proceeds()) {
      const std::size_t index = ranks_.add(Tally::next, 1);
      if (index >= cut_.count()) break;
      const std::size_t count = cut_.at(index).count;
      if (loop_.resume && loop_.work.holds(index, true))
        ranks_.add(Tally::recalled, count);
      else if (!loop_.run(index, [&] { return proceeds(); }))
        return;
      else
        ranks_.add(Tally::finished, count);
    }
  }

  /// Asked all the time, and looks now and then.
  bool proceeds() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::microseconds(500)) return true;
    asked_ = now;
    if (!ranks_.goes_on()) return false;
    if (!loop_.proceed || loop_.proceed(ranks_.rank() == 0 ? done() : ChunksDone{})) return true;
    ranks_.stop();
    return false;
  }

  const ChunkLoop& loop_;
  const ChunkCut& cut_;
  Communicator& ranks_;
  std::chrono::steady_clock::time_point began_, asked_{};
};

}  // namespace

ChunksDone take_chunks(const ChunkLoop& loop, Communicator& ranks) {
  all_succeed(ranks, [&] {
    if (ranks.rank() == 0) loop.work.begin(loop.resume);
  });
  all_succeed(ranks, [&] { loop.work.join(); });
  TakenChunks taken(loop, ranks);
  all_succeed(ranks, [&] { taken.take_all(); });
  return taken.done();
}

int share_of_cores(const Communicator& ranks) {
  const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  cpu_set_t set;
  CPU_ZERO(&set);
  const int own = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : all;
  return own < all ? own : std::max(1, all / ranks.ranks_here());
}

}  // namespace ulna

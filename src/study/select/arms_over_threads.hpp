// Work on many arms at once, which the caller can end.
#pragma once

#include <atomic>
#include <mutex>

#include "dynamics/threads.hpp"
#include "ulna/study/select/arm.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

/// each(i, keep_going) for i = 0 … count − 1, on so many threads (0: as many as the machine has). `progress` is asked
/// now and then, by one thread at a time, with how many are done; false ends the work with Interrupted.
template <class Each>
void over_threads(std::size_t count, int threads, const std::function<bool(std::size_t done)>& progress,
                  const Each& each) {
  std::atomic<std::size_t> done{0};
  std::atomic<bool> stopped{false};
  std::mutex asking;
  const KeepGoing keep_going = [&] {
    const std::unique_lock lock(asking, std::try_to_lock);
    if (lock.owns_lock() && !stopped && !progress(done)) stopped = true;
    return !stopped.load();
  };
  Arena arena(threads > 0 ? threads : all_cores);
  arena.execute([&] {
    Threads{1}(static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t k) {
      if (!keep_going()) throw Interrupted{};
      each(static_cast<std::size_t>(k), keep_going);
      ++done;
    });
  });
}

}  // namespace ulna::selection
#pragma GCC visibility pop

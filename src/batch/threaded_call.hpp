// One call over many states, on threads, that the caller may end.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "dynamics/threads.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::batch {

inline int threads_of(int wanted) {
  const int cores = most_threads();
  return wanted > 0 ? std::min(wanted, cores) : cores;
}

/// Whether a call is to go on: asked on every thread, and answered by the caller's.
class Leave {
 public:
  explicit Leave(const std::function<bool()>& proceed) : proceed_(proceed) {}

  bool to_go_on() {
    if (!proceed_) return true;
    if (std::this_thread::get_id() == caller_ && !ended_ && !proceed_()) ended_ = true;
    return !ended_;
  }

 private:
  const std::function<bool()>& proceed_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> ended_{false};
};

/// work(thread, k) for the pieces 0 … count − 1.
template <class Work>
void for_pieces(Arena& arena, int threads, std::size_t count, const std::function<bool()>& proceed, const Work& work) {
  Leave leave(proceed);
  if (threads == 1) {
    for (std::size_t k = 0; k < count && leave.to_go_on(); ++k) work(0, k);
    return;
  }
  arena.execute([&] {
    Threads{1}(static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t k) {
      if (leave.to_go_on()) work(static_cast<std::size_t>(thread_index()), static_cast<std::size_t>(k));
    });
  });
}

}  // namespace ulna::batch
#pragma GCC visibility pop

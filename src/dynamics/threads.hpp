// A loop on oneTBB's threads, for algorithms that take "some way to call f(0) … f(count − 1)"; on the caller's alone in
// a build without ULNA_THREADS.
#pragma once

#ifdef ULNA_THREADS
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include <cstddef>

#if defined(__SANITIZE_THREAD__)  // g++
#define ULNA_THREAD_SANITIZER
#elif defined(__has_feature)  // clang
#if __has_feature(thread_sanitizer)
#define ULNA_THREAD_SANITIZER
#endif
#endif
#ifdef ULNA_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

#pragma GCC visibility push(hidden)
namespace ulna {

/// Tells ThreadSanitizer what parallel_for promises and an uninstrumented oneTBB does not show it: what was
/// done before the loop is seen by its pieces, and theirs by what comes after. Races between pieces are found.
class ForkAndJoin {
 public:
#ifdef ULNA_THREAD_SANITIZER
  void hand_over() { __tsan_release(this); }
  void take_over() { __tsan_acquire(this); }
#else
  void hand_over() {}
  void take_over() {}
#endif
};

#ifdef ULNA_THREADS
using Arena = tbb::task_arena;
inline constexpr int all_cores = Arena::automatic;
/// As many as there are cores: oneTBB has no others.
inline int most_threads() { return tbb::this_task_arena::max_concurrency(); }
inline int thread_index() { return tbb::this_task_arena::current_thread_index(); }
#else
class Arena {
 public:
  Arena() = default;
  explicit Arena(int /*threads*/) {}
  template <class F>
  void execute(const F& f) {
    f();
  }
};
inline constexpr int all_cores = 1;
inline int most_threads() { return 1; }
inline int thread_index() { return 0; }
#endif

/// f(0) … f(count − 1) on the arena's threads, in pieces of at least `grain`.
struct Threads {
  std::ptrdiff_t grain;
  template <class F>
  void operator()(std::ptrdiff_t count, const F& f) const {
#ifdef ULNA_THREADS
    if (count > grain) return on_threads(count, f);
#endif
    for (std::ptrdiff_t k = 0; k < count; ++k) f(k);
  }

#ifdef ULNA_THREADS
 private:
  template <class F>
  void on_threads(std::ptrdiff_t count, const F& f) const {
    ForkAndJoin fork, join;
    fork.hand_over();
    tbb::parallel_for(tbb::blocked_range<std::ptrdiff_t>(0, count, static_cast<std::size_t>(grain)),
                      [&](const auto& range) {
                        fork.take_over();
                        for (std::ptrdiff_t k = range.begin(); k < range.end(); ++k) f(k);
                        join.hand_over();
                      });
    join.take_over();
  }
#endif
};

}  // namespace ulna
#pragma GCC visibility pop

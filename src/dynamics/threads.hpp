// A loop on oneTBB's threads, for algorithms that take "some way to call f(0) … f(count − 1)".
#pragma once

#include <tbb/parallel_for.h>

#include <cstddef>

namespace ulna {

/// f(0) … f(count − 1) on the arena's threads, in pieces of at least `grain`.
struct Threads {
  std::ptrdiff_t grain;
  template <class F>
  void operator()(std::ptrdiff_t count, const F& f) const {
    if (count <= grain) {
      for (std::ptrdiff_t k = 0; k < count; ++k) f(k);
      return;
    }
    tbb::parallel_for(tbb::blocked_range<std::ptrdiff_t>(0, count, static_cast<std::size_t>(grain)),
                      [&](const auto& range) {
                        for (std::ptrdiff_t k = range.begin(); k < range.end(); ++k) f(k);
                      });
  }
};

}  // namespace ulna

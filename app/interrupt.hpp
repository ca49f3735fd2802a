// Ctrl-C: noticed between pieces of work; a second one ends the program at once.
#pragma once

#include <csignal>

namespace ulna::app {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();

 private:
  struct sigaction before_ {};
};

}  // namespace ulna::app

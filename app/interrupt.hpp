// Ctrl-C, SIGTERM and SIGUSR1.
#pragma once

#include <csignal>

#include "ulna/simulate/simulation.hpp"

namespace ulna::app {

/// For the whole program: a signal that nobody waits for leaves no half files.
void end_cleanly_on_signals();

/// While it lives, a signal is noticed between pieces of work; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
  /// Of a command that was interrupted: 130 after Ctrl-C, 143 after SIGTERM, 138 after SIGUSR1, as shells have it.
  static int exit_code();
  /// Of a run: 0 completed, 1 ended early, or that of an interrupted command.
  static int exit_code(RunStatus status);
};

}  // namespace ulna::app

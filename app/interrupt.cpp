#include "interrupt.hpp"

namespace ulna::app {

namespace {
volatile std::sig_atomic_t noticed = 0;
}

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = [](int) { noticed = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() { ::sigaction(SIGINT, &before_, nullptr); }

bool InterruptGuard::interrupted() { return noticed != 0; }

}  // namespace ulna::app

#include "interrupt.hpp"

#include <unistd.h>

#include <array>
#include <string_view>

#include "ulna/base/unfinished_file.hpp"

namespace ulna::app {

namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1};  // the last: Slurm's warning before its time limit
volatile std::sig_atomic_t noticed = 0;

/// Ends the program as the signal would have, without half files.
void end(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void handle_by(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int signal : signals) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);  // as under nohup
  }
}

}  // namespace

void end_cleanly_on_signals() {
  handle_by(end);
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit of the shell is told as a full disk is
}

InterruptGuard::InterruptGuard() {
  handle_by([](int signal) {
    if (noticed != 0) end(signal);
    noticed = signal;
    constexpr std::string_view heard = "\r\x1b[Kinterrupted; ending in order, once more to end at once\n";
    const bool told = ::isatty(STDERR_FILENO) == 0 || ::write(STDERR_FILENO, heard.data(), heard.size()) > 0;
    static_cast<void>(told);  // nothing can be done about it here
  });
}

InterruptGuard::~InterruptGuard() { handle_by(end); }

bool InterruptGuard::interrupted() { return noticed != 0; }

int InterruptGuard::exit_code() { return 128 + (noticed != 0 ? noticed : SIGINT); }

int InterruptGuard::exit_code(RunStatus status) {
  if (status == RunStatus::completed) return 0;
  return status == RunStatus::interrupted ? exit_code() : 1;
}

}  // namespace ulna::app

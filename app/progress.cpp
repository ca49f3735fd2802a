#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace ulna::app {

Progress::Progress(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (printed_) fmt::print(stderr, "\r\033[K");
}

bool Progress::is_due() {
  if (!shown_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return false;
  last_ = now;
  return true;
}

void Progress::show(const std::string& text) {
  printed_ = true;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

}  // namespace ulna::app

#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/plain_text.hpp"
#include "terminal.hpp"
#include "ulna/study/ranks.hpp"

namespace ulna::app {

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e7) return "–";
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 3600.0)
    return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600.0), std::fmod(seconds, 3600.0) / 60.0);
  return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60.0), std::fmod(seconds, 60.0));
}

std::string pace_text(std::size_t finished, std::size_t all, const char* what, std::size_t recalled, double wall) {
  const double pace = static_cast<double>(finished - recalled) / std::max(wall, 1e-9);
  const std::string left = pace == 0.0 ? "–" : duration_text(static_cast<double>(all - finished) / pace);
  return fmt::format("{} of {} {}, {:.3g} per second, {} left", finished, all, what, pace, left);
}

namespace {

/// mpirun takes the output of its processes through pipes to its own terminal.
bool is_launched_from_terminal() {
  const std::optional<LaunchedRank> launched = launched_rank();
  if (!launched || launched->rank != 0) return false;
  std::error_code error;
  const auto output = std::filesystem::read_symlink(fmt::format("/proc/{}/fd/2", ::getppid()), error);
  return !error && (output.string().starts_with("/dev/pts/") || output.string().starts_with("/dev/tty"));
}

}  // namespace

Progress::Progress(bool wanted) : shown_(wanted && (::isatty(STDERR_FILENO) != 0 || is_launched_from_terminal())) {}

Progress::~Progress() {
  if (printed_) write_to_terminal("\r\033[K");
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
  write_to_terminal("\r\033[K" + plain_text(text));
}

}  // namespace ulna::app

// One line of progress on a terminal, ten times a second at most, gone when the work is done.
#pragma once

#include <chrono>
#include <string>

namespace ulna::app {

/// "40 s", "3 min 20 s", "5 h 03 min".
std::string duration_text(double seconds);
/// "30 of 100 runs, 12 per second, 6 s left": at the pace of those that were not there before.
std::string pace_text(std::size_t finished, std::size_t all, const char* what, std::size_t recalled, double wall);

class Progress {
 public:
  /// Nothing is shown when not wanted or when stderr is no terminal.
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `text()` is made only when it is shown.
  template <class Text>
  void at(const Text& text) {
    if (is_due()) show(text());
  }

 private:
  bool is_due();
  void show(const std::string& text);

  bool shown_, printed_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace ulna::app

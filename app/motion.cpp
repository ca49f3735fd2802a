#include "motion.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "atomic_file.hpp"
#include "command.hpp"
#include "output.hpp"
#include "ulna/import/number.hpp"

namespace ulna::app {

namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Ctrl-C is noticed between rows; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &before_);
  }
  ~InterruptGuard() { ::sigaction(SIGINT, &before_, nullptr); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
};

/// Share of the file that is read, on a terminal only and not more than ten times a second.
class Progress {
 public:
  Progress(std::uintmax_t total, bool wanted) : total_(total), shown_(wanted && ::isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shown_ && printed_) fmt::print(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(std::uintmax_t bytes, std::uintmax_t rows) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    printed_ = true;
    fmt::print(stderr, "\r{} rows, {:.0f} %", rows,
               total_ > 0 ? 100.0 * static_cast<double>(bytes) / static_cast<double>(total_) : 0.0);
  }

 private:
  std::uintmax_t total_;
  bool shown_, printed_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// The rows of a CSV file as numbers. A first row that starts with a letter is a header.
class MotionReader {
 public:
  MotionReader(const std::string& path, std::size_t columns) : path_(path), columns_(columns), file_(path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw InputError(Source{path, 0}, "is a folder, not a motion file");
    if (!file_) throw InputError(Source{path, 0}, "no such file, or it cannot be opened; check the path");
    size_ = std::filesystem::file_size(path, error);
    if (error) size_ = 0;
  }

  std::uintmax_t size() const { return size_; }
  std::uintmax_t bytes_read() const { return bytes_; }
  int line() const { return line_; }

  bool next(std::vector<double>& row) {
    while (get_line()) {
      const bool blank = text_.find_first_not_of(" \t\r") == std::string::npos;
      if (blank || text_[0] == '#') continue;
      if (!header_seen_) {
        header_seen_ = true;
        if (is_header()) continue;
      }
      parse(row);
      return true;
    }
    return false;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(Source{path_, line_}, what); }

 private:
  bool get_line() {
    if (!std::getline(file_, text_)) return false;
    ++line_;
    bytes_ += text_.size() + 1;
    if (text_.size() > 64 * columns_ + 4096) fail("a line is far too long for this robot; is this a CSV file?");
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    return true;
  }

  bool is_header() const {
    const std::size_t first = text_.find_first_not_of(" \t\"");
    return first != std::string::npos && std::isalpha(static_cast<unsigned char>(text_[first])) != 0 &&
           !parse_number(text_.substr(0, text_.find(',')));
  }

  void parse(std::vector<double>& row) {
    row.clear();
    for (std::size_t start = 0; start <= text_.size();) {
      const std::size_t end = std::min(text_.find(',', start), text_.size());
      const std::optional<double> value = parse_number(std::string_view(text_).substr(start, end - start));
      if (!value)
        fail(fmt::format("column {}: '{}' is not a finite number", row.size() + 1, text_.substr(start, end - start)));
      row.push_back(*value);
      start = end + 1;
    }
    if (row.size() != columns_)
      fail(fmt::format("{} columns, this robot wants {}: t, then q…, v…, a…", row.size(), columns_));
  }

  const std::string& path_;
  std::size_t columns_;
  std::ifstream file_;
  std::string text_;
  std::uintmax_t size_ = 0, bytes_ = 0;
  int line_ = 0;
  bool header_seen_ = false;
};

std::string header(int nv) {
  std::string text = "t";
  for (int k = 1; k <= nv; ++k) text += fmt::format(",tau{}", k);
  return text + "\n";
}

}  // namespace

int inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                               const std::string& input, const std::string& output, bool json) {
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  MotionReader reader(input, 1 + nq + 2 * nv);
  AtomicFile file(output);
  file.write(header(model.nv()));
  const InterruptGuard guard;
  std::vector<double> row, tau(nv);
  fmt::memory_buffer line;
  std::uintmax_t rows = 0;
  {
    Progress progress(reader.size(), !json);
    while (interrupted == 0 && reader.next(row)) {
      const std::span<double> all(row);
      normalise_quaternions(model, all.subspan(1, nq), fmt::format("{}:{}", input, reader.line()));
      method.inverse_dynamics(all.subspan(1, nq), all.subspan(1 + nq, nv), all.subspan(1 + nq + nv, nv), tau, external);
      for (const double x : tau)
        if (!std::isfinite(x)) reader.fail("the torque of this row is not finite; are the numbers meant?");
      line.clear();
      fmt::format_to(std::back_inserter(line), "{}", row[0]);
      for (const double x : tau) fmt::format_to(std::back_inserter(line), ",{}", x);
      line.push_back('\n');
      file.write({line.data(), line.size()});
      progress.at(reader.bytes_read(), ++rows);
    }
  }
  if (rows == 0) reader.fail("holds no row of numbers");
  file.commit();
  if (interrupted != 0) fmt::print(stderr, "interrupted: {} holds the first {} rows\n", output, rows);
  json ? print_json({{"file", output}, {"rows", rows}}) : fmt::print("wrote {} rows to {}\n", rows, output);
  return interrupted != 0 ? 130 : 0;
}

}  // namespace ulna::app

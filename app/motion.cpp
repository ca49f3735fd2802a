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
  MotionReader(const std::string& path, std::size_t nq, std::size_t nv)
      : path_(path), nq_(nq), nv_(nv), columns_(1 + nq + 2 * nv), file_(path), buffer_(64 * columns_ + 4096) {
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
        if (is_header()) {
          check_header();
          continue;
        }
      }
      parse(row);
      return true;
    }
    return false;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(Source{path_, line_}, what); }

 private:
  /// Lines are read into a buffer of fixed length: a file without line ends fills no memory.
  bool get_line() {
    file_.getline(buffer_.data(), std::ssize(buffer_));
    ++line_;
    if (file_.bad()) fail("cannot be read any further");
    if (file_.fail() && !file_.eof()) fail("a line is far too long for this robot; is this a CSV file?");
    if (file_.fail()) return false;
    bytes_ += static_cast<std::uintmax_t>(file_.gcount());
    text_ = buffer_.data();
    if (line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // a byte-order mark
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    return true;
  }

  static std::string cell(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '"' || c == '\t'; });
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }
  bool is_header() const {
    const std::string first = cell(text_.substr(0, text_.find(',')));
    return first == "t" || first == "time";
  }
  /// The columns must be named in the order in which they are read.
  void check_header() const {
    std::size_t column = 0;
    for (std::size_t start = 0; start <= text_.size(); ++column) {
      const std::size_t end = std::min(text_.find(',', start), text_.size());
      const std::string name = cell(text_.substr(start, end - start));
      const char wanted = column == 0 ? 't' : column <= nq_ ? 'q' : column <= nq_ + nv_ ? 'v' : 'a';
      if (name.empty() || name[0] != wanted)
        fail(fmt::format("column {} is called '{}'; the order is t, then {} of q…, {} of v…, {} of a…", column + 1,
                         name, nq_, nv_, nv_));
      start = end + 1;
    }
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
  std::size_t nq_, nv_, columns_;
  std::ifstream file_;
  std::vector<char> buffer_;
  std::string text_;
  std::uintmax_t size_ = 0, bytes_ = 0;
  int line_ = 0;
  bool header_seen_ = false;
};

/// One row of the motion: what a row function gets and what it appends to.
struct Row {
  std::span<const double> q, v, a;
  std::vector<double>& out;
};

/// Reads, computes row by row through `compute`, writes.
template <class Compute>
int stream(const Model& model, const MotionFiles& files, const std::string& header, const Compute& compute) {
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  MotionReader reader(files.input, nq, nv);
  AtomicFile file(files.output);
  file.write(header);
  const InterruptGuard guard;
  std::vector<double> row, out;
  fmt::memory_buffer line;
  std::uintmax_t rows = 0;
  {
    Progress progress(reader.size(), !files.json);
    while (interrupted == 0 && reader.next(row)) {
      const std::span<double> all(row);
      normalise_quaternions(model, all.subspan(1, nq), fmt::format("{}:{}", files.input, reader.line()));
      out.clear();
      compute(Row{all.subspan(1, nq), all.subspan(1 + nq, nv), all.subspan(1 + nq + nv, nv), out});
      line.clear();
      fmt::format_to(std::back_inserter(line), "{}", row[0]);
      for (const double x : out) {
        if (!std::isfinite(x)) reader.fail("the torque of this row is not finite; are the numbers meant?");
        fmt::format_to(std::back_inserter(line), ",{}", x);
      }
      line.push_back('\n');
      file.write({line.data(), line.size()});
      progress.at(reader.bytes_read(), ++rows);
    }
  }
  if (rows == 0) reader.fail("holds no row of numbers");
  file.commit();
  if (interrupted != 0) fmt::print(stderr, "interrupted: {} holds the first {} rows\n", files.output, rows);
  files.json ? print_json({{"file", files.output}, {"rows", rows}})
             : fmt::print("wrote {} row{} to {}\n", rows, rows == 1 ? "" : "s", files.output);
  return interrupted != 0 ? 130 : 0;
}

}  // namespace

int inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                               const MotionFiles& files) {
  std::string header = "t";
  for (int k = 1; k <= model.nv(); ++k) header += fmt::format(",tau{}", k);
  return stream(model, files, header + "\n", [&](const Row& row) {
    row.out.resize(row.v.size());
    method.inverse_dynamics(row.q, row.v, row.a, row.out, external);
  });
}

int joint_actions_of_motion(const Model& model, Wrenches<double> external, const MotionFiles& files) {
  std::string header = "t";
  for (const JointInfo& joint : model.joints())
    for (const char* component : {"nx", "ny", "nz", "fx", "fy", "fz"})
      header += fmt::format(",{}.{}", joint.name, component);
  homogeneous::Workspace<double> ws(model);
  Kinematics<double> kinematics(model);
  std::vector<Force<double>> actions(model.bodies().size());
  return stream(model, files, header + "\n", [&](const Row& row) {
    homogeneous::joint_actions<double>(model, ws, row.q, row.v, row.a, actions, external);
    kinematics.update_positions(row.q);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Mat3<double> R = kinematics.pose(Frame{"", static_cast<int>(i), Pose<double>::identity()}).R;
      const Vec3<double> n = R * actions[i].moment, f = R * actions[i].force;
      row.out.insert(row.out.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
    }
  });
}

}  // namespace ulna::app

#include "ulna/base/csv_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "text_file.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

std::string cell(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '"' || c == '\t'; });
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Calls f with each piece between commas.
template <class F>
void split(const std::string& text, F&& f) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    f(text.substr(start, end - start));
    start = end + 1;
  }
}

/// What the names of a column that is not the time start with.
std::string name_of(char letter) { return letter == 't' ? "tau" : std::string(1, letter); }

/// Holds the reading end of a named pipe open until somebody writes into it.
class PipeWatch {
 public:
  /// Throws InputError after ten seconds without a writer.
  explicit PipeWatch(const std::string& path) {
    struct stat status {};
    if (is_stream(path) || ::stat(path.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) return;
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    pollfd asked{descriptor_, POLLIN, 0};
    constexpr int patience = 10'000;  // ms
    if (descriptor_ >= 0 && ::poll(&asked, 1, patience) != 0) return;
    if (descriptor_ >= 0) ::close(descriptor_);
    throw InputError(Source{path, 0}, "is a pipe that nobody writes into; give a file, or start its writer");
  }
  ~PipeWatch() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  PipeWatch(const PipeWatch&) = delete;
  PipeWatch& operator=(const PipeWatch&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace

CsvReader::CsvReader(std::string path, std::string letters, std::vector<NumberUse> uses, std::string what)
    : path_(std::move(path)),
      letters_(std::move(letters)),
      what_(std::move(what)),
      uses_(std::move(uses)),
      columns_(letters_.size()),
      buffer_(64 * letters_.size() + 4096) {
  uses_.resize(letters_.size());
  for (std::size_t i = 1; i <= letters_.size(); ++i) places_.push_back(fmt::format("column {}", i));
  expect_file(path_, what_);
  {
    const PipeWatch watch(path_);
    file_.open(path_);
  }
  if (!file_) throw InputError(Source{path_, 0}, "cannot be opened; check its permissions");
  std::error_code error;
  size_ = std::filesystem::file_size(path_, error);
  if (error) size_ = 0;
}

bool CsvReader::next(std::vector<double>& row) {
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

void CsvReader::fail(const std::string& what) const { throw InputError(Source{path_, line_}, what); }

/// Lines are read into a buffer of fixed length: a file without line ends fills no memory.
bool CsvReader::get_line() {
  file_.getline(buffer_.data(), std::ssize(buffer_));
  ++line_;
  if (file_.bad()) fail("cannot be read any further");
  if (file_.fail() && !file_.eof()) fail("a line is far too long for this robot; is this a CSV file?");
  if (file_.fail()) return false;
  bytes_ += static_cast<std::uintmax_t>(file_.gcount());
  text_ = buffer_.data();
  const auto length = static_cast<std::size_t>(file_.gcount()) - (file_.eof() ? 0 : 1);  // the end of the line counts
  if (text_.size() != length) fail("holds a zero byte; is this a CSV file?");
  if (line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // a byte-order mark
  if (!text_.empty() && text_.back() == '\r') text_.pop_back();
  return true;
}

bool CsvReader::is_header() const {
  const std::string first = cell(text_.substr(0, text_.find(',')));
  return first == "t" || first == "time";
}

std::string CsvReader::order() const {
  std::string text = "t";
  for (std::size_t i = 1; i < letters_.size();) {
    const std::size_t end = std::min(letters_.find_first_not_of(letters_[i], i), letters_.size());
    text += fmt::format(", then {} of {}…", end - i, name_of(letters_[i]));
    i = end;
  }
  return text;
}

/// The columns must be named in the order in which they are read; names without numbers may be any of their letter.
/// Columns of other names may follow and are passed over: a trajectory that `simulate` wrote is a motion.
void CsvReader::check_header() {
  columns_ = 0;
  split(text_, [&](const std::string& piece) {
    const std::string name = cell(piece);
    if (columns_ == letters_.size() && name.starts_with(name_of(letters_.back())))
      fail(fmt::format("column {} is called '{}', one too many; this robot wants {}", columns_ + 1, name, order()));
    if (columns_ < letters_.size() && !fits(name, columns_))
      fail(fmt::format("column {} is called '{}'; the order is {}", columns_ + 1, name, order()));
    ++columns_;
  });
  if (columns_ < letters_.size()) fail_columns(columns_);
}

bool CsvReader::fits(const std::string& name, std::size_t column) const {
  const std::size_t letters = name.starts_with("tau") ? 3 : 1;
  const bool numbered = name.size() > letters && name.find_first_not_of("0123456789", letters) == std::string::npos;
  const std::size_t number = column - letters_.find(letters_[column], column == 0 ? 0 : 1) + 1;
  return !name.empty() && name[0] == letters_[column] && (!numbered || name.substr(letters) == std::to_string(number));
}

void CsvReader::parse(std::vector<double>& row) const {
  row.clear();
  std::size_t columns = 0;
  try {
    split(text_, [&](const std::string& piece) {
      const std::size_t k = columns++;
      if (k < letters_.size()) row.push_back(resolve(parse_written(piece, places_[k]), uses_[k], places_[k]));
    });
  } catch (const InputError& error) {
    fail(error.findings().front().reason);
  }
  if (columns != columns_ && columns_ > letters_.size())
    fail(fmt::format("{} columns, the header has {}", columns, columns_));
  if (columns != columns_) fail_columns(columns);
}

void CsvReader::fail_columns(std::size_t columns) const {
  fail(fmt::format("{} columns, this robot wants {}: {}", columns, letters_.size(), order()));
}

}  // namespace ulna

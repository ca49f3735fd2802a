// The rows of a CSV file as numbers, one after another in constant memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "ulna/base/number.hpp"

namespace ulna {

/// A first row that starts with a `t` or `time` is a header, and may name further columns, which are passed over; lines
/// that start with # are comments.
class CsvReader {
 public:
  /// `letters`: for each column the letter its name must start with, "tqqvvaa". `uses`: what its numbers are for, plain
  /// ones if there are fewer. `what` is what the file should be, for messages. Throws InputError with file and line,
  /// here and in next().
  CsvReader(std::string path, std::string letters, std::vector<NumberUse> uses, std::string what);

  /// False at the end of the file.
  bool next(std::vector<double>& row);

  std::uintmax_t size() const { return size_; }  // of the file; 0 if it has none (a pipe)
  std::uintmax_t bytes_read() const { return bytes_; }
  int line() const { return line_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool get_line();
  bool is_header() const;
  void check_header();
  bool fits(const std::string& name, std::size_t column) const;
  void parse(std::vector<double>& row) const;
  [[noreturn]] void fail_columns(std::size_t columns) const;
  /// "t, 6 of q…, 6 of v…"
  std::string order() const;

  std::string path_, letters_, what_;
  std::vector<NumberUse> uses_;      // for each of the letters
  std::vector<std::string> places_;  // "column 1" …
  std::size_t columns_;              // of every row; more than letters_ if a header names more
  std::ifstream file_;
  std::vector<char> buffer_;
  std::string text_;
  std::uintmax_t size_ = 0, bytes_ = 0;
  int line_ = 0;
  bool header_seen_ = false;
};

}  // namespace ulna

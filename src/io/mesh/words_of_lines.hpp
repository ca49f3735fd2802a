// Text of lines of words, as mesh files have it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulna/base/error.hpp"
#include "ulna/base/number.hpp"
#include "ulna/spatial/vec3.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class WordsOfLines {
 public:
  WordsOfLines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  /// To the next line that has words; false at the end. What follows '#' is a remark.
  bool next() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++line_;
      split(line.substr(0, line.find('#')));
      if (!words_.empty()) return true;
    }
    return false;
  }

  const std::vector<std::string_view>& words() const { return words_; }

  double number(std::size_t word) const {
    if (word >= words_.size()) fail("a number is missing");
    const std::optional<double> number = parse_number(words_[word]);
    if (!number) fail("'" + std::string(words_[word].substr(0, 40)) + "' is not a finite number");
    return *number;
  }
  /// Of three words from this one on.
  Vec3<double> point(std::size_t word) const { return {number(word), number(word + 1), number(word + 2)}; }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(Source{file_, line_}, what); }

 private:
  void split(std::string_view line) {
    constexpr std::string_view blanks = " \t\r\v\f";
    words_.clear();
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;
         at = line.find_first_not_of(blanks, at)) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = end;
    }
  }

  std::string_view rest_;
  std::string file_;
  int line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace ulna
#pragma GCC visibility pop

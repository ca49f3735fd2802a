#include "expression.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "ulna/base/error.hpp"
#include "ulna/base/number.hpp"

namespace ulna::selection {

/// By recursive descent: a sum of products of powers of numbers, places and bracketed sums.
class [[gnu::visibility("hidden")]] Expression::Parser {
 public:
  Parser(const std::string& text, const std::string& where, std::vector<Step>& steps)
      : text_(text), where_(where), steps_(steps) {}

  void parse() {
    sum();
    if (!ends()) refuse("an operator (+ - * / ^)");
  }

 private:
  void sum() {
    product();
    for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
      ++at_;
      product();
      steps_.push_back({sign == '+' ? Step::add : Step::subtract});
    }
  }
  void product() {
    factor();
    for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
      ++at_;
      factor();
      steps_.push_back({sign == '*' ? Step::multiply : Step::divide});
    }
  }
  /// −a^b is −(a^b), and a^b^c is a^(b^c).
  void factor() {
    constexpr int deepest = 200;
    if (++depth_ > deepest) throw InputError(where_ + ": it is nested too deeply");
    if (next() == '-') {
      ++at_;
      factor();
      steps_.push_back({Step::negate});
    } else {
      operand();
      if (next() == '^') {
        ++at_;
        factor();
        steps_.push_back({Step::power});
      }
    }
    --depth_;
  }
  void operand() {
    const char sign = next();
    if (sign == '(') {
      ++at_;
      sum();
      if (next() != ')') refuse("a closing bracket");
      ++at_;
    } else if (std::isdigit(static_cast<unsigned char>(sign)) != 0 || sign == '.') {
      number();
    } else if (is_of_a_name(sign)) {
      const std::size_t begin = at_;
      while (at_ < text_.size() &&
             (is_of_a_name(text_[at_]) || text_[at_] == '.' || text_[at_] == '[' || text_[at_] == ']'))
        ++at_;
      steps_.push_back({Step::path, 0.0, text_.substr(begin, at_ - begin)});
    } else {
      refuse("a number or a place such as link2.a");
    }
  }
  void number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
        ++at_;
    };
    digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
      digits();
    }
    const std::optional<double> value = parse_number(text_.substr(begin, at_ - begin));
    if (!value) throw InputError(fmt::format("{}: '{}' is no number", where_, text_.substr(begin, at_ - begin)));
    steps_.push_back({Step::number, *value});
  }

  static bool is_of_a_name(char sign) { return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_'; }
  bool ends() {
    next();
    return at_ == text_.size();
  }
  /// The next sign that is no space; '\0' at the end.
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  [[noreturn]] void refuse(const char* wanted) {
    const std::string found = ends() ? "it ends" : fmt::format("there is '{}'", text_.substr(at_));
    throw InputError(fmt::format("{}: {} where {} is wanted", where_, found, wanted));
  }

  const std::string &text_, &where_;
  std::vector<Step>& steps_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(const std::string& text, const std::string& where) { Parser(text, where, steps_).parse(); }

std::vector<std::string> Expression::paths() const {
  std::vector<std::string> list;
  for (const Step& step : steps_)
    if (step.kind == Step::path) list.push_back(step.place);
  return list;
}

double Expression::at(const std::function<double(const std::string& path)>& number) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.kind == Step::number || step.kind == Step::path) {
      stack.push_back(step.kind == Step::number ? step.value : number(step.place));
      continue;
    }
    if (step.kind == Step::negate) {
      stack.back() = -stack.back();
      continue;
    }
    const double b = stack.back();
    stack.pop_back();
    double& a = stack.back();
    switch (step.kind) {
      case Step::add: a += b; break;
      case Step::subtract: a -= b; break;
      case Step::multiply: a *= b; break;
      case Step::divide: a /= b; break;
      default: a = std::pow(a, b); break;
    }
  }
  return stack.back();
}

}  // namespace ulna::selection

// A number computed from numbers of a robot file, as people write it: 0.4*link2.a, link2.mass*link2.a^2/12.
#pragma once

#include <functional>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna::selection {

/// + − * / ^ and brackets over numbers and places of a robot file, whose names have letters, digits and _.
class Expression {
 public:
  /// Throws InputError that begins with `where` it is written.
  Expression(const std::string& text, const std::string& where);

  /// The places that it reads.
  std::vector<std::string> paths() const;
  double at(const std::function<double(const std::string& path)>& number) const;

 private:
  class Parser;
  /// A step of the computation, on a stack of numbers.
  struct Step {
    enum Kind { number, path, negate, add, subtract, multiply, divide, power } kind;
    double value = 0.0;
    std::string place{};
  };
  std::vector<Step> steps_;
};

}  // namespace ulna::selection
#pragma GCC visibility pop

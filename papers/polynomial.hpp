// Operations as polynomials in the number of joints, as the papers write them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace ulna::reproduction {

struct Polynomial {
  double constant = 0.0, linear = 0.0, square = 0.0, cube = 0.0;

  double operator()(double n) const { return constant + n * (linear + n * (square + n * cube)); }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) {
    return {a.constant + b.constant, a.linear + b.linear, a.square + b.square, a.cube + b.cube};
  }

  /// "11n² + 42n − 18"; terms of zero are left out.
  std::string text() const {
    std::string out;
    for (const auto& [value, letter] :
         {std::pair{cube, "n³"}, std::pair{square, "n²"}, std::pair{linear, "n"}, std::pair{constant, ""}}) {
      if (value == 0.0) continue;
      if (!out.empty()) out += value < 0 ? " − " : " + ";
      out += fmt::format("{:g}{}", out.empty() ? value : std::abs(value), letter);
    }
    return out.empty() ? "0" : out;
  }
};

}  // namespace ulna::reproduction

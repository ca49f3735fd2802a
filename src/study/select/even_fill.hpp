// Points that fill the unit cube of n dimensions evenly, however many are taken (Roberts 2018: multiples of powers
// of the generalised golden ratio). The same in every run.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna::selection {

class EvenFill {
 public:
  explicit EvenFill(std::size_t dimensions) : steps_(dimensions) {
    // φ: the root of φ^(n+1) = φ + 1, by its contraction φ = (1 + φ)^(1/(n+1)).
    double phi = 2.0, step = 1.0;
    for (int i = 0; i < 64; ++i) phi = std::pow(1.0 + phi, 1.0 / (static_cast<double>(dimensions) + 1.0));
    for (double& s : steps_) s = step /= phi;
  }

  void point(std::size_t k, std::span<double> parts) const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double value = 0.5 + steps_[i] * static_cast<double>(k + 1);
      parts[i] = value - std::floor(value);
    }
  }

 private:
  std::vector<double> steps_;
};

}  // namespace ulna::selection
#pragma GCC visibility pop

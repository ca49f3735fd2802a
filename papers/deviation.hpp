// How far two ways to the same numbers are apart, what rounding alone may make of it, and claims that say so.
#pragma once

#include <span>

#include "papers/claim.hpp"

namespace ulna::reproduction {

/// `operations`: the roundings in a row on the longest way to a number; `size`: of what was added up on it. Nothing is
/// allowed where that is no number: infinity must not pass as within infinity.
double rounding(double operations, double size);

/// The larger and the smaller of two, so that a value that is not a number is the worst of all.
double worse(double so_far, double next);
double lesser(double so_far, double next);

double largest(std::span<const double> values);

/// Infinite for lists of different lengths and for what is not a number.
double largest_difference(std::span<const double> a, std::span<const double> b);

/// The worst relative error of many results, and the most that rounding allows one of them.
struct Accuracy {
  double error = 0.0, allowed = 0.0;

  void add(double relative_error, double allowance);
  bool holds() const { return error <= allowed; }
};

/// The largest deviation over many lists of numbers, and what rounding may make of it.
class Deviation {
 public:
  explicit Deviation(double operations) : operations_(operations) {}

  void add(std::span<const double> got, std::span<const double> want);
  void add(double got, double want) { add(std::span(&got, 1), std::span(&want, 1)); }

  double off() const { return off_; }
  bool holds() const { return off_ <= allowed_; }
  /// "exact", "within 3e-15".
  std::string text() const;

 private:
  double operations_, off_ = 0.0, allowed_ = 0.0;
};

/// What is printed holds but for rounding.
Claim agreement_claim(const Quote& quote, const Deviation& deviation, const std::string& unit,
                      const std::string& why = "");
/// What is printed does not hold, and what the erratum says does but for rounding.
Claim misprint_claim(const Quote& quote, const Deviation& printed, const Deviation& corrected, const std::string& unit,
                     const Erratum& erratum);

}  // namespace ulna::reproduction

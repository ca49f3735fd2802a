#include "papers/deviation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulna::reproduction {

namespace {

/// Two digits, without an exponent where it is not needed.
std::string size_text(double x) { return x >= 100.0 && x < 1e6 ? fmt::format("{:.0f}", x) : fmt::format("{:.2g}", x); }

}  // namespace

double rounding(double operations, double size) {
  return std::isfinite(size) ? operations * std::numeric_limits<double>::epsilon() * size : 0.0;
}

double worse(double so_far, double next) {
  return std::isnan(next) ? std::numeric_limits<double>::infinity() : std::max(so_far, next);
}

double lesser(double so_far, double next) { return -worse(-so_far, -next); }

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double x : values) most = worse(most, std::abs(x));
  return most;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = worse(most, std::abs(a[k] - b[k]));
  return most;
}

void Accuracy::add(double relative_error, double allowance) {
  error = worse(error, relative_error);
  allowed = std::max(allowed, allowance);
}

void Deviation::add(std::span<const double> got, std::span<const double> want) {
  off_ = std::max(off_, largest_difference(got, want));
  allowed_ = std::max(allowed_, rounding(operations_, std::max(1.0, largest(want))));
}

std::string Deviation::text() const { return off_ == 0.0 ? "exact" : fmt::format("within {:.0e}", off_); }

Claim agreement_claim(const Quote& quote, const Deviation& deviation, const std::string& unit, const std::string& why) {
  std::string text = deviation.holds() ? deviation.text() : "off by " + size_text(deviation.off());
  if (!unit.empty() && deviation.off() > 0.0) text += " " + unit;
  return sentence_claim(quote, text, deviation.holds(), why);
}

Claim misprint_claim(const Quote& quote, const Deviation& printed, const Deviation& corrected, const std::string& unit,
                     const Erratum& erratum) {
  const std::string text =
      fmt::format("as printed off by {}{}{}, corrected {}", size_text(printed.off()), unit.empty() ? "" : " ", unit,
                  corrected.holds() ? corrected.text() : "by " + size_text(corrected.off()));
  return misprint_claim(quote, text, printed.holds(), erratum, corrected.holds());
}

}  // namespace ulna::reproduction

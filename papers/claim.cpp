#include "papers/claim.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace ulna::reproduction {

namespace {

/// A number as it stands in print: "-0.0309", "1.4e-3".
struct PrintedNumber {
  double value, half_unit;
  int decimals;
};

PrintedNumber parse(const std::string& text) {
  std::size_t used = 0;
  const double value = std::stod(text, &used);
  if (used != text.size()) throw std::logic_error(fmt::format("'{}' is not a number", text));
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, exponent_at);
  const int exponent = exponent_at == std::string::npos ? 0 : std::stoi(text.substr(exponent_at + 1));
  const std::size_t point = mantissa.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return {value, 0.5 * std::pow(10.0, exponent - decimals), std::max(decimals - exponent, 0)};
}

bool agrees(const std::string& printed, double computed) {
  const PrintedNumber number = parse(printed);
  // The print is rounded; a tie may have gone either way.
  return std::abs(computed - number.value) <= number.half_unit * (1.0 + 1e-9);
}

std::string text_of(const Erratum& erratum) {
  return fmt::format("Erratum {}: {}, {}", erratum.number, erratum.correct, erratum.reason);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::misprint: return "misprint";
    case Verdict::not_determinable: return "not determinable";
    case Verdict::differs: break;
  }
  return "differs";
}

Claim number_claim(const Quote& quote, double computed, const std::optional<Erratum>& erratum,
                   const std::string& shown) {
  const int decimals = parse(quote.printed).decimals;
  const bool whole = decimals == 0 && computed == std::round(computed);
  const std::string text = shown.empty() ? fmt::format("{:.{}f}", computed, whole ? 0 : decimals + 2) : shown;
  if (!erratum) return sentence_claim(quote, text, agrees(quote.printed, computed));
  return misprint_claim(quote, text, agrees(quote.printed, computed), *erratum, agrees(erratum->correct, computed));
}

Claim sentence_claim(const Quote& quote, const std::string& computed, bool holds, const std::string& why) {
  return {quote.where, quote.what, quote.printed, computed, holds ? Verdict::agrees : Verdict::differs, why};
}

Claim misprint_claim(const Quote& quote, const std::string& computed, bool printed_holds, const Erratum& erratum,
                     bool corrected_holds) {
  const Verdict verdict = printed_holds     ? Verdict::differs  // then it is no misprint, and the erratum is wrong
                          : corrected_holds ? Verdict::misprint
                                            : Verdict::differs;
  return {quote.where, quote.what, quote.printed, computed, verdict, text_of(erratum)};
}

Claim undetermined_claim(const Quote& quote, const std::string& missing, const std::string& computed) {
  return {quote.where, quote.what, quote.printed, computed, Verdict::not_determinable, missing};
}

}  // namespace ulna::reproduction

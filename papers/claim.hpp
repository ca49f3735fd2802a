// How a claim gets its verdict. Nothing else hands verdicts out.
#pragma once

#include <optional>

#include "papers/chapter.hpp"

namespace ulna::reproduction {

/// What the paper says, and where.
struct Quote {
  std::string where, what, printed;
};

/// Why the print is wrong and what is right. `number` is that of the list of errata (doc/errata.md).
struct Erratum {
  std::string number, correct, reason;
};

/// Printed and correct are numbers ("0.0309", "480"): agreement is to half a unit of the last digit that is
/// shown. `shown` is how the computed value is printed; empty: with two digits more than the print has.
Claim number_claim(const Quote& quote, double computed, const std::optional<Erratum>& erratum = {},
                   const std::string& shown = "");

/// Of a sentence, or of a number with a tolerance of its own. `holds`: what is printed does; `corrected_holds`:
/// what the erratum says does.
Claim sentence_claim(const Quote& quote, const std::string& computed, bool holds, const std::string& why = "");
Claim misprint_claim(const Quote& quote, const std::string& computed, bool printed_holds, const Erratum& erratum,
                     bool corrected_holds);

/// Without a value of ours, or with one on the assumption that `missing` names.
Claim undetermined_claim(const Quote& quote, const std::string& missing, const std::string& computed = "");

}  // namespace ulna::reproduction

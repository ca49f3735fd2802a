// sin and cos of generated code: the algorithm of real/sincos.hpp in GNU C, several angles at a time,
// so that a generated file needs nothing of ours.
#pragma once

#include <string>

#include "ulna/trace/emit_c.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::trace {

/// The C type of numbers: double, float, or ulna_d4 for four doubles side by side.
std::string type_name(CodeScalar scalar);

/// Declares that type, once in a program; empty for plain numbers.
std::string type_declaration(CodeScalar scalar);

/// Functions for packs: ulna_sincos(&angle, &sine, &cosine, &inside), which clears the lanes of `inside`
/// that it cannot do, ulna_all(&inside), and ulna_mend(&angle, &sine, &cosine) for when not all are.
std::string sincos_c(CodeScalar pack);

}  // namespace ulna::trace
#pragma GCC visibility pop

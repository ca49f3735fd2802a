#include "self_check_c.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sincos_c.hpp"

namespace ulna::trace {

namespace {

constexpr std::string_view head = R"C(
#ifdef ULNA_SELF_CHECK
#include <stdio.h>

static int differs(const char *what, const {0} *got, const double *want, int n, double limit) {{
  double size = 0.0, largest = 0.0;
  int k, wrong = 0;
  for (k = 0; k < n; ++k)
    if (fabs(want[k]) > size) size = fabs(want[k]);
  for (k = 0; k < n; ++k) {{
    const double error = fabs({1} - want[k]);
    if (error > largest) largest = error;
    if (!(error <= limit * (size + 1e-3))) wrong = 1;
  }}
  printf("%s: error %.1e of %.1e%s\n", what, largest, size, wrong ? ", wrong" : "");
  return wrong;
}}

int main(void) {{
  int failed = 0;
)C";

std::string numbers(const std::vector<double>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const double x : values) texts.push_back(fmt::format("{:.17g}", x));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Relative to the largest number; what divides by the inertia matrix loses digits with its condition.
const char* limit_of(CodeScalar scalar, bool divides) {
  if (scalar.single) return divides ? "1e-3" : "1e-4";
  return divides ? "1e-10" : "1e-12";
}

std::string declarations(const std::string& type, const Recording& recording, const CheckCase& check) {
  std::string out;
  const auto declare = [&](const Array& array) {
    out += fmt::format("    {} {}[{}];\n", type, array.name, array.elements.size());
  };
  const auto declare_numbers = [&](const Array& array, const char* suffix, const std::vector<double>& values) {
    out += fmt::format("    static const double {}_{}[] = {{{}}};\n", array.name, suffix, numbers(values));
  };
  for (std::size_t k = 0; k < recording.inputs.size(); ++k) {
    declare_numbers(recording.inputs[k], "values", check.inputs[k]);
    declare(recording.inputs[k]);
  }
  for (const Array& array : recording.outputs) declare(array);
  for (std::size_t k = 0; k < recording.outputs.size(); ++k)
    declare_numbers(recording.outputs[k], "wanted", check.outputs[k]);
  return out + "    int k;\n";
}

std::string check_of(const CodeFile& file, const Function& function, const CheckCase& check) {
  const std::string type = type_name(file.scalar);
  const std::string cast = file.scalar.is_pack()
                               ? fmt::format("({}){{0}} + {}", type, file.scalar.single ? "(float)" : "")
                               : fmt::format("({})", type);
  std::string out = "  {\n" + declarations(type, function.recording, check);
  std::vector<std::string> arguments;
  for (const Array& array : function.recording.inputs) {
    out += fmt::format("    for (k = 0; k < {0}; ++k) {1}[k] = {2}{1}_values[k];\n", array.elements.size(), array.name,
                       cast);
    arguments.push_back(array.name);
  }
  for (const Array& array : function.recording.outputs) arguments.push_back(array.name);
  out += fmt::format("    {}_{}({});\n", file.prefix, function.word, fmt::join(arguments, ", "));
  for (const Array& array : function.recording.outputs)
    out += fmt::format("    failed |= differs(\"{0} {1}\", {1}, {1}_wanted, {2}, {3});\n", function.word, array.name,
                       array.elements.size(), limit_of(file.scalar, function.divides));
  return out + "  }\n";
}

}  // namespace

std::string self_check_c(const CodeFile& file) {
  std::string out =
      fmt::format(head, type_name(file.scalar), file.scalar.is_pack() ? "(double)got[k][1]" : "(double)got[k]");
  for (std::size_t f = 0; f < file.functions.size(); ++f) out += check_of(file, file.functions[f], file.checks[f]);
  return out + "  return failed;\n}\n#endif\n";
}

}  // namespace ulna::trace

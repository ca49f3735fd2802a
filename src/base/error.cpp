#include "ulna/base/error.hpp"

#include <fmt/format.h>

#include "plain_text.hpp"

namespace ulna {

std::string to_line(const Finding& f) {
  std::string line;
  if (!f.source.file.empty())
    line +=
        f.source.line > 0 ? fmt::format("{}:{}: ", f.source.file, f.source.line) : fmt::format("{}: ", f.source.file);
  line += f.severity == Finding::Severity::error ? "error: " : "warning: ";
  if (!f.link.empty()) line += fmt::format("'{}': ", shortened(f.link));
  line += shortened(f.reason);
  if (!f.remedy.empty()) line += "; " + shortened(f.remedy);
  return plain_text(line);
}

namespace {
std::string joined(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += (text.empty() ? "" : "\n") + to_line(f);
  return text;
}
}  // namespace

InputError::InputError(std::vector<Finding> findings)
    : std::runtime_error(joined(findings)), findings_(std::move(findings)) {}

}  // namespace ulna

#include "io/robot/left_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ulna {

namespace {
constexpr std::size_t most_named = 5;
}

void LeftOut::add(const std::string& what, const std::string& name) {
  auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& k) { return k.what == what; });
  if (kind == kinds_.end()) kind = kinds_.insert(kinds_.end(), Kind{what, {}, {}});
  if (kind->names.insert(name).second && kind->first.size() < most_named) kind->first.push_back(name);
}

std::vector<std::string> LeftOut::notices() const {
  std::vector<std::string> lines;
  for (const Kind& kind : kinds_) {
    const std::size_t more = kind.names.size() - kind.first.size();
    lines.push_back(fmt::format("{} ({}{})", kind.what, fmt::join(kind.first, ", "),
                                more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  return lines;
}

}  // namespace ulna

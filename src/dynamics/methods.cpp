#include "ulna/dynamics/method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ulna/model/finding.hpp"

namespace ulna {

namespace {

using enum Quantity;
constexpr std::array newton_euler_gives{inverse_dynamics, gravity};
constexpr std::array articulated_body_gives{forward_dynamics};
constexpr std::array composite_body_gives{forward_dynamics, mass_matrix, coriolis_matrix};

constexpr std::array<MethodInfo, 3> rows{{
    {"newton_euler", "recursive Newton–Euler, O(n)", newton_euler_gives},
    {"articulated_body", "articulated bodies with the bias merged, O(n)", articulated_body_gives},
    {"composite_body", "composite bodies and sparse factor of M, O(n³) with a small constant", composite_body_gives},
}};

std::string_view name_of(Quantity quantity) {
  switch (quantity) {
    case inverse_dynamics: return "inverse dynamics";
    case forward_dynamics: return "forward dynamics";
    case mass_matrix: return "the mass matrix";
    case coriolis_matrix: return "the Coriolis matrix";
    case gravity: return "the gravity vector";
  }
  return "";
}

std::string names_that_give(const Quantity* quantity) {
  std::vector<std::string_view> names;
  for (const MethodInfo& row : rows)
    if (quantity == nullptr || row.can(*quantity)) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool MethodInfo::can(Quantity quantity) const { return std::find(gives.begin(), gives.end(), quantity) != gives.end(); }

std::span<const MethodInfo> methods() { return rows; }

const MethodInfo& method_info(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const MethodInfo& row) { return row.name == name; });
  if (found != rows.end()) return *found;
  throw InputError(fmt::format("unknown method '{}'; known: auto, {}", name, names_that_give(nullptr)));
}

std::string_view automatic_method(Quantity quantity) {
  switch (quantity) {
    case inverse_dynamics:
    case gravity: return "newton_euler";
    case forward_dynamics: return "articulated_body";
    case mass_matrix:
    case coriolis_matrix: break;
  }
  return "composite_body";
}

const MethodInfo& resolve_method(std::string_view name, Quantity wanted);
const MethodInfo& resolve_method(std::string_view name, Quantity wanted) {
  const MethodInfo& info = method_info(name == "auto" ? automatic_method(wanted) : name);
  if (!info.can(wanted))
    throw InputError(
        fmt::format("method '{}' does not give {}; use one of: {}", name, name_of(wanted), names_that_give(&wanted)));
  return info;
}

}  // namespace ulna

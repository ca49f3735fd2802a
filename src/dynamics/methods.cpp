#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ulna/base/error.hpp"
#include "ulna/dynamics/constraint_force/mobility.hpp"
#include "ulna/dynamics/formulation.hpp"
#include "ulna/dynamics/registry.hpp"
#include "ulna/model/expect_tree.hpp"

namespace ulna {

namespace {

using enum Quantity;

/// What a Method can be asked for.
constexpr std::array all{inverse_dynamics, forward_dynamics,   mass_matrix, inverse_mass_matrix,
                         coriolis_matrix,  convective_inertia, gravity};

/// The quantities that a formulation has functions for, in the order of `all`.
template <class Of>
constexpr auto given_by = [] {
  std::array<Quantity, static_cast<std::size_t>(std::count_if(all.begin(), all.end(), Of::gives))> given{};
  std::copy_if(all.begin(), all.end(), given.begin(), Of::gives);
  return given;
}();

#define ULNA_ROW(folder, title, scope, ...) \
  MethodInfo{#folder, title, scope, given_by<Formulation<double, __VA_ARGS__>>},
constexpr std::array rows{ULNA_FORMULATIONS(ULNA_ROW)};
#undef ULNA_ROW

std::string names_that_give(const Quantity* quantity) {
  std::vector<std::string_view> names;
  for (const MethodInfo& row : rows) {
    if (quantity == nullptr || row.can(*quantity)) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool MethodInfo::can(Quantity quantity) const { return std::find(gives.begin(), gives.end(), quantity) != gives.end(); }

std::string MethodInfo::refusal(const Model& model) const {
  if (!scope.followers && model.has_followers())
    return fmt::format("cannot take joint '{}', which follows '{}'", model.followers().front().joint.name,
                       model.followers().front().leader);
  if (!scope.couplings && model.has_couplings())
    return fmt::format("solves joint by joint and cannot take the motors of '{}', which joints share",
                       model.couplings().front().name);
  if (!scope.trees && !model.is_serial()) return "is for serial arms, and this robot branches";
  if (scope.mass_centres && model.is_regrouped())
    return "works at the mass centres of the links, which regrouped parameters do not have";
  for (const JointInfo& joint : model.joints()) {
    const bool root = joint.body == 0 && model.has_free_base();
    if (root && !scope.free_base) return "is for arms on a fixed base, and this one floats";
    if (!has_one_degree(joint.kind) && !root &&
        (!scope.many_degrees || (joint.kind == JointKind::free && !scope.trees)))
      return fmt::format("cannot take joint '{}', which is {}", joint.name, ulna::name_of(joint.kind));
  }
  for (const JointInfo& joint : model.joints()) {
    if (!scope.solid_links) break;
    if (!constraint_force::has_mobility(model.bodies()[static_cast<std::size_t>(joint.body)].inertia))
      return fmt::format("inverts each link's inertia, and link '{}' has none in some direction", joint.child);
  }
  return "";
}

std::span<const MethodInfo> methods() { return rows; }

const MethodInfo& method_info(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const MethodInfo& row) { return row.name == name; });
  if (found != rows.end()) return *found;
  throw InputError(fmt::format("unknown method '{}'; known: auto, {}", name, names_that_give(nullptr)));
}

std::string_view automatic_method(Quantity quantity, const Model& model) {
  switch (quantity) {
    case inverse_dynamics:
    case convective_inertia:
    case gravity: return "newton_euler";
    case forward_dynamics: return model.has_coupled_joints() ? "composite_body" : "articulated_body";
    case mass_matrix:
    case inverse_mass_matrix:
    case coriolis_matrix: return "composite_body";
    case inverse_inertia:
    case inverse_derivatives:
    case forward_derivatives:
    case pose:
    case jacobian: break;
  }
  throw std::invalid_argument(fmt::format("no formulation gives {}", name_of(quantity)));
}

void expect_scope(std::string_view method, const Model& model) {
  expect_tree(model);
  const std::string refusal = method_info(method).refusal(model);
  if (!refusal.empty()) throw InputError(fmt::format("{} {}", method, refusal));
}

const MethodInfo& resolve_method(std::string_view name, Quantity wanted, const Model& model) {
  const MethodInfo& info = method_info(name == "auto" ? automatic_method(wanted, model) : name);
  if (!info.can(wanted))
    throw InputError(
        fmt::format("method '{}' does not give {}; use one of: {}", name, name_of(wanted), names_that_give(&wanted)));
  expect_tree(model);
  if (const std::string refusal = info.refusal(model); !refusal.empty())
    throw InputError(fmt::format("method '{}' {}; use method auto", name, refusal));
  return info;
}

}  // namespace ulna

#include "mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/joint_lookup.hpp"

namespace ulna::app {

namespace {

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

std::vector<double> closed_position(const Model& model, const std::string& text, std::span<const int> held) {
  std::vector<double> q = positions(model, text);
  if (model.loops().empty()) return q;
  const Assembly assembly = assemble(model, q, held);
  if (!assembly.closed) {
    throw InputError(fmt::format("the loops do not close near {}: {}; give a --q closer to a closed position",
                                 text.empty() ? "the zero position" : "--q", assembly.miss()));
  }
  const double moved = largest_difference(assembly.q, q);
  if (moved > 1e-9) fmt::print(stderr, "note: the position was moved by up to {:.3g} to close the loops\n", moved);
  return assembly.q;
}

std::vector<double> closed_rates(const Model& model, const LoopEquations& equations, const std::string& option,
                                 const std::string& text, std::span<const double> right_side,
                                 std::span<const int> independent) {
  const std::vector<double> given = velocities(model, option, text);
  std::vector<double> closed = ulna::closed_rates(equations, given, right_side, independent);
  const double moved = largest_difference(closed, given);
  if (moved > 1e-9 && !text.empty() && independent.empty())
    fmt::print(stderr, "note: {} was changed by up to {:.3g} to agree with the loops\n", option, moved);
  return closed;
}

std::vector<double> closed_velocities(const Model& model, std::span<const double> q, const std::string& text) {
  if (model.loops().empty()) return velocities(model, "--v", text);
  LoopEquations equations(model);
  equations.update(q);
  const std::vector<double> still(static_cast<std::size_t>(equations.rows()), 0.0);
  return closed_rates(model, equations, "--v", text, still);
}

std::vector<int> joint_indices(const Model& model, const std::string& option, const std::string& text) {
  std::vector<int> indices;
  for (std::string name : text.empty() ? std::vector<std::string>{} : words_of(text)) {
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    indices.push_back(joint_index(model, name, option));
    if (std::count(indices.begin(), indices.end(), indices.back()) > 1)
      throw InputError(fmt::format("{}: '{}' is there twice", option, name));
  }
  return indices;
}

std::vector<int> leading_joints(const Model& model, const std::string& q, const std::vector<int>& driven) {
  const Assembly near = assemble(model, positions(model, q));
  if (!near.closed) return {};  // closed_position() says so
  LoopEquations equations(model);
  equations.update(near.q);
  const int freedoms = loop_mobility(equations, model.nv()).mobility();
  return freedoms == static_cast<int>(driven.size()) ? driven : std::vector<int>{};
}

void expect_determined(const Model& model, const LoopEquations& equations, const std::vector<int>& leading) {
  if (leading.empty()) return;
  const Determination d = determination(equations, leading);
  if (d.measure >= singular_measure) return;
  throw InputError(fmt::format("a singular position: the actuated joints do not determine '{}'; actuate another joint",
                               model.joint_of(d.weakest).name));
}

Json reactions_json(const Model& model, ConstrainedDynamics& dynamics) {
  Json list = Json::array();
  for (std::size_t i = 0; i < model.loops().size(); ++i) {
    const Force<double> f = dynamics.equations().reaction(i, dynamics.lambda());
    list.push_back({{"joint", model.loops()[i].name}, {"moment", to_json(f.moment)}, {"force", to_json(f.force)}});
  }
  return list;
}

void print_reactions(const Model& model, ConstrainedDynamics& dynamics) {
  fmt::print("\nin the cut joints: what the first body does to the second, at the joint, world axes\n");
  std::vector<std::vector<std::string>> rows{{"joint", "moment N m", "force N"}};
  for (std::size_t i = 0; i < model.loops().size(); ++i) {
    const Force<double> f = dynamics.equations().reaction(i, dynamics.lambda());
    rows.push_back({model.loops()[i].name, short_numbers(f.moment, torque_scale(model)),
                    short_numbers(f.force, force_scale(model))});
  }
  print_table(rows);
}

}  // namespace ulna::app

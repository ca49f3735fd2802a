#include "ulna/dynamics/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

using enum Quantity;

struct QuantityName {
  Quantity quantity;
  std::string_view word, name;
};
constexpr std::array names{QuantityName{mass_matrix, "gim", "the mass matrix"},
                           QuantityName{inverse_mass_matrix, "minv", "the inverse mass matrix"},
                           QuantityName{coriolis_matrix, "c", "the Coriolis matrix"},
                           QuantityName{convective_inertia, "mci", "the matrix of convective inertia"},
                           QuantityName{inverse_dynamics, "id", "inverse dynamics"},
                           QuantityName{forward_dynamics, "fd", "forward dynamics"},
                           QuantityName{inverse_inertia, "phi", "forward dynamics of the mass matrix alone"},
                           QuantityName{inverse_derivatives, "did", "derivatives of inverse dynamics"},
                           QuantityName{forward_derivatives, "dfd", "derivatives of forward dynamics"},
                           QuantityName{pose, "fk", "the pose"},
                           QuantityName{jacobian, "jacobian", "the Jacobian"},
                           QuantityName{gravity, "gravity", "the gravity vector"}};

const QuantityName& row_of(Quantity quantity) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const QuantityName& row) { return row.quantity == quantity; });
  if (found == names.end()) throw std::logic_error("a quantity without a row in quantity.cpp");
  return *found;
}

}  // namespace

std::string_view name_of(Quantity quantity) { return row_of(quantity).name; }
std::string_view word_of(Quantity quantity) { return row_of(quantity).word; }

std::vector<std::string> quantity_words() {
  std::vector<std::string> words;
  words.reserve(names.size());
  for (const QuantityName& row : names) words.emplace_back(row.word);
  return words;
}

Quantity quantity_named(std::string_view word) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const QuantityName& row) { return row.word == word; });
  if (found != names.end()) return found->quantity;
  throw InputError(fmt::format("unknown quantity '{}'; known: {}", word, fmt::join(quantity_words(), ", ")));
}

std::vector<Quantity> quantities_named(const std::string& list) {
  std::vector<Quantity> quantities;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const Quantity quantity = quantity_named(word);
    if (std::find(quantities.begin(), quantities.end(), quantity) != quantities.end())
      throw InputError(fmt::format("quantity '{}' is asked for twice", word));
    quantities.push_back(quantity);
  }
  if (quantities.empty()) throw InputError("no quantity is asked for; name some, as in id,fd");
  return quantities;
}

bool is_unique(Quantity quantity) { return quantity != coriolis_matrix && quantity != convective_inertia; }

bool has_own_way(Quantity quantity) {
  return quantity == pose || quantity == jacobian || quantity == inverse_derivatives || quantity == forward_derivatives;
}

}  // namespace ulna

#include "ulna/trace/printed_counts.hpp"

#include <array>

namespace ulna::trace {

namespace {

struct Row {
  std::string_view robot;
  Quantity quantity;
  double multiplications, additions;
  const char* where;
};

constexpr std::array rows{
    Row{"rp", Quantity::mass_matrix, 12, 6, "bhangale2004 Table III"},
    Row{"rp", Quantity::convective_inertia, 26, 14, "bhangale2004 Table III"},
    Row{"pr", Quantity::mass_matrix, 21, 6, "bhangale2004 Table III"},
    Row{"pr", Quantity::convective_inertia, 28, 18, "bhangale2004 Table III"},
    Row{"rtx", Quantity::mass_matrix, 142, 138, "bhangale2004 Table V"},
    Row{"rtx", Quantity::convective_inertia, 389, 317, "bhangale2004 Table V"},
    Row{"stanford3", Quantity::mass_matrix, 170, 154, "bhangale2004 Table V"},
    Row{"stanford3", Quantity::convective_inertia, 522, 352, "bhangale2004 Table V"},
};

std::optional<PrintedCount> of_planar(Quantity quantity, double n) {
  if (quantity == Quantity::mass_matrix)
    return PrintedCount{3.5 * n * n + 11.5 * n - 7, 2 * n * n + 9 * n - 7, "bhangale2004 Table II, eq. (17)"};
  return PrintedCount{7 * n * n + 13 * n + 4, 4 * n * n + 13 * n + 2, "bhangale2004 eq. (18)"};
}

}  // namespace

std::optional<PrintedCount> printed_count(const Model& model, Quantity quantity, std::string_view method) {
  const double n = model.nv();
  if (!model.is_serial() || model.has_general_joints()) return std::nullopt;
  if (quantity == Quantity::inverse_inertia && method == "denoc")
    return PrintedCount{191 * n - 284, 187 * n - 325, "saha2001 Table I"};
  if (quantity == Quantity::inverse_inertia && method == "composite_body") {
    return PrintedCount{n * n * n / 6 + 23 * n * n / 2 + 115 * n / 3 - 47, n * n * n / 6 + 7 * n * n + 233 * n / 6 - 46,
                        "saha2001 Table I, Walker and Orin"};
  }
  if (method != "denoc" || (quantity != Quantity::mass_matrix && quantity != Quantity::convective_inertia))
    return std::nullopt;
  for (const Row& row : rows)
    if (row.robot == model.name() && row.quantity == quantity)
      return PrintedCount{row.multiplications, row.additions, row.where};
  if (model.name() == "planar2r" || model.name() == "planar3r") return of_planar(quantity, n);
  if (quantity == Quantity::mass_matrix)
    return PrintedCount{11 * n * n + 42 * n - 18, 7 * n * n + 44 * n - 18, "bhangale2004 Table I, eq. (14)"};
  return PrintedCount{14 * n * n + 22 * n + 4, 13.5 * n * n + 55.5 * n - 65.5, "bhangale2004 eq. (16)"};
}

}  // namespace ulna::trace

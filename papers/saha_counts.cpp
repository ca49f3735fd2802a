#include "papers/saha_counts.hpp"

#include <fmt/format.h>

#include <array>

#include "papers/claim.hpp"
#include "papers/polynomial.hpp"
#include "papers/traced_operations.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::reproduction {

namespace {

/// A row of Table I.
struct Row {
  const char* name;
  Polynomial multiplications, additions;
  std::array<const char*, 4> printed;  // M and A at n = 6, M and A at n = 10
};

const std::array rows{
    Row{"proposed", {-284, 191}, {-325, 187}, {"862", "797", "1626", "1545"}},
    Row{"Featherstone", {-198, 199}, {-173, 174}, {"996", "871", "1792", "1567"}},
    Row{"Valasek", {-343, 226}, {-345, 206}, {"1013", "891", "1917", "1715"}},
    Row{"Brandl et al.", {-222, 250}, {-198, 220}, {"1278", "1122", "2278", "2002"}},
    Row{"Walker and Orin",
        {-47, 115.0 / 3, 11.5, 1.0 / 6},
        {-46, 233.0 / 6, 7, 1.0 / 6},
        {"633", "480", "1653", "1209"}},
};

TracedOperations traced(const std::string& robot, const char* method) {
  return traced_operations(load(robot), Quantity::inverse_inertia, method);
}

/// What is written in braces beside one step of section 3.
struct Step {
  const char *name, *braces;
  Polynomial multiplications, additions;
};

const std::array steps{
    Step{"A1", "4M 2A (n)", {0, 4}, {0, 2}},
    Step{"A2", "3A (n − 1)", {0, 0}, {-3, 3}},
    Step{"A3(a)", "16M 17A", {16, 0}, {17, 0}},
    Step{"A3(b)", "(86n − 179)M (101n − 215)A", {-179, 86}, {-215, 101}},
    Step{"A4(a)", "2M", {2, 0}, {0, 0}},
    Step{"A4(b)", "12M 12A (n − 3)", {-36, 12}, {-36, 12}},
    Step{"A5", "2M 2A (n)", {0, 2}, {0, 2}},
    Step{"A6", "(6n − 7)M", {-7, 6}, {0, 0}},
    Step{"A7(a)", "15M 8A", {15, 0}, {8, 0}},
    Step{"A7(b)", "21M 21A (n − 2)", {-42, 21}, {-42, 21}},
    Step{"A8(a)", "5M", {5, 0}, {0, 0}},
    Step{"A8(b)", "6M 6A (n − 2)", {-12, 6}, {-12, 6}},
    Step{"A9", "(22n − 26)M (14n − 18)A", {-26, 22}, {-18, 14}},
    Step{"A10(b)", "2M 3A (n − 1)", {-2, 2}, {-3, 3}},
    Step{"B", "nM", {0, 1}, {0, 0}},
    Step{"C1(b)", "6M 6A (n − 1)", {-6, 6}, {-6, 6}},
    Step{"C2(a)", "12M 2A", {12, 0}, {2, 0}},
    Step{"C2(b)", "18M 11A (n − 1)", {-18, 18}, {-11, 11}},
    Step{"C3", "6M 6A (n − 1)", {-6, 6}, {-6, 6}},
};

/// The smallest n from which on `cheap` costs less than `dear`.
int crossing(const Polynomial& cheap, const Polynomial& dear) {
  int n = 1;
  for (int k = 1; k <= 100; ++k)
    if (cheap(k) >= dear(k)) n = k + 1;
  return n;
}

void add_row(Section& section, const Row& row) {
  const std::array<std::pair<const char*, double>, 2> sizes{{{"n = 6", 6}, {"n = 10", 10}}};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& [place, n] = sizes[k / 2];
    const bool additions = k % 2 == 1;
    std::optional<Erratum> erratum;
    if (additions && k == 1 && std::string_view(row.printed[1]) == "480")
      erratum = Erratum{"0.10", "475", "which the row's own formula gives"};
    section.claims.push_back(number_claim(
        {fmt::format("Table I, {}", place), fmt::format("{} of {}", additions ? "A" : "M", row.name), row.printed[k]},
        (additions ? row.additions : row.multiplications)(n), erratum));
  }
}

}  // namespace

Section saha_table_one() {
  Section section{"Table I: operations of forward dynamics", {}, {}, {}, {}};
  section.text = {
      "M are multiplications and divisions, A additions and subtractions. The formulas of the table are evaluated; "
      "beneath, the same algorithms are counted by running them on a tracing scalar for an arm without a single zero "
      "in its data (general:N) and for the robots of the paper, where zeros and ones in the data cost nothing."};
  for (const Row& row : rows) add_row(section, row);
  const int by_m = crossing(rows[0].multiplications, rows[4].multiplications);
  const int by_both =
      crossing(rows[0].multiplications + rows[0].additions, rows[4].multiplications + rows[4].additions);
  section.claims.push_back(sentence_claim({"Section 1", "cheaper than the O(n³) scheme", "for n ≥ 10"},
                                          fmt::format("by M for n ≥ {}, by M and A together for n ≥ {}", by_m, by_both),
                                          by_m == 10, "It holds for multiplications alone."));
  bool fewest = true;
  for (std::size_t k = 1; k < 4; ++k)
    for (const double n : {6.0, 10.0}) fewest = fewest && rows[0].multiplications(n) < rows[k].multiplications(n);
  section.claims.push_back(
      sentence_claim({"Section 5", "fewest multiplications of the O(n) schemes", "the best"},
                     fmt::format("{:g} against {:g}, {:g}, {:g} at n = 6", rows[0].multiplications(6),
                                 rows[1].multiplications(6), rows[2].multiplications(6), rows[3].multiplications(6)),
                     fewest));
  const Polynomial earlier{-335, 201};
  section.claims.push_back(
      sentence_claim({"Section 5", "fewer multiplications than the author's earlier (201n − 335)M", "even better"},
                     fmt::format("{:g} against {:g} at n = 6", rows[0].multiplications(6), earlier(6)),
                     rows[0].multiplications(6) < earlier(6)));
  Table counted{
      "Counted by tracing: UDUᵀ, and composite bodies with a factorisation, as Walker and Orin propose. φ is "
      "given, as in the table; products of constants are made beforehand.",
      {"robot", "UDUᵀ", "composite body + LTL"},
      {}};
  for (const char* robot : {"general:6", "general:7", "general:10", "stanford", "puma560"})
    counted.rows.push_back({robot, traced(robot, "denoc").text(), traced(robot, "composite_body").text()});
  section.tables.push_back(counted);
  return section;
}

Section saha_step_counts() {
  Section section{"Section 3: the operations in braces", {}, {}, {}, {}};
  Polynomial multiplications, additions;
  Table table{"What stands in braces beside each step.", {"step", "in braces", "M", "A"}, {}};
  for (const Step& step : steps) {
    multiplications = multiplications + step.multiplications;
    additions = additions + step.additions;
    table.rows.push_back({step.name, step.braces, step.multiplications.text(), step.additions.text()});
  }
  const std::string m = multiplications.text(), a = additions.text();
  table.rows.push_back({"sum", "", m, a});
  section.tables.push_back(table);
  section.claims.push_back(
      misprint_claim({"Section 3, Table I", "sum of the steps' M", "191n − 284"}, m, m == "191n − 284",
                     {"0.9", "192n − 284", "step B's n multiplications are not in the total"}, m == "192n − 284"));
  section.claims.push_back(
      sentence_claim({"Section 3, Table I", "sum of the steps' A", "187n − 325"}, a, a == "187n − 325"));
  // A line through two sizes, held to a third.
  const auto cost = [](const char* robot, bool of_sums) {
    const TracedOperations counts = traced(robot, "denoc");
    return static_cast<double>(of_sums ? counts.additions : counts.multiplications);
  };
  std::array<std::string, 2> lines;
  bool straight = true;
  for (const bool of_sums : {false, true}) {
    const double six = cost("general:6", of_sums), slope = cost("general:7", of_sums) - six;
    straight = straight && six + 4 * slope == cost("general:10", of_sums);
    lines[of_sums ? 1 : 0] = Polynomial{six - 6 * slope, slope}.text();
  }
  section.claims.push_back(sentence_claim(
      {"Section 3", "the cost is linear in n", "O(n)"}, fmt::format("{} M, {} A", lines[0], lines[1]), straight,
      "Ulna's UDUᵀ, traced for general arms of 6, 7 and 10 joints: the same factors, with products of constants made "
      "beforehand. In the print A4(b) counts one link too few, A3(b) and A4(b) stop one link too early (erratum 0.3), "
      "C2(b) counts a quantity that nobody uses."));
  return section;
}

}  // namespace ulna::reproduction

// Operation counts are asserted: the figures of shared/counts.md or fewer, robot by robot, and
// closed forms for general arms.
#include <gtest/gtest.h>

#include <tuple>

#include "ulna/io/robot/load.hpp"
#include "ulna/model/transform.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna {
namespace {

/// Multiplications with divisions, and additions.
struct MA {
  int m, a;
};

MA counted(const Model& model, Quantity quantity, const char* method) {
  const trace::Counts c = trace::record(model, quantity, method).counts();
  return {c.multiplications + c.divisions, c.additions};
}

struct Case {
  Quantity quantity;
  const char* method;
  bool regroup;
};
constexpr Case gim_paper{Quantity::mass_matrix, "denoc", false};
constexpr Case gim_body{Quantity::mass_matrix, "composite_body", true};
constexpr Case mci_paper{Quantity::convective_inertia, "denoc", false};
constexpr Case mci_body{Quantity::convective_inertia, "newton_euler", true};
constexpr Case inverse{Quantity::inverse_dynamics, "newton_euler", true};
constexpr Case udu_paper{Quantity::inverse_inertia, "denoc", false};
constexpr Case udu{Quantity::inverse_inertia, "denoc", true};
constexpr Case ltl{Quantity::inverse_inertia, "composite_body", true};
constexpr Case merged{Quantity::forward_dynamics, "articulated_body", true};
constexpr Case ltl_complete{Quantity::forward_dynamics, "composite_body", true};

struct RobotRow {
  const char* robot;
  MA gim_paper, gim_body, mci_paper, mci_body, inverse;
};
// shared/counts.md, first table
const RobotRow matrices[] = {
    {"planar2r", {28, 25}, {4, 3}, {30, 15}, {20, 19}, {19, 11}},
    {"planar3r", {54, 50}, {13, 12}, {72, 46}, {57, 57}, {38, 27}},
    {"rp", {16, 10}, {2, 2}, {26, 11}, {6, 1}, {7, 5}},
    {"pr", {6, 2}, {1, 0}, {2, 0}, {2, 0}, {9, 3}},
    {"rtx", {24, 15}, {2, 2}, {24, 11}, {14, 7}, {15, 8}},
    {"stanford3", {32, 24}, {7, 5}, {80, 42}, {47, 25}, {39, 31}},
    {"stanford", {58, 54}, {39, 32}, {245, 185}, {183, 128}, {94, 67}},
    {"puma560", {148, 129}, {82, 69}, {534, 438}, {361, 283}, {174, 137}},
    {"kuka_lwr4", {193, 150}, {121, 89}, {733, 587}, {479, 360}, {187, 131}},
    {"general:6", {498, 436}, {320, 260}, {1368, 1161}, {1062, 835}, {393, 329}},
    {"general:7", {668, 574}, {448, 353}, {1853, 1557}, {1445, 1115}, {475, 399}},
    {"general:10", {1310, 1072}, {952, 704}, {3668, 2985}, {2906, 2147}, {721, 609}},
};

struct ForwardRow {
  const char* robot;
  MA udu_paper, udu, ltl, merged, ltl_complete;
};
// second table
const ForwardRow forward[] = {
    {"planar3r", {125, 109}, {43, 34}, {29, 22}, {62, 47}, {56, 40}},
    {"rtx", {64, 47}, {12, 6}, {9, 5}, {19, 10}, {17, 10}},
    {"stanford3", {65, 49}, {18, 12}, {18, 11}, {46, 32}, {49, 32}},
    {"stanford", {76, 60}, {60, 45}, {91, 69}, {134, 93}, {176, 125}},
    {"puma560", {378, 334}, {190, 150}, {146, 121}, {328, 258}, {311, 246}},
    {"kuka_lwr4", {377, 325}, {224, 170}, {229, 172}, {369, 272}, {409, 296}},
    {"general:6", {861, 808}, {606, 515}, {406, 325}, {903, 784}, {790, 646}},
    {"general:7", {1055, 997}, {748, 640}, {574, 451}, {1107, 966}, {1040, 842}},
    {"general:10", {1637, 1564}, {1174, 1015}, {1262, 959}, {1719, 1512}, {1974, 1560}},
};

void expect_at_most(const char* robot, const Case& c, const MA& limit) {
  const Model model = load(robot);
  const MA got = counted(c.regroup ? regrouped(model) : model, c.quantity, c.method);
  EXPECT_LE(got.m, limit.m) << robot << " " << word_of(c.quantity) << " " << c.method;
  EXPECT_LE(got.a, limit.a) << robot << " " << word_of(c.quantity) << " " << c.method;
}

TEST(Counts, matrices_and_inverse_dynamics) {
  for (const RobotRow& row : matrices) {
    expect_at_most(row.robot, gim_paper, row.gim_paper);
    expect_at_most(row.robot, gim_body, row.gim_body);
    expect_at_most(row.robot, mci_paper, row.mci_paper);
    expect_at_most(row.robot, mci_body, row.mci_body);
    expect_at_most(row.robot, inverse, row.inverse);
  }
}

TEST(Counts, forward_dynamics) {
  for (const ForwardRow& row : forward) {
    expect_at_most(row.robot, udu_paper, row.udu_paper);
    expect_at_most(row.robot, udu, row.udu);
    expect_at_most(row.robot, ltl, row.ltl);
    expect_at_most(row.robot, merged, row.merged);
    expect_at_most(row.robot, ltl_complete, row.ltl_complete);
  }
}

/// What our formulations need for a general arm of n joints. counts.md's forms, which a prototype
/// reached, are above each of them and beside in the comments.
TEST(Counts, closed_forms_of_general_arms) {
  for (int n = 4; n <= 12; ++n) {
    const Model model = load("general:" + std::to_string(n)), grouped = regrouped(model);
    const auto expect = [&](const Case& c, int m, int a) {
      const MA got = counted(c.regroup ? grouped : model, c.quantity, c.method);
      EXPECT_EQ(got.m, m) << n << " " << word_of(c.quantity) << " " << c.method;
      EXPECT_EQ(got.a, a) << n << " " << word_of(c.quantity) << " " << c.method;
    };
    const int cubic_m = (n * n * n - n) / 6, n2 = n * n;
    expect(gim_paper, 10 * n2 - 3 * n - 24, 6 * n2 + 21 * n - 61);  // 11n²+27n−60, 7n²+47n−98
    expect(gim_body, 10 * n2 - 3 * n - 26, 6 * n2 + 15 * n - 48);   // 10n²−2n−28, 6n²+15n−46
    expect(inverse, 82 * n - 107, 70 * n - 96);                     // 82n−99, 70n−91
    expect(udu, 134 * n - 233, 124 * n - 233);                      // 142n−246, 125n−235
    expect(merged, 196 * n - 318, 181 * n - 312);                   // 204n−321, 182n−308
    // n³/6+23n²/2−8n/3−28, n³/6+7n²+83n/6−46
    expect(ltl, 10 * n2 - 3 * n - 26 + cubic_m + n * (n - 1) / 2 + n2, 6 * n2 + 15 * n - 48 + cubic_m + n * (n - 1));
  }
}

/// On an arm of six joints the way through M is cheaper than any O(n) way, on a long one it is not.
TEST(Counts, cheapest_method) {
  EXPECT_EQ(trace::cheapest_method(regrouped(load("general:6")), Quantity::forward_dynamics), "composite_body");
  EXPECT_EQ(trace::cheapest_method(regrouped(load("general:12")), Quantity::forward_dynamics), "articulated_body");
}

}  // namespace
}  // namespace ulna

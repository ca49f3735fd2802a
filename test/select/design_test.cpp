// Design sweeps of any size: the same numbers as a comparison in memory, in any parts, and what becomes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ulna/study/select/design_summary.hpp"

namespace ulna::selection {
namespace {

Selection two_links(int steps) {
  Selection given;
  given.robots = {"planar2r"};
  given.vary = {parse_swept_number("link1.a=0.5..1.5"), parse_swept_number("link2.a=0.5..1.5")};
  given.steps = steps;
  return given;
}

DesignRows in_memory(const std::vector<DesignRow>& rows) {
  return [&rows](const auto& see) {
    for (std::size_t i = 0; i < rows.size(); ++i) see(i, rows[i]);
  };
}

TEST(DesignSweep, numbers_are_those_of_a_comparison) {
  Selection given = two_links(2);
  given.criteria = {"power", "gim", "condition"};
  const DesignSweep sweep(given);
  const std::vector<DesignRow> rows = sweep.evaluate(0, 4, 2, {});
  const SelectRecord record = run(given);
  ASSERT_EQ(sweep.criteria().size(), 5U);
  for (std::size_t c = 0; c < sweep.criteria().size(); ++c) {
    const Criterion& row = criterion_named(record.comparison, sweep.criteria()[c].key);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].values[c], row.values[i]) << row.key;
      EXPECT_EQ(rows[i].errors[c], row.errors[i]) << row.key;
    }
  }
  EXPECT_EQ(sweep.name_of(2), record.comparison.candidates[2].arm.name);
  const DesignSummary summary = summarise(sweep, in_memory(rows));
  std::vector<std::size_t> front;
  for (const DesignSummary::Point& point : summary.front) front.push_back(point.arm);
  EXPECT_EQ(front, front_of(record.comparison, record.sweep));
}

/// rtx computes with a milder fault: that is no leave for masses below zero.
TEST(DesignSweep, negative_masses_are_not_ranked) {
  Selection given;
  given.robots = {"rtx"};
  given.vary = {parse_swept_number("link2.mass=-3..3")};
  given.steps = 2;
  given.pareto = {"energy", "power"};
  given.ranges = {given_range("joint1", 0.0, 1.0)};
  const DesignSweep sweep(given);
  const std::vector<DesignRow> rows = sweep.evaluate(0, 2, 1, {});
  EXPECT_EQ(rows[0].outcome, DesignRow::Outcome::apart);
  EXPECT_NE(rows[0].reason.find("the mass of 'link2' is -3 kg"), std::string::npos) << rows[0].reason;
  EXPECT_EQ(rows[1].reason, "");
  EXPECT_EQ(run(given).comparison.order, std::vector<std::size_t>{1});
}

TEST(DesignSweep, units_are_those_of_the_joints) {
  Selection given;
  given.robots = {"rp"};
  given.vary = {parse_swept_number("link2.mass=1..2")};
  given.steps = 2;
  given.pareto = {"peak.joint1", "peak.joint2"};
  given.ranges = {given_range("joint2", 0.2, 0.5)};
  const DesignSweep sweep(given);
  EXPECT_EQ(sweep.criteria()[0].unit, "N m");
  EXPECT_EQ(sweep.criteria()[1].unit, "N");
  EXPECT_TRUE(sweep.criteria()[1].values.empty());
}

TEST(DesignSweep, parts_and_threads_do_not_matter) {
  const DesignSweep sweep(two_links(4));
  const std::vector<DesignRow> all = sweep.evaluate(0, 16, 2, {});
  for (std::size_t first = 0; first < 16; first += 5) {
    const std::size_t count = std::min<std::size_t>(5, 16 - first);
    const std::vector<DesignRow> part = sweep.evaluate(first, count, 1, {});
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(part[i].values, all[first + i].values);
  }
  EXPECT_THROW(sweep.evaluate(0, 16, 2, [] { return false; }), Interrupted);
}

TEST(DesignSweep, errors_grow_with_less_effort_and_hold) {
  for (const double effort : {0.001, 0.02, 0.2}) {
    Selection given = two_links(2);
    given.effort = effort;
    given.pareto = {"workspace", "isotropy"};
    const std::vector<DesignRow> rows = DesignSweep(given).evaluate(0, 4, 1, {});
    const double pi = 3.141592653589793;
    const double areas[] = {pi * 1.0, pi * (4.0 - 1.0), pi * (4.0 - 1.0), pi * 9.0};  // rings of a1 ± a2
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(rows[i].values[0], areas[i], rows[i].errors[0] * (1.0 + 1e-9)) << effort;  // and round-off
  }
}

TEST(DesignSweep, an_arm_that_cannot_be_compared_is_told) {
  Selection given = two_links(3);
  given.vary = {parse_swept_number("link2.a=0..1")};  // the first has no second link: its tip stays on a circle
  const DesignSweep sweep(given);
  const std::vector<DesignRow> rows = sweep.evaluate(0, 3, 1, {});
  EXPECT_EQ(rows[0].outcome, DesignRow::Outcome::refused);
  EXPECT_NE(rows[0].reason.find("planar2r link2.a=0"), std::string::npos) << rows[0].reason;
  EXPECT_TRUE(std::isnan(rows[0].values[0]));
  EXPECT_EQ(rows[1].outcome, DesignRow::Outcome::ranked);
  const DesignSummary summary = summarise(sweep, in_memory(rows));
  EXPECT_EQ(summary.refused, 1U);
  EXPECT_EQ(summary.ranked, 2U);
  EXPECT_EQ(summary.left[0].arm, 0U);
  EXPECT_TRUE(std::isnan(score_of(sweep, summary, rows[0])));
}

TEST(DesignSweep, refuses_what_cannot_be_swept) {
  const auto wrong = [](const std::function<void(Selection&)>& change) {
    Selection given = two_links(3);
    change(given);
    EXPECT_THROW(DesignSweep{given}, InputError);
  };
  wrong([](Selection& s) { s.vary.clear(); });
  wrong([](Selection& s) { s.effort = -0.1; });
  wrong([](Selection& s) { s.effort = 2.0; });
  wrong([](Selection& s) { s.effort = std::nan(""); });
  wrong([](Selection& s) { s.criteria = {"cpu"}; });
  wrong([](Selection& s) { s.weights = {{"workspace", 0.0}, {"energy", 0.0}}; });
  wrong([](Selection& s) { s.vary = {parse_swept_number("link9.a=0..1")}; });
  wrong([](Selection& s) { s.vary = {parse_swept_number("link2.wrong=0..1")}; });
  wrong([](Selection& s) { s.ranges = {given_range("joint9", 0.0, 1.0)}; });
  wrong([](Selection& s) { s.robots = {"planar2r", "rtx"}; });
  wrong([](Selection& s) { s.steps = 1'000'000; });
}

/// Rows of a sweep of two criteria, from points of the plane.
TEST(DesignSummary, a_front_of_very_many) {
  Selection given = two_links(200);
  const DesignSweep sweep(given);
  std::vector<DesignRow> rows;
  Criterion more = sweep.criteria()[0], less = sweep.criteria()[1];
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < sweep.grid().size(); ++i) {
    const double x = std::fmod(0.754877666 * static_cast<double>(i), 1.0);
    const double y = std::fmod(0.569840291 * static_cast<double>(i), 1.0) + x * x;
    rows.push_back({DesignRow::Outcome::ranked, "", {x, y}, {0.0, 0.0}});
    more.values.push_back(x);
    less.values.push_back(y);
    all.push_back(i);
  }
  const DesignSummary summary = summarise(sweep, in_memory(rows));
  EXPECT_EQ(summary.ranked, 40'000U);
  std::vector<std::size_t> front;
  for (const DesignSummary::Point& point : summary.front) front.push_back(point.arm);
  EXPECT_EQ(front, pareto_front(more, less, all));
  for (const std::size_t i : front)  // by the definition
    for (const std::size_t k : all) ASSERT_FALSE(more.values[k] > more.values[i] && less.values[k] < less.values[i]);
  EXPECT_LE(summary.cloud.size(), 110U * 70U);
  EXPECT_GT(summary.cloud.size(), 3000U);
  ASSERT_EQ(summary.ranking.size(), 100U);
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(seen.insert(summary.ranking[i].arm).second);
    if (i > 0) {
      EXPECT_GE(summary.ranking[i - 1].score, summary.ranking[i].score);
    }
  }
  const DesignTrend& trend = summary.trends[0][0][1];
  EXPECT_EQ(trend.x.size(), 60U);
  for (std::size_t k = 0; k < trend.x.size(); ++k) {
    EXPECT_LE(trend.low[k], trend.mean[k]);
    EXPECT_LE(trend.mean[k], trend.high[k]);
  }
}

}  // namespace
}  // namespace ulna::selection

// Pictures of ranges that leave nothing to draw by: points, rounding, the largest and the smallest numbers.
#include "io/results/figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <string>

namespace ulna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// What stands beside the axis at the left, from the bottom up.
std::vector<std::string> left_marks(const std::string& svg) {
  std::vector<std::string> marks;
  const std::regex mark("<text x=\"62.0\" y=\"[0-9.]*\" text-anchor=\"end\">([^<]*)</text>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), mark), end; at != end; ++at) marks.push_back((*at)[1]);
  return marks;
}

void expect_drawn(const std::string& svg) {
  EXPECT_LT(svg.size(), 100'000u);
  EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  const std::vector<std::string> marks = left_marks(svg);
  EXPECT_GE(marks.size(), 1u);
  EXPECT_LE(marks.size(), 12u);
  EXPECT_EQ(std::set<std::string>(marks.begin(), marks.end()).size(), marks.size()) << svg;
}

Plot plot_of(std::vector<double> y) {
  std::vector<double> x(y.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<double>(k);
  return {"title", "x", "y", {{"curve", std::move(x), std::move(y)}}};
}

TEST(Figure, RangesOfEverySize) {
  const double third = 1.0 / 3.0, above = std::nextafter(third, 1.0), tiniest = 5e-324;
  const double largest = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> ranges{{third, above},
                                                {-above, -third},
                                                {1e300, std::nextafter(1e300, 0.0)},
                                                {2.0, 2.0},
                                                {0.0, 0.0},
                                                {-0.0, tiniest},
                                                {1e-305, 3e-305},
                                                {1e9, 1e9 + 1e-6},
                                                {1e9, 1e9 + 10.0},
                                                {-largest, largest},
                                                {0.0, largest},
                                                {1e200, 2e200},
                                                {infinity, -infinity},
                                                {not_a_number, not_a_number},
                                                {not_a_number, 1.0, infinity},
                                                {}};
  for (const std::vector<double>& y : ranges) {
    for (const bool equal : {false, true}) {
      Plot plot = plot_of(y);
      plot.equal_axes = equal;
      expect_drawn(svg_of(plot));
    }
    Plot plot = plot_of(y);
    plot.log_y = true;
    expect_drawn(svg_of(plot));
    expect_drawn(svg_of(BarChart{"title", "y", {"a", "b", "c"}, {{"series", y}}}));
    if (y.size() != 2) continue;
    for (const bool equal : {false, true})
      expect_drawn(svg_of(HeatMap{"title", "x", "y", "value", 0.0, 1.0, y[0], y[1], 2, 1, y, equal}));
  }
}

TEST(Figure, MarksAreRoundNumbers) {
  EXPECT_EQ(left_marks(svg_of(plot_of({0.1, 0.7}))),
            (std::vector<std::string>{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}));
  EXPECT_EQ(left_marks(svg_of(plot_of({-1.0, 1.0}))), (std::vector<std::string>{"-1", "-0.5", "0", "0.5", "1"}));
  EXPECT_EQ(left_marks(svg_of(plot_of({1000.0, 1000.5}))),
            (std::vector<std::string>{"1000", "1000.1", "1000.2", "1000.3", "1000.4", "1000.5"}));
}

}  // namespace
}  // namespace ulna

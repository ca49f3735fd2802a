// What a design sweep comes to: the best arms, the Pareto front, how each criterion moves, and a cloud of points that
// can be drawn. Rows pass by several times in their order; memory depends on the front, and not on how many arms there
// are.
#pragma once

#include "ulna/study/select/design.hpp"

namespace ulna::selection {

/// Calls `see` with every arm's row, in the order of arms.
using DesignRows = std::function<void(const std::function<void(std::size_t arm, const DesignRow& row)>& see)>;

/// The values of a criterion where one number has a value, or one of a few values side by side, and the others any.
struct DesignTrend {
  std::vector<double> x, low, mean, high;  // NaN where no arm is ranked
};

struct DesignSummary {
  std::size_t arms = 0, ranked = 0, apart = 0, refused = 0;

  struct Best {
    std::size_t arm = 0;
    double value = 0.0, error = 0.0;
  };
  std::vector<Best> best{};  // by each criterion; all of it is of ranked arms. Value NaN: there is none

  struct Point {
    std::size_t arm = 0;
    double first = 0.0, second = 0.0;  // values of the front's criteria
  };
  std::vector<Point> front{};  // in the order of the first criterion
  std::vector<Point> cloud{};  // one of each small cell of the plane of both criteria that has any

  struct Ranked {
    std::size_t arm = 0;
    double score = 0.0;
    std::vector<double> values{}, errors{};
  };
  std::vector<Ranked> ranking{};  // the first hundred

  struct Left {
    std::size_t arm = 0;
    std::string reason{};
  };
  std::vector<Left> left{};  // the first hundred that are not ranked

  /// Criterion by criterion, then robot by robot, then number by number that varies.
  std::vector<std::vector<std::vector<DesignTrend>>> trends{};
};

DesignSummary summarise(const DesignSweep& sweep, const DesignRows& rows);

/// The weighted mean of each value's share of the best; NaN for an arm that is not ranked.
double score_of(const DesignSweep& sweep, const DesignSummary& summary, const DesignRow& row);

}  // namespace ulna::selection

#include "ulna/study/select/design_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "criterion_rows.hpp"

namespace ulna::selection {

namespace {

constexpr std::size_t most_listed = 100;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The front of the points so far; those that are beaten go when there are many.
class GrowingFront {
 public:
  GrowingFront(const Criterion& first, const Criterion& second) : first_(first), second_(second) {}

  void add(const DesignSummary::Point& point) {
    points_.push_back(point);
    if (points_.size() >= 2 * kept_ + 4096) prune();
  }
  std::vector<DesignSummary::Point> take() {
    prune();
    return std::move(points_);
  }

 private:
  void prune() {
    Criterion first = first_, second = second_;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      first.values.push_back(points_[i].first);
      second.values.push_back(points_[i].second);
      all.push_back(i);
    }
    std::vector<DesignSummary::Point> front;
    for (const std::size_t i : pareto_front(first, second, all)) front.push_back(points_[i]);
    points_ = std::move(front);
    kept_ = points_.size();
  }

  const Criterion &first_, &second_;
  std::vector<DesignSummary::Point> points_;
  std::size_t kept_ = 0;
};

/// Sums for one trend.
class GrowingTrend {
 public:
  GrowingTrend(const SweptNumber& number, int steps) : number_(number), steps_(steps) {
    constexpr int most_places = 60;
    places_.resize(static_cast<std::size_t>(std::min(steps, most_places)));
    for (int step = 0; step < steps; ++step) {
      Place& place = place_of(step);
      place.x += number_.at(step, steps_);
      ++place.steps;
    }
  }

  void add(int step, double value) {
    if (!std::isfinite(value)) return;
    Place& place = place_of(step);
    place.low = std::min(place.low, value);
    place.high = std::max(place.high, value);
    place.sum += value;
    ++place.count;
  }

  DesignTrend trend() const {
    DesignTrend trend;
    for (const Place& place : places_) {
      trend.x.push_back(place.x / place.steps);
      trend.low.push_back(place.count > 0 ? place.low : nan);
      trend.mean.push_back(place.sum / static_cast<double>(place.count));
      trend.high.push_back(place.count > 0 ? place.high : nan);
    }
    return trend;
  }

 private:
  struct Place {
    double x = 0.0, low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0;
    int steps = 0;
    std::size_t count = 0;
  };
  Place& place_of(int step) {
    return places_[static_cast<std::size_t>(step) * places_.size() / static_cast<std::size_t>(steps_)];
  }

  SweptNumber number_;
  int steps_;
  std::vector<Place> places_;
};

/// The smallest and the largest of finite numbers.
struct Extent {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  int cell_of(double x, int cells) const {
    return high > low ? std::min(cells - 1, static_cast<int>((x - low) / (high - low) * cells)) : 0;
  }
};

/// The first pass: all that needs no comparison with the best.
class FirstPass {
 public:
  explicit FirstPass(const DesignSweep& sweep)
      : sweep_(sweep),
        at_(sweep.front_criteria()),
        front_(sweep.criteria()[at_[0]], sweep.criteria()[at_[1]]),
        first_best_(sweep.criteria().size(), {0, nan, 0.0}) {
    const VariantGrid& grid = sweep.grid();
    std::vector<GrowingTrend> numbers;
    for (const SweptNumber& number : grid.swept()) numbers.emplace_back(number, grid.steps());
    trends_.assign(sweep.criteria().size(), std::vector(grid.robots().size(), numbers));
  }

  void see(std::size_t arm, const DesignRow& row) {
    ++summary_.arms;
    if (row.outcome != DesignRow::Outcome::ranked) {
      ++(row.outcome == DesignRow::Outcome::apart ? summary_.apart : summary_.refused);
      if (summary_.left.size() < most_listed) summary_.left.push_back({arm, row.reason});
      return;
    }
    ++summary_.ranked;
    const VariantGrid& grid = sweep_.grid();
    const std::vector<int> steps = grid.steps_of(arm);
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      DesignSummary::Best& best = first_best_[c];
      if (is_better(sweep_.criteria()[c], row.values[c], best.value)) best = {arm, row.values[c], row.errors[c]};
      for (std::size_t k = 0; k < steps.size(); ++k) trends_[c][grid.robot_of(arm)][k].add(steps[k], row.values[c]);
    }
    const DesignSummary::Point point{arm, row.values[at_[0]], row.values[at_[1]]};
    if (std::isfinite(point.first)) x_.add(point.first);
    if (std::isfinite(point.second)) y_.add(point.second);
    front_.add(point);
  }

  DesignSummary take() {
    summary_.best = std::move(first_best_);
    summary_.front = front_.take();
    for (const auto& of_criterion : trends_) {
      auto& robots = summary_.trends.emplace_back();
      for (const auto& of_robot : of_criterion) {
        auto& numbers = robots.emplace_back();
        for (const GrowingTrend& trend : of_robot) numbers.push_back(trend.trend());
      }
    }
    return std::move(summary_);
  }
  const Extent& x() const { return x_; }
  const Extent& y() const { return y_; }

 private:
  const DesignSweep& sweep_;
  std::array<std::size_t, 2> at_;
  GrowingFront front_;
  std::vector<DesignSummary::Best> first_best_;
  std::vector<std::vector<std::vector<GrowingTrend>>> trends_;
  DesignSummary summary_;
  Extent x_, y_;
};

/// One point for each cell of the plane, the first that comes.
class Cloud {
 public:
  Cloud(const Extent& x, const Extent& y) : x_(x), y_(y) {}

  void add(const DesignSummary::Point& point, std::vector<DesignSummary::Point>& cloud) {
    constexpr int columns = 110, rows = 70;
    if (!std::isfinite(point.first) || !std::isfinite(point.second)) return;
    const int cell = y_.cell_of(point.second, rows) * columns + x_.cell_of(point.first, columns);
    if (taken_.insert(cell).second) cloud.push_back(point);
  }

 private:
  Extent x_, y_;
  std::set<int> taken_;
};

void put_into_ranking(std::vector<DesignSummary::Ranked>& ranking, DesignSummary::Ranked one) {
  if (ranking.size() == most_listed && !(one.score > ranking.back().score)) return;
  const auto place =
      std::upper_bound(ranking.begin(), ranking.end(), one.score,
                       [](double score, const DesignSummary::Ranked& other) { return score > other.score; });
  ranking.insert(place, std::move(one));
  if (ranking.size() > most_listed) ranking.pop_back();
}

}  // namespace

DesignSummary summarise(const DesignSweep& sweep, const DesignRows& rows) {
  FirstPass first(sweep);
  rows([&](std::size_t arm, const DesignRow& row) { first.see(arm, row); });
  DesignSummary summary = first.take();
  const std::array<std::size_t, 2> at = sweep.front_criteria();
  Cloud cloud(first.x(), first.y());
  rows([&](std::size_t arm, const DesignRow& row) {
    if (row.outcome != DesignRow::Outcome::ranked) return;
    put_into_ranking(summary.ranking, {arm, score_of(sweep, summary, row), row.values, row.errors});
    cloud.add({arm, row.values[at[0]], row.values[at[1]]}, summary.cloud);
  });
  return summary;
}

double score_of(const DesignSweep& sweep, const DesignSummary& summary, const DesignRow& row) {
  if (row.outcome != DesignRow::Outcome::ranked) return nan;
  double sum = 0.0, weights = 0.0;
  for (std::size_t c = 0; c < row.values.size(); ++c) {
    const Criterion& criterion = sweep.criteria()[c];
    const DesignSummary::Best& best = summary.best[c];
    sum += criterion.weight * share_of(criterion, row.values[c], row.errors[c], best.value, best.error).part;
    weights += criterion.weight;
  }
  return sum / weights;
}

}  // namespace ulna::selection

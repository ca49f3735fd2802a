#include <fmt/format.h>

#include "book.hpp"
#include "design_files.hpp"
#include "figure.hpp"
#include "select_files.hpp"

namespace ulna::selection {

namespace {

using Cells = std::vector<std::vector<Cell>>;

void add_best_of_each(Book& book, const DesignSweep& sweep, const DesignSummary& summary) {
  Cells rows;
  for (std::size_t c = 0; c < sweep.criteria().size(); ++c) {
    const Criterion& row = sweep.criteria()[c];
    const DesignSummary::Best& best = summary.best[c];
    rows.push_back({row.key, label_of(row), row.more_is_better ? "more" : "less", fmt::format("{:g}", row.weight),
                    summary.ranked > 0 ? text_with_error(best.value, best.error) : "–",
                    summary.ranked > 0 ? sweep.name_of(best.arm) : "–"});
  }
  book.table({"key", "criterion", "better", "weight", "best value", "arm"}, rows,
             fmt::format("Values and their errors with {:g} of the samples that a comparison of few arms takes.",
                         sweep.selection().effort));
}

/// All points at once are too many for a browser: of each small cell one is drawn.
void add_front_of(Book& book, const DesignSweep& sweep, const DesignSummary& summary) {
  constexpr std::size_t most_drawn = 1000, most_rows = 60;
  const std::array<std::size_t, 2> at = sweep.front_criteria();
  const Criterion &first = sweep.criteria()[at[0]], &second = sweep.criteria()[at[1]];
  Plot plot;
  plot.title = fmt::format("{} and {}", first.key, second.key);
  plot.x_label = label_of(first);
  plot.y_label = label_of(second);
  Curve cloud{"arms", {}, {}, Curve::Style::points}, front{"front", {}, {}};
  for (const DesignSummary::Point& point : summary.cloud) {
    cloud.x.push_back(point.first);
    cloud.y.push_back(point.second);
  }
  for (const DesignSummary::Point& point : some_of(summary.front, most_drawn)) {
    front.x.push_back(point.first);
    front.y.push_back(point.second);
  }
  plot.curves = {cloud, front};
  book.figures({svg_of(plot)}, summary.cloud.size() < summary.ranked
                                   ? fmt::format("{} of {} arms are drawn: one in each place that has any.",
                                                 summary.cloud.size(), summary.ranked)
                                   : "");
  Cells rows;
  for (const DesignSummary::Point& point : some_of(summary.front, most_rows))
    rows.push_back({sweep.name_of(point.arm), fmt::format("{:.5g}", point.first), fmt::format("{:.5g}", point.second)});
  book.table({"arm", first.key, second.key}, rows,
             fmt::format("{} of the {} arms on the front. No other arm is better in one and as good in the other.",
                         rows.size(), summary.front.size()));
}

void add_ranking_of(Book& book, const DesignSweep& sweep, const DesignSummary& summary) {
  constexpr std::size_t most_rows = 30;
  std::vector<std::string> head{"arm"};
  for (const Criterion& row : sweep.criteria()) head.push_back(row.key);
  head.emplace_back("score");
  Cells rows;
  for (std::size_t i = 0; i < std::min(most_rows, summary.ranking.size()); ++i) {
    const DesignSummary::Ranked& one = summary.ranking[i];
    rows.push_back({sweep.name_of(one.arm)});
    for (std::size_t c = 0; c < one.values.size(); ++c)
      rows.back().emplace_back(rounded_text(one.values[c], one.errors[c]));
    rows.back().emplace_back(fmt::format("{:.4f}", one.score));
  }
  book.table(head, rows, "The first by the weighted mean of each value's share of the best.");
}

void add_trends(Book& book, const DesignSweep& sweep, const DesignSummary& summary) {
  const VariantGrid& grid = sweep.grid();
  std::vector<std::string> pictures;
  for (std::size_t c = 0; c < sweep.criteria().size(); ++c) {
    for (std::size_t k = 0; k < grid.swept().size(); ++k) {
      Plot plot;
      plot.title = sweep.criteria()[c].key;
      plot.x_label = grid.swept()[k].path;
      plot.y_label = sweep.criteria()[c].unit;
      for (std::size_t robot = 0; robot < grid.robots().size(); ++robot) {
        const DesignTrend& trend = summary.trends[c][robot][k];
        const std::string of = grid.robots().size() > 1 ? grid.robots()[robot] + ", " : "";
        plot.curves.push_back({of + "mean", trend.x, trend.mean});
        plot.curves.push_back({of + "lowest", trend.x, trend.low, Curve::Style::dashed});
        plot.curves.push_back({of + "highest", trend.x, trend.high, Curve::Style::dashed});
      }
      pictures.push_back(svg_of(plot));
    }
  }
  book.figures(pictures, "Each number in turn, over all values of the others.");
}

}  // namespace

std::string design_page(const DesignSweep& sweep, const DesignSummary& summary) {
  std::string names;
  for (const SweptNumber& swept : sweep.grid().swept())
    names += fmt::format("{}{} from {:g} to {:g}", names.empty() ? "" : ", ", swept.path, swept.from, swept.to);
  Book book("Design sweep: " + names);
  book.paragraph(verdict(sweep, summary));
  book.paragraph("Task: " + sweep.selection().task.title + ". All arms are in sweep.csv.");
  book.heading(2, "Pareto front");
  add_front_of(book, sweep, summary);
  book.heading(2, "Criteria");
  add_best_of_each(book, sweep, summary);
  book.heading(2, "Ranking");
  add_ranking_of(book, sweep, summary);
  book.heading(2, "How each moves");
  add_trends(book, sweep, summary);
  if (summary.left.empty()) return book.html();
  book.heading(2, "Arms that are not ranked");
  constexpr std::size_t most_told = 20;
  std::vector<std::string> items;
  for (std::size_t i = 0; i < std::min(most_told, summary.left.size()); ++i)
    items.push_back(fmt::format("{}: {}", sweep.name_of(summary.left[i].arm), summary.left[i].reason));
  if (summary.apart + summary.refused > items.size())
    items.push_back(fmt::format("and {} more, in sweep.csv", summary.apart + summary.refused - items.size()));
  book.list(items);
  return book.html();
}

}  // namespace ulna::selection

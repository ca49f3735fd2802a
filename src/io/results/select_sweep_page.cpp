#include <fmt/format.h>

#include "book.hpp"
#include "figure.hpp"
#include "select_files.hpp"

namespace ulna::selection {

namespace {

/// What the curves over the first number are told apart by: the robot and the other numbers.
std::string curve_of(const Sweep& sweep, std::size_t i) {
  const Variant& variant = sweep.variants[i];
  std::string name = variant.robot;
  for (std::size_t k = 1; k < sweep.swept.size(); ++k)
    name += fmt::format(", {} = {:.4g}", sweep.swept[k].path, variant.values[k]);
  return name;
}

void add_plots(Book& book, const Comparison& comparison, const Sweep& sweep) {
  std::vector<std::string> pictures;
  for (const Criterion& row : comparison.criteria) {
    Plot plot;
    plot.title = row.key;
    plot.x_label = sweep.swept[0].path;
    plot.y_label = row.unit;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const std::string name = curve_of(sweep, i);
      const auto [place, is_new] = places.try_emplace(name, plot.curves.size());
      if (is_new) plot.curves.push_back({name, {}, {}});
      plot.curves[place->second].x.push_back(sweep.variants[i].values[0]);
      plot.curves[place->second].y.push_back(row.values[i]);
    }
    pictures.push_back(svg_of(plot));
  }
  book.figures(pictures);
}

void add_table(Book& book, const Comparison& comparison) {
  std::vector<std::string> head{"arm"};
  std::vector<std::vector<Cell>> rows, meanings;
  for (const Criterion& row : comparison.criteria) {
    head.push_back(row.key);
    meanings.push_back({row.key, label_of(row), row.more_is_better ? "more" : "less", fmt::format("{:g}", row.weight)});
  }
  head.emplace_back("score");
  for (std::size_t i = 0; i < comparison.candidates.size(); ++i) {
    rows.push_back({comparison.candidates[i].arm.name});
    for (const Criterion& row : comparison.criteria)
      rows.back().emplace_back(criterion_text(comparison, row, i), row.best[i] ? Cell::Mark::best : Cell::Mark::none);
    rows.back().emplace_back(score_text(comparison, i), is_first(comparison, i) ? Cell::Mark::best : Cell::Mark::none);
  }
  book.table(head, rows, "The best value of each column is marked, where it is better by more than the errors.");
  book.table({"key", "criterion", "better", "weight"}, meanings);
}

void add_front(Book& book, const Comparison& comparison, const Sweep& sweep) {
  const Criterion& first = criterion_named(comparison, sweep.first);
  const Criterion& second = criterion_named(comparison, sweep.second);
  Plot plot;
  plot.title = fmt::format("{} and {}", first.key, second.key);
  plot.x_label = label_of(first);
  plot.y_label = label_of(second);
  plot.curves.push_back({"all", first.values, second.values, Curve::Style::points});
  Curve front{"front", {}, {}};
  std::vector<std::vector<Cell>> rows;
  for (const std::size_t i : front_of(comparison, sweep)) {
    front.x.push_back(first.values[i]);
    front.y.push_back(second.values[i]);
    rows.push_back({comparison.candidates[i].arm.name, criterion_text(comparison, first, i),
                    criterion_text(comparison, second, i)});
  }
  plot.curves.push_back(front);
  book.figures({svg_of(plot)});
  book.table({"arm", first.key, second.key}, rows, "No other variant is better in one and as good in the other.");
}

}  // namespace

std::string sweep_page(const Comparison& comparison, const Sweep& sweep) {
  std::string names;
  for (const SweptNumber& swept : sweep.swept)
    names += fmt::format("{}{} from {:g} to {:g}", names.empty() ? "" : ", ", swept.path, swept.from, swept.to);
  Book book("Design sweep: " + names);
  book.paragraph(verdict(comparison));
  book.heading(2, "Criteria");
  add_table(book, comparison);
  book.heading(2, "How each moves");
  add_plots(book, comparison, sweep);
  book.heading(2, "Pareto front");
  add_front(book, comparison, sweep);
  return book.html();
}

}  // namespace ulna::selection

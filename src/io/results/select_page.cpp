#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "book.hpp"
#include "figure.hpp"
#include "select_files.hpp"

namespace ulna::selection {

namespace {

/// Names of the arms between the first and the last heads of a table.
std::vector<std::string> with_arms(const Comparison& comparison, std::vector<std::string> heads,
                                   const std::vector<std::string>& last = {}) {
  for (const Candidate& candidate : comparison.candidates) heads.push_back(candidate.arm.name);
  heads.insert(heads.end(), last.begin(), last.end());
  return heads;
}

void add_criteria(Book& book, const Comparison& comparison) {
  std::vector<std::vector<Cell>> rows;
  for (const Criterion& row : comparison.criteria) {
    rows.push_back({label_of(row)});
    for (std::size_t i = 0; i < row.values.size(); ++i)
      rows.back().emplace_back(criterion_text(comparison, row, i), row.best[i] ? Cell::Mark::best : Cell::Mark::none);
    rows.back().emplace_back(row.more_is_better ? "more" : "less");
    rows.back().emplace_back(fmt::format("{:g}", row.weight));
  }
  book.table(with_arms(comparison, {"criterion"}, {"better", "weight"}), rows,
             "The better value of each row is marked, where it is better by more than the errors. Operations: M "
             "multiplications and divisions, A additions and subtractions, of the formulation that needs the fewest.");
}

void add_ranking(Book& book, const Comparison& comparison) {
  std::vector<std::vector<Cell>> rows;
  for (const Criterion& row : comparison.criteria) {
    rows.push_back({row.key, fmt::format("{:g}", row.weight)});
    for (const double share : row.shares) rows.back().emplace_back(fmt::format("{:.3f}", share));
  }
  rows.push_back({"score", ""});
  for (std::size_t i = 0; i < comparison.scores.size(); ++i)
    rows.back().emplace_back(score_text(comparison, i), is_first(comparison, i) ? Cell::Mark::best : Cell::Mark::none);
  book.paragraph(
      "Each value as a share of the best in its row: value over best where more is better, best over value where less "
      "is. The score is the mean of the shares with the weights given.");
  book.table(with_arms(comparison, {"criterion", "weight"}), rows);
}

void add_operations(Book& book, const Comparison& comparison) {
  BarChart chart{"Operations", "multiplications and additions", {}, {}};
  std::vector<std::vector<Cell>> rows;
  for (const Quantity quantity : counted) chart.groups.emplace_back(word_of(quantity));
  for (const Candidate& candidate : comparison.candidates) {
    BarChart::Series series{candidate.arm.name, {}};
    for (std::size_t k = 0; k < counted.size(); ++k) {
      const OperationCount& count = candidate.operations[k];
      series.values.push_back(count.total());
      rows.push_back({candidate.arm.name, chart.groups[k], count.method, fmt::format("{}", count.multiplications),
                      fmt::format("{}", count.additions), fmt::format("{}", count.sincos)});
    }
    chart.series.push_back(series);
  }
  book.figures({svg_of(chart)});
  book.table({"arm", "of", "formulation", "M", "A", "sines and cosines"}, rows);
  std::vector<std::vector<Cell>> times;
  for (const Candidate& candidate : comparison.candidates) {
    if (!candidate.cpu) return;
    times.push_back({candidate.arm.name, fmt::format("{:.1f}", candidate.cpu->median),
                     fmt::format("{:.1f} … {:.1f}", candidate.cpu->low, candidate.cpu->high),
                     candidate.cpu->own_code ? "the arm's own" : "generic"});
  }
  book.table({"arm", "ns per state, median", "quartiles", "code"}, times,
             "Inverse dynamics along the task on this machine, in rounds over all arms in turn.");
}

/// Products of inertia that are zero come out as some 1e-17.
std::vector<double> without_round_off(std::vector<double> matrix) {
  double largest = 0.0;
  for (const double x : matrix) largest = std::max(largest, std::abs(x));
  for (double& x : matrix)
    if (std::abs(x) < 1e-14 * largest) x = 0.0;
  return matrix;
}

void add_inertia(Book& book, const Comparison& comparison) {
  std::vector<std::string> pictures;
  std::vector<std::vector<Cell>> rows;
  for (const Candidate& candidate : comparison.candidates) {
    const int n = candidate.arm.model.nv();
    HeatMap map;
    map.title = fmt::format("{}: inertia matrix", candidate.arm.name);
    map.x_label = map.y_label = "joint";
    map.value_label = "kg m², kg m, kg";
    map.x_low = map.y_low = 0.5;
    map.x_high = map.y_high = n + 0.5;
    map.columns = map.rows = n;
    map.values = without_round_off(candidate.survey.inertia);
    map.with_numbers = true;
    pictures.push_back(svg_of(map));
    std::string axes;
    for (const double axis : candidate.survey.dynamic_axes)
      axes += (axes.empty() ? "" : ", ") + fmt::format("{:.4g}", axis);
    rows.push_back({candidate.arm.name, axes.empty() ? "the inertia matrix is singular there" : axes});
  }
  book.figures(pictures, "At the pose of the greatest isotropy.");
  book.table(
      {"arm", "semi-axes of the dynamic manipulability ellipsoid"}, rows,
      "Accelerations of the tip by joint torques and forces of norm 1, at the pose of the greatest isotropy, from rest "
      "without gravity.");
}

std::string picture(const Candidate& candidate, const std::vector<double>& values, const std::string& what) {
  HeatMap heat = heat_map_over(candidate.survey.map, fmt::format("{}: {}", candidate.arm.name, what), what, values);
  // A value that is the same everywhere is not to be coloured by its round-off.
  double scale = 0.0;
  for (const double x : values) scale = std::max(scale, std::isnan(x) ? 0.0 : std::abs(x));
  if (scale > 0.0)
    for (double& x : heat.values) x = std::round(x / scale * 1e9) * scale / 1e9;
  return svg_of(heat);
}

std::string positions(const std::vector<double>& q) {
  std::string text;
  for (const double x : q) text += (text.empty() ? "" : ", ") + fmt::format("{:.4g}", std::abs(x) < 5e-7 ? 0.0 : x);
  return text;
}

std::string dexterity_text(const reach::Dexterity& part) {
  return part.enough_joints ? fmt::format("{:.4g} ± {:.2g}", part.size.value, part.size.error) : "none, too few joints";
}

void add_workspace(Book& book, const Comparison& comparison) {
  const char* unit = comparison.candidates[0].arm.dimension() == 2 ? "m²" : "m³";
  std::vector<std::vector<Cell>> rows, poses;
  std::vector<std::string> w, isotropy, smallest;
  for (const Candidate& candidate : comparison.candidates) {
    const reach::Volume& space = candidate.workspace;
    rows.push_back({candidate.arm.name, fmt::format("{:.5g} ± {:.2g}", space.size.value, space.size.error),
                    fmt::format("{}", space.holes), fmt::format("{:.4g}", space.hole_size),
                    fmt::format("{:.2g}", space.edge), dexterity_text(candidate.dexterity)});
    const Survey& survey = candidate.survey;
    w.push_back(picture(candidate, survey.map.manipulability, "manipulability"));
    isotropy.push_back(picture(candidate, survey.map.isotropy, "isotropy 1/κ"));
    smallest.push_back(picture(candidate, survey.map.smallest, "smallest singular value"));
    poses.push_back({candidate.arm.name, fmt::format("{:.6g}", survey.manipulability.value),
                     positions(survey.manipulability.q), fmt::format("{:.4g}", survey.isotropy.value),
                     positions(survey.isotropy.q),
                     survey.singular.empty() ? "none found" : positions(survey.singular[0])});
  }
  book.table({"arm", fmt::format("size, {}", unit), "holes", fmt::format("their size, {}", unit), "cell, m",
              fmt::format("with every orientation, {}", unit)},
             rows,
             "All points that the tip reaches within the joint ranges. A hole is enclosed on all sides; "
             "those narrower than two cells are not seen. Every orientation: in a plane that takes three joints, in "
             "space six.");
  book.figures(w);
  book.figures(isotropy);
  book.figures(smallest,
               "Of the best pose in each cell. Spatial arms: a section through the first axis if that turns, "
               "the plane across it if it slides.");
  book.table({"arm", "greatest manipulability", "at q", "greatest isotropy", "at q", "singular, for one, at q"}, poses);
}

void add_task(Book& book, const Comparison& comparison) {
  const Task& task = comparison.task;
  book.paragraph(
      fmt::format("{}; {:g} s, every {:g} s, payload {:g} kg.", task.title, task.time, task.every, task.payload));
  std::vector<std::string> pictures;
  std::vector<std::vector<Cell>> rows;
  for (const Candidate& candidate : comparison.candidates) {
    const std::size_t n = candidate.arm.ranges.size();
    Plot turning{fmt::format("{}: torques", candidate.arm.name), "t, s", "N m", {}};
    Plot sliding{fmt::format("{}: forces", candidate.arm.name), "t, s", "N", {}};
    for (std::size_t i = 0; i < n; ++i) {
      const JointInfo& joint = candidate.arm.model.joints()[i];
      const JointLoad& load = candidate.loads.joints[i];
      const bool slides = ulna::slides(joint.kind);
      Curve curve{joint.name, candidate.loads.t, {}};
      for (std::size_t k = 0; k < candidate.loads.t.size(); ++k) curve.y.push_back(candidate.loads.tau[k * n + i]);
      (slides ? sliding : turning).curves.push_back(curve);
      const JointRange& range = candidate.arm.ranges[i];
      rows.push_back({candidate.arm.name, joint.name, fmt::format("{:.4g} … {:.4g}", range.low, range.high),
                      name_of(range.origin), fmt::format("{:.5g} {}", load.peak, slides ? "N" : "N m"),
                      fmt::format("{:.5g}", load.rms), fmt::format("{:.5g}", load.peak_power),
                      fmt::format("{:.5g}", load.energy)});
    }
    for (const Plot* plot : {&turning, &sliding})
      if (!plot->curves.empty()) pictures.push_back(svg_of(*plot));
  }
  book.figures(pictures);
  book.table({"arm", "joint", "range", "from", "peak", "RMS", "peak power, W", "energy, J"}, rows,
             "Power is |τ v|, energy its integral: nothing is fed back.");
  std::vector<std::string> notes;
  for (const Candidate& candidate : comparison.candidates)
    for (const auto* list : {&candidate.loads.broken, &candidate.loads.notes})
      for (const std::string& note : *list) notes.push_back(candidate.arm.name + ": " + note);
  if (!notes.empty()) book.list(notes);
}

}  // namespace

std::string select_page(const SelectRecord& record) {
  const Comparison& comparison = record.comparison;
  if (!record.sweep.swept.empty()) return sweep_page(comparison, record.sweep);
  std::string names;
  for (const Candidate& candidate : comparison.candidates) names += (names.empty() ? "" : ", ") + candidate.arm.name;
  Book book("Choice of an arm: " + names);
  book.paragraph(verdict(comparison));
  book.heading(2, "Criteria");
  add_criteria(book, comparison);
  book.heading(2, "Ranking");
  add_ranking(book, comparison);
  book.heading(2, "Operations");
  add_operations(book, comparison);
  book.heading(2, "Inertia");
  add_inertia(book, comparison);
  book.heading(2, "Workspace");
  add_workspace(book, comparison);
  book.heading(2, "Task");
  add_task(book, comparison);
  return book.html();
}

}  // namespace ulna::selection

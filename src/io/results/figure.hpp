// Pictures that stand still: curves, maps and bars as SVG text, for pages without a program in them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ulna {

struct Curve {
  std::string name;          // for the legend; empty: not in it
  std::vector<double> x, y;  // a point that is not finite ends a stroke
  enum class Style { line, dashed, points } style = Style::line;
};

/// Curves over one abscissa. On a logarithmic axis only positive values are drawn.
struct Plot {
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  bool log_x = false, log_y = false;
  bool equal_axes = false;  // a metre is as long on both
};

/// Values on a grid, row by row from y_low; NaN is left blank.
struct HeatMap {
  std::string title, x_label, y_label, value_label;
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
  int columns = 0, rows = 0;
  std::vector<double> values;
  bool equal_axes = false;
  bool with_numbers = false;  // in the cells and beside them, for small matrices; the first row is on top then
};

/// Of values over a plane that has these words, ends and counts of its own.
template <class Plane>
HeatMap heat_map_over(const Plane& plane, std::string title, std::string value_label, std::vector<double> values) {
  return {std::move(title), plane.x_label, plane.y_label,     std::move(value_label),
          plane.x_low,      plane.x_high,  plane.y_low,       plane.y_high,
          plane.columns,    plane.rows,    std::move(values), true};
}

/// Groups of bars, one bar of each series in a group.
struct BarChart {
  std::string title, y_label;
  std::vector<std::string> groups;
  struct Series {
    std::string name;
    std::vector<double> values;  // one per group; NaN: no bar
  };
  std::vector<Series> series;
};

/// An <svg> element, the same text for the same picture on every machine.
std::string svg_of(const Plot& plot);
std::string svg_of(const HeatMap& map);
std::string svg_of(const BarChart& chart);

}  // namespace ulna

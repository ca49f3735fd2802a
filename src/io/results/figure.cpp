#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/robot/xml_text.hpp"

namespace ulna {

namespace {

constexpr double width = 520.0, height = 340.0;
namespace margin {
constexpr double left = 68.0, right = 24.0, top = 34.0, bottom = 48.0;
}
// Told apart by people who see few colours too (Okabe and Ito).
constexpr std::array<const char*, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#000000", "#8a8a8a"};
const char* colour(std::size_t k) { return colours[k % colours.size()]; }

// Sizes whose sums and quotients are numbers still.
constexpr double largest = 1e300, smallest = 1e-300;
double bounded(double x) { return std::clamp(x, -largest, largest); }
// The same on a logarithmic axis; nothing for what it has no place for.
constexpr double most_decades = 299.0;
double decades(double x) {
  return x > 0.0 ? std::clamp(std::log10(x), -most_decades, most_decades) : std::numeric_limits<double>::quiet_NaN();
}

std::string number(double x, int digits = 4) {
  const std::string text = fmt::format("{:.{}g}", std::abs(x) < smallest ? 0.0 : x, digits);
  return text == "-0" ? "0" : text;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void include(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, bounded(x));
    high = std::max(high, bounded(x));
  }
  double size() const { return std::max(std::abs(low), std::abs(high)); }
  /// Something that can be drawn even if it is nothing, or a point but for rounding.
  Range drawable() const {
    if (!(low <= high)) return {0.0, 1.0};
    if (span() > std::max(1e-9 * size(), smallest)) return *this;
    const double middle = 0.5 * low + 0.5 * high, by = size() < smallest ? 1.0 : 0.1 * size();
    return {middle - by, middle + by};
  }
  /// So that nothing that is drawn lies on the frame.
  Range widened() const {
    const double by = 0.03 * span();
    return {bounded(low - by), bounded(high + by)};
  }
  double span() const { return high - low; }
};

/// One axis: values, or their decimal logarithms, to places on paper, and where its marks are.
class Axis {
 public:
  Axis(Range range, bool logarithmic, double from, double to)
      : range_(range.drawable()), logarithmic_(logarithmic), from_(from), to_(to) {
    if (logarithmic_ && range_.span() < 1.0) range_ = {std::floor(range_.low), std::ceil(range_.high)};
    if (logarithmic_) range_ = {std::max(range_.low, -most_decades), std::min(range_.high, most_decades)};
    range_ = range_.drawable();
  }

  double place(double value) const {
    const double x = logarithmic_ ? decades(value) : bounded(value);
    return from_ + (x - range_.low) / range_.span() * (to_ - from_);
  }
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0.0); }

  struct Mark {
    double value;
    std::string text;
  };
  /// Multiples of the step, counted: the range is wide enough against its size for them to differ.
  std::vector<Mark> marks() const {
    const double step = mark_step(), first = std::ceil(range_.low / step - 1e-9);
    const int count = 1 + static_cast<int>(std::floor(range_.high / step + 1e-9) - first);
    const int digits = std::max(4, 1 + static_cast<int>(std::ceil(std::log10(range_.size() / step))));
    std::vector<Mark> marks;
    for (int k = 0; k < count; ++k) {
      const double x = (first + k) * step, value = logarithmic_ ? std::pow(10.0, x) : x;
      marks.push_back({value, number(value, logarithmic_ ? 4 : digits)});
    }
    return marks;
  }

 private:
  /// 1, 2 or 5 times a power of ten, for four to nine marks; whole decades on a logarithmic axis.
  double mark_step() const {
    const double rough = range_.span() / 6.4;  // 6 of what is drawn, with the margin around it
    if (logarithmic_) return std::max(1.0, std::ceil(rough));
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (rough <= factor * decade) return factor * decade;
    return 10.0 * decade;
  }

  Range range_;
  bool logarithmic_;
  double from_, to_;
};

std::string text(double x, double y, const std::string& words, const char* attributes = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped_xml(words));
}

std::string begin(const std::string& title, double total_height = height) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
             "font-family=\"sans-serif\" "
             "font-size=\"12\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
             width, total_height, escaped_xml(title)) +
         text(width / 2, 18, title, "text-anchor=\"middle\" font-weight=\"bold\" font-size=\"13\"");
}

std::string labels(const std::string& x_label, const std::string& y_label) {
  return text((margin::left + width - margin::right) / 2, height - 10, x_label, "text-anchor=\"middle\"") +
         text(0, 0, y_label,
              fmt::format("text-anchor=\"middle\" transform=\"translate(14 {:.1f}) rotate(-90)\"",
                          (margin::top + height - margin::bottom) / 2)
                  .c_str());
}

std::string grid(const Axis& x, const Axis& y) {
  std::string out;
  for (const Axis::Mark& mark : x.marks()) {
    const double at = x.place(mark.value);
    out += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/>\n", at, margin::top,
                       height - margin::bottom);
    out += text(at, height - margin::bottom + 16, mark.text, "text-anchor=\"middle\"");
  }
  for (const Axis::Mark& mark : y.marks()) {
    const double at = y.place(mark.value);
    out += fmt::format("<line y1=\"{0:.1f}\" y2=\"{0:.1f}\" x1=\"{1}\" x2=\"{2}\" stroke=\"#ddd\"/>\n", at,
                       margin::left, width - margin::right);
    out += text(margin::left - 6, at + 4, mark.text, "text-anchor=\"end\"");
  }
  return out;
}

std::string frame() {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555\"/>\n",
                     margin::left, margin::top, width - margin::left - margin::right,
                     height - margin::top - margin::bottom);
}

/// Stretches the shorter of two ranges about its middle, so that a unit is as long on both axes.
void make_equal(Range& x, Range& y) {
  const double per_x = x.span() / (width - margin::left - margin::right),
               per_y = y.span() / (height - margin::top - margin::bottom);
  Range& narrow = per_x < per_y ? x : y;
  const double wanted =
      per_x < per_y ? per_y * (width - margin::left - margin::right) : per_x * (height - margin::top - margin::bottom);
  const double middle = 0.5 * (narrow.low + narrow.high);
  narrow = {middle - 0.5 * wanted, middle + 0.5 * wanted};
}

std::string stroke(const Curve& curve, const Axis& x, const Axis& y, const char* paint) {
  std::string path, dots;
  bool drawing = false;
  for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
    if (!x.shows(curve.x[k]) || !y.shows(curve.y[k])) {
      drawing = false;
      continue;
    }
    const double px = x.place(curve.x[k]), py = y.place(curve.y[k]);
    if (curve.style == Curve::Style::points) {
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"{}\"/>\n", px, py, paint);
    } else {
      path += fmt::format("{}{:.1f} {:.1f}", drawing ? "L" : "M", px, py);
      drawing = true;
    }
  }
  if (path.empty()) return dots;
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", path, paint,
                     curve.style == Curve::Style::dashed ? " stroke-dasharray=\"6 4\"" : "");
}

struct Place {
  double x, y;
};

/// How many characters a reader sees: bytes of UTF-8 that begin one.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Names in rows below the axes, where no curve passes.
struct Legend {
  std::string svg{};
  double height = 0.0;
};
Legend legend(const std::vector<std::string>& names, const std::vector<std::string>& paints) {
  constexpr double row = 16.0;
  Legend made;
  double x = margin::left, y = height + 8.0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double wide = 42.0 + 6.6 * static_cast<double>(letters(names[k]));
    if (x > margin::left && x + wide > width - margin::right) {
      x = margin::left;
      y += row;
    }
    made.svg +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"16\" height=\"4\" fill=\"{}\"/>\n", x, y - 6.0, paints[k]);
    made.svg += text(x + 22.0, y, names[k]);
    x += wide;
  }
  if (!names.empty()) made.height = y + 8.0 - height;
  return made;
}

/// From dark blue over green to yellow, for shares of 0 to 1 (points of viridis, straight between).
std::string shade(double share) {
  constexpr std::array<std::array<double, 3>, 6> points{
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {253, 231, 37}}};
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), points.size() - 2);
  const double part = at - static_cast<double>(k);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(points[k][c] + part * (points[k + 1][c] - points[k][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

/// The scale of colours under a map.
std::string scale_of(const Range& range, const std::string& label) {
  std::string out;
  constexpr int steps = 40;
  const double y = height + 4.0, long_side = width - margin::left - margin::right;
  for (int k = 0; k < steps; ++k) {
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"10\" fill=\"{}\"/>\n",
                       margin::left + long_side * k / steps, y, long_side / steps + 0.5, shade((k + 0.5) / steps));
  }
  out += text(margin::left, y + 24.0, number(range.low)) +
         text(width - margin::right, y + 24.0, number(range.high), "text-anchor=\"end\"");
  return out + text(margin::left + long_side / 2, y + 24.0, label, "text-anchor=\"middle\"");
}

/// The numbers of rows and columns beside a matrix.
std::string matrix_marks(const HeatMap& map, const Axis& x, const Axis& y) {
  std::string out;
  for (int c = 0; c < map.columns; ++c)
    out += text(x.place(map.x_low + (c + 0.5) * (map.x_high - map.x_low) / map.columns), height - margin::bottom + 16,
                fmt::format("{}", c + 1), "text-anchor=\"middle\"");
  for (int r = 0; r < map.rows; ++r)
    out += text(margin::left - 6, y.place(map.y_low + (r + 0.5) * (map.y_high - map.y_low) / map.rows) + 4,
                fmt::format("{}", r + 1), "text-anchor=\"end\"");
  return out;
}

/// A number in the middle of a cell, as large as fits; none where nobody could read it.
std::string cell_number(double value, double share, const Place& middle, double wide) {
  const std::string digits = fmt::format("{:.3g}", value);
  const double size = std::min(11.0, 1.6 * wide / static_cast<double>(digits.size()));  // a digit is 0.6 of it wide
  if (size < 5.0) return "";
  return text(
      middle.x, middle.y + 4.0, digits,
      fmt::format("text-anchor=\"middle\" font-size=\"{:.1f}\"{}", size, share > 0.6 ? "" : " fill=\"#fff\"").c_str());
}

}  // namespace

std::string svg_of(const Plot& plot) {
  Range xs, ys;
  const auto scaled = [](double value, bool logarithmic) { return logarithmic ? decades(value) : value; };
  for (const Curve& curve : plot.curves) {
    for (const double x : curve.x) xs.include(scaled(x, plot.log_x));
    for (const double y : curve.y) ys.include(scaled(y, plot.log_y));
  }
  xs = xs.drawable().widened();
  ys = ys.drawable().widened();
  if (plot.equal_axes) make_equal(xs, ys);
  const Axis x(xs, plot.log_x, margin::left, width - margin::right),
      y(ys, plot.log_y, height - margin::bottom, margin::top);
  std::string out = grid(x, y);
  std::vector<std::string> names, paints;
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const Curve& curve = plot.curves[k];
    out += stroke(curve, x, y, colour(k));
    if (plot.curves[k].name.empty()) continue;
    names.push_back(plot.curves[k].name);
    paints.emplace_back(colour(k));
  }
  const Legend below = legend(names, paints);
  return begin(plot.title, height + below.height) + out + frame() + labels(plot.x_label, plot.y_label) + below.svg +
         "</svg>\n";
}

std::string svg_of(const HeatMap& map) {
  Range values, xs, ys;
  for (const double x : {map.x_low, map.x_high}) xs.include(x);
  for (const double y : {map.y_low, map.y_high}) ys.include(y);
  xs = xs.drawable();
  ys = ys.drawable();
  for (const double value : map.values) values.include(value);
  values = values.drawable();
  const double dx = xs.span() / map.columns, dy = ys.span() / map.rows;
  const auto edge_x = [first = xs.low, dx](int column) { return first + column * dx; };
  const auto edge_y = [first = ys.low, dy](int row) { return first + row * dy; };
  if (map.equal_axes) make_equal(xs, ys);
  const Axis x(xs, false, margin::left, width - margin::right);
  const Axis y(ys, false, map.with_numbers ? margin::top : height - margin::bottom,
               map.with_numbers ? height - margin::bottom : margin::top);
  std::string out = begin(map.title, height + 36.0) + (map.with_numbers ? matrix_marks(map, x, y) : grid(x, y));
  for (int r = 0; r < map.rows; ++r) {
    for (int c = 0; c < map.columns; ++c) {
      const double value = map.values[static_cast<std::size_t>(r * map.columns + c)];
      if (!std::isfinite(value)) continue;
      const double x0 = x.place(edge_x(c)), x1 = x.place(edge_x(c + 1));
      const double y0 = y.place(edge_y(r)), y1 = y.place(edge_y(r + 1));
      const double share = (value - values.low) / values.span();
      // a little wider than the cell, so that no seams show
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x0,
                         std::min(y0, y1), x1 - x0 + 0.4, std::abs(y1 - y0) + 0.4, shade(share));
      if (map.with_numbers) out += cell_number(value, share, {0.5 * (x0 + x1), 0.5 * (y0 + y1)}, x1 - x0);
    }
  }
  return out + frame() + labels(map.x_label, map.y_label) + scale_of(values, map.value_label) + "</svg>\n";
}

std::string svg_of(const BarChart& chart) {
  Range ys{0.0, 0.0};
  for (const BarChart::Series& series : chart.series)
    for (const double value : series.values) ys.include(value);
  ys.high += 0.05 * ys.span();
  const Axis y(ys, false, height - margin::bottom, margin::top);
  const Axis x({0.0, 1.0}, false, margin::left, width - margin::right);
  std::string out;
  for (const Axis::Mark& mark : y.marks()) {
    const double at = y.place(mark.value);
    out += fmt::format("<line y1=\"{0:.1f}\" y2=\"{0:.1f}\" x1=\"{1}\" x2=\"{2}\" stroke=\"#ddd\"/>\n", at,
                       margin::left, width - margin::right);
    out += text(margin::left - 6, at + 4, mark.text, "text-anchor=\"end\"");
  }
  std::vector<std::string> names, paints;
  const double group = 1.0 / static_cast<double>(std::max<std::size_t>(1, chart.groups.size()));
  const double bar = 0.8 * group / static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    names.push_back(chart.series[s].name);
    paints.emplace_back(colour(s));
    for (std::size_t g = 0; g < std::min(chart.groups.size(), chart.series[s].values.size()); ++g) {
      const double value = chart.series[s].values[g];
      if (!std::isfinite(value)) continue;
      const double from = (static_cast<double>(g) + 0.1) * group + static_cast<double>(s) * bar;
      const double y0 = y.place(0.0), y1 = y.place(value);
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                         x.place(from), std::min(y0, y1), x.place(from + bar) - x.place(from), std::abs(y1 - y0),
                         colour(s));
    }
  }
  for (std::size_t g = 0; g < chart.groups.size(); ++g)
    out += text(x.place((static_cast<double>(g) + 0.5) * group), height - margin::bottom + 16, chart.groups[g],
                "text-anchor=\"middle\"");
  const Legend below = legend(names, paints);
  return begin(chart.title, height + below.height) + out + frame() + labels("", chart.y_label) + below.svg + "</svg>\n";
}

}  // namespace ulna

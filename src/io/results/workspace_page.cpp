#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "book.hpp"
#include "figure.hpp"
#include "workspace_files.hpp"

namespace ulna::reach {

namespace {

HeatMap map_of(const Slice& slice, const std::vector<double>& values, const std::string& what,
               const std::string& unit) {
  return heat_map_over(
      slice, what + (slice.height ? fmt::format(", {:.3g} m along the axis", *slice.height) : ", " + slice.title), unit,
      values);
}

/// Where nearly nothing presses the payload is nearly infinite, and all else would have one colour.
std::vector<double> without_peaks(std::vector<double> values) {
  std::vector<double> known;
  for (const double x : values)
    if (!std::isnan(x)) known.push_back(x);
  if (known.empty()) return values;
  const auto ninth = known.begin() + static_cast<std::ptrdiff_t>(known.size() * 9 / 10);
  std::nth_element(known.begin(), ninth, known.end());
  const double most = std::isfinite(*ninth) ? *ninth : *std::min_element(known.begin(), known.end());
  for (double& x : values) x = x > most ? most : x;
  return values;
}

/// Triangles from the farthest to the nearest, as bright as they face the light.
std::string surface_svg(const Record& record, double azimuth, const std::string& title) {
  constexpr double elevation = 0.45, width = 480.0, height = 420.0;
  const Vec3<double> towards{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                             std::sin(elevation)};
  const Vec3<double> right{-std::sin(azimuth), std::cos(azimuth), 0.0}, up = cross(towards, right);
  struct Drawn {
    double depth, shade;
    std::array<double, 6> xy;
  };
  std::vector<Drawn> list;
  double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
  for (const std::array<Vec3<double>, 3>& triangle : record.boundary) {
    const Vec3<double> normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    if (!(dot(normal, towards) > 0.0)) continue;
    Drawn drawn{dot(triangle[0] + triangle[1] + triangle[2], towards), dot(normal, towards) / norm(normal), {}};
    for (std::size_t k = 0; k < 3; ++k) {
      drawn.xy[2 * k] = dot(triangle[k], right);
      drawn.xy[2 * k + 1] = dot(triangle[k], up);
      x_low = std::min(x_low, drawn.xy[2 * k]);
      x_high = std::max(x_high, drawn.xy[2 * k]);
      y_low = std::min(y_low, drawn.xy[2 * k + 1]);
      y_high = std::max(y_high, drawn.xy[2 * k + 1]);
    }
    list.push_back(drawn);
  }
  std::stable_sort(list.begin(), list.end(), [](const Drawn& a, const Drawn& b) { return a.depth < b.depth; });
  const double scale = std::min((width - 20.0) / (x_high - x_low), (height - 50.0) / (y_high - y_low));
  std::string svg = fmt::format(
      R"(<svg viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}"><text x="{:.0f}" y="20" text-anchor="middle" font-size="14">{}</text>)",
      width, height, title, 0.5 * width, title);
  for (const Drawn& drawn : list) {
    const auto grey = [&](double full) { return static_cast<int>(full * (0.35 + 0.65 * drawn.shade)); };
    svg += fmt::format(R"(<path fill="#{0:02x}{1:02x}{2:02x}" stroke="#{0:02x}{1:02x}{2:02x}" stroke-width=".4" d="M)",
                       grey(120), grey(180), grey(220));
    for (std::size_t k = 0; k < 3; ++k) {
      svg += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "" : "L",
                         0.5 * width + scale * (drawn.xy[2 * k] - 0.5 * (x_low + x_high)),
                         0.5 * height + 15.0 - scale * (drawn.xy[2 * k + 1] - 0.5 * (y_low + y_high)));
    }
    svg += "Z\"/>";
  }
  return svg + "</svg>";
}

}  // namespace

std::string workspace_page(const Record& record) {
  Book book("Workspace: " + record.robot.model.name());
  book.paragraph(
      fmt::format("All points that '{}' reaches within the limits of the joints, asked by inverse kinematics on a "
                  "lattice of {:.2g} m.",
                  record.robot.frame.name, record.volume.edge));
  book.heading(2, "Size");
  std::vector<std::vector<Cell>> rows;
  for (const auto& [what, value] : summary(record)) rows.push_back({what, value});
  book.table({"", ""}, rows);
  if (!record.boundary.empty()) {
    book.heading(2, "Boundary");
    book.figures({surface_svg(record, -0.9, "from the front"), surface_svg(record, 2.24, "from behind")},
                 "boundary.html shows it around the arm, to be turned; boundary.stl has its triangles.");
  }
  if (record.slices.empty()) return book.html();
  book.heading(2, "Slices");
  std::vector<std::string> plain, service, payload;
  for (const Slice& slice : record.slices) {
    std::vector<double> reached;
    for (const char yes : slice.reached) reached.push_back(yes != 0 ? 1.0 : std::numeric_limits<double>::quiet_NaN());
    if (record.has_service)
      service.push_back(svg_of(map_of(slice, slice.service, "directions", "share of directions")));
    else
      plain.push_back(svg_of(map_of(slice, reached, "reached", "")));
    if (record.has_payload) payload.push_back(svg_of(map_of(slice, without_peaks(slice.payload), "payload", "kg")));
  }
  if (!plain.empty()) book.figures(plain, "Points that are reached.");
  if (!service.empty())
    book.figures(service, "Service angle: the share of directions at which the frame's axis can point there.");
  if (!payload.empty()) {
    book.figures(payload,
                 "The largest mass at the frame that the limits of effort hold at rest, in the best of the postures "
                 "that were found; the top tenth has one colour.");
  }
  return book.html();
}

}  // namespace ulna::reach

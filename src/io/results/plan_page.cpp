#include "io/results/plan_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/report/html_report.hpp"
#include "io/results/book.hpp"
#include "io/results/figure.hpp"
#include "ulna/io/results/page.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

namespace {

class PlanPage {
 public:
  PlanPage(const Model& model, const Frame& frame, const TimingLimits& limits, const Path& path, const Timing& timing)
      : model_(model),
        frame_(frame),
        limits_(limits),
        timing_(timing),
        motion_(motion_by_intervals(model, path, timing)),
        peaks_(motion_peaks(model, path, timing)),
        n_(path.width()) {}

  std::string html(const std::string& title, const std::string& scene) const {
    Book book(title);
    const bool has_path = !timing_.limit.empty();
    book.paragraph(fmt::format("The {} of {} takes {:.4g} s.", has_path ? "fastest motion along the path" : "motion",
                               model_.name(), timing_.duration()));
    book.heading(2, "The way");
    book.figures(ways(),
                 fmt::format("Where '{}' goes, from above and from two sides. Axes of the world.{}", frame_.name,
                             scene.empty() ? "" : " " + scene + " shows the arm on its way, to be turned and played."));
    book.heading(2, "The speed along it");
    if (has_path) {
      book.figures({svg_of(phase_plane())},
                   "s is the length of the path in the numbers of the joints. The dashed curve is the largest speed "
                   "from which the rest of the path can be followed; power and friction count in it as at the speed of "
                   "the motion, limits of jerk and torque rate do not.");
    } else {
      book.figures({svg_of(phases_of_rows())},
                   "s is the length of the way in the numbers of the joints. No path was given, so that no limit along "
                   "it is known.");
    }
    book.heading(2, "What the joints do");
    std::vector<std::string> pictures{svg_of(positions())};
    add_shares(pictures, "speed", 1 + n_, limits_.velocity);
    add_shares(pictures, "acceleration", 1 + 2 * n_, limits_.acceleration);
    add_shares(pictures, "torque", 1 + 3 * n_, limits_.torque);
    book.figures(pictures, "In parts of the limits, both ways.");
    add_table(book);
    return book.html();
  }

 private:
  double at(std::size_t row, std::size_t column) const { return motion_.rows[row * motion_.width + column]; }
  std::vector<double> column(std::size_t index, double part_of = 1.0) const {
    std::vector<double> values;
    values.reserve(motion_.count());
    for (std::size_t k = 0; k < motion_.count(); ++k) values.push_back(at(k, index) / part_of);
    return values;
  }

  std::vector<std::string> ways() const {
    Kinematics<double> kinematics(model_);
    std::vector<double> x, y, z;
    for (std::size_t k = 0; k < motion_.count(); ++k) {
      kinematics.update_positions(std::span(motion_.rows).subspan(k * motion_.width + 1, n_));
      const Vec3<double> p = kinematics.pose(frame_).p;
      x.push_back(p.x);
      y.push_back(p.y);
      z.push_back(p.z);
    }
    const auto seen = [](const char* title, const char* right, const char* up, const std::vector<double>& a,
                         const std::vector<double>& b) {
      const Curve begin{"start", {a.front()}, {b.front()}, Curve::Style::points};
      return svg_of(
          Plot{.title = title, .x_label = right, .y_label = up, .curves = {{"", a, b}, begin}, .equal_axes = true});
    };
    return {seen("from above", "x (m)", "y (m)", x, y), seen("from the right", "x (m)", "z (m)", x, z),
            seen("from the front", "y (m)", "z (m)", y, z)};
  }

  Plot phase_plane() const {
    return {
        .title = "speed along the path",
        .x_label = "s",
        .y_label = "ds/dt (1/s)",
        .curves = {{"motion", timing_.s, timing_.speed}, {"limit", timing_.s, timing_.limit, Curve::Style::dashed}}};
  }

  /// Of a motion whose path is its own time: by its positions and speeds.
  Plot phases_of_rows() const {
    Curve motion{"motion", {}, {}};
    double s = 0.0;
    for (std::size_t k = 0; k < motion_.count(); ++k) {
      double way = 0.0, speed = 0.0;
      for (std::size_t j = 0; j < n_; ++j) {
        way = std::hypot(way, k == 0 ? 0.0 : at(k, 1 + j) - at(k - 1, 1 + j));
        speed = std::hypot(speed, at(k, 1 + n_ + j));
      }
      s += way;
      motion.x.push_back(s);
      motion.y.push_back(speed);
    }
    return {.title = "speed along the way", .x_label = "s", .y_label = "ds/dt (1/s)", .curves = {std::move(motion)}};
  }

  Plot positions() const {
    Plot plot{.title = "positions", .x_label = "t (s)", .y_label = "rad or m", .curves = {}};
    for (std::size_t j = 0; j < n_; ++j) plot.curves.push_back({name(j), column(0), column(1 + j)});
    return plot;
  }

  void add_shares(std::vector<std::string>& pictures, const char* what, std::size_t first,
                  const std::vector<double>& limits) const {
    Plot plot{.title = fmt::format("{}, in parts of its limit", what), .x_label = "t (s)", .y_label = "", .curves = {}};
    for (std::size_t j = 0; j < n_; ++j)
      if (std::isfinite(limits[j])) plot.curves.push_back({name(j), column(0), column(first + j, limits[j])});
    if (!plot.curves.empty()) pictures.push_back(svg_of(plot));
  }

  std::string name(std::size_t j) const { return model_.joint_of(static_cast<int>(j)).name; }

  void add_table(Book& book) const {
    std::vector<std::vector<Cell>> rows;
    for (std::size_t j = 0; j < n_; ++j) {
      rows.push_back({name(j), with_share(peaks_.velocity[j], limits_.velocity[j]),
                      with_share(peaks_.acceleration[j], limits_.acceleration[j]),
                      with_share(peaks_.torque[j], limits_.torque[j])});
    }
    book.table({"joint", "largest speed", "acceleration", "torque"}, rows,
               "Largest values, and their part of the limits.");
  }

  const Model& model_;
  const Frame& frame_;
  const TimingLimits& limits_;
  const Timing& timing_;
  TimedMotion motion_;
  MotionPeaks peaks_;
  std::size_t n_;
};

}  // namespace

std::string with_share(double peak, double limit) {
  return std::isfinite(limit) ? fmt::format("{:.4g} ({:.0f} %)", peak, 100.0 * peak / limit)
                              : fmt::format("{:.4g}", peak);
}

std::string plan_page(const std::string& title, const Model& model, const Frame& frame, const TimingLimits& limits,
                      const Path& path, const Timing& timing, const std::string& scene) {
  return PlanPage(model, frame, limits, path, timing).html(title, scene);
}

std::string plan_scene(const std::string& title, const Graph& graph, const Model& model, const Path& path,
                       const Timing& timing) {
  if (report_page().empty()) return {};
  constexpr double frames = 500.0;
  const TimedMotion motion = timed_motion(model, path, timing, timing.duration() / frames);
  std::vector<Column> columns = trajectory_columns(model, false);
  columns.resize(motion.width);  // t, q, v, a and torques are the first of them
  ReportData data(model, std::move(columns));
  for (std::size_t k = 0; k < motion.count(); ++k)
    data.record(std::span(motion.rows).subspan(k * motion.width, motion.width));
  ReportHead head;
  head.title = title;
  head.subtitle = fmt::format("A planned motion of {}.", model.name());
  head.facts = {{"duration", fmt::format("{:.6g} s", timing.duration())}};
  return data.html(head, graph, report_page());
}

}  // namespace ulna

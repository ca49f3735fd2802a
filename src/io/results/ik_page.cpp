#include "io/results/ik_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "io/results/book.hpp"
#include "io/results/figure.hpp"
#include "model/number_uses.hpp"
#include "ulna/kinematics/tip_task.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_drawn = 24, drawn_of_family = 4, most_rows = 500;
constexpr double at_limit = 0.005;  // of the range: nearer than a reader can tell from the limit
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// From where one looks: what is to the right and what is upwards in the picture.
struct View {
  const char *title, *right_label, *up_label;
  Vec3<double> right, up;
};

View oblique() {
  constexpr double azimuth = -0.9, elevation = 0.45;
  const Vec3<double> towards{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                             std::sin(elevation)};
  const Vec3<double> right{-std::sin(azimuth), std::cos(azimuth), 0.0};
  return {"from the front, obliquely", "m", "m", right, cross(towards, right)};
}

Curve projected(std::string name, const std::vector<Vec3<double>>& points, const View& view, Curve::Style drawn_as) {
  Curve curve{std::move(name), {}, {}, drawn_as};
  for (const Vec3<double>& p : points) {
    curve.x.push_back(dot(view.right, p));
    curve.y.push_back(dot(view.up, p));
  }
  return curve;
}

/// The nearest limit of a posture, as a part of the joint's range.
struct LimitRoom {
  double part = 1.0;
  std::string name;  // empty: no joint has two limits
};

class IkPage {
 public:
  using Posture = std::vector<double>;

  IkPage(const Model& model, std::span<const IkTarget> targets)
      : model_(model), targets_(targets), kinematics_(model), uses_(position_uses(model)) {
    if (model.loops().empty() && model.nv() > 0) task_ = tip_task(model, targets[0].frame);
  }

  std::string html(const std::string& title, const InverseKinematics::Postures& postures) {
    Book book(title);
    const std::size_t count = postures.q.size();
    const int families = postures.family.empty() ? 0 : postures.family.back() + 1;
    const bool in_families = static_cast<std::size_t>(families) < count;
    book.paragraph(words_for_postures(postures) + ".");
    add_targets(book);
    if (count == 0) return book.html();
    if (in_families)
      add_families(book, postures, families);
    else
      add_drawings(book, postures.q);
    add_table(book, postures, in_families);
    return book.html();
  }

  std::string html(const std::string& title, const IkSolution& solution) {
    Book book(title);
    book.paragraph(
        solution.solved
            ? fmt::format("Reached, to {:.2g} m and {:.2g} rad.", solution.position_error, solution.orientation_error)
            : fmt::format("Not reached: {}. This is the nearest posture that was found, off by {:.4g} m and "
                          "{:.4g} rad.",
                          solution.reason, solution.position_error, solution.orientation_error));
    add_targets(book);
    book.heading(2, "The posture");
    const View above{"from above", "x (m)", "y (m)", {1, 0, 0}, {0, 1, 0}};
    const View aside{"from the right", "x (m)", "z (m)", {1, 0, 0}, {0, 0, 1}};
    std::vector<std::string> pictures;
    for (const View& view : {oblique(), above, aside}) pictures.push_back(drawing(view.title, solution.q, view, {}));
    book.figures(pictures, captioned("The arm in lines from joint to joint."));
    add_joints(book, solution.q);
    return book.html();
  }

 private:
  std::string captioned(const std::string& first) const {
    return first + " Dots are joints; dashed is what lies below, on the ground. The last dots are the targets.";
  }

  void add_targets(Book& book) {
    std::vector<std::vector<Cell>> rows;
    for (const IkTarget& target : targets_) {
      const Vec3<double> p = target.pose.p;
      const Quaternion<double> turn = quaternion_of(target.pose.R);
      const bool places = norm(target.position) > 0.0, turns = norm(target.orientation) > 0.0;
      rows.push_back({target.frame.name.empty() ? "tip" : target.frame.name,
                      places ? fmt::format("{:.6g}, {:.6g}, {:.6g}", p.x, p.y, p.z) : "free",
                      turns ? fmt::format("{:.5g}, {:.5g}, {:.5g}, {:.5g}", turn.x, turn.y, turn.z, turn.w) : "free"});
    }
    book.table({"frame", "x, y, z (m)", "quaternion x, y, z, w"}, rows, "What is wanted, in axes of the world.");
  }

  /// Lines from the ground from joint to joint, and to the frames that are led.
  std::vector<Vec3<double>> lines(const Posture& q) {
    kinematics_.update_positions(q);
    const Vec3<double> gap{no_number, no_number, no_number};
    std::vector<Vec3<double>> points;
    for (int body = 0; body < model_.body_count(); ++body) {
      const int parent = model_.bodies()[static_cast<std::size_t>(body)].parent;
      points.insert(points.end(), {parent < 0 ? Vec3<double>::zero() : origin(parent), origin(body), gap});
    }
    for (const IkTarget& target : targets_)
      if (target.frame.body >= 0)
        points.insert(points.end(), {origin(target.frame.body), kinematics_.pose(target.frame).p, gap});
    return points;
  }
  Vec3<double> origin(int body) const { return kinematics_.pose(Frame{"", body, Pose<double>::identity()}).p; }

  /// `room` has curves of other drawings, of which this one has the scale.
  std::string drawing(const std::string& title, const Posture& q, const View& view, const Curve& room) {
    const std::vector<Vec3<double>> arm = lines(q);
    std::vector<Vec3<double>> ground = arm, joints, wanted;
    for (Vec3<double>& p : ground) p.z = 0.0 * p.z;  // a gap stays one
    for (int body = 0; body < model_.body_count(); ++body) joints.push_back(origin(body));
    for (const IkTarget& target : targets_)
      if (norm(target.position) > 0.0) wanted.push_back(target.pose.p);
    return svg_of(
        Plot{.title = title,
             .x_label = view.right_label,
             .y_label = view.up_label,
             .curves = {projected("", arm, view, Curve::Style::line), projected("", joints, view, Curve::Style::points),
                        room, projected("", ground, view, Curve::Style::dashed),
                        projected("", wanted, view, Curve::Style::points)},
             .equal_axes = true});
  }

  /// Nothing to see, as large as all of these postures.
  Curve room_of(const std::vector<Posture>& list, const View& view) {
    Curve room;
    for (const Posture& q : list) {
      const Curve arm = projected("", lines(q), view, Curve::Style::line);
      room.x.insert(room.x.end(), arm.x.begin(), arm.x.end());
      room.y.insert(room.y.end(), arm.y.size(), no_number);
      room.x.insert(room.x.end(), arm.y.size(), no_number);
      room.y.insert(room.y.end(), arm.y.begin(), arm.y.end());
    }
    return room;
  }

  void add_drawings(Book& book, const std::vector<Posture>& list) {
    book.heading(2, "Postures");
    const std::size_t count = std::min(list.size(), most_drawn);
    const std::vector<Posture> drawn(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
    const View view = oblique();
    const Curve room = room_of(drawn, view);
    std::vector<std::string> pictures;
    for (std::size_t k = 0; k < count; ++k)
      pictures.push_back(drawing(fmt::format("posture {}", k + 1), drawn[k], view, room));
    book.figures(pictures, captioned(count < list.size() ? fmt::format("The first {} of {}.", count, list.size())
                                                         : std::string("All of them, to one scale.")));
  }

  void add_families(Book& book, const InverseKinematics::Postures& postures, int families) {
    const View view = oblique();
    const Curve room = room_of(postures.q, view);
    for (int family = 0; family < std::min<int>(families, most_drawn / drawn_of_family); ++family) {
      std::vector<Posture> members;
      for (std::size_t k = 0; k < postures.q.size(); ++k)
        if (postures.family[k] == family) members.push_back(postures.q[k]);
      book.heading(2, fmt::format("Family {}", family + 1));
      std::vector<std::string> pictures;
      const std::size_t count = std::min(members.size(), drawn_of_family);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = k * members.size() / count;
        pictures.push_back(drawing(fmt::format("sample {} of {}", at + 1, members.size()), members[at], view, room));
      }
      pictures.push_back(svg_of(along(members)));
      pictures.push_back(svg_of(measures_along(members)));
      book.figures(pictures, captioned("Postures that lead into each other while the target is kept."));
    }
  }

  /// The joints from sample to sample.
  Plot along(const std::vector<Posture>& members) const {
    Plot plot{.title = "joints along the family", .x_label = "sample", .y_label = "rad or m", .curves = {}};
    for (std::size_t j = 0; j < uses_.size(); ++j) {
      Curve curve{uses_[j].joint, {}, {}};
      for (std::size_t k = 0; k < members.size(); ++k) {
        curve.x.push_back(static_cast<double>(k + 1));
        curve.y.push_back(members[k][j]);
      }
      plot.curves.push_back(std::move(curve));
    }
    return plot;
  }

  Plot measures_along(const std::vector<Posture>& members) {
    Curve measure{"manipulability, of its largest", {}, {}}, room{"way to the nearest limit, of the range", {}, {}};
    for (std::size_t k = 0; k < members.size(); ++k) {
      measure.x.push_back(static_cast<double>(k + 1));
      room.x.push_back(static_cast<double>(k + 1));
      measure.y.push_back(measure_of(members[k]));
      const LimitRoom nearest = nearest_limit(members[k]);
      room.y.push_back(nearest.name.empty() ? no_number : nearest.part);
    }
    const double best = *std::ranges::max_element(measure.y);
    for (double& x : measure.y) x = best > 0.0 ? x / best : no_number;
    return {.title = "how good they are", .x_label = "sample", .y_label = "", .curves = {measure, room}};
  }

  /// Yoshikawa's, for what the first frame can do; NaN for closed loops.
  double measure_of(const Posture& q) {
    if (!task_) return no_number;
    kinematics_.update_positions(q);
    std::vector<double> J(6 * static_cast<std::size_t>(model_.nv()));
    kinematics_.jacobian(targets_[0].frame, Reference::world_axes, {J.data(), 6, model_.nv()});
    const std::vector<double> rows = task_->rows({J.data(), 6, model_.nv()});
    const int directions = static_cast<int>(rows.size()) / model_.nv();
    return directions == 0 ? no_number : manipulability({rows.data(), directions, model_.nv()}, task_->rank).yoshikawa;
  }

  LimitRoom nearest_limit(const Posture& q) const {
    LimitRoom nearest;
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double low = model_.lower_limits()[k], high = model_.upper_limits()[k], range = high - low;
      if (!std::isfinite(range) || !(range > 0.0)) continue;
      const double below = (q[k] - low) / range, above = (high - q[k]) / range;
      if (!nearest.name.empty() && std::min(below, above) >= nearest.part) continue;
      nearest = {std::min(below, above), uses_[k].joint + (below < above ? " lower" : " upper")};
    }
    return nearest;
  }

  Cell limit_cell(const LimitRoom& nearest) const {
    if (nearest.name.empty()) return {"none", Cell::Mark::muted};
    if (nearest.part < at_limit) return {fmt::format("at {}", nearest.name), Cell::Mark::bad};
    return fmt::format("{:.1f} % to {}", 100.0 * nearest.part, nearest.name);
  }

  void add_table(Book& book, const InverseKinematics::Postures& postures, bool in_families) {
    book.heading(2, "Numbers");
    std::vector<std::string> head{in_families ? "family" : "posture"};
    for (const NumberUse& use : uses_) head.push_back(use.joint);
    if (task_) head.emplace_back("manipulability");
    head.emplace_back("nearest limit");
    std::vector<std::vector<Cell>> rows;
    for (std::size_t k = 0; k < std::min(postures.q.size(), most_rows); ++k) {
      std::vector<Cell> row{std::to_string(postures.family[k] + 1)};
      for (const double x : postures.q[k]) row.emplace_back(fmt::format("{:.5f}", x));
      if (task_) row.emplace_back(fmt::format("{:.4g}", measure_of(postures.q[k])));
      row.push_back(limit_cell(nearest_limit(postures.q[k])));
      rows.push_back(std::move(row));
    }
    const std::string cut =
        rows.size() < postures.q.size() ? fmt::format(" The first {} of {} rows.", rows.size(), postures.q.size()) : "";
    book.table(head, rows,
               "rad or m." + (task_ ? " Manipulability (Yoshikawa) is for " + task_->name() + "." : std::string()) +
                   " Ways to limits are in parts of the joint's range." + cut);
  }

  void add_joints(Book& book, const Posture& q) {
    std::vector<std::vector<Cell>> rows;
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double low = model_.lower_limits()[k], high = model_.upper_limits()[k], range = high - low;
      const bool limited = std::isfinite(range) && range > 0.0;
      const double part = limited ? std::min(q[k] - low, high - q[k]) / range : 1.0;
      const auto shown = [](double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : std::string("none"); };
      rows.push_back({uses_[k].joint, fmt::format("{:.6f}", q[k]), shown(low), shown(high),
                      !limited          ? Cell("none", Cell::Mark::muted)
                      : part < at_limit ? Cell("at the limit", Cell::Mark::bad)
                                        : Cell(fmt::format("{:.1f} %", 100.0 * part))});
    }
    book.table({"joint", "q", "lower limit", "upper limit", "way to the nearer"}, rows, "rad or m.");
    if (task_) {
      book.paragraph(fmt::format("Manipulability (Yoshikawa) for {}: {:.4g}.", task_->name(), measure_of(q)));
    }
  }

  const Model& model_;
  std::span<const IkTarget> targets_;
  Kinematics<double> kinematics_;
  std::vector<NumberUse> uses_;
  std::optional<TipTask> task_;
};

}  // namespace

std::string words_for_postures(const InverseKinematics::Postures& postures) {
  const std::size_t count = postures.q.size();
  const int families = postures.family.empty() ? 0 : postures.family.back() + 1;
  std::string words = fmt::format("{} {}", count, count == 1 ? "posture" : "postures");
  if (postures.spare == 1)
    words += fmt::format(", samples of {} {} that the spare motion leads through", families,
                         families == 1 ? "family" : "families");
  if (postures.spare > 1) words += fmt::format(" out of infinitely many, with {} motions to spare", postures.spare);
  words += postures.closed_form ? ", in closed form" : ", by search";
  if (postures.cut && postures.spare < 1) words += "; there are more";
  return words;
}

std::string ik_page(const std::string& title, const Model& model, std::span<const IkTarget> targets,
                    const InverseKinematics::Postures& postures) {
  return IkPage(model, targets).html(title, postures);
}

std::string ik_page(const std::string& title, const Model& model, std::span<const IkTarget> targets,
                    const IkSolution& solution) {
  return IkPage(model, targets).html(title, solution);
}

}  // namespace ulna

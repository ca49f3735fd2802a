#include "ulna/study/select/survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "even_fill.hpp"
#include "kinematics/decompositions.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna::selection {

namespace {

/// How many of something a part of the usual effort leaves.
std::size_t part_of(std::size_t usual, double effort, std::size_t fewest) {
  return std::max(fewest, static_cast<std::size_t>(std::round(static_cast<double>(usual) * effort)));
}
std::size_t map_poses(double effort) { return part_of(150'000, effort, 1'000); }
std::size_t inertia_poses(double effort) { return part_of(2'000, effort, 100); }
/// Along the longer side, an even number: some 30 poses fall into a cell.
int map_cells(double effort) { return 2 * static_cast<int>(part_of(36, std::sqrt(effort), 3)); }
constexpr double singular_value = 1e-7;  // of the largest: what a search in doubles gets to

class Surveyor {
 public:
  explicit Surveyor(const Arm& arm)
      : arm_(arm), kinematics_(arm.model), n_(arm.model.nv()), full_(static_cast<std::size_t>(6 * n_)) {}

  Manipulability at(std::span<const double> q) {
    J_ = jacobian(q);
    return manipulability({J_.data(), arm_.dimension(), n_});
  }
  static double isotropy(const Manipulability& m) { return std::isfinite(m.condition) ? 1.0 / m.condition : 0.0; }
  const std::vector<double>& last_jacobian() const { return J_; }
  Vec3<double> tip() const { return kinematics_.pose(arm_.model.tip()).p; }
  double distance(std::span<const double> q) {
    kinematics_.update_positions(q);
    return norm(tip());
  }

  /// Uphill from a point of the unit cube, until it is `enough` or no step along a joint gains any more
  /// (Hooke and Jeeves 1961: steps along the joints, then one more the way they went together).
  template <class Of>
  Extreme climb(std::vector<double> parts, const Of& of, double enough, const KeepGoing& keep_going) {
    constexpr int rounds = 60;  // with one length of step: ridges are followed, but not for ever
    Extreme best{of(arm_.position(parts)), {}};
    const auto try_at = [&](const std::vector<double>& tried) {
      const double value = of(arm_.position(tried));
      if (!(value > best.value)) return;
      best.value = value;
      parts = tried;
    };
    for (double step = 0.125; step > 1e-11 && best.value < enough; step *= 0.5) {
      for (int round = 0; round < rounds && best.value < enough; ++round) {
        if (!keep_going()) throw Interrupted{};
        const std::vector<double> before = parts;
        for (std::size_t i = 0; i < parts.size(); ++i) {
          for (const double by : {-step, step}) {
            std::vector<double> tried = parts;
            tried[i] = std::clamp(tried[i] + by, 0.0, 1.0);
            try_at(tried);
          }
        }
        if (parts == before) break;
        std::vector<double> further = parts;
        for (std::size_t i = 0; i < parts.size(); ++i) further[i] = std::clamp(2.0 * parts[i] - before[i], 0.0, 1.0);
        try_at(further);
      }
    }
    best.q = arm_.position(parts);
    return best;
  }

 private:
  std::vector<double> jacobian(std::span<const double> q) {
    kinematics_.update_positions(q);
    const MatrixView<double> view{full_.data(), 6, n_};
    kinematics_.jacobian(arm_.model.tip(), Reference::world_axes, view);
    return arm_.task.position_rows({full_.data(), 6, n_});
  }

  const Arm& arm_;
  Kinematics<double> kinematics_;
  int n_;
  std::vector<double> full_, J_;
};

struct Sample {
  double x, y;
  Manipulability m;
};

/// Where a tip position is on the map.
class Section {
 public:
  explicit Section(const Arm& arm) : arm_(arm), first_(arm.model.bodies()[0]) {}

  bool turns() const { return ulna::turns(first_.kind); }
  Sample place(const Vec3<double>& tip, const Manipulability& m) const {
    if (arm_.dimension() == 2) return {dot(arm_.axes().row_x(), tip), dot(arm_.axes().row_y(), tip), m};
    const Vec3<double> p = transpose_times(first_.placement.rotation, tip - first_.placement.p);
    if (turns()) return {std::hypot(p.x, p.y), p.z, m};
    return {p.x, p.y, m};
  }
  void label(WorkspaceMap& map) const {
    if (arm_.dimension() == 3 && turns()) {
      map.x_label = "distance from the first axis, m";
      map.y_label = "along the first axis, m";
      return;
    }
    map.x_label = arm_.dimension() == 2 ? "in the plane, m" : "across the first slide, m";
    map.y_label = map.x_label;
  }
  /// Of a cell in the space: circles about the axis grow with their radius.
  double weight(double x) const { return arm_.dimension() == 3 && turns() ? x : 1.0; }

 private:
  const Arm& arm_;
  const Body& first_;
};

void plan(WorkspaceMap& map, const std::vector<Sample>& samples, int along) {
  map.x_low = map.y_low = HUGE_VAL;
  map.x_high = map.y_high = -HUGE_VAL;
  for (const Sample& s : samples) {
    map.x_low = std::min(map.x_low, s.x);
    map.x_high = std::max(map.x_high, s.x);
    map.y_low = std::min(map.y_low, s.y);
    map.y_high = std::max(map.y_high, s.y);
  }
  const double edge = std::max(map.x_high - map.x_low, map.y_high - map.y_low) / along;
  const auto cells = [&](double low, double& high) {
    const int count = std::max(1, static_cast<int>(std::ceil((high - low) / edge)));
    high = low + count * edge;
    return count;
  };
  map.columns = cells(map.x_low, map.x_high);
  map.rows = cells(map.y_low, map.y_high);
  const auto size = static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows);
  map.manipulability.assign(size, std::numeric_limits<double>::quiet_NaN());
  map.isotropy = map.smallest = map.manipulability;
}

void fill(WorkspaceMap& map, const std::vector<Sample>& samples) {
  const double dx = (map.x_high - map.x_low) / map.columns, dy = (map.y_high - map.y_low) / map.rows;
  for (const Sample& s : samples) {
    const int i = std::min(static_cast<int>((s.x - map.x_low) / dx), map.columns - 1);
    const int j = std::min(static_cast<int>((s.y - map.y_low) / dy), map.rows - 1);
    const auto k = static_cast<std::size_t>(j) * static_cast<std::size_t>(map.columns) + static_cast<std::size_t>(i);
    const auto keep = [&](std::vector<double>& values, double x) {
      if (!(values[k] >= x)) values[k] = x;
    };
    keep(map.manipulability, s.m.yoshikawa);
    keep(map.isotropy, Surveyor::isotropy(s.m));
    keep(map.smallest, s.m.smallest);
  }
}

/// Means of manipulability, isotropy and smallest singular value, and the share that is well conditioned.
std::array<double, 4> averages(const WorkspaceMap& map, const Section& section) {
  const double dx = (map.x_high - map.x_low) / map.columns;
  double all = 0.0;
  std::array<double, 4> sums{};
  for (std::size_t k = 0; k < map.isotropy.size(); ++k) {
    if (std::isnan(map.isotropy[k])) continue;
    const double x = map.x_low + (static_cast<double>(k % static_cast<std::size_t>(map.columns)) + 0.5) * dx;
    const double w = section.weight(x);
    all += w;
    sums[0] += w * map.manipulability[k];
    sums[1] += w * map.isotropy[k];
    sums[2] += w * map.smallest[k];
    if (map.isotropy[k] >= good_isotropy) sums[3] += w;
  }
  for (double& sum : sums) sum /= all;
  return sums;
}

void average(Survey& result, const std::vector<Sample>& samples, const Section& section, int cells) {
  WorkspaceMap coarse;
  plan(coarse, samples, cells / 2);
  fill(coarse, samples);
  const std::array<double, 4> fine = averages(result.map, section), rough = averages(coarse, section);
  const std::array<Estimate*, 4> to{&result.mean_manipulability, &result.mean_isotropy, &result.mean_smallest,
                                    &result.well_conditioned};
  for (std::size_t k = 0; k < to.size(); ++k)
    *to[k] = {std::max(0.0, 2.0 * fine[k] - rough[k]), std::abs(fine[k] - rough[k])};
  result.well_conditioned.value = std::min(1.0, result.well_conditioned.value);
}

/// The rank of the median of n values has the standard deviation √n/2.
Estimate median(std::vector<double> values) {
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), 0.0};
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const auto off = std::min(middle, static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(values.size())))));
  const double low = values[middle - off], high = values[std::min(middle + off, values.size() - 1)];
  return {values[middle], std::isfinite(high) ? 0.5 * (high - low) : 0.0};
}

/// What unit torques do at the tip: J M⁻¹; nothing where M is singular.
std::optional<Eigen::MatrixXd> tip_accelerations(const Arm& arm, const std::vector<double>& J,
                                                 const Eigen::MatrixXd& M) {
  const Eigen::LLT<Eigen::MatrixXd> factor(M);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::Map<const Eigen::MatrixXd> jacobian(J.data(), arm.dimension(), arm.model.nv());
  return Eigen::MatrixXd(factor.solve(jacobian.transpose()).transpose());
}

void survey_inertia(const Arm& arm, Surveyor& surveyor, std::size_t poses, Survey& result,
                    const KeepGoing& keep_going) {
  const auto n = static_cast<Eigen::Index>(arm.model.nv());
  const auto method = make_method<double>("auto", Quantity::mass_matrix, arm.model);
  const auto inertia = [&](std::span<const double> q) {
    Eigen::MatrixXd M(n, n);
    method->mass_matrix(q, {M.data(), arm.model.nv(), arm.model.nv()});
    return M;
  };
  std::vector<double> parts(arm.ranges.size()), shares, conditions, dynamic, variations;
  std::vector<Eigen::MatrixXd> all;
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(n, n);
  const EvenFill fill(parts.size());
  for (std::size_t k = 0; k < poses; ++k) {
    if (!keep_going()) throw Interrupted{};
    fill.point(k, parts);
    const std::vector<double> q = arm.position(parts);
    const Eigen::MatrixXd M = inertia(q);
    const Eigen::MatrixXd diagonal = M.diagonal().asDiagonal();
    shares.push_back((M - diagonal).norm() / M.norm());
    const Manipulability of_M = manipulability({M.data(), arm.model.nv(), arm.model.nv()});
    conditions.push_back(of_M.condition);
    surveyor.at(q);
    if (const auto A = tip_accelerations(arm, surveyor.last_jacobian(), M))
      dynamic.push_back(manipulability({A->data(), arm.dimension(), arm.model.nv()}).yoshikawa);
    mean += M / static_cast<double>(poses);
    all.push_back(M);
  }
  for (const Eigen::MatrixXd& each : all) variations.push_back((each - mean).norm() / mean.norm());
  result.off_diagonal = median(shares);
  result.condition = median(conditions);
  result.dynamic = median(dynamic);
  result.variation = median(variations);
  if (result.isotropy.q.empty()) return;
  const Eigen::MatrixXd M = inertia(result.isotropy.q);
  result.inertia.assign(M.data(), M.data() + M.size());
  surveyor.at(result.isotropy.q);
  if (const auto A = tip_accelerations(arm, surveyor.last_jacobian(), M)) {
    const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(*A).singularValues();
    result.dynamic_axes.assign(s.data(), s.data() + s.size());
  }
}

/// Poses over the joint ranges, and the best of them by each measure, as parts of the ranges.
struct SurveyedPoses {
  std::vector<Sample> samples;
  std::vector<double> manipulable, isotropic, smallest;
};

SurveyedPoses survey_poses(const Arm& arm, Surveyor& surveyor, const Section& section, std::size_t poses,
                           const KeepGoing& keep_going) {
  SurveyedPoses found;
  std::vector<double> parts(arm.ranges.size());
  found.manipulable = found.isotropic = found.smallest = parts;
  double manipulable = -1.0, isotropic = -1.0, smallest = -1.0;
  const EvenFill even(parts.size());
  for (std::size_t k = 0; k < poses; ++k) {
    if (!keep_going()) throw Interrupted{};
    even.point(k, parts);
    const Manipulability m = surveyor.at(arm.position(parts));
    found.samples.push_back(section.place(surveyor.tip(), m));
    const auto keep = [&](double& best, std::vector<double>& at, double value) {
      if (value <= best) return;
      best = value;
      at = parts;
    };
    keep(manipulable, found.manipulable, m.yoshikawa);
    keep(isotropic, found.isotropic, Surveyor::isotropy(m));
    keep(smallest, found.smallest, m.smallest);
  }
  return found;
}

std::vector<std::vector<double>> singular_places(const Arm& arm, Surveyor& surveyor, const KeepGoing& keep_going) {
  constexpr std::size_t starts = 12;
  std::vector<std::vector<double>> places;
  std::vector<double> parts(arm.ranges.size());
  const EvenFill even(parts.size());
  for (std::size_t k = 0; k < starts; ++k) {
    even.point(k, parts);
    const auto singularity = [&](const std::vector<double>& q) { return -Surveyor::isotropy(surveyor.at(q)); };
    const Extreme least = surveyor.climb(parts, singularity, -singular_value, keep_going);
    if (-least.value <= singular_value) places.push_back(least.q);
  }
  return places;
}

/// From several starts: where a joint is straight, another fold of the arm may be the longer one.
Extreme farthest_tip(const Arm& arm, Surveyor& surveyor, const KeepGoing& keep_going) {
  constexpr std::size_t starts = 8;
  Extreme best;
  std::vector<double> parts(arm.ranges.size());
  const EvenFill even(parts.size());
  for (std::size_t k = 0; k < starts; ++k) {
    even.point(k, parts);
    const auto distance = [&](const std::vector<double>& q) { return surveyor.distance(q); };
    Extreme found = surveyor.climb(parts, distance, HUGE_VAL, keep_going);
    if (found.value > best.value) best = std::move(found);
  }
  return best;
}

}  // namespace

Survey survey(const Arm& arm, const SurveyOptions& options, const KeepGoing& keep_going) {
  Survey result;
  Surveyor surveyor(arm);
  const Section section(arm);
  SurveyedPoses poses;
  if (options.means || options.greatest || options.places)
    poses = survey_poses(arm, surveyor, section, map_poses(options.effort), keep_going);
  if (options.means) {
    const int cells = map_cells(options.effort);
    plan(result.map, poses.samples, cells);
    section.label(result.map);
    fill(result.map, poses.samples);
    average(result, poses.samples, section, cells);
  }
  if (options.greatest)
    result.manipulability = surveyor.climb(
        poses.manipulable, [&](const auto& q) { return surveyor.at(q).yoshikawa; }, HUGE_VAL, keep_going);
  if (options.places) {
    result.isotropy = surveyor.climb(
        poses.isotropic, [&](const auto& q) { return Surveyor::isotropy(surveyor.at(q)); }, HUGE_VAL, keep_going);
    result.smallest = surveyor.climb(
        poses.smallest, [&](const auto& q) { return surveyor.at(q).smallest; }, HUGE_VAL, keep_going);
    result.singular = singular_places(arm, surveyor, keep_going);
  }
  if (options.reach) result.reach = farthest_tip(arm, surveyor, keep_going);
  if (options.inertia) survey_inertia(arm, surveyor, inertia_poses(options.effort), result, keep_going);
  return result;
}

}  // namespace ulna::selection

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

constexpr std::size_t map_poses = 150'000, inertia_poses = 2'000;
constexpr int map_cells = 72;            // along the longer side: some 30 poses fall into a cell
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

  /// Uphill from a point of the unit cube, until it is `enough` or no step along a joint gains any more
  /// (Hooke and Jeeves 1961: steps along the joints, then one more the way they went together).
  template <class Of>
  Extreme climb(std::vector<double> parts, const Of& of, double enough, const KeepGoing& keep_going) {
    constexpr int rounds = 60;  // with one length of step: ridges are followed, but not for ever
    Extreme best{of(at(arm_.position(parts))), {}};
    const auto try_at = [&](const std::vector<double>& tried) {
      const double value = of(at(arm_.position(tried)));
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

void average(Survey& result, const std::vector<Sample>& samples, const Section& section) {
  WorkspaceMap coarse;
  plan(coarse, samples, map_cells / 2);
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

void survey_inertia(const Arm& arm, Surveyor& surveyor, Survey& result, const KeepGoing& keep_going) {
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
  for (std::size_t k = 0; k < inertia_poses; ++k) {
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
    mean += M / static_cast<double>(inertia_poses);
    all.push_back(M);
  }
  for (const Eigen::MatrixXd& each : all) variations.push_back((each - mean).norm() / mean.norm());
  result.off_diagonal = median(shares);
  result.condition = median(conditions);
  result.dynamic = median(dynamic);
  result.variation = median(variations);
  const Eigen::MatrixXd M = inertia(result.isotropy.q);
  result.inertia.assign(M.data(), M.data() + M.size());
  surveyor.at(result.isotropy.q);
  if (const auto A = tip_accelerations(arm, surveyor.last_jacobian(), M)) {
    const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(*A).singularValues();
    result.dynamic_axes.assign(s.data(), s.data() + s.size());
  }
}

}  // namespace

Survey survey(const Arm& arm, const KeepGoing& keep_going) {
  Survey result;
  Surveyor surveyor(arm);
  const Section section(arm);
  std::vector<Sample> samples;
  std::vector<double> parts(arm.ranges.size()), best_w(parts), best_isotropy(parts), best_smallest(parts);
  double w = -1.0, isotropy = -1.0, smallest = -1.0;
  const EvenFill even(parts.size());
  for (std::size_t k = 0; k < map_poses; ++k) {
    if (!keep_going()) throw Interrupted{};
    even.point(k, parts);
    const Manipulability m = surveyor.at(arm.position(parts));
    samples.push_back(section.place(surveyor.tip(), m));
    const auto keep = [&](double& best, std::vector<double>& at, double value) {
      if (value <= best) return;
      best = value;
      at = parts;
    };
    keep(w, best_w, m.yoshikawa);
    keep(isotropy, best_isotropy, Surveyor::isotropy(m));
    keep(smallest, best_smallest, m.smallest);
  }
  plan(result.map, samples, map_cells);
  section.label(result.map);
  fill(result.map, samples);
  average(result, samples, section);
  result.manipulability = surveyor.climb(
      best_w, [](const Manipulability& m) { return m.yoshikawa; }, HUGE_VAL, keep_going);
  result.isotropy = surveyor.climb(best_isotropy, Surveyor::isotropy, HUGE_VAL, keep_going);
  result.smallest = surveyor.climb(
      best_smallest, [](const Manipulability& m) { return m.smallest; }, HUGE_VAL, keep_going);
  constexpr std::size_t starts = 12;
  for (std::size_t k = 0; k < starts; ++k) {
    even.point(k, parts);
    const auto singularity = [](const Manipulability& m) { return -Surveyor::isotropy(m); };
    const Extreme least = surveyor.climb(parts, singularity, -singular_value, keep_going);
    if (-least.value <= singular_value) result.singular.push_back(least.q);
  }
  survey_inertia(arm, surveyor, result, keep_going);
  return result;
}

}  // namespace ulna::selection

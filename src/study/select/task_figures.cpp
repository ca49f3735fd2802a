#include "ulna/study/select/task_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "kinematics/decompositions.hpp"
#include "tip_path.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/plan/fastest_timing.hpp"

namespace ulna::selection {

namespace {

constexpr std::size_t rows_of_leg = 100, waypoints_of_leg = 40;

/// A spline through rows of a motion that are about as far from each other; none where nothing moves.
std::optional<Path> spline_through(std::span<const double> rows, std::size_t n) {
  const std::size_t count = rows.size() / n;
  std::vector<double> way(count);
  for (std::size_t k = 1; k < count; ++k) {
    double square = 0.0;
    for (std::size_t i = 0; i < n; ++i) square += std::pow(rows[k * n + i] - rows[(k - 1) * n + i], 2);
    way[k] = way[k - 1] + std::sqrt(square);
  }
  constexpr double standing = 1e-9;
  if (way.back() < standing) return std::nullopt;
  const double step = way.back() / static_cast<double>(waypoints_of_leg);
  std::vector<double> waypoints;
  double last = -way.back();
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_last = k + 1 == count;
    if (!is_last && (way[k] - last < step || (k > 0 && way.back() - way[k] < step))) continue;
    waypoints.insert(waypoints.end(), &rows[k * n], &rows[k * n] + n);
    last = way[k];
  }
  return Path::spline(waypoints, n);
}

/// The joints' way, in one part or one for each line of the tip: the rows of the task's own motion may not meet the
/// points where the tip rests.
std::vector<Path> paths_of(const Arm& arm, const Task& task, const TaskLoads& loads, const KeepGoing& keep_going) {
  const std::size_t n = arm.ranges.size();
  if (!task.in_tip_space()) {
    std::vector<double> ends(loads.q.begin(), loads.q.begin() + static_cast<std::ptrdiff_t>(n));
    ends.insert(ends.end(), loads.q.end() - static_cast<std::ptrdiff_t>(n), loads.q.end());
    if (std::equal(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(n), &ends[n])) return {};
    return {Path::straight(ends, n, 0.0)};
  }
  const std::size_t legs = task.points.size() - 1, rows = legs * rows_of_leg;
  TaskLoads even;
  for (std::size_t k = 0; k <= rows; ++k)
    even.t.push_back(task.time * static_cast<double>(k) / static_cast<double>(rows));
  for (std::vector<double>* list : {&even.q, &even.v, &even.a}) list->assign(even.t.size() * n, 0.0);
  follow_points(arm, task, even, keep_going);
  std::vector<Path> paths;
  for (std::size_t leg = 0; leg < legs; ++leg) {
    const auto part = std::span(even.q).subspan(leg * rows_of_leg * n, (rows_of_leg + 1) * n);
    if (std::optional<Path> path = spline_through(part, n)) paths.push_back(std::move(*path));
  }
  return paths;
}

/// M without what rotors add, which do not move where their motors are held.
void take_rotors_out(const Model& model, Eigen::MatrixXd& M) {
  for (int i = 0; i < model.nv(); ++i) M(i, i) -= model.armature()[static_cast<std::size_t>(i)];
  for (const CoupledArmature& rotor : model.coupled_armature()) {
    M(rotor.row, rotor.column) -= rotor.inertia;
    M(rotor.column, rotor.row) -= rotor.inertia;
  }
}

/// Of the tip's position by unit forces in its softest direction, through springs of these joints.
double greatest_compliance(const Eigen::MatrixXd& J, const Eigen::VectorXd& softness) {
  const Eigen::MatrixXd C = J * softness.asDiagonal() * J.transpose();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(C, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

/// K φ = ω² M φ.
double lowest_frequency(const Eigen::MatrixXd& M, const Eigen::VectorXd& softness) {
  const Eigen::VectorXd root = softness.cwiseSqrt();
  const Eigen::MatrixXd scaled = root.asDiagonal() * M * root.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled, Eigen::EigenvaluesOnly);
  return 1.0 / (2.0 * std::numbers::pi * std::sqrt(eigen.eigenvalues().maxCoeff()));
}

}  // namespace

Figure cycle_time(const Arm& arm, const Task& task, const TaskLoads& loads, const KeepGoing& keep_going) {
  const Model model = loaded_model(arm, task);
  const TimingLimits limits = timing_limits(model);
  if (std::none_of(limits.torque.begin(), limits.torque.end(), [](double x) { return std::isfinite(x); }))
    return {.lacks = "its file gives no limits of effort"};
  try {
    FastestTiming fastest(model, limits);
    double sum = 0.0;
    for (const Path& path : paths_of(arm, task, loads, keep_going)) {
      if (!keep_going()) throw Interrupted{};
      const Timing timing = fastest(path);
      if (!timing.possible()) return {.lacks = timing.reason};
      sum += timing.duration();
    }
    return {.value = sum};
  } catch (const InputError& error) {
    return {.lacks = error.findings().front().reason};
  }
}

void add_elastic_figures(const Arm& arm, const Task& task, const TaskLoads& loads, const KeepGoing& keep_going,
                         TaskFigures& figures) {
  std::vector<Eigen::Index> elastic;
  for (std::size_t i = 0; i < arm.stiffness.size(); ++i)
    if (std::isfinite(arm.stiffness[i])) elastic.push_back(static_cast<Eigen::Index>(i));
  if (elastic.empty()) {
    figures.stiffness.lacks =
        "no stiffness of its joints is known; make them elastic in its file, or give their stiffness";
    figures.frequency.lacks = figures.stiffness.lacks;
    return;
  }
  const Model model = loaded_model(arm, task);
  const int n = model.nv();
  const auto method = make_method<double>("auto", Quantity::mass_matrix, model);
  Kinematics<double> kinematics(model);
  Eigen::VectorXd softness(static_cast<Eigen::Index>(elastic.size()));
  for (Eigen::Index k = 0; k < softness.size(); ++k)
    softness[k] = 1.0 / arm.stiffness[static_cast<std::size_t>(elastic[static_cast<std::size_t>(k)])];
  Eigen::MatrixXd M(n, n), jacobian(6, n);
  double compliance = 0.0, frequency = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < loads.t.size(); ++k) {
    if (!keep_going()) throw Interrupted{};
    const auto q = std::span(loads.q).subspan(k * static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    kinematics.update_positions(q);
    kinematics.jacobian(model.tip(), Reference::world_axes, {jacobian.data(), 6, n});
    const std::vector<double> rows = arm.task.position_rows({jacobian.data(), 6, n});
    const Eigen::Map<const Eigen::MatrixXd> J(rows.data(), arm.dimension(), n);
    compliance = std::max(compliance, greatest_compliance(J(Eigen::all, elastic), softness));
    method->mass_matrix(q, {M.data(), n, n});
    take_rotors_out(model, M);
    frequency = std::min(frequency, lowest_frequency(M(elastic, elastic), softness));
  }
  figures.stiffness.value = 1.0 / compliance;
  figures.frequency.value = frequency;
}

}  // namespace ulna::selection

#include "ulna/kinematics/tip_task.hpp"

#include <algorithm>

#include "decompositions.hpp"
#include "ulna/model/limits.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {

namespace {

constexpr int angular_rows = 0, linear_rows = 3;  // where they begin in a Jacobian

/// The rows of `axes` times three rows of the Jacobian, `count` of them.
void append(MatrixView<const double> jacobian, int column, int first, const TipTask::Space& space,
            std::vector<double>& to) {
  const Vec3<double> v =
      space.axes * Vec3<double>{jacobian(first, column), jacobian(first + 1, column), jacobian(first + 2, column)};
  const double parts[] = {v.x, v.y, v.z};
  to.insert(to.end(), parts, parts + space.dimension);
}

int columns_of(const std::vector<double>& jacobian) { return static_cast<int>(jacobian.size() / 6); }

MatrixView<const double> view(const std::vector<double>& jacobian) {
  return {jacobian.data(), 6, columns_of(jacobian)};
}

/// World axes as far as they lie in the plane, so that pictures look as people expect, and its normal.
Mat3<double> axes_of_plane(const Eigen::Vector3d& normal) {
  Eigen::Index across = 0;
  normal.cwiseAbs().maxCoeff(&across);
  const Eigen::Vector3d first = Eigen::Vector3d::Unit((across + 1) % 3),
                        second = Eigen::Vector3d::Unit((across + 2) % 3);
  const Eigen::Vector3d &x0 = across == 1 ? second : first, &y0 = across == 1 ? first : second;
  const Eigen::Vector3d x = (x0 - normal * normal.dot(x0)).normalized();
  const Eigen::Vector3d y = (y0 - normal * normal.dot(y0) - x * x.dot(y0)).normalized();
  return {x[0], x[1], x[2], y[0], y[1], y[2], normal[0], normal[1], normal[2]};
}

Mat3<double> axes_of(const Eigen::Matrix3d& U, int dimension) {
  if (dimension == 2) return axes_of_plane(U.col(2));
  if (dimension != 1) return Mat3<double>::identity();
  return {U(0, 0), U(1, 0), U(2, 0), U(0, 1), U(1, 1), U(2, 1), U(0, 2), U(1, 2), U(2, 2)};
}

/// The space of the three rows that begin at `first`; the rank is left out.
TipTask::Space space_of(std::span<const std::vector<double>> jacobians, int first) {
  constexpr double nothing = 1e-9;      // of the largest: right angles in files are exact, so this is round-off
  constexpr double standstill = 1e-12;  // metres or radians per radian or metre of a joint
  const Eigen::Index n = columns_of(jacobians[0]);
  Eigen::MatrixXd all(3, n * std::ssize(jacobians));
  for (Eigen::Index k = 0; k < std::ssize(jacobians); ++k)
    all.middleCols(k * n, n) =
        Eigen::Map<const Eigen::MatrixXd>(jacobians[static_cast<std::size_t>(k)].data(), 6, n).middleRows<3>(first);
  TipTask::Space space;
  if (all.size() == 0 || all.cwiseAbs().maxCoeff() < standstill) return space;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(all, Eigen::ComputeFullU);
  for (const double s : svd.singularValues())
    if (s > nothing * svd.singularValues()[0]) ++space.dimension;
  space.axes = axes_of(svd.matrixU(), space.dimension);
  return space;
}

/// The rank of these rows in most postures.
template <class Rows>
int rank_of(std::span<const std::vector<double>> jacobians, int count, const Rows& rows) {
  int most = 0;
  for (const std::vector<double>& J : jacobians)
    most = std::max(most, manipulability({rows(view(J)).data(), count, columns_of(J)}).rank);
  return most;
}

const char* name_of_position(int dimension) {
  return dimension == 1 ? "position on a line" : dimension == 2 ? "position in a plane" : "position in space";
}

const char* name_of_orientation(int dimension) {
  return dimension == 1 ? "rotation about one axis" : dimension == 2 ? "rotation about two axes" : "orientation";
}

}  // namespace

std::string TipTask::name() const {
  const int p = places ? position.dimension : 0, o = turns ? orientation.dimension : 0;
  if (p + o == 0) return "none, it does not move";
  const std::string part =
      rank < p + o ? ", " + std::to_string(rank) + " of " + std::to_string(p + o) + " at a time" : "";
  if (p == 3 && o == 3) return "position and orientation in space" + part;
  if (p == 2 && o == 1) return "position and orientation in a plane" + part;
  if (o == 0) return name_of_position(p) + part;
  if (p == 0) return name_of_orientation(o) + part;
  return std::string(name_of_position(p)) + " and " + name_of_orientation(o) + part;
}

std::vector<double> TipTask::position_rows(MatrixView<const double> jacobian) const {
  std::vector<double> to;
  for (int c = 0; c < jacobian.cols; ++c) append(jacobian, c, linear_rows, position, to);
  return to;
}

std::vector<double> TipTask::orientation_rows(MatrixView<const double> jacobian) const {
  std::vector<double> to;
  for (int c = 0; c < jacobian.cols; ++c) append(jacobian, c, angular_rows, orientation, to);
  return to;
}

std::vector<double> TipTask::rows(MatrixView<const double> jacobian) const {
  std::vector<double> to;
  for (int c = 0; c < jacobian.cols; ++c) {
    if (turns) append(jacobian, c, angular_rows, orientation, to);
    if (places) append(jacobian, c, linear_rows, position, to);
  }
  return to;
}

TipTask tip_task(std::span<const std::vector<double>> jacobians) {
  TipTask task{.position = space_of(jacobians, linear_rows), .orientation = space_of(jacobians, angular_rows)};
  TipTask::Space &p = task.position, &o = task.orientation;
  p.rank = rank_of(jacobians, p.dimension, [&](const auto& J) { return task.position_rows(J); });
  o.rank = rank_of(jacobians, o.dimension, [&](const auto& J) { return task.orientation_rows(J); });
  task.places = p.dimension > 0;
  task.turns = o.dimension > 0;
  task.rank = rank_of(jacobians, p.dimension + o.dimension, [&](const auto& J) { return task.rows(J); });
  if (task.rank == p.dimension + o.dimension) return task;
  if (p.rank == p.dimension && task.places) {
    task.turns = false;
    task.rank = p.rank;
  } else if (o.rank == o.dimension && task.turns) {
    task.places = false;
    task.rank = o.rank;
  }
  return task;
}

TipTask tip_task(const Model& model, const Frame& frame) {
  const std::size_t samples = model.nv() < 1000 ? 16 : 2;  // long chains have many columns in each
  std::mt19937 generator(1);
  Kinematics<double> kinematics(model);
  std::vector<std::vector<double>> jacobians(samples, std::vector<double>(6 * static_cast<std::size_t>(model.nv())));
  for (std::vector<double>& J : jacobians) {
    kinematics.update_positions(random_position(model, generator));
    kinematics.jacobian(frame, Reference::world_axes, {J.data(), 6, model.nv()});
    for (int i = 0; i < model.nv(); ++i)
      if (is_locked(model.joint_of(i))) std::fill_n(&J[6 * static_cast<std::size_t>(i)], 6, 0.0);
  }
  return tip_task(jacobians);
}

}  // namespace ulna

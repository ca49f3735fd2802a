#include "tip_path.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "even_fill.hpp"
#include "kinematics/decompositions.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna::selection {

namespace {

/// The tip's straight lines as functions of time.
class Lines {
 public:
  explicit Lines(const Task& task) : part_(task.time / static_cast<double>(task.points.size() - 1)) {
    for (std::size_t k = 0; k + 1 < task.points.size(); ++k) {
      const Vec3<double>&a = task.points[k], &b = task.points[k + 1];
      lines_.push_back(make_reference(
          PointToPoint{task.profile, {a.x, a.y, a.z}, {b.x, b.y, b.z}, static_cast<double>(k) * part_, part_}));
    }
  }
  void at(double t, double inside, Eigen::Vector3d& x, Eigen::Vector3d& v, Eigen::Vector3d& a) const {
    const auto k = std::min(static_cast<std::size_t>(inside / part_), lines_.size() - 1);
    const auto span = [](Eigen::Vector3d& e) { return std::span<double>(e.data(), 3); };
    lines_[k]->at(t, inside, span(x), span(v), span(a));
  }

 private:
  double part_;
  std::vector<std::shared_ptr<const ReferenceMotion>> lines_;
};

class Follower {
 public:
  explicit Follower(const Arm& arm)
      : arm_(arm), kinematics_(arm.model), n_(arm.model.nv()), full_(static_cast<std::size_t>(6 * n_)) {
    for (int r = 0; r < 3; ++r) {
      const Vec3<double> row = r == 0 ? arm.axes().row_x() : r == 1 ? arm.axes().row_y() : arm.axes().row_z();
      axes_.row(r) << row.x, row.y, row.z;
    }
    scale_ = 0.0;
    for (const Body& body : arm.model.bodies()) scale_ += norm(body.placement.p);
    scale_ += norm(arm.model.tip().pose.p) + 1e-3;
  }

  /// How far the point is out of a planar arm's plane.
  double off_plane(const Eigen::Vector3d& x) {
    if (arm_.dimension() == 3) return 0.0;
    return std::abs(axes_.row(2).dot(x - tip(arm_.middle())));
  }

  /// Newton's method with damping that fades; true when the tip is at x.
  bool reach(std::vector<double>& q, const Eigen::Vector3d& x, int most) {
    const auto d = arm_.dimension();
    for (int k = 0; k < most; ++k) {
      const Eigen::VectorXd e = axes_.topRows(d) * (x - tip(q));
      if (e.norm() <= 1e-12 * scale_) return true;
      const Eigen::MatrixXd J = jacobian();
      const Eigen::MatrixXd square = J * J.transpose() + 0.1 * e.squaredNorm() * Eigen::MatrixXd::Identity(d, d);
      Eigen::VectorXd step = J.transpose() * square.ldlt().solve(e);
      if (!step.allFinite()) return false;
      const double longest = step.cwiseAbs().maxCoeff();
      if (longest > 0.3) step *= 0.3 / longest;
      for (Eigen::Index i = 0; i < n_; ++i) q[static_cast<std::size_t>(i)] += step[i];
    }
    return (axes_.topRows(d) * (x - tip(q))).norm() <= 1e-9 * scale_;
  }

  bool within_ranges(const std::vector<double>& q) const {
    for (std::size_t i = 0; i < q.size(); ++i) {
      const JointRange& range = arm_.ranges[i];
      if (range.origin == JointRange::Origin::full_turn) continue;
      if (q[i] < range.low - 1e-9 || q[i] > range.high + 1e-9) return false;
    }
    return true;
  }

  /// v = J⁺ ẋ and a = J⁺(ẍ − J̇ v); false at a singularity.
  bool rates(std::span<const double> q, const Eigen::Vector3d& dx, const Eigen::Vector3d& ddx, std::span<double> v,
             std::span<double> a) {
    kinematics_.update_positions(q);
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> J(jacobian());
    if (J.rank() < arm_.dimension()) return false;
    const auto top = axes_.topRows(arm_.dimension());
    const Eigen::VectorXd speed = J.solve(top * dx);
    std::copy(speed.begin(), speed.end(), v.begin());
    kinematics_.update_velocities(v);
    kinematics_.update_bias_accelerations(v);
    const Vec3<double> bias = kinematics_.acceleration(arm_.model.tip(), Reference::world_axes).linear;
    const Eigen::VectorXd change = J.solve(top * (ddx - Eigen::Vector3d(bias.x, bias.y, bias.z)));
    std::copy(change.begin(), change.end(), a.begin());
    return true;
  }

 private:
  Eigen::Vector3d tip(std::span<const double> q) {
    kinematics_.update_positions(q);
    const Vec3<double> p = kinematics_.pose(arm_.model.tip()).p;
    return {p.x, p.y, p.z};
  }
  Eigen::MatrixXd jacobian() {
    const MatrixView<double> view{full_.data(), 6, n_};
    kinematics_.jacobian(arm_.model.tip(), Reference::world_axes, view);
    const std::vector<double> J = arm_.task.position_rows({full_.data(), 6, n_});
    return Eigen::Map<const Eigen::MatrixXd>(J.data(), arm_.dimension(), n_);
  }

  const Arm& arm_;
  Kinematics<double> kinematics_;
  int n_;
  std::vector<double> full_;
  Eigen::Matrix3d axes_;
  double scale_;
};

/// Full turns back into −π … π: the same pose.
void unwind(const Arm& arm, std::vector<double>& q) {
  for (std::size_t i = 0; i < q.size(); ++i)
    if (is_hinge(arm.model.joints()[i].kind)) q[i] = std::remainder(q[i], 2.0 * std::numbers::pi);
}

/// The number of times that it got through from this start.
std::size_t follow(const Arm& arm, Follower& follower, const Lines& lines, std::vector<double> q, TaskLoads& loads,
                   const KeepGoing& keep_going) {
  const std::size_t n = q.size();
  for (std::size_t k = 0; k < loads.t.size(); ++k) {
    if (!keep_going()) throw Interrupted{};
    Eigen::Vector3d x, dx, ddx;
    lines.at(loads.t[k], loads.inside(k), x, dx, ddx);
    if (!follower.reach(q, x, k == 0 ? 200 : 20)) return k;
    if (k == 0) unwind(arm, q);
    if (!follower.within_ranges(q)) return k;
    std::copy(q.begin(), q.end(), loads.q.begin() + static_cast<std::ptrdiff_t>(k * n));
    if (!follower.rates(q, dx, ddx, std::span(loads.v).subspan(k * n, n), std::span(loads.a).subspan(k * n, n)))
      return k;
  }
  return loads.t.size();
}

}  // namespace

void follow_points(const Arm& arm, const Task& task, TaskLoads& loads, const KeepGoing& keep_going) {
  Follower follower(arm);
  for (const Vec3<double>& p : task.points) {
    if (const double off = follower.off_plane({p.x, p.y, p.z}); off > 1e-9) {
      throw InputError(task.source, fmt::format("the task leaves the workspace of '{}': the point {:g}, {:g}, {:g} is "
                                                "{:g} m beside the plane of the arm",
                                                arm.name, p.x, p.y, p.z, off));
    }
  }
  const Lines lines(task);
  constexpr std::size_t starts = 64;
  std::size_t farthest = 0;
  std::vector<double> parts(arm.ranges.size(), 0.5);
  const EvenFill fill(parts.size());
  for (std::size_t k = 0; k < starts; ++k) {
    const std::size_t got = follow(arm, follower, lines, arm.position(parts), loads, keep_going);
    if (got == loads.t.size()) return;
    farthest = std::max(farthest, got);
    fill.point(k, parts);
  }
  Eigen::Vector3d x, dx, ddx;
  lines.at(loads.t[farthest], loads.inside(farthest), x, dx, ddx);
  throw InputError(
      task.source,
      fmt::format("the task leaves the workspace of '{}': from {} starts no motion within its ranges takes "
                  "the tip through {:.4g}, {:.4g}, {:.4g} at t = {:g} s",
                  arm.name, starts, x[0], x[1], x[2], loads.t[farthest]));
}

}  // namespace ulna::selection

#include "ulna/study/select/dexterity.hpp"

#include <algorithm>
#include <cmath>

#include "even_fill.hpp"
#include "orientation_cells.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna::selection {

namespace {

/// Tip poses that fill the joint ranges, four at a time.
class TipPoses {
 public:
  explicit TipPoses(const Arm& arm)
      : arm_(arm), kinematics_(arm.model), fill_(arm.ranges.size()), q_(arm.ranges.size()), parts_(arm.ranges.size()) {}

  template <class Found>
  void each(std::size_t first, std::size_t last, const KeepGoing& keep_going, const Found& found) {
    for (std::size_t k = first; k < last; k += PackDouble::lanes) {
      if (k % 4096 == 0 && !keep_going()) throw Interrupted{};
      for (int lane = 0; lane < PackDouble::lanes; ++lane) {
        fill_.point(k + static_cast<std::size_t>(lane), parts_);
        for (std::size_t i = 0; i < q_.size(); ++i) q_[i].set(lane, arm_.ranges[i].at(parts_[i]));
      }
      kinematics_.update_positions(q_);
      const Pose<PackDouble> pose = kinematics_.pose(arm_.model.tip());
      for (int lane = 0; lane < PackDouble::lanes; ++lane) found(lane_of(pose, lane));
    }
  }

 private:
  static Pose<double> lane_of(const Pose<PackDouble>& pose, int l) {
    const Mat3<PackDouble>& R = pose.R;
    return {{R.xx[l], R.xy[l], R.xz[l], R.yx[l], R.yy[l], R.yz[l], R.zx[l], R.zy[l], R.zz[l]},
            {pose.p.x[l], pose.p.y[l], pose.p.z[l]}};
  }

  const Arm& arm_;
  Kinematics<PackDouble> kinematics_;
  EvenFill fill_;
  std::vector<PackDouble> q_;
  std::vector<double> parts_;
};

OrientationCells::Box box_of(const OrientationCells& cells, TipPoses& poses, const KeepGoing& keep_going) {
  OrientationCells::Box box{{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  poses.each(0, 1 << 16, keep_going, [&](const Pose<double>& tip) {
    const std::array<double, 3> at = cells.coordinates(tip.p);
    for (std::size_t k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], at[k]);
      box.high[k] = std::max(box.high[k], at[k]);
    }
  });
  constexpr double margin = 1e-3;  // of the width: what more poses find beyond the first ones
  for (std::size_t k = 0; k < 3; ++k) {
    const double width = box.high[k] - box.low[k];
    box.low[k] -= margin * width;
    box.high[k] += margin * width;
  }
  return box;
}

/// An orientation has one number in a plane and three in space; a position two and three.
bool has_enough_joints(const Arm& arm) {
  std::size_t moving = 0, turning = 0;
  for (std::size_t i = 0; i < arm.ranges.size(); ++i) {
    if (arm.ranges[i].width() == 0.0) continue;
    ++moving;
    if (turns(arm.model.joints()[i].kind)) ++turning;
  }
  return arm.dimension() == 2 ? moving >= 3 && turning >= 1 : moving >= 6 && turning >= 3;
}

/// Limits of the joints that turn the tip most may take away less than a bin.
bool has_limited_wrist(const Arm& arm) {
  for (std::size_t i = arm.ranges.size() - 3; i < arm.ranges.size(); ++i)
    if (turns(arm.model.joints()[i].kind) && !arm.ranges[i].is_full_turn()) return true;
  return false;
}

}  // namespace

Dexterity find_dexterity(const Arm& arm, const KeepGoing& keep_going) {
  Dexterity result;
  const bool planar = arm.dimension() == 2;
  result.enough_joints = has_enough_joints(arm);
  if (!result.enough_joints) return result;
  OrientationCells cells(arm);
  TipPoses poses(arm);
  cells.plan(box_of(cells, poses, keep_going));
  const std::size_t samples = planar ? 4'000'000 : 16'000'000;
  const auto mark = [&](const Pose<double>& tip) { cells.mark(tip); };
  poses.each(0, samples / 2, keep_going, mark);
  const double half = cells.dexterous(1).all;
  poses.each(samples / 2, samples, keep_going, mark);
  const OrientationCells::Size fine = cells.dexterous(1), coarse = cells.dexterous(2);
  // Half the layer of cells at the boundary; bins that are still to be found; bins of which only a part is reached:
  // how far out that still happens goes with the square of their width, so it is a third of what twice the width adds.
  result.size = 0.5 * (fine.all + fine.inner);
  result.error = 0.5 * (fine.all - fine.inner) + (fine.all - half) + (coarse.all - fine.all) / 3.0;
  if (!planar && has_limited_wrist(arm)) result.error = std::max(result.error, result.size);
  result.mean_share = cells.mean_share();
  result.resolution = cells.resolution();
  return result;
}

}  // namespace ulna::selection

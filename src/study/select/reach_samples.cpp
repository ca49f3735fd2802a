#include "reach_samples.hpp"

#include <cmath>
#include <cstdint>

#include "ulna/model/link_poses.hpp"

namespace ulna::selection {

namespace {

using Points = std::vector<Vec3<double>>;

/// Cubes of space that hold a point already: open addressing, because std::unordered_set spends most of
/// the time of a workspace on its nodes.
class Cubes {
 public:
  explicit Cubes(double edge) : edge_(edge), slots_(1U << 16U, empty) {}

  /// Whether the point is the first one in its cube.
  bool insert(const Vec3<double>& p) {
    if (2 * count_ > slots_.size()) grow();
    const std::uint64_t key = key_of(p.x) | key_of(p.y) << 21U | key_of(p.z) << 42U;
    std::uint64_t& slot = slot_of(key);
    if (slot == key) return false;
    slot = key;
    ++count_;
    return true;
  }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  std::uint64_t key_of(double x) const {
    return static_cast<std::uint64_t>(std::llround(x / edge_) + (1 << 20)) & ((1U << 21U) - 1U);
  }
  std::uint64_t& slot_of(std::uint64_t key) {
    std::size_t at = (key * 0x9e3779b97f4a7c15ULL) >> 20U;
    while (slots_[at & (slots_.size() - 1)] != empty && slots_[at & (slots_.size() - 1)] != key) ++at;
    return slots_[at & (slots_.size() - 1)];
  }
  void grow() {
    std::vector<std::uint64_t> old(2 * slots_.size(), empty);
    old.swap(slots_);
    for (const std::uint64_t key : old)
      if (key != empty) slot_of(key) = key;
  }

  double edge_;
  std::vector<std::uint64_t> slots_;
  std::size_t count_ = 0;
};

/// The positions of joint i at which no point moves by more than `step` from one to the next.
std::vector<double> stops(const Arm& arm, std::size_t i, const Points& points, double step) {
  const Body& body = arm.model.bodies()[i];
  double lever = 0.0;  // metres per unit of q
  for (const Vec3<double>& p : points) lever = std::max(lever, std::hypot(p.x, p.y));
  const Motion<double> unit = one_degree_column(body.kind, body.joint);
  lever = std::hypot(unit.angular.z * lever, unit.linear.z);
  const double count = std::ceil(arm.ranges[i].width() * lever / step);
  std::vector<double> list;
  for (double k = 0.0; k <= count; ++k) list.push_back(arm.ranges[i].at(count == 0.0 ? 0.5 : k / count));
  return list;
}

}  // namespace

ReachStatistics sample_reach(const Arm& arm, double step, std::size_t most, const KeepGoing& keep_going,
                             const std::function<void(const Vec3<double>&)>& found) {
  constexpr std::size_t few = 20'000;  // so many points are not worth thinning out
  const double diagonal = std::sqrt(static_cast<double>(arm.dimension()));
  ReachStatistics statistics;
  LinkPoses<double> poses(arm.model);
  std::vector<double> q = arm.middle();
  Points points{arm.model.tip().pose.p}, moved;
  for (std::size_t i = arm.ranges.size() - 1; i > 0; --i) {
    const std::vector<double> list = stops(arm, i, points, step);
    const bool thin = i > 1 && points.size() * list.size() > few;
    Cubes cubes(step);
    bool merged = false;
    moved.clear();
    for (const double stop : list) {
      if (!keep_going()) throw Interrupted{};
      q[i] = stop;
      poses.update(arm.model, q);
      const Pose<double> pose{poses[i].rotation(), poses[i].p};
      for (const Vec3<double>& p : points) {
        const Vec3<double> at = pose * p;
        if (i == 1)
          found(at);
        else if (!thin || cubes.insert(at))
          moved.push_back(at);
        else
          merged = true;
      }
      statistics.work += points.size();
      if (statistics.work > most) return statistics;
    }
    if (merged) statistics.thinned += diagonal * step;
    points.swap(moved);
  }
  return statistics;
}

double greatest_reach(const Arm& arm) {
  double reach = norm(arm.model.tip().pose.p);
  for (std::size_t i = 1; i < arm.ranges.size(); ++i) {
    const Body& body = arm.model.bodies()[i];
    reach += norm(body.placement.p);
    const double most = std::max(std::abs(arm.ranges[i].low), std::abs(arm.ranges[i].high));
    reach += std::abs(one_degree_column(body.kind, body.joint).linear.z) * most;
  }
  return reach;
}

}  // namespace ulna::selection

#include "ulna/loop/assembly_modes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ulna/base/error.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {

namespace {

/// Two positions are one when no frame of any body tells them apart: turns count modulo 2π, and a
/// quaternion and its negative are the same.
bool is_same(Kinematics<double>& kinematics, const Model& tree, std::span<const double> a, std::span<const double> b) {
  constexpr double apart = 1e-6;
  kinematics.update_positions(a);
  std::vector<Pose<double>> poses;
  poses.reserve(tree.bodies().size());
  for (int i = 0; i < tree.body_count(); ++i) poses.push_back(kinematics.pose({"", i, Pose<double>::identity()}));
  kinematics.update_positions(b);
  for (int i = 0; i < tree.body_count(); ++i) {
    const Pose<double>& x = poses[static_cast<std::size_t>(i)];
    const Pose<double> y = kinematics.pose({"", i, Pose<double>::identity()});
    const Mat3<double> R = transpose(x.R) * y.R;
    if (norm(x.p - y.p) > apart || norm(Vec3<double>{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy}) > apart ||
        R.xx + R.yy + R.zz < 1.0)
      return false;
  }
  return true;
}

/// Whole turns that the search added are taken away again; those of a screw are no turns alone, nor are those of joints
/// that others follow.
void unwind(const Model& tree, std::span<const double> near, std::span<double> q) {
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const Body& body : tree.bodies()) {
    if (has_quaternion(body.kind) || has_pitch(body.kind) || body.shares) continue;
    auto k = static_cast<std::size_t>(body.q_index);
    for (const JointNumber& number : position_numbers(body.kind)) {
      if (!number.is_length) q[k] -= turn * std::round((q[k] - near[k]) / turn);
      ++k;
    }
  }
}

}  // namespace

std::vector<std::vector<double>> assembly_modes(const Model& model, VectorIn<double> q, std::span<const int> held,
                                                const ModeSearch& search) {
  if (model.loops().empty())
    throw InputError(
        fmt::format("'{}' has no closed loops; assembly modes are of mechanisms that have some", model.name()));
  if (search.tries < 0) throw InputError(fmt::format("{} tries; none or more are wanted", search.tries));
  std::mt19937_64 random(search.seed);
  Kinematics<double> kinematics(model);
  std::vector<std::vector<double>> modes;
  for (int i = 0; i <= search.tries; ++i) {
    if (search.proceed && !search.proceed(i / (search.tries + 1.0))) break;
    std::vector<double> start = i == 0 ? std::vector<double>(q.begin(), q.end()) : random_position(model, random);
    for (const int k : held) {
      const auto at = static_cast<std::size_t>(model.q_of_v()[static_cast<std::size_t>(k)]);
      start[at] = q[at];
    }
    Assembly found = assemble(model, start, held);
    if (!found.closed) continue;
    unwind(model, q, found.q);
    bool known = false;
    for (const std::vector<double>& mode : modes) known = known || is_same(kinematics, model, mode, found.q);
    if (!known) modes.push_back(std::move(found.q));
  }
  return modes;
}

}  // namespace ulna

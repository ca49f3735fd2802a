// Inverse kinematics allocates nothing after it is made.
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "ulna/batch/ik_batch.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

std::vector<Pose<double>> some_poses(const Model& model, std::size_t count) {
  std::mt19937_64 generator(1);
  Kinematics<double> kinematics(model);
  std::vector<Pose<double>> poses;
  for (std::size_t k = 0; k < count; ++k) {
    kinematics.update_positions(random_position(model, generator));
    poses.push_back(kinematics.pose(model.tip()));
  }
  poses.back().p.x += 10.0;  // out of reach
  return poses;
}

TEST(InverseKinematicsMemory, SolveAllocatesNothing) {
  for (const char* name : {"panda_like", "puma560", "planar2r", "satellite_arm"}) {
    const Model model = load(name);
    const std::vector<Pose<double>> poses = some_poses(model, 20);
    InverseKinematics solver(model, {pose_target(model.tip(), {})});
    std::vector<double> q(static_cast<std::size_t>(model.nq()));
    const std::vector<double> start = model.neutral();
    const std::size_t before = allocations;
    for (const Pose<double>& pose : poses)
      for (const IkPreference preference : {IkPreference::any, IkPreference::near, IkPreference::middle,
                                            IkPreference::manipulability, IkPreference::gravity})
        solver.solve({&pose, 1}, start, preference, q);
    EXPECT_EQ(allocations, before) << name;
  }
}

TEST(InverseKinematicsMemory, BatchAllocatesNothing) {
  const Model model = load("panda_like");
  const std::vector<Pose<double>> poses = some_poses(model, 1000);
  std::vector<double> T(16 * poses.size()), q(7 * poses.size());
  for (std::size_t k = 0; k < poses.size(); ++k) {
    double* to = &T[16 * k];
    poses[k].R.column_x().store(to);
    poses[k].R.column_y().store(to + 4);
    poses[k].R.column_z().store(to + 8);
    poses[k].p.store(to + 12);
    to[15] = 1.0;
  }
  std::vector<IkResult> results(poses.size());
  IkBatchOptions options;
  options.threads = 1;  // oneTBB's own memory is not ours
  IkBatch batch(model, {pose_target(model.tip(), {})}, options);
  const int n = static_cast<int>(poses.size());
  const std::size_t before = allocations;
  batch.solve({T.data(), 16, n}, {q.data(), 7, n}, results);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace ulna

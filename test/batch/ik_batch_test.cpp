// Many poses at once: each as if it were alone, whatever the number of threads.
#include "ulna/batch/ik_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ulna/base/error.hpp"
#include "ulna/batch/batch.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

struct Poses {
  Poses(const Model& model, int count) : n(count), q(size(model.nq())), T(size(16)) {
    std::mt19937_64 generator(25);
    for (int k = 0; k < n; ++k)
      std::ranges::copy(random_position(model, generator), q.begin() + std::ptrdiff_t{k} * model.nq());
    Batch<double> batch(model, {.compiled = false});
    batch.pose({q.data(), model.nq(), n}, {T.data(), 16, n});
  }
  std::size_t size(int rows) const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(n); }
  MatrixView<const double> matrix() const { return {T.data(), 16, n}; }

  int n;
  std::vector<double> q, T;
};

/// Solved on so many threads.
struct Solved {
  Solved(const Model& model, const Poses& poses, int threads, bool with_starts = false)
      : q(poses.q.size(), 99.0), results(static_cast<std::size_t>(poses.n)) {
    IkBatchOptions options;
    options.threads = threads;
    IkBatch batch(model, {pose_target(model.tip(), {})}, options);
    const MatrixView<double> to{q.data(), model.nq(), poses.n};
    if (with_starts)
      batch.solve(poses.matrix(), {poses.q.data(), model.nq(), poses.n}, to, results);
    else
      batch.solve(poses.matrix(), to, results);
  }
  std::vector<double> q;
  std::vector<IkResult> results;
};

TEST(IkBatch, ReachesTenThousandPoses) {
  for (const char* name : {"panda_like", "ur5_like", "kuka_lwr4", "puma560"}) {
    SCOPED_TRACE(name);
    const Model model = load(name);
    const Poses poses(model, 10000);
    const Solved solved(model, poses, 0);
    std::vector<double> reached(poses.T.size());
    Batch<double> batch(model, {.compiled = false});
    batch.pose({solved.q.data(), model.nq(), poses.n}, {reached.data(), 16, poses.n});
    int count = 0;
    for (int k = 0; k < poses.n; ++k) {
      const IkResult& result = solved.results[static_cast<std::size_t>(k)];
      count += result.solved ? 1 : 0;
      if (!result.solved) continue;
      for (std::size_t i = 16 * static_cast<std::size_t>(k); i < 16 * static_cast<std::size_t>(k + 1); ++i)
        EXPECT_NEAR(reached[i], poses.T[i], 1e-6 + 1e-9);
    }
    EXPECT_GE(count, 9990);
    for (std::size_t i = 0; i < solved.q.size(); ++i) {
      const std::size_t joint = i % static_cast<std::size_t>(model.nq());
      EXPECT_GE(solved.q[i], model.lower_limits()[joint]);
      EXPECT_LE(solved.q[i], model.upper_limits()[joint]);
    }
  }
}

TEST(IkBatch, ThreadsAndNeighboursDoNotMatter) {
  const Model model = load("panda_like");
  Poses poses(model, 3000);
  const Solved one(model, poses, 1), two(model, poses, 2);
  EXPECT_EQ(one.q, two.q);
  // alone
  Poses single = poses;
  single.n = 1;
  for (const int k : {0, 7, 1234, 2999}) {
    single.T.assign(poses.T.begin() + 16 * k, poses.T.begin() + 16 * (k + 1));
    single.q.assign(7, 0.0);
    const Solved alone(model, single, 1);
    EXPECT_EQ(alone.q, std::vector<double>(one.q.begin() + 7 * k, one.q.begin() + 7 * (k + 1)));
  }
}

TEST(IkBatch, StartsThatArriveAreKept) {
  const Model model = load("panda_like");
  const Poses poses(model, 500);
  const Solved solved(model, poses, 2, true);
  EXPECT_EQ(solved.q, poses.q);
}

TEST(IkBatch, NanStaysWhereItIs) {
  const Model model = load("panda_like");
  Poses poses(model, 100);
  const Solved good(model, poses, 1);
  poses.T[16 * 40 + 13] = std::numeric_limits<double>::quiet_NaN();
  const Solved bad(model, poses, 1);
  EXPECT_FALSE(bad.results[40].solved);
  for (std::size_t i = 0; i < good.q.size(); ++i) {
    if (i / 7 == 40)
      EXPECT_TRUE(std::isnan(bad.q[i]));
    else
      EXPECT_EQ(good.q[i], bad.q[i]);
  }
}

TEST(IkBatch, RefusesWrongShapes) {
  const Model model = load("panda_like");
  IkBatch batch(model, {pose_target(model.tip(), {})});
  std::vector<double> T(32), q(14);
  std::vector<IkResult> results(2), few(1);
  EXPECT_THROW(batch.solve({T.data(), 12, 2}, {q.data(), 7, 2}, results), std::invalid_argument);
  EXPECT_THROW(batch.solve({T.data(), 16, 2}, {q.data(), 6, 2}, results), std::invalid_argument);
  EXPECT_THROW(batch.solve({T.data(), 16, 2}, {q.data(), 7, 2}, few), std::invalid_argument);
  EXPECT_THROW(batch.solve({T.data(), 16, 2}, {q.data(), 7, 1}, {q.data(), 7, 2}, results), std::invalid_argument);
  IkBatchOptions options;
  options.threads = -1;
  EXPECT_THROW(IkBatch(model, {pose_target(model.tip(), {})}, options), InputError);
}

}  // namespace
}  // namespace ulna

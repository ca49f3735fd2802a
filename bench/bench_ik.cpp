// Inverse kinematics of random reachable poses, against KDL's two solvers in the same run. A pose is solved where the
// position that comes out is within the limits (whole turns aside) and brings the tip to 1e-6 m and 1e-6 rad, by Ulna's
// forward kinematics. Markdown on stdout. Usage: bench_ik [POSES [ROBOT…]]
//
// KDL starts in the middle of the ranges, as its users do; Ulna without a start, by its own table. Times are of single
// calls, ratios those of the medians where both solve. The batch is on one core.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "peers/kdl_robot.hpp"
#include "peers/rounds.hpp"
#include "ulna/batch/ik_batch.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/spatial/lie.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

constexpr double tolerance = 1e-6, rounding = 1e-12;

/// What one solver did to every pose.
struct Column {
  std::string name;
  std::vector<bool> solved;
  std::vector<double> microseconds;
};

class IkRace {
 public:
  IkRace(const std::string& robot, int count) : graph_(load_graph(robot)), model_(build(graph_)), kinematics_(model_) {
    std::mt19937_64 generator(20260025);
    for (int k = 0; k < count; ++k) {
      kinematics_.update_positions(random_position(model_, generator));
      poses_.push_back(kinematics_.pose(model_.tip()));
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(model_.nq()); ++k) {
      const double middle = 0.5 * (model_.lower_limits()[k] + model_.upper_limits()[k]);
      middle_.push_back(std::isfinite(middle) ? middle : 0.0);
    }
  }

  void run() {
    InverseKinematics solver(model_, {pose_target(model_.tip(), Pose<double>::identity())});
    race("ulna", [&](const Pose<double>& pose, std::span<double> q) { solver.solve({&pose, 1}, {}, q); });
    batch();
#ifdef ULNA_HAVE_KDL
    const auto kdl = peers::make_kdl_ik(graph_, model_);
    if (kdl == nullptr) return;
    race("kdl NR_JL", [&](const Pose<double>& pose, std::span<double> q) { kdl->solve_newton(pose, middle_, q); });
    race("kdl LMA", [&](const Pose<double>& pose, std::span<double> q) { kdl->solve_levenberg(pose, middle_, q); });
#endif
  }

  void print() const {
    for (const Column& column : columns_) {
      Times all, own, ulna;  // the last two where both solve
      std::size_t solved = 0;
      for (std::size_t k = 0; k < poses_.size(); ++k) {
        all.add(column.microseconds[k]);
        solved += column.solved[k] ? 1U : 0U;
        if (!column.solved[k] || !columns_[0].solved[k]) continue;
        own.add(column.microseconds[k]);
        ulna.add(columns_[0].microseconds[k]);
      }
      fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.1f} | {} |\n", model_.name(), column.name,
                 100.0 * static_cast<double>(solved) / static_cast<double>(poses_.size()), all.median(),
                 all.quantile(0.99), own.empty() ? 0.0 : own.median() / ulna.median(),
                 column.name == "ulna" ? fmt::format("{:.2f}", batch_microseconds_) : "");
    }
  }

 private:
  bool is_solved(const Pose<double>& pose, std::vector<double> q) {
    for (const Body& body : model_.bodies()) {
      const auto k = static_cast<std::size_t>(body.q_index);
      const double low = model_.lower_limits()[k], high = model_.upper_limits()[k];
      if (is_hinge(body.kind)) q[k] = middle_[k] + std::remainder(q[k] - middle_[k], 2.0 * std::numbers::pi);
      if (!(q[k] >= low - rounding && q[k] <= high + rounding)) return false;
    }
    kinematics_.update_positions(q);
    const Pose<double> at = kinematics_.pose(model_.tip());
    return norm(at.p - pose.p) <= tolerance + rounding &&
           norm(log_rotation(transpose(at.R) * pose.R)) <= tolerance + rounding;
  }

  template <class Solve>
  void race(const std::string& name, const Solve& solve) {
    Column column{name, {}, {}};
    std::vector<double> q(middle_);
    for (const Pose<double>& pose : poses_) {
      std::ranges::copy(middle_, q.begin());  // joints off the way to the tip stay there
      column.microseconds.push_back(1e-3 * time_block(1, [&] { solve(pose, q); }));
      column.solved.push_back(is_solved(pose, q));
    }
    columns_.push_back(std::move(column));
  }

  void batch() {
    std::vector<double> T;
    for (const Pose<double>& pose : poses_)
      for (const Vec3<double>& part : {pose.R.column_x(), pose.R.column_y(), pose.R.column_z(), pose.p})
        T.insert(T.end(), {part.x, part.y, part.z, 0.0});
    const int n = static_cast<int>(poses_.size());
    std::vector<double> q(middle_.size() * poses_.size());
    std::vector<IkResult> results(poses_.size());
    IkBatchOptions options;
    options.threads = 1;
    IkBatch batch(model_, {pose_target(model_.tip(), Pose<double>::identity())}, options);
    Times times;
    for (int round = 0; round < 5; ++round)
      times.add(1e-3 / n * time_block(1, [&] { batch.solve({T.data(), 16, n}, {q.data(), model_.nq(), n}, results); }));
    batch_microseconds_ = times.median();
  }

  Graph graph_;
  Model model_;
  Kinematics<double> kinematics_;
  std::vector<Pose<double>> poses_;
  std::vector<double> middle_;
  std::vector<Column> columns_;
  double batch_microseconds_ = 0.0;
};

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? rounds_of(argv[1]) : 10000;
  if (count == 0) {
    fmt::print(stderr, "usage: bench_ik [POSES [ROBOT…]]\n");
    return 2;
  }
  std::vector<std::string> robots(argv + std::min(argc, 2), argv + argc);
  if (robots.empty()) robots = {"panda_like", "ur5_like", "kuka_lwr4", "puma560"};
  fmt::print(
      "| robot | solver | solved % | median µs | 99 % within µs | times Ulna's median, both solved | batch µs per pose "
      "|\n"
      "|---|---|---|---|---|---|---|\n");
  for (const std::string& robot : robots) {
    IkRace race(robot, count);
    race.run();
    race.print();
  }
}

#include "ulna/batch/ik_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/expect_threads.hpp"
#include "kinematics/ik_refine.hpp"
#include "kinematics/ik_search.hpp"
#include "threaded_call.hpp"

namespace ulna {

namespace {

constexpr int numbers_per_pose = 16;

Pose<double> pose_at(const double* T) {
  return {Mat3<double>::from_columns(Vec3<double>::load(T), Vec3<double>::load(T + 4), Vec3<double>::load(T + 8)),
          Vec3<double>::load(T + 12)};
}

/// What a call is about.
struct IkCall {
  MatrixView<const double> poses, starts;
  MatrixView<double> q;
  std::span<IkResult> results;
};

/// A piece of a call on one thread.
class IkPiece final : public IkJobs {
 public:
  static constexpr std::size_t most = 512;  // lanes run empty at the end of a piece: for some hundredths of its time

  explicit IkPiece(const IkProblem& problem)
      : problem_(problem), search_(problem), refiner_(problem), poses_(most * problem.targets.size()) {
    jobs_.reserve(most);
  }

  void run(const IkCall& call, std::size_t first, std::size_t last) {
    call_ = &call;
    jobs_.clear();
    for (std::size_t k = first; k < last; ++k) take(k);
    search_.solve_each(*this, 0, jobs_.size());
    for (std::size_t k = 0; k < jobs_.size(); ++k) finish(k);
  }

  IkJob at(std::size_t k) const override {
    const auto column = static_cast<int>(jobs_[k]);
    return {poses_of(k), start(column), problem_.options.starts, call_->q.column(column), &call_->results[jobs_[k]]};
  }

 private:
  std::span<const Pose<double>> poses_of(std::size_t k) const {
    const std::size_t targets = problem_.targets.size();
    return std::span<const Pose<double>>(poses_).subspan(k * targets, targets);
  }
  const double* start(int column) const { return call_->starts.cols > 0 ? call_->starts.column(column) : nullptr; }

  void take(std::size_t k) {
    const auto column = static_cast<int>(k);
    const std::size_t targets = problem_.targets.size();
    const std::span<Pose<double>> own = std::span(poses_).subspan(jobs_.size() * targets, targets);
    for (std::size_t t = 0; t < targets; ++t)
      own[t] = pose_at(call_->poses.column(column) + numbers_per_pose * static_cast<int>(t));
    const bool good = problem_.are_poses(own) &&
                      (start(column) == nullptr ||
                       problem_.is_position({start(column), static_cast<std::size_t>(call_->starts.rows)}));
    if (good) return jobs_.push_back(k);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    std::fill_n(call_->q.column(column), call_->q.rows, nan);
    call_->results[k] = {false, nan, nan, 0};
  }

  void finish(std::size_t k) {
    const IkJob job = at(k);
    const std::span<double> q(job.q, static_cast<std::size_t>(problem_.model.nq()));
    if (!job.result->solved && problem_.options.nearest) {
      const int starts = job.result->starts;
      refiner_.set_target(job.poses);
      *job.result = refiner_.descend(q);
      job.result->starts = starts;
    }
    bring_into_limits(problem_.model, job.start == nullptr ? std::span<const double>{} : std::span(job.start, q.size()),
                      q);
  }

  const IkProblem& problem_;
  IkSearch search_;
  IkRefiner refiner_;
  const IkCall* call_ = nullptr;
  std::vector<Pose<double>> poses_;
  std::vector<std::size_t> jobs_;  // columns of the call
};

}  // namespace

struct [[gnu::visibility("hidden")]] IkBatch::Implementation {
  Implementation(const Model& model, std::vector<IkTarget> targets, IkBatchOptions o)
      : options(std::move(o)),
        problem(model, std::move(targets), options),
        threads(batch::threads_of(options.threads)),
        arena(threads) {
    expect_threads(options.threads);
    for (int k = 0; k < threads; ++k) pieces.push_back(std::make_unique<IkPiece>(problem));
  }

  void run(const IkCall& call) {
    const int n = call.poses.cols;
    const auto expect = [&](const char* name, const auto& matrix, int rows) {
      if (matrix.rows != rows || matrix.cols != n)
        throw std::invalid_argument(
            fmt::format("{} is {} × {} and must be {} × {}", name, matrix.rows, matrix.cols, rows, n));
    };
    expect("the matrix of poses", call.poses, numbers_per_pose * static_cast<int>(problem.targets.size()));
    expect("q", call.q, problem.model.nq());
    if (call.starts.cols != 0) expect("the matrix of starts", call.starts, problem.model.nq());
    if (call.results.size() != static_cast<std::size_t>(n))
      throw std::invalid_argument(fmt::format("there is room for {} results of {}", call.results.size(), n));
    const auto count = static_cast<std::size_t>(n);
    // Few poses are shared out too: one takes a microsecond or two, as waking a thread does.
    const std::size_t piece = std::clamp<std::size_t>(count / static_cast<std::size_t>(4 * threads), 64, IkPiece::most);
    batch::for_pieces(arena, count <= piece ? 1 : threads, (count + piece - 1) / piece, options.proceed,
                      [&](std::size_t thread, std::size_t k) {
                        pieces[thread]->run(call, k * piece, std::min((k + 1) * piece, count));
                      });
  }

  IkBatchOptions options;
  IkProblem problem;
  int threads;
  Arena arena;
  std::vector<std::unique_ptr<IkPiece>> pieces;
};

IkBatch::IkBatch(const Model& model, std::vector<IkTarget> targets, IkBatchOptions options)
    : implementation_(std::make_unique<Implementation>(model, std::move(targets), std::move(options))) {}
IkBatch::IkBatch(IkBatch&&) noexcept = default;
IkBatch& IkBatch::operator=(IkBatch&&) noexcept = default;
IkBatch::~IkBatch() = default;

void IkBatch::solve(In poses, Out q, std::span<IkResult> results) {
  implementation_->run({poses, {nullptr, 0, 0}, q, results});
}
void IkBatch::solve(In poses, In starts, Out q, std::span<IkResult> results) {
  if (starts.cols != poses.cols) throw std::invalid_argument("there is not one start for each pose");
  implementation_->run({poses, starts, q, results});
}

}  // namespace ulna

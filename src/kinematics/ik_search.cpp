#include "ik_search.hpp"

#include <cmath>
#include <limits>

#include "ik_lanes.hpp"

namespace ulna {

namespace {

/// As many lanes as fill the registers.
#if defined(__AVX512F__)
using IkPack = Pack<double, 8>;
#else
using IkPack = PackDouble;
#endif

constexpr int lanes = Lanes<IkPack>::count;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// One way from a start: it is given up where the error no longer falls as it does near a solution.
class IkAttempt {
 public:
  /// Whether to give up, asked once after each evaluation.
  bool stalls(double cost) {
    if (++steps_ % steps_between != 0) return !(cost < infinite);
    const bool falls = cost < least_fall * before_;
    before_ = cost;
    return !falls || steps_ >= most_steps;
  }

 private:
  static constexpr int steps_between = 4, most_steps = 32;
  static constexpr double least_fall = 0.3;
  int steps_ = 0;
  double before_ = infinite;
};

struct IkLane {
  enum class State { resting, searching, given_up, done } state = State::resting;
  IkJob job{};
  IkStarts::Order order{};
  int begun = 0;  // starts
  IkAttempt attempt{};
  double least = infinite;  // cost of the best end so far
};

}  // namespace

class IkSearch::Implementation {
 public:
  explicit Implementation(const IkProblem& problem) : problem_(problem), steps_(problem) {}

  void solve(const IkJob& job);
  void solve_each(const IkJobs& jobs, std::size_t first, std::size_t last);

 private:
  using State = IkLane::State;
  IkLane& at(int lane) { return lanes_[static_cast<std::size_t>(lane)]; }

  void begin_job(int lane, const IkJob& job, const IkStarts::Order& order) {
    IkLane& own = at(lane);
    own.job = job;
    own.order = order;
    own.begun = 0;
    own.least = infinite;
    steps_.set_target(lane, job.poses);
  }
  void begin_start(int lane, int k) {
    IkLane& own = at(lane);
    const bool is_given = own.job.start != nullptr && k == 0;
    const auto place = static_cast<std::size_t>(own.job.start != nullptr ? k - 1 : k);
    steps_.set_position(lane,
                        is_given ? own.job.start : problem_.starts.position(problem_.starts.index(own.order, place)));
    own.attempt = {};
    own.state = State::searching;
  }
  void put_result(int lane, bool solved, int starts) {
    const IkJob& job = at(lane).job;
    *job.result = {solved, std::sqrt(steps_.position_error_squared(lane)),
                   std::sqrt(steps_.orientation_error_squared(lane)), starts};
    steps_.get_position(lane, job.q);
  }
  /// After an evaluation: arrives, gives up or goes on. `least` is the cost of the best end of the job.
  void judge(int lane, double& least, int starts) {
    IkLane& own = at(lane);
    if (own.state != State::searching) return;
    if (steps_.meets_tolerances(lane)) {
      own.state = State::done;
    } else if (own.attempt.stalls(steps_.cost(lane))) {
      own.state = State::given_up;
      if (!(steps_.cost(lane) < least)) return;
      least = steps_.cost(lane);
      put_result(lane, false, starts);
    }
  }

  const IkProblem& problem_;
  IkLanes<IkPack> steps_;
  std::array<IkLane, static_cast<std::size_t>(lanes)> lanes_;
};

void IkSearch::Implementation::solve(const IkJob& job) {
  const IkStarts::Order order = problem_.starts.best(job.poses);
  int begun = 0;
  double least = infinite;
  for (int lane = 0; lane < lanes; ++lane) {
    begin_job(lane, job, order);
    at(lane).begun = begun;
    begin_start(lane, begun++);
  }
  for (bool some_search = true; some_search;) {
    steps_.evaluate();
    int winner = -1;
    for (int lane = 0; lane < lanes; ++lane) {
      judge(lane, least, begun);
      if (at(lane).state == State::done && (winner < 0 || at(lane).begun < at(winner).begun)) winner = lane;
    }
    if (winner >= 0) return put_result(winner, true, begun);
    steps_.step();
    some_search = false;
    for (int lane = 0; lane < lanes; ++lane) {
      if (at(lane).state == State::given_up && begun < job.starts) {
        at(lane).begun = begun;
        begin_start(lane, begun++);
      }
      some_search = some_search || at(lane).state == State::searching;
    }
  }
  job.result->starts = begun;
}

void IkSearch::Implementation::solve_each(const IkJobs& jobs, std::size_t first, std::size_t last) {
  for (IkLane& lane : lanes_) lane.state = State::done;
  for (bool some_search = true; some_search;) {
    some_search = false;
    for (int lane = 0; lane < lanes; ++lane) {
      IkLane& own = at(lane);
      if (own.state == State::given_up && own.begun < own.job.starts) {
        begin_start(lane, own.begun++);
      } else if (own.state != State::searching && first < last) {
        const IkJob job = jobs.at(first++);
        begin_job(lane, job, problem_.starts.best(job.poses));
        begin_start(lane, own.begun++);
      }
      some_search = some_search || own.state == State::searching;
    }
    steps_.evaluate();
    for (int lane = 0; lane < lanes; ++lane) {
      IkLane& own = at(lane);
      const bool searched = own.state == State::searching;
      judge(lane, own.least, own.begun);
      if (searched && own.state == State::done) put_result(lane, true, own.begun);
      if (searched && own.state == State::given_up) own.job.result->starts = own.begun;
    }
    steps_.step();
  }
}

IkSearch::IkSearch(const IkProblem& problem) : implementation_(std::make_unique<Implementation>(problem)) {}
IkSearch::IkSearch(IkSearch&&) noexcept = default;
IkSearch::~IkSearch() = default;
void IkSearch::solve(const IkJob& job) { implementation_->solve(job); }
void IkSearch::solve_each(const IkJobs& jobs, std::size_t first, std::size_t last) {
  implementation_->solve_each(jobs, first, last);
}

}  // namespace ulna

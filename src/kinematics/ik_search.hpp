// Searches of inverse kinematics in the lanes of a pack: many starts of one target, or many targets.
#pragma once

#include <memory>

#include "ik_problem.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// One target's search.
struct IkJob {
  std::span<const Pose<double>> poses{};
  const double* start = nullptr;  // tried first; nullptr: none
  int starts = 0;                 // at most
  double* q = nullptr;            // receives the position, or the best so far
  IkResult* result = nullptr;
};

/// Where a thread finds the jobs of a list.
class IkJobs {
 public:
  virtual ~IkJobs() = default;
  virtual IkJob at(std::size_t k) const = 0;
};

class IkSearch {
 public:
  explicit IkSearch(const IkProblem& problem);
  IkSearch(IkSearch&&) noexcept;
  ~IkSearch();

  /// All lanes try starts of one target. The first that arrives wins; of several in the same step the earlier start.
  void solve(const IkJob& job);
  /// Jobs first … last − 1: each lane takes one after the other, and tries its starts in turn.
  void solve_each(const IkJobs& jobs, std::size_t first, std::size_t last);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ulna
#pragma GCC visibility pop

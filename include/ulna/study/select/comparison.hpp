// Arms beside each other: every criterion of each, which is better, and a ranking by weights that the
// user sets.
#pragma once

#include <array>

#include "ulna/study/select/survey.hpp"
#include "ulna/study/select/task.hpp"
#include "ulna/study/select/task_figures.hpp"
#include "ulna/study/select/workspace.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna::selection {

/// What is counted, in this order: gim, mci, id, fd.
inline constexpr std::array<Quantity, 4> counted{Quantity::mass_matrix, Quantity::convective_inertia,
                                                 Quantity::inverse_dynamics, Quantity::forward_dynamics};

/// Of the formulation that needs the fewest, with inertial parameters regrouped.
struct OperationCount {
  std::string method;
  int multiplications = 0, additions = 0, sincos = 0;  // divisions are among the multiplications

  int total() const { return multiplications + additions; }
};

/// Nanoseconds for the inverse dynamics of one state: the median of the rounds, and their quartiles.
struct CpuTime {
  double median = 0.0, low = 0.0, high = 0.0;
  bool own_code = false;  // compiled for this arm; otherwise the generic path
};

struct Candidate {
  Arm arm;
  std::array<OperationCount, counted.size()> operations{};
  reach::Volume workspace{};
  reach::Dexterity dexterity{};
  Survey survey{};
  TaskLoads loads{};
  std::optional<CpuTime> cpu{};
  TaskFigures figures{};
};

/// A row of the comparison. Values and errors are per arm; an infinite value is possible.
struct Criterion {
  std::string key, label, unit;
  bool more_is_better = true;
  double weight = 1.0;
  std::vector<double> values, errors;
  std::vector<bool> best;      // of the ranked arms; several where errors overlap, none where all are alike
  std::vector<double> shares;  // of the best value, 0 … 1: what the score is made of
};

struct Comparison {
  Task task;
  std::vector<Candidate> candidates;
  std::vector<Criterion> criteria;
  std::vector<double> scores;      // Σ weight·share / Σ weight
  std::vector<std::size_t> order;  // the ranked arms, the best first
  std::vector<std::size_t>
      apart;  // arms that cannot do the task or lack what is required (TaskLoads::broken): not ranked
};

using Weights = std::map<std::string, double>;

/// A criterion that an arm must meet to be ranked.
struct Requirement {
  std::string key{};
  bool above = false;  // the bound; otherwise below it
  double bound = 0.0;
};

/// What is computed of an arm beside its task, and with how many samples: a part of the usual ones, which the errors
/// tell. Dexterity takes the usual ones always.
struct WantedParts {
  bool operations = true, workspace = true, dexterity = true;
  bool means = true, greatest = true, places = true, inertia = true;  // of the survey
  bool reach = false, cycle_time = false, elasticity = false;         // of criteria that are there on request
  double effort = 1.0;
};

/// All but the time, which is measured for all arms together.
Candidate evaluate(Arm arm, const Task& task, const WantedParts& wanted, const KeepGoing& keep_going);

/// The same for many, on so many threads (0: as many as the machine has) and with the same result for any number.
/// `progress` is asked now and then, by one thread at a time, with the number of arms that are done; false ends the
/// work with Interrupted.
std::vector<Candidate> evaluate_all(std::vector<Arm> arms, const Task& task, const WantedParts& wanted, int threads,
                                    const std::function<bool(std::size_t done)>& progress);

/// Rounds over all candidates in turn, so that what disturbs the machine disturbs all alike.
void measure_cpu(std::vector<Candidate>& candidates, const KeepGoing& keep_going);

/// Throws InputError for arms that move in spaces of different dimension.
void expect_comparable(const std::vector<Arm>& arms);

/// Throws InputError, with the keys there are. `timed`: time is one of the criteria. Criteria on request are among
/// them: those of single joints are peak.JOINT, rms.JOINT, power.JOINT and energy.JOINT, with a joint's name or number.
void expect_criterion(const std::string& option, const std::string& key, bool timed);
/// Throws InputError for one that is none of the keys, and for a bound that is no number.
void expect_requirements(const std::vector<Requirement>& require, bool timed);
/// Throws InputError for a weight that is none of the keys or negative, and when all are zero.
void expect_weights(const Weights& weights, bool timed);

/// The rows, marked and ranked. `asked`: criteria on request, beside those of weights and requirements. An arm of which
/// one is not known stands apart.
Comparison compare(Task task, std::vector<Candidate> candidates, const Weights& weights,
                   const std::vector<Requirement>& require = {}, std::span<const std::string> asked = {});

}  // namespace ulna::selection

// A choice among arms, from the robots to the record: what `ulna select` does, without files and without a terminal.
#pragma once

#include <variant>

#include "ulna/model/payload.hpp"
#include "ulna/study/select/sweep.hpp"

namespace ulna::selection {

/// A bundled name or a path, or a robot made in code.
using Entrant = std::variant<std::string, Graph>;

/// The range of a joint instead of its limits.
struct GivenRange {
  std::string robot{};  // empty: all that have the joint
  std::string joint{};
  WrittenNumber low{}, high{};
};
/// `name` is JOINT or ROBOT.JOINT.
GivenRange given_range(const std::string& name, WrittenNumber low, WrittenNumber high);

/// Between a joint's motor and its link, N·m/rad or N/m.
struct GivenStiffness {
  std::string robot{};  // empty: all that have the joint
  std::string joint{};  // empty: all joints that have none of their own
  double value = 0.0;
};
/// `name` is empty, JOINT or ROBOT.JOINT.
GivenStiffness given_stiffness(const std::string& name, double value);

struct Selection {
  std::vector<Entrant> robots{};
  Task task = default_task();
  std::vector<Payload> payloads{};
  std::vector<GivenRange> ranges{};
  std::vector<GivenStiffness> stiffness{};  // beside that of elastic joints of the files
  Weights weights{};                        // 1 for what is not in it
  std::vector<Requirement> require{};
  std::vector<SweptNumber> vary{};  // numbers of the robot files, each in `steps` values: variants instead of robots
  int steps = 5;
  std::vector<DesignRule> rules{};                           // numbers that follow from those that vary
  std::array<std::string, 2> pareto{"workspace", "energy"};  // criteria of the front among variants
  // Criteria beside those of the front, the weights and the requirements: on request, or of a DesignSweep; "all" for
  // all the usual ones.
  std::vector<std::string> criteria{};
  // Of a DesignSweep: samples of each arm, as a part of the usual ones; 0: all up to `most_variants` arms, 0.02 beyond.
  double effort = 0.0;
  bool cpu = true;  // measure the time of the inverse dynamics; that of variants is not measured
};

struct SelectOptions {
  int threads = 0;  // 0: as many as the machine has
  /// Asked now and then, by one thread at a time, with the number of arms that are done; false ends the work with
  /// Interrupted.
  std::function<bool(std::size_t done, std::size_t all)> proceed{};
};

struct SelectRecord {
  Comparison comparison{};
  Sweep sweep{};  // without swept numbers: robots as they are
};

/// Arms with their ranges, ready to be compared.
struct PreparedSelection {
  Selection selection;
  std::vector<Arm> arms{};
  Sweep sweep{};

  /// Whether time is one of the criteria.
  bool timed() const { return selection.cpu && selection.vary.empty(); }
};

/// Throws InputError for what cannot be compared, with the parameter that is wrong.
PreparedSelection prepare(Selection selection);
SelectRecord run(PreparedSelection prepared, const SelectOptions& options = {});
SelectRecord run(const Selection& selection, const SelectOptions& options = {});

}  // namespace ulna::selection

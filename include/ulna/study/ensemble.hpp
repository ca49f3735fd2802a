// An ensemble from its scenario to its record: what `ulna simulate` does for many runs, without files and without a
// terminal.
#pragma once

#include <functional>
#include <memory>

#include "ulna/study/scenario.hpp"

namespace ulna {

/// A scenario's ensemble with its robot built and its variations understood, ready to run. Each part refers to those
/// before it, so that it stays where it is.
struct PreparedEnsemble {
  /// Throws InputError with the key that is wrong.
  explicit PreparedEnsemble(Scenario given);
  /// For a robot that is in no file (robot_of).
  PreparedEnsemble(Scenario given, const Graph& robot);
  PreparedEnsemble(const PreparedEnsemble&) = delete;
  PreparedEnsemble& operator=(const PreparedEnsemble&) = delete;

  const Scenario scenario;
  const Graph graph;
  const Model model;
  const VariedRuns varied;
  const EnsembleSetup setup;

 private:
  struct Ready {};
  PreparedEnsemble(Ready, Scenario given, Graph robot);
};

struct EnsembleOptions {
  bool compiled = false;               // by the robot's own code, always; without it where the work is long enough
  int threads = 0;                     // 0: as many as the machine has
  EnsembleJournal* journal = nullptr;  // where runs are kept as they end
  /// Asked now and then, by one thread at a time; the ensemble ends when it returns false.
  std::function<bool(const EnsembleProgress&)> proceed{};
};

/// The run that the others differ from, to be drawn; empty where it could not be made, and the note says why.
struct NominalRun {
  std::vector<double> times{}, positions{};
  std::string note{};
};

/// What an ensemble was and how its runs ended; everything that is needed to repeat it.
struct EnsembleRecord {
  std::shared_ptr<const PreparedEnsemble> prepared{};
  EnsembleResult result{};
  NominalRun nominal{};

  std::size_t count(RunStatus status) const;
  /// All completed, some not, or interrupted.
  RunStatus status() const;
  /// The first runs that neither completed nor were interrupted, at most so many.
  std::vector<std::size_t> failed(std::size_t most) const;
};

/// The statuses that a run can have, as ensemble.h5 numbers them.
std::span<const RunStatus> run_statuses();

/// Throws InputError for what run_ensemble() would refuse at once.
void check_options(const PreparedEnsemble& prepared, const EnsembleOptions& options);

/// What runs a prepared ensemble with these options.
EnsembleSetup setup_of(const PreparedEnsemble& prepared, const EnsembleOptions& options);
/// Where `proceed` ends it, what there is.
NominalRun simulate_nominal(const PreparedEnsemble& prepared, const std::function<bool()>& proceed = {});

/// All runs of the scenario's `ensemble`. Throws InputError for what cannot be run at all; what goes wrong in a run is
/// in its result.
EnsembleRecord run_ensemble(const Scenario& scenario, const EnsembleOptions& options = {});
EnsembleRecord run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const EnsembleOptions& options = {});

}  // namespace ulna

// An ensemble: many simulations of one robot that differ in their start, torques, drives, friction or masses.
//
// Runs go in packs: a worker holds four of them in the lanes of one pack, each with steps of its own, and a lane
// whose run has ended takes the next one at once. What a lane computes depends on nothing in the other lanes, so that
// every run comes out the same to the bit whatever the number of threads and whoever its neighbours are.
// doc/ensembles.md says which runs go in packs and which through simulate(), each on its own.
#pragma once

#include "ulna/simulate/simulation.hpp"

namespace ulna {

/// The random numbers of a run.
struct DrawnNumbers {
  std::vector<double> values{};
  long repeated = 0;  // draws that were repeated because no robot can have them
};

/// What one run has of its own; what is left empty is as in the nominal run.
struct EnsembleRun {
  std::vector<double> q0{}, v0{};
  std::optional<DriveSpec> drive{};  // of the nominal one's kind
  ExtraFriction friction{};
  std::optional<std::uint64_t> seed{};  // of the noise
  /// A run with a robot of its own goes on its own, unless EnsembleSetup::varied_bodies says in what robots differ: one
  /// that differs otherwise ends the ensemble with InputError. Drives compute with the nominal robot, as a controller
  /// that does not know better.
  std::shared_ptr<const Model> model{};
  DrawnNumbers drawn{};  // what it was made of, for its result
};

/// Whether packs run by the robot's own compiled code (trace/compiled.hpp).
enum class EnsembleCode {
  automatic,  // where the work is long enough to pay for the compiler
  generic,
  compiled,
};

struct EnsembleRunResult {
  RunStatus status = RunStatus::interrupted;
  double time = 0.0;  // reached
  std::string reason = "not run";
  long steps = 0, rejected = 0;
  std::vector<double> q{}, v{};  // at the end
  double energy = 0.0;           // at the end, J
  DrawnNumbers drawn{};          // none: it never began, or came from the journal
};

/// Where runs are kept as they end, so that an ensemble that was cut off can be taken up again.
class EnsembleJournal {
 public:
  EnsembleJournal() = default;
  virtual ~EnsembleJournal() = default;
  EnsembleJournal(const EnsembleJournal&) = delete;
  EnsembleJournal& operator=(const EnsembleJournal&) = delete;

  /// Before any run: how they are computed, "compiled" or the formulation; runs of another kind would not fit.
  virtual void begin(std::string_view method) = 0;
  /// Run k as it ended earlier, with its kept samples; false if it did not.
  virtual bool recall(std::size_t k, EnsembleRunResult& run, std::span<double> samples) = 0;
  /// Run k has ended, and not because it was interrupted. Called by one thread at a time.
  virtual void keep(std::size_t k, const EnsembleRunResult& run, std::span<const double> samples) = 0;
};

struct EnsembleSetup {
  SimulationSetup nominal{};
  std::size_t runs = 0;
  /// What run k has of its own; none: all are alike. Asked once per run, by several threads.
  std::function<EnsembleRun(std::size_t k)> vary{};
  bool own_robots = false;           // runs bring robots of their own: they go in packs only …
  std::vector<int> varied_bodies{};  // … if they differ in these bodies' inertias alone, and by compiled code
  std::vector<std::string> keep{};   // names of columns (trajectory_columns) to keep of every sample
  int threads = 0;                   // 0: as many as the machine has
  EnsembleCode code = EnsembleCode::automatic;
  double most_bytes = 4e9;             // more than this is refused
  EnsembleJournal* journal = nullptr;  // if there is one, it must live as long
};

struct EnsembleResult {
  std::vector<EnsembleRunResult> runs{};
  std::vector<Column> columns{};  // what was kept …
  std::vector<double> times{};    // … at these times
  std::vector<double> samples{};  // run by run, time by time, column by column; NaN after the end of a run
  std::string method{};           // formulation of the forward dynamics, or "compiled"
  std::string note{};             // why runs did not go in packs or code was not compiled; else empty
  bool packed = false;            // runs went in packs
  int threads = 1;
  double wall = 0.0;  // seconds

  std::span<const double> sample(std::size_t run, std::size_t time) const {
    return std::span<const double>(samples).subspan((run * times.size() + time) * columns.size(), columns.size());
  }
};

struct EnsembleProgress {
  std::size_t finished, runs;
  std::size_t recalled;  // of those finished: from the journal
  double wall;
};

/// `proceed` is asked now and then, by one thread at a time, and ends the work by returning false: runs under way are
/// `interrupted`, and so are those that never began.
using EnsembleProceed = std::function<bool(const EnsembleProgress&)>;

/// An ensemble part by part, by workers and code that are made once for all parts.
class EnsembleRunner {
 public:
  /// Throws InputError for what cannot be run at all; what goes wrong in a run is in its result. The model must live
  /// as long.
  EnsembleRunner(const Model& model, EnsembleSetup setup);
  ~EnsembleRunner();
  EnsembleRunner(const EnsembleRunner&) = delete;
  EnsembleRunner& operator=(const EnsembleRunner&) = delete;

  /// What all parts have in common: columns, times, method; no runs.
  const EnsembleResult& frame();
  /// The runs from `first` on, so many, which are the same in whatever part.
  EnsembleResult run(std::size_t first, std::size_t count, const EnsembleProceed& proceed = {});

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;
};

/// Runs all.
EnsembleResult simulate_ensemble(const Model& model, const EnsembleSetup& setup, const EnsembleProceed& proceed = {});

/// Empty, or why runs of this setup cannot share a pack.
std::string pack_refusal(const Model& model, const EnsembleSetup& setup);

}  // namespace ulna

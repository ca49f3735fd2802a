// What the workers of an ensemble share: the runs that are left, the places for results, and when to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "ulna/batch/ensemble.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

class EnsembleWork {
 public:
  EnsembleWork(const Model& model, EnsembleSetup setup);

  /// Throws InputError if so many at once need too much.
  void expect_memory(std::size_t runs) const;
  /// A part of the ensemble, in the place of the part before.
  void begin(std::size_t first, std::size_t count, const EnsembleProceed& proceed);

  const Model& model() const { return model_; }
  const SimulationSetup& nominal() const { return setup_.nominal; }
  const std::vector<std::size_t>& kept() const { return kept_; }
  const std::vector<double>& times() const { return frame_.times; }

  /// The next run that nobody has begun, if any.
  std::optional<std::size_t> take();
  /// With the nominal start where it has none of its own. Throws InputError for what does not fit the robot.
  EnsembleRun run(std::size_t k) const;
  /// One that is as the nominal run.
  EnsembleRun blank() const;
  /// The nominal actions with what the run has of its own.
  Actions actions(const EnsembleRun& run) const;
  /// True: the run is none for a pack, and done.
  bool deal_with(std::size_t k, const EnsembleRun& run);
  EnsembleRunResult& result(std::size_t k) { return result_.runs[k - first_]; }
  /// Keeps what was asked for of a row of trajectory_columns().
  template <class At>
  void keep(std::size_t k, std::size_t sample, const At& at) {
    double* place = &result_.samples[((k - first_) * result_.times.size() + sample) * kept_.size()];
    for (const std::size_t column : kept_) *place++ = at(column);
  }
  /// Run k has its result. Throws what the journal throws.
  void finished(std::size_t k);
  /// Takes the runs that the journal knows as they are; before any other begins.
  void recall(std::string_view method);
  /// Asks the caller, unless another worker is just asking.
  bool goes_on();
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// A run by itself, through simulate().
  void run_alone(std::size_t k, const EnsembleRun& run);
  double wall() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
  /// What all parts have in common, and the part that was begun.
  EnsembleResult& frame() { return frame_; }
  EnsembleResult& part() { return result_; }
  const EnsembleSetup& setup() const { return setup_; }

 private:
  void expect_fit(const EnsembleRun& run) const;
  void plan_samples();
  std::span<double> samples_of(std::size_t k);

  Model model_;
  EnsembleSetup setup_;
  const EnsembleProceed* proceed_ = nullptr;
  std::vector<std::size_t> kept_;
  EnsembleResult frame_, result_;
  std::size_t first_ = 0;       // run of the part
  std::vector<bool> recalled_;  // empty, or for each run of the part whether the journal knew it
  std::size_t recalled_count_ = 0;
  std::atomic<std::size_t> next_{0}, finished_{0};
  std::atomic<bool> stopped_{false};
  std::mutex asking_, keeping_;
  std::chrono::steady_clock::time_point began_;
};

/// Kinetic and potential.
double energy_of(const Model& model, std::span<const double> q, std::span<const double> v);

}  // namespace ulna
#pragma GCC visibility pop

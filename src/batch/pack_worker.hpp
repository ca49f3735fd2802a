// PackWorker: runs in the lanes of one pack, each at its own pace, refilled as they end.
#pragma once

#include "batch/ensemble_work.hpp"
#include "batch/varied_forward.hpp"
#include "simulate/effort.hpp"
#include "simulate/motion_row.hpp"
#include "ulna/integrate/paced_runge_kutta.hpp"
#include "ulna/simulate/action_schedule.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// The equations of four runs side by side.
class PackOde final : public Ode<PackDouble> {
 public:
  PackOde(const Model& model, std::unique_ptr<Method<PackDouble>> forward, const Actions& actions);

  std::size_t size() const override { return 2 * nv_ + work_count; }
  std::size_t controlled() const override { return 2 * nv_; }
  void rhs(const PackDouble& t, std::span<const PackDouble> y, std::span<PackDouble> dy) override {
    equations_.evaluate(t, y, dy);
  }
  Equations<PackDouble>& equations() { return equations_; }

 private:
  std::size_t nv_;
  Equations<PackDouble> equations_;
};

class PackWorker {
 public:
  PackWorker(EnsembleWork& work, std::unique_ptr<Method<PackDouble>> forward);
  /// For runs with robots of their own.
  PackWorker(EnsembleWork& work, std::unique_ptr<VariedForward> forward);

  /// Takes runs until none is left or the ensemble is stopped.
  void operator()();

 private:
  static constexpr int lanes = PackDouble::lanes;
  struct Lane {
    bool busy = false;
    std::size_t run = 0, samples = 0;
    std::optional<ActionSchedule> schedule;
    ReferencePointer reference;
    std::shared_ptr<const Model> robot;  // the run's own; null: the ensemble's
    std::optional<Effort> effort;
    double next_break = 0.0;
    long steps_before = 0, rejected_before = 0;
  };
  Lane& lane(int i) { return lanes_[static_cast<std::size_t>(i)]; }
  const Model& robot_of(const Lane& lane) const { return lane.robot != nullptr ? *lane.robot : model_; }
  bool some_busy() const;

  /// The next run into a lane, or rest.
  void fill(int i);
  void begin(int i, std::size_t k, const EnsembleRun& run);
  void rest(int i);
  /// From t on other actions hold, and the lane starts anew from state_.
  void enter(int i, double t);
  void cross_breaks();
  /// Ends the lane's run if it is at its end or cannot go on.
  void settle(int i);
  /// See Effort.
  bool is_hopeless(int i);
  void finish(int i, RunStatus status, std::string reason);
  void interrupt();

  /// All samples that are due up to the lanes' times; those at a jump only after it.
  void record(bool after_breaks);
  bool is_due(int i, bool after_breaks);
  /// y_ at the lanes' own times t, `between` their steps' ends in some.
  void take_states(const PackDouble& t, bool between);
  /// The rows of trajectory_columns() at y_.
  void make_rows(const PackDouble& t);
  double value(std::size_t column, const PackDouble& t, int i) const;
  /// A lane's numbers into state_.
  void take_state(int i);
  double time(int i) const { return paced_.time(i); }

  EnsembleWork& work_;
  const Model& model_;
  VariedForward* varied_ = nullptr;  // ode_'s, or none
  std::size_t nv_;
  double duration_;
  PackOde ode_;
  PacedRungeKutta<PackDouble> paced_;
  std::array<Lane, static_cast<std::size_t>(lanes)> lanes_;
  PackDouble limits_;
  bool whole_rows_ = false;  // more is kept than positions and velocities
  MotionRow<PackDouble> row_;
  std::vector<PackDouble> y_, a_;
  PackDouble first_energy_;
  std::vector<double> state_, reference_;  // of one lane
  std::vector<PackDouble> references_;
};

}  // namespace ulna
#pragma GCC visibility pop

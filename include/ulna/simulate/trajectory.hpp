// Trajectory: the samples of a run. One schema for CSV, HDF5, the report and programs.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/integrate/integrator.hpp"
#include "ulna/model/build.hpp"
#include "ulna/simulate/thinned.hpp"

namespace ulna {

/// Changes whenever a column is renamed or means something else.
inline constexpr int trajectory_schema = 1;

struct Column {
  std::string name;   // q1, v1, tip_x …
  std::string label;  // for people: the joint's name
  std::string unit;
  std::string group;  // position, velocity, acceleration, torque, tip, tip_velocity, energy, work, balance, …
};

/// The columns of a robot's trajectory: t, q…, v…, a…, tau…, the tip's pose and velocity, energies,
/// works, the energy balance, the momentum of a free base, the reference where there is one, and for
/// loops the largest residual and each cut joint's reaction (LoopEquations::reaction).
std::vector<Column> trajectory_columns(const Model& model, bool with_reference);

/// What a group of columns is called for short: t, q, v, a, tau; the others by their names.
std::string_view short_name(std::string_view group);

/// The names of the columns that the words mean: a column's own name, or a group's short one. Throws InputError
/// that names the source.
std::vector<std::string> select_columns(std::span<const Column> columns, std::span<const std::string> words,
                                        const Source& source = {});

/// The columns of a mechanism that is led through a range (simulate/loop_sweep.hpp): t, q…, v…, a…, tau…,
/// the tip, `singularity`, residual and reactions.
std::vector<Column> sweep_columns(const Model& model);

/// Where a run is, after each step; `step` is 0 between the samples of one.
struct RunProgress {
  double t, step, wall;
  const IntegratorStatistics& statistics;
};

/// What receives a run's samples, one row after another.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// Once, before the first row: the columns that the rows have.
  virtual void begin(std::span<const Column>) {}
  virtual void record(std::span<const double> row) = 0;
  /// After each step of the integrator; between samples.
  virtual void step(const RunProgress&) {}
};

/// All samples of one run in memory.
class Trajectory final : public Recorder {
 public:
  /// The run says which columns there are.
  Trajectory() = default;
  /// For rows of one's own, or to insist on these columns.
  explicit Trajectory(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Throws std::invalid_argument where there is a run in it already, or where it was made for other columns.
  void begin(std::span<const Column> columns) override;
  /// Throws std::invalid_argument for a row that is not as wide as the columns are many.
  void record(std::span<const double> row) override;

  void step(const RunProgress& at) override { steps_.add(std::array{at.t, at.step, at.wall}); }

  std::span<const Column> columns() const { return columns_; }
  /// Rows of t, length and wall clock: all steps, or as evenly many of them as are worth a look.
  const Thinned<double>& steps() const { return steps_; }
  std::size_t size() const { return columns_.empty() ? 0 : rows_.size() / columns_.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span<const double>(rows_).subspan(i * columns_.size(), columns_.size());
  }
  /// The index of a column; throws std::invalid_argument for an unknown name.
  std::size_t column(std::string_view name) const;
  double at(std::size_t i, std::string_view name) const { return row(i)[column(name)]; }

 private:
  std::vector<Column> columns_;
  std::vector<double> rows_;
  Thinned<double> steps_{3, 20'000};
};

}  // namespace ulna

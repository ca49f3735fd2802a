#include "ulna/study/loop_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "joint_lookup.hpp"
#include "model/number_uses.hpp"
#include "simulate/start_state.hpp"
#include "ulna/loop/assembly_modes.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

std::vector<DrivenJoint> driven_joints(const LoopSweep& sweep, const Model& model) {
  std::vector<DrivenJoint> list;
  list.reserve(sweep.driven.size());
  const std::vector<NumberUse> uses = rate_uses(model);
  for (const DrivenRange& one : sweep.driven) {
    const std::string where = fmt::format("driven '{}'", one.joint);
    const int index = joint_index(model, one.joint, "driven");
    const NumberUse& use = uses[static_cast<std::size_t>(index)];
    const double to = resolve(one.to, use, where);  // first: in 0..90deg it is `to` that an error must show
    list.push_back({index, resolve(one.from, use, where), to});
    if (!std::isfinite(list.back().from) || !std::isfinite(to))
      throw InputError(fmt::format("{}: both ends of the range must be finite numbers", where));
    const auto same = [&](const DrivenJoint& other) { return other.v_index == list.back().v_index; };
    if (std::count_if(list.begin(), list.end(), same) > 1)
      throw InputError(fmt::format("{}: this joint is driven twice", where));
  }
  return list;
}

/// The given position with the driven joints where they begin.
std::vector<double> start_of(const LoopSweep& sweep, const Model& model, const std::vector<DrivenJoint>& driven) {
  std::vector<double> q = model.neutral();
  if (!sweep.q.empty()) {
    if (sweep.q.size() != q.size())
      throw InputError(
          fmt::format("q has {} number{}; give {}", sweep.q.size(), sweep.q.size() == 1 ? "" : "s", q.size()));
    const std::vector<NumberUse> uses = position_uses(model);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = resolve(sweep.q[k], uses[k], "q");
    expect_start_quaternions(model, q);
    normalise(model, q);
  }
  for (const DrivenJoint& one : driven)
    q[static_cast<std::size_t>(model.q_of_v()[static_cast<std::size_t>(one.v_index)])] = one.from;
  return q;
}

/// Least and greatest of each column on the way to another recorder.
class Ranges final : public Recorder {
 public:
  explicit Ranges(Recorder& next) : next_(next) {}

  void begin(std::span<const Column> columns) override {
    columns_.assign(columns.begin(), columns.end());
    low_.assign(columns.size(), HUGE_VAL);
    high_.assign(columns.size(), -HUGE_VAL);
    next_.begin(columns);
  }
  void record(std::span<const double> row) override {
    for (std::size_t k = 0; k < row.size(); ++k) {
      low_[k] = std::min(low_[k], row[k]);
      high_[k] = std::max(high_[k], row[k]);
    }
    next_.record(row);
  }

  std::vector<ColumnRange> interesting() const {
    std::vector<ColumnRange> list;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const bool driven = columns_[k].group == "torque" && (low_[k] != 0.0 || high_[k] != 0.0);
      if (columns_[k].group == "position" || driven) list.push_back({columns_[k], low_[k], high_[k]});
    }
    return list;
  }

 private:
  Recorder& next_;
  std::vector<Column> columns_;
  std::vector<double> low_, high_;
};

}  // namespace

std::vector<std::vector<double>> assembly_modes(const PreparedLoopSweep& prepared) {
  const Model& model = *prepared.model;
  std::vector<int> held;
  held.reserve(prepared.setup.driven.size());
  for (const DrivenJoint& one : prepared.setup.driven) held.push_back(one.v_index);
  std::vector<std::vector<double>> modes = assembly_modes(model, prepared.setup.start, held);
  if (modes.empty())
    throw InputError("no closed position was found with the driven joints where they begin; drive another range");
  LoopEquations equations(model);
  equations.update(modes[0]);
  const int mobility = loop_mobility(equations, model.nv()).mobility();
  if (mobility != static_cast<int>(held.size())) {
    throw InputError(
        fmt::format("the mechanism has {} degrees of freedom; assembly modes need as many driven joints", mobility));
  }
  return modes;
}

PreparedLoopSweep prepare(LoopSweep sweep) {
  auto model = std::make_shared<const Model>(build(sweep.robot));
  if (model->loops().empty())
    throw InputError(fmt::format("'{}' has no closed loops; a sweep is for mechanisms that have some", model->name()));
  if (sweep.steps < 1) throw InputError("a sweep needs one step at least");
  if (!(std::isfinite(sweep.time) && sweep.time > 0.0)) throw InputError("the time of a sweep must be positive");
  SweepSetup setup;
  setup.driven = driven_joints(sweep, *model);
  setup.start = start_of(sweep, *model, setup.driven);
  setup.steps = sweep.steps;
  setup.time = sweep.time;
  PreparedLoopSweep prepared{std::move(sweep), std::move(model), std::move(setup)};
  const int mode = prepared.sweep.mode;
  if (mode == 1) return prepared;
  const std::vector<std::vector<double>> modes = assembly_modes(prepared);
  if (mode < 1 || static_cast<std::size_t>(mode) > modes.size())
    throw InputError(fmt::format("mode {}: {} assembly modes were found", mode, modes.size()));
  prepared.setup.start = modes[static_cast<std::size_t>(mode) - 1];
  return prepared;
}

LoopRecord run(const PreparedLoopSweep& prepared, Recorder& recorder, const std::function<bool(double part)>& proceed) {
  LoopRecord record{prepared.sweep, prepared.model, {}, {}, {}};
  Ranges ranges(recorder);
  record.result = sweep_loops(*prepared.model, prepared.setup, ranges, proceed);
  record.ranges = ranges.interesting();
  return record;
}

LoopRecord run(const LoopSweep& sweep, const std::function<bool(double part)>& proceed) {
  Trajectory table;
  LoopRecord record = run(prepare(sweep), table, proceed);
  record.table = std::move(table);
  return record;
}

}  // namespace ulna

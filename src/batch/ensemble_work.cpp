#include "batch/ensemble_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/sample_times.hpp"
#include "ulna/base/error.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

namespace {

bool is_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Rows at the sample times; the row at an early end is none of them.
class KeptSamples final : public Recorder {
 public:
  KeptSamples(EnsembleWork& work, std::size_t run) : work_(work), run_(run) {}
  void record(std::span<const double> row) override {
    if (next_ == work_.times().size() || row[0] != work_.times()[next_]) return;
    work_.keep(run_, next_++, [&](std::size_t column) { return row[column]; });
  }

 private:
  EnsembleWork& work_;
  std::size_t run_, next_ = 0;
};

}  // namespace

double energy_of(const Model& model, std::span<const double> q, std::span<const double> v) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  return kinematics.kinetic_energy(v) + kinematics.gravity_energy() + kinematics.spring_energy(q);
}

EnsembleWork::EnsembleWork(const Model& model, EnsembleSetup setup)
    : model_(model), setup_(std::move(setup)), began_(std::chrono::steady_clock::now()) {
  SimulationSetup& nominal = setup_.nominal;
  check_setup(model_, nominal);
  expect_options(nominal.integrator, nominal.accuracy);
  if (model_.loops().empty()) resolve_method(nominal.method, Quantity::forward_dynamics, model_);
  if (!nominal.actions.believed) nominal.actions.believed = std::make_shared<const Model>(model_.tree());
  if (nominal.q0.empty()) nominal.q0 = model_.neutral();
  if (nominal.v0.empty()) nominal.v0.assign(static_cast<std::size_t>(model_.nv()), 0.0);
  // nobody hears of what would only be recorded
  if (nominal.at_limits == EventAction::record) nominal.at_limits = EventAction::ignore;
  std::erase_if(nominal.watched, [](const WatchedValue& watched) { return watched.action != EventAction::stop; });
  std::vector<int>& varied = setup_.varied_bodies;
  std::sort(varied.begin(), varied.end());
  varied.erase(std::unique(varied.begin(), varied.end()), varied.end());
  if (!varied.empty() && (varied.front() < 0 || varied.back() >= std::ssize(model_.bodies())))
    throw InputError("a body whose inertia is to vary is one that this robot lacks");
  plan_samples();
}

void EnsembleWork::begin(std::size_t first, std::size_t count, const EnsembleProceed& proceed) {
  began_ = std::chrono::steady_clock::now();
  proceed_ = &proceed;
  first_ = first;
  result_ = frame_;
  result_.runs.resize(count);
  result_.samples.assign(count * frame_.times.size() * kept_.size(), std::numeric_limits<double>::quiet_NaN());
  recalled_.clear();
  recalled_count_ = 0;
  next_.store(first, std::memory_order_relaxed);
  finished_.store(0, std::memory_order_relaxed);
  stopped_.store(false, std::memory_order_relaxed);
}

void EnsembleWork::plan_samples() {
  SimulationSetup& nominal = setup_.nominal;
  const std::vector<Column> columns = trajectory_columns(model_, reference_of(nominal.actions.drive) != nullptr);
  for (const std::string& name : setup_.keep) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
    if (found == columns.end()) throw InputError(fmt::format("a trajectory of this robot has no column '{}'", name));
    kept_.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  std::sort(kept_.begin(), kept_.end());  // columns of one kind stand together
  kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
  for (const std::size_t k : kept_) frame_.columns.push_back(columns[k]);
  if (kept_.empty()) {
    nominal.every = nominal.duration;  // both ends are computed anyway
    return;
  }
  const SampleTimes times{nominal.every, nominal.duration};
  for (long k = 0; times.is_due(k, nominal.duration); ++k)
    frame_.times.push_back(std::min(times.at(k), nominal.duration));
  if (frame_.times.back() < nominal.duration) frame_.times.push_back(nominal.duration);
}

void EnsembleWork::expect_memory(std::size_t runs) const {
  const double ends = static_cast<double>(model_.nq() + model_.nv()) * sizeof(double);
  const double samples = static_cast<double>(frame_.times.size() * kept_.size()) * sizeof(double);
  // beside the ends there is what was drawn for them
  const double bytes = static_cast<double>(runs) * (samples + 4.0 * ends + sizeof(EnsembleRunResult));
  if (bytes <= setup_.most_bytes) return;
  throw InputError(fmt::format(
      "{} runs with {} samples of {} numbers each need {:.3g} GB, more than {:.3g}; keep fewer quantities, sample less "
      "often or make fewer runs",
      runs, frame_.times.size(), kept_.size(), bytes / 1e9, setup_.most_bytes / 1e9));
}

std::optional<std::size_t> EnsembleWork::take() {
  while (!stopped()) {
    const std::size_t k = next_.fetch_add(1, std::memory_order_relaxed);
    if (k >= first_ + result_.runs.size()) break;
    if (recalled_.empty() || !recalled_[k - first_]) return k;
  }
  return std::nullopt;
}

std::span<double> EnsembleWork::samples_of(std::size_t k) {
  const std::size_t size = result_.times.size() * kept_.size();
  return std::span(result_.samples).subspan((k - first_) * size, size);
}

void EnsembleWork::recall(std::string_view method) {
  if (setup_.journal == nullptr) return;
  setup_.journal->begin(method);
  recalled_.resize(result_.runs.size());
  for (std::size_t i = 0; i < recalled_.size(); ++i)
    recalled_[i] = setup_.journal->recall(first_ + i, result_.runs[i], samples_of(first_ + i));
  recalled_count_ = static_cast<std::size_t>(std::count(recalled_.begin(), recalled_.end(), true));
  finished_.store(recalled_count_, std::memory_order_relaxed);
}

void EnsembleWork::finished(std::size_t k) {
  const EnsembleRunResult& own = result(k);
  if (setup_.journal != nullptr && own.status != RunStatus::interrupted) {
    const std::scoped_lock lock(keeping_);
    setup_.journal->keep(k, own, samples_of(k));
  }
  finished_.fetch_add(1, std::memory_order_relaxed);
}

EnsembleRun EnsembleWork::blank() const {
  EnsembleRun run;
  run.q0 = nominal().q0;
  run.v0 = nominal().v0;
  // lanes that differ in friction need room for it from the beginning
  run.friction = nominal().actions.friction;
  if (run.friction.viscous.empty()) {
    run.friction.viscous.assign(static_cast<std::size_t>(model_.nv()), 0.0);
    run.friction.coulomb = run.friction.viscous;
  }
  return run;
}

EnsembleRun EnsembleWork::run(std::size_t k) const {
  if (!setup_.vary) return blank();
  EnsembleRun run = setup_.vary(k);
  EnsembleRun filled = blank();
  if (run.q0.empty()) run.q0 = std::move(filled.q0);
  if (run.v0.empty()) run.v0 = std::move(filled.v0);
  if (run.friction.viscous.empty() && run.friction.coulomb.empty()) run.friction = std::move(filled.friction);
  for (std::vector<double>* part : {&run.friction.viscous, &run.friction.coulomb})
    if (part->empty()) part->assign(static_cast<std::size_t>(model_.nv()), 0.0);
  expect_fit(run);
  return run;
}

void EnsembleWork::expect_fit(const EnsembleRun& run) const {
  const Model& model = model_;
  expect_size("q0 of a run", run.q0.size(), model.nq());
  expect_size("v0 of a run", run.v0.size(), model.nv());
  expect_size("viscous friction of a run", run.friction.viscous.size(), model.nv());
  expect_size("Coulomb friction of a run", run.friction.coulomb.size(), model.nv());
  if (run.model != nullptr) {
    expect_size("q of a run's own robot", static_cast<std::size_t>(run.model->nq()), model.nq());
    expect_size("v of a run's own robot", static_cast<std::size_t>(run.model->nv()), model.nv());
  }
  if (!run.drive) return;
  const DriveSpec& nominal_drive = nominal().actions.drive;
  const auto *pd = std::get_if<PdDrive>(&*run.drive), *nominal_pd = std::get_if<PdDrive>(&nominal_drive);
  if (run.drive->index() != nominal_drive.index() || (pd != nullptr && pd->gravity != nominal_pd->gravity))
    throw InputError("the drives of an ensemble's runs must be of one kind; give all the nominal one's");
  expect_drive(*run.drive, model);
}

Actions EnsembleWork::actions(const EnsembleRun& run) const {
  Actions actions = nominal().actions;
  if (run.drive) actions.drive = *run.drive;
  if (run.seed) actions.held.seed = *run.seed;
  actions.friction = run.friction;
  return actions;
}

bool EnsembleWork::deal_with(std::size_t k, const EnsembleRun& run) {
  result(k).drawn = run.drawn;
  if (run.model != nullptr && !(frame_.packed && setup_.own_robots)) {
    run_alone(k, run);
    return true;
  }
  if (is_finite(run.q0) && is_finite(run.v0)) return false;
  EnsembleRunResult& own = result(k);
  own.status = RunStatus::not_finite;
  own.reason = "the initial state is not finite";
  own.q = run.q0;
  own.v = run.v0;
  own.energy = std::numeric_limits<double>::quiet_NaN();
  finished(k);
  return true;
}

void EnsembleWork::run_alone(std::size_t k, const EnsembleRun& run) {
  SimulationSetup own = nominal();
  own.q0 = run.q0;
  own.v0 = run.v0;
  own.actions = actions(run);
  const Model& robot = run.model != nullptr ? *run.model : model_;
  EnsembleRunResult& ended = result(k);
  KeptSamples samples(*this, k);
  constexpr long steps_between_questions = 64;
  long step = 0;
  try {
    RunResult single = simulate(robot, own, samples, [&](const RunProgress&) {
      return ++step % steps_between_questions == 0 ? goes_on() : !stopped();
    });
    ended.status = single.status;
    ended.reason = std::move(single.reason);
    ended.time = single.time;
    ended.steps = single.statistics.steps;
    ended.rejected = single.statistics.rejected;
    ended.q = std::move(single.final_q);
    ended.v = std::move(single.final_v);
    ended.energy = energy_of(robot, ended.q, ended.v);
  } catch (const InputError& error) {  // loops that do not close near this run's start
    ended.status = RunStatus::not_converged;
    ended.reason = error.findings().front().reason;
    ended.q = run.q0;
    ended.v = run.v0;
    ended.energy = std::numeric_limits<double>::quiet_NaN();
  }
  finished(k);
}

bool EnsembleWork::goes_on() {
  if (stopped()) return false;
  if (!*proceed_) return true;
  const std::unique_lock lock(asking_, std::try_to_lock);
  if (lock.owns_lock() &&
      !(*proceed_)({finished_.load(std::memory_order_relaxed), result_.runs.size(), recalled_count_, wall()}))
    stop();
  return !stopped();
}

}  // namespace ulna

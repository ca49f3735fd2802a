#include "batch/pack_worker.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

namespace {
constexpr int attempts_between_questions = 64;  // some 0.1 ms
}

PackOde::PackOde(const Model& model, std::unique_ptr<Method<PackDouble>> forward, const Actions& actions)
    : nv_(static_cast<std::size_t>(model.nv())),
      equations_(model, std::move(forward),
                 actions.held.sample > 0.0
                     ? nullptr
                     : make_drive<PackDouble>(actions.drive, actions.believed ? *actions.believed : model),
                 actions) {}

PackWorker::PackWorker(EnsembleWork& work, std::unique_ptr<Method<PackDouble>> forward)
    : work_(work),
      model_(work.model()),
      nv_(static_cast<std::size_t>(model_.nv())),
      duration_(work.nominal().duration),
      ode_(model_, std::move(forward), work.actions(work.blank())),
      paced_(*explicit_tableau(work.nominal().integrator), ode_, work.nominal().accuracy),
      limits_(0.0),
      row_(model_),
      y_(ode_.size(), PackDouble(0.0)),
      a_(nv_, PackDouble(0.0)),
      first_energy_(0.0),
      state_(ode_.size()),
      reference_(3 * nv_),
      references_(nv_, PackDouble(0.0)) {
  whole_rows_ = std::any_of(work.kept().begin(), work.kept().end(), [&](std::size_t c) { return c > 2 * nv_; });
  paced_.start(PackDouble(0.0), y_);
}

PackWorker::PackWorker(EnsembleWork& work, std::unique_ptr<VariedForward> forward)
    : PackWorker(work, std::unique_ptr<Method<PackDouble>>(forward.release())) {
  varied_ = static_cast<VariedForward*>(&ode_.equations().forward_dynamics());
}

void PackWorker::operator()() {
  for (int i = 0; i < lanes; ++i) fill(i);
  for (long attempts = 1; some_busy(); ++attempts) {
    record(true);  // the first samples of runs that have just begun
    paced_.attempt(limits_);
    record(false);
    cross_breaks();
    record(true);
    if (attempts % attempts_between_questions == 0) work_.goes_on();
    if (work_.stopped()) return interrupt();  // before a run counts as finished whose samples were cut short
    for (int i = 0; i < lanes; ++i)
      if (lane(i).busy) settle(i);
  }
}

bool PackWorker::some_busy() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.busy; });
}

void PackWorker::fill(int i) {
  while (const std::optional<std::size_t> k = work_.take()) {
    const EnsembleRun run = work_.run(*k);
    if (!work_.deal_with(*k, run)) return begin(i, *k, run);
  }
  rest(i);
}

void PackWorker::rest(int i) {
  lane(i).busy = false;
  std::fill(state_.begin(), state_.end(), 0.0);
  paced_.start(i, 0.0, state_);
  limits_.set(i, 0.0);
}

void PackWorker::begin(int i, std::size_t k, const EnsembleRun& run) {
  Lane& own = lane(i);
  const Actions actions = work_.actions(run);
  own.busy = true;
  own.run = k;
  own.samples = 0;
  own.schedule.emplace(model_, actions);
  own.reference = reference_of(actions.drive);
  own.robot = run.model;
  if (varied_ != nullptr) varied_->set_robot(i, robot_of(own));
  own.effort.emplace(work_.nominal());
  own.effort->start(0.0);
  const IntegratorStatistics before = paced_.statistics(i);
  own.steps_before = before.steps;
  own.rejected_before = before.rejected;
  std::copy(run.q0.begin(), run.q0.end(), state_.begin());
  std::copy(run.v0.begin(), run.v0.end(), state_.begin() + std::ssize(run.q0));
  std::fill(state_.end() - static_cast<std::ptrdiff_t>(work_count), state_.end(), 0.0);
  ode_.equations().set_actions(i, actions);
  enter(i, 0.0);
}

void PackWorker::enter(int i, double t) {
  Lane& own = lane(i);
  const std::span<const double> y = state_;
  own.schedule->enter(t, y.first(nv_), y.subspan(nv_, nv_));
  enter_lane(ode_.equations(), i, t, *own.schedule);
  own.next_break = own.schedule->next_break(t);
  limits_.set(i, std::min(duration_, own.next_break));
  paced_.start(i, t, state_);
}

void PackWorker::take_state(int i) {
  for (std::size_t k = 0; k < state_.size(); ++k) state_[k] = paced_.state()[k][i];
}

void PackWorker::cross_breaks() {
  for (int i = 0; i < lanes; ++i) {
    if (!lane(i).busy || paced_.status(i) != StepStatus::ok || time(i) < lane(i).next_break) continue;
    take_state(i);
    enter(i, time(i));
  }
}

void PackWorker::settle(int i) {
  const StepStatus status = paced_.status(i);
  const bool goes_on = status == StepStatus::ok && time(i) < duration_;
  if (goes_on && !is_hopeless(i)) return;
  if (goes_on) {
    take_state(i);
    const Effort::Verdict verdict = lane(i).effort->verdict(model_, std::span(state_).subspan(nv_, nv_));
    finish(i, verdict.status, verdict.reason);
  } else if (status == StepStatus::ok) {
    finish(i, RunStatus::completed, "completed");
  } else {
    take_state(i);
    finish(i, status_of(status), failure_reason(robot_of(lane(i)), status, std::span(state_).first(nv_)));
  }
  fill(i);
}

bool PackWorker::is_hopeless(int i) {
  const IntegratorStatistics now = paced_.statistics(i);
  const long before = lane(i).steps_before + lane(i).rejected_before;
  return lane(i).effort->is_hopeless(time(i), now.steps + now.rejected - before);
}

void PackWorker::finish(int i, RunStatus status, std::string reason) {
  const Lane& own = lane(i);
  take_state(i);
  const std::span<const double> y = state_;
  const IntegratorStatistics now = paced_.statistics(i);
  EnsembleRunResult& result = work_.result(own.run);
  result.status = status;
  result.reason = std::move(reason);
  result.time = time(i);
  result.steps = now.steps - own.steps_before;
  result.rejected = now.rejected - own.rejected_before;
  result.q.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(nv_));
  result.v.assign(y.begin() + static_cast<std::ptrdiff_t>(nv_), y.begin() + static_cast<std::ptrdiff_t>(2 * nv_));
  result.energy = energy_of(robot_of(own), result.q, result.v);
  work_.finished(own.run);
}

void PackWorker::interrupt() {
  for (int i = 0; i < lanes; ++i) {
    if (lane(i).busy) finish(i, RunStatus::interrupted, "interrupted");
    lane(i).busy = false;
  }
}

bool PackWorker::is_due(int i, bool after_breaks) {
  const Lane& own = lane(i);
  if (!own.busy || own.samples == work_.times().size()) return false;
  const double due = work_.times()[own.samples], now = time(i);
  // a sample at a jump shows what holds from then on
  return due < now || (due == now && (after_breaks || now < own.next_break));
}

/// In a step with very many samples the caller is asked now and then whether to go on.
void PackWorker::record(bool after_breaks) {
  constexpr long samples_between_questions = 1024;
  for (long sample = 1;; ++sample) {
    if (sample % samples_between_questions == 0 && !work_.goes_on()) return;
    PackDouble t = paced_.time();
    std::array<bool, static_cast<std::size_t>(lanes)> due{};
    bool some = false, between = false;
    for (int i = 0; i < lanes; ++i) {
      if (!is_due(i, after_breaks)) continue;
      some = due[static_cast<std::size_t>(i)] = true;
      between = between || work_.times()[lane(i).samples] < t[i];
      t.set(i, work_.times()[lane(i).samples]);
    }
    if (!some) return;
    take_states(t, between);
    if (whole_rows_) make_rows(t);
    for (int i = 0; i < lanes; ++i) {
      if (!due[static_cast<std::size_t>(i)]) continue;
      work_.keep(lane(i).run, lane(i).samples++, [&](std::size_t column) { return value(column, t, i); });
    }
  }
}

void PackWorker::take_states(const PackDouble& t, bool between) {
  const std::span<const PackDouble> ends = paced_.state();
  if (between) paced_.interpolate(t, y_);
  const auto inside = t < paced_.time();
  for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = between ? select(inside, y_[k], ends[k]) : ends[k];
}

void PackWorker::make_rows(const PackDouble& t) {
  const std::span<const PackDouble> y = y_, q = y.first(nv_), v = y.subspan(nv_, nv_), work = y.last(work_count);
  Equations<PackDouble>& equations = ode_.equations();
  equations.update_actions(t, q, v);
  equations.forward_dynamics().forward_dynamics(q, v, equations.net_torque(), a_, equations.wrenches());
  row_.begin(t, q, v, a_, equations.torque());
  const PackDouble energy = row_.append_energies(q, v, work).total;
  for (int i = 0; i < lanes; ++i)
    if (lane(i).busy && lane(i).samples == 0) first_energy_.set(i, energy[i]);
  PackDouble done(0.0);
  for (const PackDouble& w : work) done += w;
  row_.append(energy - first_energy_ - done);
  for (int i = 0; i < lanes; ++i) {
    if (!lane(i).busy || lane(i).reference == nullptr) continue;
    const std::span<double> all(reference_);
    lane(i).reference->at(t[i], t[i], all.first(nv_), all.subspan(nv_, nv_), all.last(nv_));
    for (std::size_t k = 0; k < nv_; ++k) references_[k].set(i, all[k]);
  }
  row_.append(references_);
}

double PackWorker::value(std::size_t column, const PackDouble& t, int i) const {
  if (whole_rows_) return row_.get()[column][i];
  return column == 0 ? t[i] : y_[column - 1][i];
}

}  // namespace ulna

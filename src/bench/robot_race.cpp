#include "bench/robot_race.hpp"

#include <fmt/format.h>

#include <random>

#include "ulna/model/finding.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::bench {

namespace {

// Different ones in turn: a single state would settle in caches and branch predictors.
constexpr std::size_t single_states = 256;
constexpr int batch_states = 1024;  // small arms' fit the core's own caches

constexpr std::array quantities{Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix};

trace::Kernel kernel_of(Quantity of) {
  if (of == Quantity::inverse_dynamics) return trace::Kernel::inverse_dynamics;
  return of == Quantity::forward_dynamics ? trace::Kernel::forward_dynamics : trace::Kernel::inertia_matrix;
}

void append(std::vector<double>& all, const std::vector<double>& one) { all.insert(all.end(), one.begin(), one.end()); }

}  // namespace

RobotRace::RobotRace(const Graph& graph, const Model& model, int threads) : graph_(graph), model_(model) {
  if (model.nv() > most_degrees) {
    throw InputError(
        fmt::format("'{}' has {} degrees of freedom; bench takes up to {}, build/bench_chains is for long chains",
                    model.name(), model.nv(), most_degrees));
  }
  std::mt19937_64 generator(1);
  const auto state = [&] {
    return State{random_position(model, generator), random_velocity(model, generator),
                 random_velocity(model, generator, 10.0)};
  };
  while (states_.size() < single_states) states_.push_back(state());
  for (int k = 0; k < batch_states; ++k) {
    const State one = state();
    append(many_q_, one.q);
    append(many_v_, one.v);
    append(many_x_, one.x);
  }
  const auto nv = static_cast<std::size_t>(model.nv());
  result_.resize(nv * nv);
  many_result_.resize(many_x_.size());
  for (const peers::PeerModule* module : peers::modules) {
    peers_.push_back(peers::load_peer(*module, graph_, model_));
    if (peers_.back().made.robot == nullptr)
      notes_.push_back(fmt::format("{}: {}", module->title, peers_.back().made.refusal));
  }
  for (const Quantity of : quantities) {
    add_formulations(of);
    add_compiled(of);
    if (of != Quantity::mass_matrix) {
      for (const bool compiled : {false, true}) add_batch(of, compiled, 1);
      if (threads > 1) add_batch(of, true, threads);
    }
    add_peers(of);
  }
  for (Way& way : ways_) way.calls = calls_per_block(way.call);
}

const RobotRace::State& RobotRace::next() { return states_[next_++ % single_states]; }

/// A Method or a Peer: they have these three in common.
template <class Robot>
std::function<void()> RobotRace::one_state(Quantity of, Robot& robot) {
  const std::span<double> out = std::span(result_).first(static_cast<std::size_t>(model_.nv()));
  const MatrixView<double> M{result_.data(), model_.nv(), model_.nv()};
  switch (of) {
    case Quantity::inverse_dynamics:
      return [this, &robot, out] {
        const State& s = next();
        robot.inverse_dynamics(s.q, s.v, s.x, out);
      };
    case Quantity::forward_dynamics:
      return [this, &robot, out] {
        const State& s = next();
        robot.forward_dynamics(s.q, s.v, s.x, out);
      };
    default: return [this, &robot, M] { robot.mass_matrix(next().q, M); };
  }
}

void RobotRace::add_formulations(Quantity of) {
  for (const MethodInfo& info : methods()) {
    if (!info.can(of) || !info.refusal(model_).empty()) continue;
    methods_.push_back(make_method<double>(info.name, of, model_));
    ways_.push_back({of, std::string(info.name), false, 1, one_state(of, *methods_.back())});
  }
}

void RobotRace::add_compiled(Quantity of) {
  Compiled<double> compiled = compile<double>(model_, of);
  if (!compiled.own) {
    if (notes_.empty() || notes_.back() != compiled.note) notes_.push_back(compiled.note);
    return;
  }
  methods_.push_back(std::move(compiled.method));
  ways_.push_back({of, "own code", false, 1, one_state(of, *methods_.back())});
}

void RobotRace::add_batch(Quantity of, bool compiled, int threads) {
  Batch<double>& batch = batches_.emplace_back(model_, BatchOptions{.compiled = compiled, .threads = threads});
  batch.prepare(kernel_of(of));
  if (compiled && !batch.note(kernel_of(of)).empty()) return;  // add_compiled() has said why
  const auto in = [](const std::vector<double>& m, int rows) {
    return MatrixView<const double>{m.data(), rows, batch_states};
  };
  const MatrixView<const double> q = in(many_q_, model_.nq()), v = in(many_v_, model_.nv()),
                                 x = in(many_x_, model_.nv());
  const MatrixView<double> out{many_result_.data(), model_.nv(), batch_states};
  std::function<void()> call = [&batch, q, v, x, out] { batch.inverse_dynamics(q, v, x, out); };
  if (of == Quantity::forward_dynamics) call = [&batch, q, v, x, out] { batch.forward_dynamics(q, v, x, out); };
  ways_.push_back({of,
                   fmt::format("batch, {}{}", compiled ? "own code" : "generic",
                               threads > 1 ? fmt::format(", {} threads", threads) : ""),
                   false, batch_states, std::move(call)});
}

void RobotRace::add_peers(Quantity of) {
  for (std::size_t k = 0; k < peers_.size(); ++k)
    if (peers_[k].made.robot != nullptr)
      ways_.push_back({of, peers::modules[k]->title, true, 1, one_state(of, *peers_[k].made.robot)});
}

void RobotRace::run_round(const std::function<bool()>& proceed) {
  for (Way& way : ways_) {
    if (!proceed()) return;
    way.times.add(time_block(way.calls, way.call) / way.states);
  }
}

double RobotRace::best_peer(Quantity of) const {
  double best = 0.0;
  for (const Way& way : ways_)
    if (way.is_peer && way.of == of && (best == 0.0 || way.times.median() < best)) best = way.times.median();
  return best;
}

}  // namespace ulna::bench

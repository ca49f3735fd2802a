#include "peers/robot_race.hpp"

#include <fmt/format.h>

#include <random>

#include "peers/graph_tree.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::bench {

namespace {

// Different ones in turn: a single state would settle in caches and branch predictors.
constexpr std::size_t single_states = 256;
constexpr int batch_states = 1024;  // small arms' fit the core's own caches

constexpr std::array quantities{Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix};

}  // namespace

RobotRace::RobotRace(const Graph& graph, const Model& model, int threads)
    : graph_(peers::without_fixed_joints(graph)), model_(model) {
  if (model.nv() > most_degrees) {
    throw InputError(
        fmt::format("'{}' has {} degrees of freedom; bench takes up to {}, build/bench_chains is for long chains",
                    model.name(), model.nv(), most_degrees));
  }
  std::mt19937_64 generator(1);
  while (states_.size() < single_states)
    states_.push_back({random_position(model, generator), random_velocity(model, generator),
                       random_velocity(model, generator, 10.0)});
  const auto nv = static_cast<std::size_t>(model.nv());
  result_.resize(nv * nv);
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

template <class Robot>
void RobotRace::add_one_state(Quantity of, std::string name, Robot& robot) {
  std::function<void()> call = one_state(of, robot);
  const int calls = calls_per_block(call);
  ways_.push_back({of, std::move(name), std::is_same_v<Robot, peers::Peer>, 1, std::move(call), calls});
}

void RobotRace::add_formulations(Quantity of) {
  for (const MethodInfo& info : methods()) {
    if (!info.can(of) || !info.refusal(model_).empty()) continue;
    methods_.push_back(make_method<double>(info.name, of, model_));
    add_one_state(of, std::string(info.name), *methods_.back());
  }
}

void RobotRace::add_compiled(Quantity of) {
  Compiled<double> compiled = compile<double>(model_, of);
  if (!compiled.own) {
    if (notes_.empty() || notes_.back() != compiled.note) notes_.push_back(compiled.note);
    return;
  }
  methods_.push_back(std::move(compiled.method));
  add_one_state(of, "own code", *methods_.back());
}

void RobotRace::add_batch(Quantity of, bool compiled, int threads) {
  BatchEntry<double>& batch = batches_.emplace_back(model_, of, compiled, threads, batch_states);
  if (compiled && !batch.note().empty()) return;  // add_compiled() has said why
  ways_.push_back({of,
                   fmt::format("batch, {}{}", compiled ? "own code" : "generic",
                               threads > 1 ? fmt::format(", {} threads", threads) : ""),
                   false, batch_states, [&batch] { batch.call(); }, batch.calls()});
}

void RobotRace::add_peers(Quantity of) {
  for (std::size_t k = 0; k < peers_.size(); ++k)
    if (peers_[k].made.robot != nullptr) add_one_state(of, peers::modules[k]->title, *peers_[k].made.robot);
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

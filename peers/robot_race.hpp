// One robot on this machine: inverse dynamics, forward dynamics and M by every way that Ulna has, and by the peers that
// are installed, measured in turns.
#pragma once

#include <deque>
#include <functional>

#include "peers/batch_entry.hpp"
#include "peers/peer_module.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna::bench {

/// One way to a quantity, and what a state took in each round, in nanoseconds.
struct Way {
  Quantity of;
  std::string name;
  bool is_peer;
  int states;  // per call
  std::function<void()> call;
  int calls;  // per block
  Times times{};
};

class RobotRace {
 public:
  /// The model must stay. Throws InputError for a robot of more than `most_degrees`.
  RobotRace(const Graph& graph, const Model& model, int threads);
  RobotRace(const RobotRace&) = delete;  // the ways refer to what is in here
  RobotRace& operator=(const RobotRace&) = delete;

  /// A block of about a millisecond, or one call, of every way.
  void run_round(const std::function<bool()>& proceed);

  const std::deque<Way>& ways() const { return ways_; }
  /// The best median of a peer; 0 without one.
  double best_peer(Quantity of) const;
  /// What could not take part, and why.
  const std::vector<std::string>& notes() const { return notes_; }

  static constexpr int most_degrees = 1000;

 private:
  struct State {
    std::vector<double> q, v, x;  // x: accelerations or torques
  };
  const State& next();
  template <class Robot>
  std::function<void()> one_state(Quantity of, Robot& robot);
  template <class Robot>
  void add_one_state(Quantity of, std::string name, Robot& robot);
  void add_formulations(Quantity of);
  void add_compiled(Quantity of);
  void add_batch(Quantity of, bool compiled, int threads);
  void add_peers(Quantity of);

  const Graph graph_;  // of the peers: fixed joints merged, as Ulna has them
  const Model& model_;
  std::vector<State> states_;
  std::size_t next_ = 0;
  std::vector<double> result_;
  std::deque<std::unique_ptr<Method<double>>> methods_;
  std::deque<BatchEntry<double>> batches_;
  std::deque<peers::LoadedPeer> peers_;
  std::deque<Way> ways_;
  std::vector<std::string> notes_;
};

}  // namespace ulna::bench

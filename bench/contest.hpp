// One robot, the libraries that have it, and what they are asked to do, the same for all: many
// different states in turn (a single one would settle in caches and branch predictors, and KDL's
// joints even keep their last sine and cosine), angles in, results in the caller's memory.
#pragma once

#include <string>
#include <vector>

#include "peers/peer.hpp"

namespace ulna::bench {

enum class Task { forward_kinematics, tip_jacobian, inverse_dynamics, mass_matrix, forward_dynamics, derivatives };
inline constexpr Task tasks[] = {Task::forward_kinematics, Task::tip_jacobian,     Task::inverse_dynamics,
                                 Task::mass_matrix,        Task::forward_dynamics, Task::derivatives};
const char* name_of(Task task);

struct Contestant {
  std::string name;
  peers::Made made;
};

class Contest {
 public:
  enum class Field { all, ulna_only, all_and_compiled };
  /// `robot` as load_graph takes it.
  explicit Contest(const std::string& robot, Field field = Field::all);
  Contest(const Contest&) = delete;  // the contestants refer to the model
  Contest& operator=(const Contest&) = delete;

  const Model& model() const { return model_; }
  /// Ulna first, then Ulna with forward dynamics by M, the robot's compiled code if it is in the
  /// field, then the peers that were found.
  std::vector<Contestant>& contestants() { return contestants_; }

  /// Does the task once, for the next state. False: this robot cannot.
  bool call(peers::Peer& robot, Task task);
  /// The last result, for whoever wants to make sure that it was computed.
  const double* result() const { return result_.data(); }

 private:
  struct State {
    std::vector<double> q, v, a, tau;
  };

  Graph graph_;  // fixed joints merged: all contestants have the same tree
  Model model_;
  std::vector<Contestant> contestants_;
  std::vector<State> states_;
  std::size_t next_ = 0;
  std::vector<double> result_, acceleration_, dq_, dv_;
};

/// For a program's first line: numbers of a build without optimisation mean nothing.
bool is_optimised();

/// The contestants as measured, in one line.
std::string contestants_note();

}  // namespace ulna::bench

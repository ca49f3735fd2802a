// What differs from run to run of an ensemble: `q=normal:5deg`, `forearm.mass=uniform:0.9..1.1x`.
// doc/ensembles.md has the grammar.
#pragma once

#include "ulna/base/number.hpp"
#include "ulna/batch/ensemble.hpp"

namespace ulna {

struct Scenario;

/// One entry as its author wrote it, and what it says.
struct Variation {
  enum class What { position, velocity, torque, kp, kd, target, mass, payload, friction, coulomb };
  enum class Law { normal, uniform };

  std::string text{};
  Source source{};     // empty: from the command line
  std::string name{};  // of a joint or link; empty: all of them
  What what = What::position;
  int number = 0;  // of a joint, from 1; 0: all of them
  Law law = Law::normal;
  WrittenNumber low{}, high{};  // of what is added; normal: high is the deviation
  bool relative = false;        // of the nominal value: low and high are parts of it

  std::string where() const { return "vary '" + text + "'"; }  // for errors
};

/// Throws InputError.
Variation parse_variation(const std::string& text, const Source& source = {});

/// A number that is drawn for every run.
struct VariedParameter {
  std::string name{}, unit{};
  const Variation* law;
  std::size_t index;  // of v, of q, or of a body, by its quantity
  double nominal;
  double low, high;   // the law's, in SI units
  std::uint64_t key;  // draws depend on it and not on what else is varied
};

/// The runs of a scenario's ensemble. Run k is the same whatever the number of runs.
class VariedRuns {
 public:
  /// Throws InputError for what does not fit the robot. The arguments must live as long.
  VariedRuns(const Scenario& scenario, const Graph& graph, const Model& model);
  VariedRuns(Scenario&&, const Graph&, const Model&) = delete;

  /// The run that the others differ from.
  const SimulationSetup& nominal() const { return nominal_; }
  std::span<const VariedParameter> parameters() const { return parameters_; }
  /// Runs go with robots of their own.
  bool varies_robot() const { return varies_robot_; }
  /// In whose inertias alone they differ, in the order of the model.
  std::vector<int> varied_bodies() const;
  /// What run k has of each parameter.
  DrawnNumbers draw(std::size_t k) const;
  EnsembleRun run(std::size_t k) const;

 private:
  void expand(const Variation& variation);
  void add(const Variation& variation, std::string name, std::string unit, std::size_t index, double nominal,
           const NumberUse& use = {});
  void add_joints(const Variation& variation);
  void add_bodies(const Variation& variation);
  void adapt_drive(const Variation& variation);
  double draw_one(const VariedParameter& parameter, std::size_t k, long& repeated) const;
  void apply_to_drive(const VariedParameter& parameter, double value, EnsembleRun& run) const;
  std::shared_ptr<const Model> robot(std::span<const double> values) const;
  [[noreturn]] static void fail(const Variation& variation, const std::string& what);

  const Scenario& scenario_;
  const Graph& graph_;
  const Model& model_;
  SimulationSetup nominal_;
  std::vector<VariedParameter> parameters_;
  bool varies_robot_ = false, varies_target_ = false;
};

}  // namespace ulna

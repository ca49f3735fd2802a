// A run: robot + actions + integrator -> trajectory, with an end that has a reason.
#pragma once

#include <functional>
#include <optional>

#include "ulna/integrate/integrator.hpp"
#include "ulna/model/build.hpp"
#include "ulna/simulate/equations.hpp"
#include "ulna/simulate/trajectory.hpp"

namespace ulna {

/// What happens when something is reached.
enum class EventAction { ignore, record, stop };

/// Something crosses a value: a joint's position or velocity, or that of a frame's origin along an axis of the world,
/// or a function of the state.
struct WatchedValue {
  using Function = std::function<double(double t, std::span<const double> q, std::span<const double> v,
                                        const Kinematics<double>& kinematics)>;
  int v_index = 0;  // of the joint, where neither of the last two is there
  bool velocity = false;
  double value = 0.0;
  EventAction action = EventAction::record;
  std::string text{};  // what to call it
  std::optional<Frame> frame{};
  Vec3<double> axis{0, 0, 1};
  Function function{};
};

struct SimulationSetup {
  std::vector<double> q0{}, v0{};  // empty: the neutral position, rest; quaternions are brought to unit length
  double duration = 10.0;
  double every = 0.01;  // between samples
  std::string method = "auto";
  /// If there is one: makes what replaces `method` in the right-hand side, for the run's own model, of a mechanism the
  /// tree without its loops.
  std::function<std::unique_ptr<Method<double>>(const Model&)> forward{};
  std::string integrator = "dop853";
  IntegratorOptions accuracy{};
  Actions actions{};
  double most_steps = 1e8;  // a run is given up that has taken more, or would at an unusual pace
  double baumgarte = 0.0;   // 1/s, for closed loops; 0: they are held by projection
  EventAction at_limits = EventAction::record;
  std::vector<WatchedValue> watched{};
};

struct RunEvent {
  double t;
  std::string text{};
};

enum class RunStatus {
  completed,
  stopped_by_event,
  step_too_small,
  not_finite,
  not_converged,
  diverged,   // velocities beyond any arm's, at steps that lead nowhere
  too_stiff,  // steps so short that the run would never end
  interrupted,
};
std::string_view name_of(RunStatus status);
RunStatus status_of(StepStatus status);
/// Why a step could not be taken from q, with what the inertia matrix there has to say about it.
std::string failure_reason(const Model& model, StepStatus status, std::span<const double> q);

struct RunResult {
  RunStatus status = RunStatus::completed;
  double time = 0.0;     // reached
  std::string reason{};  // one sentence
  IntegratorStatistics statistics;
  double wall = 0.0;  // seconds
  long samples = 0;
  std::vector<RunEvent> events{};  // the first thousand
  long event_count = 0;            // of all
  double largest_imbalance = 0.0;  // of |energy − work|, J
  double largest_energy = 0.0;     // the scale to see it against: of |kinetic| and of |potential − start|
  double largest_residual = 0.0;   // of closed loops
  double start_moved = 0.0;        // by this much at most the start's positions were moved to close the loops
  std::vector<double> final_q{}, final_v{};
};

/// Throws InputError for what simulate() would refuse at once.
void check_setup(const Model& model, const SimulationSetup& setup);

/// Simulates; samples go to the recorder. `proceed` is asked after each step and ends the run by
/// returning false. Throws InputError for a setup that cannot be run; what
/// goes wrong on the way is in the result.
/// With closed loops the start is brought to the closed position and velocity next to it.
RunResult simulate(const Model& model, const SimulationSetup& setup, Recorder& recorder,
                   const std::function<bool(const RunProgress&)>& proceed = {});

}  // namespace ulna

// A scenario: a run as its author wrote it, and its way to a setup that can be simulated.
// doc/scenario_files.md describes the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ulna/base/number.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/simulate/simulation.hpp"
#include "ulna/study/variation.hpp"

namespace ulna {

// Lists of numbers for joints have one per degree of freedom (start.q: one per number of q), or one per joint that has
// a drive (not free, not spherical), or a single one for all of them. Doubles are in SI units.

struct ScenarioMotion {
  std::string kind{};  // cycloid, quintic, trapezoid, cosine, spline, path
  JointNumbers from{}, to{};
  double start = 0.0, time = 0.0, blend = 0.25;
  JointNumbers offset{}, amplitude{};
  double period = 0.0, phase = 0.0;
  std::string file{};  // spline: t, q…; path: a path file, followed as fast as its limits allow
};

/// The kind of a drive that a program gave to a run (UserDrive, or a reference of its own): the scenario of its record
/// says so, and another drive must take its place before it can run again.
inline constexpr const char* made_in_code = "python";

struct ScenarioDrive {
  // free, constant, table, playback, pd, computed_torque, lqr, impedance, mpc, made_in_code
  std::string kind = "free";
  std::vector<double> torque{}, kp{}, kd{};
  std::vector<double> position_weight{}, velocity_weight{}, effort_weight{};  // lqr and mpc: of squares
  JointNumbers to{};                                                          // mpc: the posture
  int knots = 30;                                                             // mpc: steps of the horizon,
  double step = 0.02;                                                         // and their length
  std::string frame{};                                                        // impedance; none: the tip
  Vec3<double> stiffness{0, 0, 0}, turning_stiffness{0, 0, 0}, damping{0, 0, 0}, turning_damping{0, 0, 0};
  std::string file{}, hold = "steps";  // table: t, tau…; steps or spline
  bool gravity = false, saturate = false;
  double sample = 0.0;
  std::optional<ScenarioMotion> motion{};
};

struct ScenarioLoad {
  std::string link{};
  Vec3<double> moment{0, 0, 0}, force{0, 0, 0};
  double from = 0.0, until = std::numeric_limits<double>::infinity();
};

/// A pulse, or noise when `noise` is not zero.
struct ScenarioDisturbance {
  std::string joint{};
  double torque = 0.0, from = 0.0, until = std::numeric_limits<double>::infinity();
  double noise = 0.0, every = 0.0;
};

struct ScenarioEvent {
  std::string joint{}, frame{}, text{};  // of a joint, or of a frame's origin along `axis` of the world
  Vec3<double> axis{0, 0, 1};
  std::optional<WrittenNumber> position{}, velocity{};  // one of the two
  EventAction action = EventAction::record;
};

/// Many runs instead of one.
struct ScenarioEnsemble {
  std::size_t runs = 0;  // 0: no ensemble
  std::vector<Variation> vary{};
  std::vector<std::string> keep{"q"};  // columns, or groups of them (select_columns)
};

/// A robot that was read together with its scenario, and the name that it was read by.
struct ReadRobot {
  std::string name{};
  std::shared_ptr<const Graph> graph{};
};

struct Scenario {
  std::string name{}, title{}, provenance{};
  std::string robot{};
  ReadRobot read_robot{};  // spares robot_of() to read it again, as long as `robot` is its name
  bool free_base = false;
  std::optional<Vec3<double>> gravity{};
  std::vector<Payload> payloads{};
  std::string nonphysical_reason{};  // not empty: simulate a robot with impossible mass data
  std::string method = "auto";
  std::uint64_t seed = 1;
  double duration = 10.0, every = 0.01;
  std::string integrator = "dop853";
  double relative = 1e-9, absolute = 1e-9;
  double step = 0.0, largest_step = 0.0;
  double most_steps = 1e8;
  std::optional<double> friction_speed{};  // instead of the robot's own
  double baumgarte = 0.0;                  // 1/s, for closed loops; 0: they are held by projection
  EventAction limits = EventAction::record;
  std::string posture{};  // where it starts, by a name of the robot file, instead of q
  JointNumbers q{}, v{};
  ScenarioDrive drive{};
  std::vector<ScenarioLoad> loads{};
  std::vector<FrameLoad> frame_loads{};  // their frames by name; setup_of() finds them
  std::vector<ScenarioDisturbance> disturbances{};
  std::vector<ScenarioEvent> events{};
  ScenarioEnsemble ensemble{};
  Source source{};
};

/// The scenario's robot, with what the scenario changes about it. Throws InputError.
Graph robot_of(const Scenario& scenario);
/// The same for a robot that is in no file: `robot` stands for what the scenario names.
Graph robot_of(const Scenario& scenario, const Graph& robot);
/// Throws InputError with the key that is wrong.
SimulationSetup setup_of(const Scenario& scenario, const Model& model);

}  // namespace ulna

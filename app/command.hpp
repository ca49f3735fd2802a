// What all sub-commands share: how they are registered, the robot they are about, and how they
// write results.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ulna/model/payload.hpp"
#include "ulna/ulna.hpp"

namespace ulna::app {

/// What main() returns; a command sets it to 1 when the answer is "no".
struct Outcome {
  int exit_code = 0;
};

// One per file of this folder.
void add_bench(CLI::App& app, Outcome& outcome);
void add_robots(CLI::App& app, Outcome& outcome);
void add_show(CLI::App& app, Outcome& outcome);
void add_check(CLI::App& app, Outcome& outcome);
void add_completion(CLI::App& app, Outcome& outcome);
void add_convert(CLI::App& app, Outcome& outcome);
void add_fk(CLI::App& app, Outcome& outcome);
void add_id(CLI::App& app, Outcome& outcome);
void add_ik(CLI::App& app, Outcome& outcome);
void add_fd(CLI::App& app, Outcome& outcome);
void add_man(CLI::App& app, Outcome& outcome);
void add_matrices(CLI::App& app, Outcome& outcome);
void add_linearise(CLI::App& app, Outcome& outcome);
void add_loop(CLI::App& app, Outcome& outcome);
void add_codegen(CLI::App& app, Outcome& outcome);
void add_count(CLI::App& app, Outcome& outcome);
void add_plan(CLI::App& app, Outcome& outcome);
void add_reproduce(CLI::App& app, Outcome& outcome);
void add_scenarios(CLI::App& app, Outcome& outcome);
void add_select(CLI::App& app, Outcome& outcome);
void add_simulate(CLI::App& app, Outcome& outcome);
void add_size(CLI::App& app, Outcome& outcome);
void add_studio(CLI::App& app, Outcome& outcome);
void add_workspace(CLI::App& app, Outcome& outcome);

/// The robot argument and the options that change how it is read.
struct RobotOptions {
  std::string robot;
  bool free_base = false;
  std::string nonphysical_reason;
  std::string gravity;
  double friction_speed = 0.0;  // 0: the robot's own
  std::vector<std::string> payloads;
  bool json = false;

  void add_to(CLI::App& command);
  /// Notices of the importer go to stderr.
  Graph graph() const;
};

/// Folders that hold the packages of meshes, for all robots that are read.
void add_packages_option(CLI::App& command);

/// What the importer has to say, on stderr.
void print_notices(const Graph& graph, const std::string& robot);
/// Of meshes that are there and cannot be read; reads all.
void print_unreadable_meshes(const Graph& graph, const std::string& robot);

/// "1, -0.5, 90 deg". Throws InputError that names the option, as do all that follow.
JointNumbers written_numbers(const std::string& option, const std::string& text);
/// One number for each use, or zeros (the neutral position for q) when the option was not given; `wanted` plain ones.
std::vector<double> numbers(const std::string& option, const std::string& text, const std::vector<NumberUse>& uses);
std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t wanted);
std::vector<double> positions(const Model& model, const std::string& text, const std::string& option = "--q");
/// x,y,z, or x,y,z,qx,qy,qz,qw; without the quaternion the orientation is nothing.
struct GivenPose {
  Vec3<double> position;
  std::optional<Mat3<double>> orientation;
};
GivenPose given_pose(const std::string& option, const std::string& text);
/// Of a quaternion x, y, z, w that is of unit length but for its digits.
Mat3<double> given_rotation(const std::string& option, std::span<const double, 4> numbers);
/// Throws InputError; an empty name is the tip.
const Frame& frame_named(const Model& model, const std::string& option, const std::string& name);
std::vector<double> velocities(const Model& model, const std::string& option, const std::string& text);
std::vector<double> torques(const Model& model, const std::string& text);

/// `LINK=nx,ny,nz,fx,fy,fz`.
struct GivenWrench {
  std::string link;
  Force<double> wrench;
};
GivenWrench given_wrench(const std::string& option);
/// Such options as one wrench per body; empty when there are none.
std::vector<Force<double>> wrenches(const Model& model, const std::vector<std::string>& options);

/// `--payload`, which may be repeated.
void add_payload_option(CLI::App& command, std::vector<std::string>& payloads);
/// `[FRAME=]MASS[@x,y,z][:ixx,iyy,izz[,ixy,ixz,iyz]]`.
Payload given_payload(const std::string& option);

/// What each degree of freedom is called: its joint's name, with a number where the joint has several.
std::vector<std::string> degree_names(const Model& model);
/// One row per degree of freedom, for people. What is below `scale` by thirteen digits is rounding, and shown as 0.
void print_joint_values(const Model& model, const std::string& heading, std::span<const double> values, double scale);
/// How far a robot reaches at most, from the origin of the world; forces and torques of the size that can be expected
/// of it: all its weight, and that at its whole length.
double length_scale(const Model& model);
double force_scale(const Model& model);
double torque_scale(const Model& model);
/// A note on stderr for each joint that stands beyond its limits.
void note_limits(const Model& model, std::span<const double> q);

/// Throws InputError when a result is not finite, and says why that can be.
void expect_finite(std::span<const double> result, const std::string& what);

/// Refuses empty text, as from an unset shell variable, with these words.
CLI::Validator not_empty(const char* otherwise);

/// An option of comma-separated numbers; empty text, as from an unset shell variable, is refused.
CLI::Option* add_numbers_option(CLI::App& command, const std::string& name, std::string& text, const std::string& help);

/// `-o`, `--output`; an empty name is refused.
CLI::Option* add_output_option(CLI::App& command, std::string& output, const std::string& help, const char* type);
/// Throws InputError if the output is the very file that is read.
void expect_other_file(const std::string& input, const std::string& output);

/// `--compiled`, which does not go with `--method`.
void add_compiled_option(CLI::App& command, bool& compiled);
/// The robot's compiled code; a note on stderr where it is the generic path after all.
Compiled<double> compiled_method(const Model& model, Quantity what);

/// An option for a positive number without a unit.
CLI::Option* add_positive(CLI::App& command, const char* name, double& value, const char* help, const char* unit);

/// Lists the registered formulations; make_method refuses an unknown one.
void add_method_option(CLI::App& command, std::string& method);

/// One of these words. What CLI11's own check says is not for people.
CLI::Validator one_of(const std::vector<std::string>& words);

/// Of --threads: a whole number from 1 to 1024.
CLI::Validator thread_number();

/// What stands between the commas.
std::vector<std::string> words_of(const std::string& list);

}  // namespace ulna::app

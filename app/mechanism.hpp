// States of robots with closed loops, as given on the command line.
#pragma once

#include "command.hpp"
#include "output.hpp"

namespace ulna::app {

/// The position that --q asks for or, with a word on stderr, the closed one next to it. Joints in `held`
/// (velocity indices) stay where --q has them.
std::vector<double> closed_position(const ClosedModel& model, const std::string& text, std::span<const int> held = {});

/// The velocities or accelerations that an option asks for or, with a word on stderr, the nearest ones
/// with A x = right side; those of as many `independent` joints as there are freedoms stay. The equations
/// are at the position.
std::vector<double> closed_rates(const ClosedModel& model, const LoopEquations& equations, const std::string& option,
                                 const std::string& text, std::span<const double> right_side,
                                 std::span<const int> independent = {});

/// Velocity indices of joints by name, "crank, guide".
std::vector<int> joint_indices(const Model& model, const std::string& option, const std::string& text);
/// Of one joint with one degree of freedom.
int joint_index(const Model& model, const std::string& option, const std::string& name);

/// The wrenches in the cut joints after dynamics, for people or for programs.
Json reactions_json(const ClosedModel& model, ConstrainedDynamics& dynamics);
void print_reactions(const ClosedModel& model, ConstrainedDynamics& dynamics);

}  // namespace ulna::app

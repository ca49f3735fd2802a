// States of robots with closed loops, as given on the command line.
#pragma once

#include "command.hpp"
#include "output.hpp"

namespace ulna::app {

/// The position that --q asks for or, with a word on stderr, the closed one next to it. Joints in `held`
/// (velocity indices) stay where --q has them.
std::vector<double> closed_position(const Model& model, const std::string& text, std::span<const int> held = {});

/// The velocities or accelerations that an option asks for or, with a word on stderr, the nearest ones
/// with A x = right side; where `independent` joints are named theirs stay and the others follow. The
/// equations are at the position.
std::vector<double> closed_rates(const Model& model, const LoopEquations& equations, const std::string& option,
                                 const std::string& text, std::span<const double> right_side,
                                 std::span<const int> independent = {});

/// --v at a closed position, likewise.
std::vector<double> closed_velocities(const Model& model, std::span<const double> q, const std::string& text);

/// The driven joints where they are as many as the mechanism has freedoms, so that the others follow; else none.
std::vector<int> leading_joints(const Model& model, const std::string& q, const std::vector<int>& driven);
/// Throws InputError where they do not: at a singular position.
void expect_determined(const Model& model, const LoopEquations& equations, const std::vector<int>& leading);

/// Velocity indices of joints by name, "crank, guide".
std::vector<int> joint_indices(const Model& model, const std::string& option, const std::string& text);

/// The wrenches in the cut joints after dynamics, for people or for programs.
Json reactions_json(const Model& model, ConstrainedDynamics& dynamics);
void print_reactions(const Model& model, ConstrainedDynamics& dynamics);

}  // namespace ulna::app

// What makes a selection's arms: of a robot, with the payloads, ranges and stiffnesses that were given.
#pragma once

#include "ulna/study/select/selection.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

/// Throws InputError for numbers and keys that are wrong for any robot. `timed`: time is one of the criteria.
void expect_numbers(const Selection& selection, bool timed);

/// The robots of a sweep by their names or paths. Throws InputError for one that is made in code.
std::vector<std::string> names_to_vary(const Selection& selection);

/// "rtx link2.a=0.3": the robot and the numbers that vary.
std::string name_of_variant(const std::string& robot, const std::vector<SweptNumber>& swept,
                            const std::vector<double>& values);

/// `values`: of the numbers that vary; they are in the name.
Arm make_arm(Graph graph, const Selection& selection, const std::vector<double>& values);

/// Throws InputError for a range or stiffness of a joint that none of the arms has.
void expect_known_joints(const Selection& selection, const std::vector<Arm>& arms);

/// The criteria that a user names.
std::vector<std::string> asked_criteria(const Selection& selection);

}  // namespace ulna::selection
#pragma GCC visibility pop

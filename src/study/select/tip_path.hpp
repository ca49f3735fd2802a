// Joint motions that lead the tip along a task's points, and the arm that carries what the task has it carry.
#pragma once

#include "ulna/study/select/task.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

/// Fills q, v and a for the times of `loads`: the joint motion of least speed from each of several starts,
/// the first that stays within the ranges. Throws InputError where none does.
void follow_points(const Arm& arm, const Task& task, TaskLoads& loads, const KeepGoing& keep_going);

/// With the payload of the task at its tip.
Model loaded_model(const Arm& arm, const Task& task);

}  // namespace ulna::selection
#pragma GCC visibility pop

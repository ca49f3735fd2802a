// Figures of a task that only arms have whose files or users say enough: the least time, the stiffness of the tip, the
// lowest frequency.
#pragma once

#include <limits>

#include "ulna/study/select/task.hpp"

namespace ulna::selection {

/// A figure, or why there is none.
struct Figure {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string lacks{};
};

struct TaskFigures {
  Figure cycle_time{};  // s
  Figure stiffness{};   // N/m
  Figure frequency{};   // Hz
};

/// The least time in which the arm goes the way of the task, from rest to rest and with a rest at each point of the
/// tip, within the limits of speed and effort of its file, carrying the payload.
Figure cycle_time(const Arm& arm, const Task& task, const TaskLoads& loads, const KeepGoing& keep_going);

/// With the motors held and springs between them and their links (Arm::stiffness): the least stiffness of the tip's
/// position along the task, in its softest direction, and the least of the lowest natural frequencies, with the
/// payload.
void add_elastic_figures(const Arm& arm, const Task& task, const TaskLoads& loads, const KeepGoing& keep_going,
                         TaskFigures& figures);

}  // namespace ulna::selection

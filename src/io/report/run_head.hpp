// What the report of a run says in words.
#pragma once

#include "html_report.hpp"
#include "ulna/study/run.hpp"

namespace ulna {

ReportHead head_of(const Record& record);

/// A number for the robot's content: the same robot has the same one.
std::string robot_hash(const Graph& graph);

/// What the scenario is about, or the robot, or nothing.
std::string subject_of(const Scenario& scenario, const Graph& graph);

/// Integrator and tolerance or step.
std::string accuracy_text(const Scenario& scenario);

}  // namespace ulna

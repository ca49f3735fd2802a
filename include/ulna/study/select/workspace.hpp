// The workspace of an arm within its ranges, as ulna/study/workspace finds it.
#pragma once

#include "ulna/study/select/arm.hpp"
#include "ulna/study/workspace/workspace.hpp"

namespace ulna::selection {

/// How well a size is known: as a part of it. A design sweep is content with less.
inline constexpr double usual_accuracy = 0.01, quick_from = 0.05;

reach::Volume find_workspace(const Arm& arm, const KeepGoing& keep_going, double accuracy = usual_accuracy);
reach::Dexterity find_dexterity(const Arm& arm, const KeepGoing& keep_going);

}  // namespace ulna::selection

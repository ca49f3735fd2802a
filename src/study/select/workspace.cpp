#include "ulna/study/select/workspace.hpp"

namespace ulna::selection {

namespace {

/// On one thread: arms are shared out over the others.
reach::Options reach_options(const Arm& arm, const KeepGoing& keep_going, double accuracy) {
  reach::Options options{.accuracy = accuracy, .threads = 1, .keep_going = keep_going, .quick = accuracy >= quick_from};
  for (std::size_t i = 0; i < arm.ranges.size(); ++i)
    options.ranges[arm.model.joints()[i].name] = {arm.ranges[i].low, arm.ranges[i].high};
  return options;
}

}  // namespace

reach::Volume find_workspace(const Arm& arm, const KeepGoing& keep_going, double accuracy) {
  const reach::Options options = reach_options(arm, keep_going, accuracy);
  return reach::find_volume(reach::make_robot(arm.graph, options), options);
}

reach::Dexterity find_dexterity(const Arm& arm, const KeepGoing& keep_going) {
  const reach::Options options = reach_options(arm, keep_going, usual_accuracy);
  return reach::find_dexterity(reach::make_robot(arm.graph, options), options);
}

}  // namespace ulna::selection

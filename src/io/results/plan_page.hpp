// A planned motion as a page of pictures.
#pragma once

#include "ulna/model/graph.hpp"
#include "ulna/plan/timed_motion.hpp"

namespace ulna {

/// "12.3 (45 %)": a largest value and its part of a limit, if there is one.
std::string with_share(double peak, double limit);

/// The way of the frame, the speed along it and its limit, and what the joints do in parts of their limits. `scene`:
/// the name of the page in three dimensions, empty where there is none.
std::string plan_page(const std::string& title, const Model& model, const Frame& frame, const TimingLimits& limits,
                      const Path& path, const Timing& timing, const std::string& scene);

/// The arm going the way, to be turned and played; empty where no page is built in.
std::string plan_scene(const std::string& title, const Graph& graph, const Model& model, const Path& path,
                       const Timing& timing);

}  // namespace ulna

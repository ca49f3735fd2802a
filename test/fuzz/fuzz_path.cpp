// Path files: read or refused in plain lines.
#include <cmath>

#include "target.hpp"
#include "ulna/study/path_plan.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  const std::string text = fuzz::text_of(data, size);
  fuzz::try_input([&] {
    const PathPlan plan = parse_path_plan(text, "path.toml");
    fuzz::expect(!plan.moves.empty() && plan.tip_speed > 0.0, "a path has moves");
    fuzz::expect(plan.posture.empty() || plan.start.empty(), "one start");
    for (const PathMove& move : plan.moves) {
      fuzz::expect(move.blend >= 0.0 && std::isfinite(move.blend), "blends are lengths");
      fuzz::expect((!move.joints.empty()) + (!move.through.empty()) + (!move.waypoints.empty()) +
                           move.line.has_value() + move.arc.has_value() + (!move.poses.empty()) ==
                       1,
                   "one kind each");
      fuzz::expect(move.arc.has_value() == move.via.has_value(), "arcs have a point between");
    }
  });
  return 0;
}

#include "writer_notices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ulna {

void note_left_out(const Graph& graph, const std::string& format, std::vector<std::string>& notices) {
  if (graph.friction_speed != default_friction_speed)
    notices.push_back(fmt::format("{} does not hold the friction speed; here it is {}", format, graph.friction_speed));
  if (!guessed_links(graph).empty()) notices.push_back(format + " does not say which mass data are guessed; TOML does");
  if (graph.allow_nonphysical)
    notices.push_back(format + " does not say that impossible mass data are meant; allow them where it is read");
  if (std::any_of(graph.joints.begin(), graph.joints.end(),
                  [](const GraphJoint& joint) { return !joint.limits.effort_by_speed.empty(); }))
    notices.push_back(format + " does not say how efforts fall with the speed; those at rest are written");
}

void note_postures(const Graph& graph, const std::string& format, std::vector<std::string>& notices) {
  if (!graph.postures.empty()) notices.push_back(format + " holds no postures; they are left out");
}

void refuse_couplings(const Graph& graph, const std::string& format, bool may_drop, std::vector<std::string>& notices) {
  for (const GraphCoupling& coupling : graph.couplings) {
    if (!may_drop)
      throw InputError({{Finding::Severity::error, coupling.name, format + " has no motors that joints share",
                         "write TOML instead", coupling.source, false}});
    notices.push_back(fmt::format("the motors of '{}', which joints share, are left out", coupling.name));
  }
}

}  // namespace ulna

#include <nlohmann/json.hpp>

#include "io/report/page_data.hpp"
#include "io/report/scene.hpp"
#include "io/report/scene_meshes.hpp"
#include "ulna/io/results/page.hpp"
#include "ulna/version.hpp"
#include "workspace_files.hpp"

namespace ulna::reach {

namespace {

Mesh boundary_mesh(const Record& record) {
  MeshPart part;
  for (const std::array<Vec3<double>, 3>& triangle : record.boundary) {
    const auto first = static_cast<std::uint32_t>(part.points.size());
    part.points.insert(part.points.end(), triangle.begin(), triangle.end());
    part.triangles.push_back({first, first + 1, first + 2});
  }
  part.colour = Colour{0.25, 0.55, 0.8, 0.3};  // the arm shows through
  return {{std::move(part)}};
}

}  // namespace

std::string boundary_page(const Record& record, const Graph& graph) {
  if (record.boundary.empty() || report_page().empty()) return {};
  constexpr double time[] = {0.0};
  std::vector<std::string> problems;
  nlohmann::ordered_json scene = moving_scene(graph, record.robot.model, time, record.from_base.q_largest, problems);
  if (!add_surface(scene["shapes"], boundary_mesh(record))) return {};
  const nlohmann::ordered_json json{
      {"schema", 1},
      {"title", "What " + record.robot.model.name() + " reaches"},
      {"subtitle", "The boundary of '" + record.robot.frame.name + "', around the arm where it reaches farthest."},
      {"facts", summary(record)},
      {"warnings", problems},
      {"scene", scene},
      {"ulna", version}};
  return fill_page(report_page(), json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace ulna::reach

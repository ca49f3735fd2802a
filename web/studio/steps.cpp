#include "studio/steps.hpp"

#include <fmt/format.h>

#include "studio/session.hpp"

namespace ulna::studio {

namespace {

struct WalkOf {
  const char* formulation;
  Walk (*make)(const StepInput&);
};
constexpr WalkOf walks[] = {{"denoc", denoc_walk},
                            {"homogeneous", homogeneous_walk},
                            {"spatial_operator", spatial_operator_walk},
                            {"constraint_force", constraint_force_walk}};

}  // namespace

std::vector<std::string> walkable() {
  std::vector<std::string> names;
  for (const WalkOf& row : walks) names.emplace_back(row.formulation);
  return names;
}

Walk walk(std::string_view formulation, const StepInput& input) {
  if (input.model.nv() == 0) throw InputError("the robot has no joint that moves");
  for (const WalkOf& row : walks) {
    if (row.formulation != formulation) continue;
    expect_scope(row.formulation, input.model);
    return row.make(input);
  }
  throw InputError(
      fmt::format("there are no steps of '{}'; there are those of {}", formulation, fmt::join(walkable(), ", ")));
}

/// The steps of one formulation, their matrices among the arrays.
Json Engine::Session::steps(const Json& request) {
  const Robot& robot = current();
  constexpr int most_links = 12;  // 72 × 72 numbers are as much as a page can show of Φ
  if (robot.tree.body_count() > most_links)
    throw InputError(fmt::format("the robot has {} links that move; steps are shown of up to {}",
                                 robot.tree.body_count(), most_links));
  const State s(request, robot.tree);
  const Walk walked = walk(request.at("method").get<std::string>(), {robot.tree, s.q, s.v, s.a, s.tau});
  Json list = Json::array();
  for (const Step& step : walked.steps) {
    Json matrices = Json::array();
    for (const StepMatrix& matrix : step.matrices) {
      const std::string name = fmt::format("{}/{}/{}", list.size(), matrix.name, matrix.link);
      arrays.add(name, matrix.columns, matrix.rows);
      matrices.push_back({{"name", matrix.name}, {"link", matrix.link}, {"rows", matrix.rows}, {"array", name}});
    }
    list.push_back({{"title", step.title},
                    {"formula", step.formula},
                    {"equations", step.equations},
                    {"note", step.note},
                    {"matrices", matrices}});
  }
  return {{"paper", walked.paper}, {"steps", list}};
}

}  // namespace ulna::studio

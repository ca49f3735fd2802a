// What a robot reaches, for people (a page with pictures) and for programs (JSON, CSV, STL).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "output_folder.hpp"
#include "ulna/study/workspace/workspace.hpp"

namespace ulna::reach {

/// What is found, line by line: what it is, and its value with unit and error.
std::vector<std::pair<std::string, std::string>> summary(const Record& record);

nlohmann::ordered_json workspace_json(const Record& record);
std::string workspace_page(const Record& record);
/// The boundary of a spatial one in three dimensions around the arm, to be turned; empty where there is none, or no
/// page.
std::string boundary_page(const Record& record, const Graph& graph);
/// x, y, z, the positions, and service and payload where they are known.
std::string points_csv(const Record& record);
/// Binary STL.
std::string boundary_stl(const Record& record);

/// report.html, points.csv, boundary.stl and boundary.html of a spatial one, and workspace.json, in the place of an
/// earlier result. `graph` is what the robot was made of.
void put_in_place(const OutputFolder& folder, const Graph& graph, const Record& record,
                  const nlohmann::ordered_json& document);

}  // namespace ulna::reach

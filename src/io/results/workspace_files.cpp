#include "workspace_files.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "json_text.hpp"
#include "ulna/version.hpp"

namespace ulna::reach {

namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }
Json size_json(const Size& size) { return {{"value", size.value}, {"error", size.error}}; }
Json extent_json(const Extent& extent) {
  return {{"largest", extent.largest},
          {"at", extent.q_largest},
          {"smallest", extent.smallest},
          {"smallest_at", extent.q_smallest}};
}

Json slice_json(const Slice& slice, const Record& record) {
  Json made{{"title", slice.title},
            {"origin", vector_json(slice.origin)},
            {"x_axis", vector_json(slice.x_axis)},
            {"y_axis", vector_json(slice.y_axis)},
            {"x", Json::array({slice.x_low, slice.x_high})},
            {"y", Json::array({slice.y_low, slice.y_high})},
            {"columns", slice.columns},
            {"rows", slice.rows},
            {"reached", Json::array()}};
  if (slice.height) made["height"] = *slice.height;
  for (const char reached : slice.reached) made["reached"].push_back(static_cast<int>(reached));
  if (record.has_service) made["service"] = slice.service;
  if (record.has_payload) made["payload"] = slice.payload;
  return made;
}

void append(std::string& bytes, float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 0xffU);
}
void append(std::string& bytes, const Vec3<double>& v) {
  for (const double x : {v.x, v.y, v.z}) append(bytes, static_cast<float>(x));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> summary(const Record& record) {
  const char* unit = record.robot.dimension() == 2 ? "m²" : "m³";
  const auto sized = [&](const Size& size) { return fmt::format("{:.5g} ± {:.2g} {}", size.value, size.error, unit); };
  const auto between = [](double low, double high) { return fmt::format("{:.5g} … {:.5g} m", low, high); };
  const Volume& volume = record.volume;
  std::vector<std::pair<std::string, std::string>> rows{
      {record.robot.dimension() == 2 ? "area" : "volume", sized(volume.size)},
      {"holes", volume.holes == 0 ? "none" : fmt::format("{}, {:.3g} {}", volume.holes, volume.hole_size, unit)},
      {"distance from the base", between(record.from_base.smallest, record.from_base.largest)}};
  if (record.from_axis)
    rows.emplace_back("distance from the first axis", between(record.from_axis->smallest, record.from_axis->largest));
  if (record.robot.dimension() == 3)
    rows.emplace_back("along the first axis", between(record.height[0], record.height[1]));
  if (record.dexterity)
    rows.emplace_back("with every orientation",
                      record.dexterity->enough_joints ? sized(record.dexterity->size) : "none: too few joints");
  if (record.points.empty()) return rows;
  if (record.has_service) rows.emplace_back("mean share of directions", fmt::format("{:.3f}", record.mean_service));
  if (record.has_payload)
    rows.emplace_back("payload that is held everywhere", fmt::format("{:.3g} kg", record.least_payload));
  return rows;
}

Json workspace_json(const Record& record) {
  Json document{{"ulna", version},
                {"robot", record.robot.model.name()},
                {"frame", record.robot.frame.name},
                {"dimension", record.robot.dimension()},
                {"body_of_revolution", record.robot.revolved},
                {"size", size_json(record.volume.size)},
                {"holes", record.volume.holes},
                {"hole_size", record.volume.hole_size},
                {"edge", record.volume.edge},
                {"from_base", extent_json(record.from_base)}};
  if (record.from_axis) document["from_axis"] = extent_json(*record.from_axis);
  document["height"] = record.height;
  if (record.dexterity) {
    document["dexterous"] = {{"value", record.dexterity->size.value},
                             {"error", record.dexterity->size.error},
                             {"enough_joints", record.dexterity->enough_joints},
                             {"orientations", record.dexterity->orientations}};
  }
  if (record.points.empty()) return document;
  if (record.has_service) document["mean_service"] = record.mean_service;
  if (record.has_payload) document["least_payload"] = record.least_payload;
  document["points"] = record.points.size();
  for (const Slice& slice : record.slices) document["slices"].push_back(slice_json(slice, record));
  return document;
}

std::string points_csv(const Record& record) {
  std::string text = "x,y,z";
  for (int k = 1; k <= record.robot.model.nq(); ++k) text += fmt::format(",q{}", k);
  if (record.has_service) text += ",service";
  if (record.has_payload) text += ",payload";
  text += '\n';
  for (const Point& point : record.points) {
    text += fmt::format("{},{},{}", point.p.x, point.p.y, point.p.z);
    for (const double x : point.q) text += fmt::format(",{}", x);
    if (record.has_service) text += fmt::format(",{}", point.service);
    if (record.has_payload) text += fmt::format(",{}", point.payload);
    text += '\n';
  }
  return text;
}

std::string boundary_stl(const Record& record) {
  std::string bytes = fmt::format("boundary of the workspace of {}", record.robot.model.name());
  bytes.resize(80, ' ');
  append(bytes, std::bit_cast<float>(static_cast<std::uint32_t>(record.boundary.size())));
  for (const std::array<Vec3<double>, 3>& triangle : record.boundary) {
    const Vec3<double> normal = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    append(bytes, norm(normal) > 0.0 ? (1.0 / norm(normal)) * normal : normal);
    for (const Vec3<double>& corner : triangle) append(bytes, corner);
    bytes += std::string(2, '\0');
  }
  return bytes;
}

void put_in_place(const OutputFolder& folder, const Graph& graph, const Record& record, const Json& document) {
  std::vector<std::pair<const char*, std::string>> texts{{"report.html", workspace_page(record)},
                                                         {"points.csv", points_csv(record)}};
  if (!record.boundary.empty()) texts.emplace_back("boundary.stl", boundary_stl(record));
  if (std::string page = boundary_page(record, graph); !page.empty())
    texts.emplace_back("boundary.html", std::move(page));
  texts.emplace_back("workspace.json", json_text(document));
  folder.replace(texts);
}

}  // namespace ulna::reach
